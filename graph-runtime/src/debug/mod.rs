//! Looking at a graph while it runs node by node: times, and the CPU's results beside the device's.

mod checked;
mod compare;
mod differs;
mod mirror;
mod profile;
mod watch;

pub use checked::Checked;
pub(crate) use checked::check;
pub use compare::Tolerance;
pub use differs::Differs;
pub(crate) use profile::Clock;
pub use profile::{LoopProfile, NodeProfile, Profile};
pub(crate) use watch::{Watch, Watcher, is_conditional};
