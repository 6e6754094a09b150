//! Canny's edge detector as one graph: blur, gradients side by side, suppression, thresholds, hysteresis until nothing changes.

pub mod cpu;
mod graph;

pub use graph::{Canny, CannyArgs};
