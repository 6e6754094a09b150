//! Passes that leave the meaning as it is.

pub mod arena;
mod early;
pub mod fusion;
pub mod gates;
pub mod lanes;
mod launches;
pub mod overlap;
pub mod reduction;
pub mod registers;
pub mod resident;
mod unread;

pub use fusion::{Fusion, Left, Memory, fuse};
pub use gates::{Gate, gates};
pub use lanes::{Laid, Lanes, lay};
pub use overlap::{Overlap, overlap};
pub use reduction::{reduce, reduce_all, reduce_in};
pub use registers::Users;
pub use unread::{leave_out, unread};
