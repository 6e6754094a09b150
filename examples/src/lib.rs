//! Pipelines that do something real. Each runs on a GPU, and on the CPU where there is none.

pub mod canny;
pub mod migration;
pub mod picture;
pub mod programs;
