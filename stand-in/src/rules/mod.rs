//! CUDA's structural rules, by subject. A rule that is broken is written down, and answered as the driver answers.

pub(crate) mod conditional;
pub(crate) mod copy;
pub(crate) mod edges;
pub(crate) mod instantiate;
pub(crate) mod kernel;
pub(crate) mod memory;
pub(crate) mod node;
pub(crate) mod update;
