//! Looking at a graph while it runs node by node: times, and the CPU's results beside the device's.

mod beside;
mod checked;
mod compare;
mod differs;
mod mirror;
mod old_code;
mod profile;
mod watch;

pub(crate) use beside::Contents;
pub use beside::{Compared, Unlike};
pub use checked::Checked;
pub(crate) use checked::check;
pub use compare::Tolerance;
pub use differs::Differs;
pub use old_code::OldCode;
pub(crate) use old_code::Side;
pub(crate) use profile::Clock;
pub use profile::{LoopProfile, NodeProfile, Profile};
pub(crate) use watch::{Watch, Watcher, is_conditional};
