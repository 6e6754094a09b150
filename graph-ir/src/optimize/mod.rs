//! Passes that leave the meaning as it is.

pub mod arena;
mod early;
pub mod fusion;
pub mod gates;
pub mod lanes;
mod launches;
mod merging;
pub mod overlap;
pub mod reduction;
pub mod registers;
pub mod resident;
pub mod start;
mod unread;

pub use fusion::{Fusion, Left, Memory, fuse};
pub use gates::{Gate, gates};
pub use lanes::{Laid, Lanes, lay};
pub use merging::{Merged, merging};
pub use overlap::{Overlap, overlap};
pub use reduction::{reduce, reduce_all, reduce_in};
pub use registers::Users;
pub use start::start;
pub use unread::{leave_out, unread};
