//! The arena: transients that are never needed at once lie in the same memory.
//!
//! [`conflicts`] finds out which of them are needed at once, [`pack`] gives each an offset.

mod apart;
mod conflicts;
mod live;
mod pack;

pub use conflicts::Conflicts;
pub use live::{Order, conflicts};
pub use pack::{Packing, pack, work};
