//! What tests on the stand-in for the driver have in common, here and in other packages.

pub mod beside_plan;
pub mod child;
pub mod expected;
pub mod shape;
