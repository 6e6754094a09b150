//! What a node does with a buffer.

use serde::{Deserialize, Serialize};

use super::{BufferId, Footprint, Place, Shape};

/// How a buffer is used, as written in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// `&x`: reads.
    Read,
    /// `&mut x`: reads and writes.
    Update,
    /// `&out x`: writes, and does not need the old contents.
    Overwrite,
    /// `&atomic x`: updates atomically, in a way that commutes.
    Atomic,
}

impl Mode {
    /// Whether the contents from before are needed.
    pub fn reads(self) -> bool {
        !matches!(self, Self::Overwrite)
    }

    /// Whether the contents may change.
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }

    /// Whether two uses of the same elements must be ordered: not two reads, nor two atomic updates.
    pub fn conflicts_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Read, Self::Read) | (Self::Atomic, Self::Atomic) => false,
            _ => self.writes() || other.writes(),
        }
    }

    /// As written: `&`, `&mut`, `&out`, `&atomic`.
    pub fn sigil(self) -> &'static str {
        match self {
            Self::Read => "&",
            Self::Update => "&mut",
            Self::Overwrite => "&out",
            Self::Atomic => "&atomic",
        }
    }
}

/// One use of a buffer by a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The buffer, after `swap` has been resolved.
    pub buffer: BufferId,
    /// How it is used.
    pub mode: Mode,
    /// Which elements.
    pub footprint: Footprint,
    /// Whether a range was written (`&x[a..b]`), as opposed to the whole buffer.
    pub ranged: bool,
    /// The argument, as written.
    pub place: Place,
    /// Where a kernel in the block counts its indices from, if that is not the buffer's first element.
    pub view: Option<View>,
}

/// What a graph inside a graph has of a buffer: it was given a part, or another shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct View {
    /// The buffer's element that has index 0 here.
    pub first: u64,
    /// The dimensions that it has here.
    pub shape: Shape,
}

impl Access {
    /// The element that a kernel in the block counts from, and the dimensions that it counts along. `whole` are the buffer's.
    pub fn counted(&self, whole: Shape) -> View {
        self.view.unwrap_or(View { first: 0, shape: whole })
    }
}
