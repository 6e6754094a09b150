//! Buffers: parameters and transients.

use serde::{Deserialize, Serialize};

use super::{Mode, Place, RegionId, Shape, SymbolId};

/// Index into [`Program::buffers`](super::Program::buffers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BufferId(pub u32);

/// Where a buffer's memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Memory {
    /// On the device.
    Device,
    /// Pinned memory of the host (`&host [T; n]`).
    Host,
    /// Pinned memory of the host, in which host and device look at single elements while the graph runs (`&mailbox [T; n]`).
    Mailbox,
}

/// Where a buffer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// A parameter: [`Mode::Read`] for `&`, [`Mode::Update`] for `&mut`, [`Mode::Overwrite`] for `&out`.
    Parameter(Mode),
    /// `let t: [T; n];`: undefined at each launch.
    Transient,
    /// `static s: [T; n] = value;`: kept from launch to launch. The index is that of its first value in
    /// [`Program::statics`](super::Program::statics).
    Static(u32),
}

impl Origin {
    /// Whether its contents are there before the graph's first node and looked at behind its last.
    pub fn outlives_a_launch(self) -> bool {
        !matches!(self, Self::Transient)
    }
}

/// A buffer of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// As written. Names starting with `_` ask for no warnings.
    pub name: String,
    /// The element type, as written: `f32`.
    pub element: String,
    /// Its dimensions.
    pub shape: Shape,
    /// Where its memory is.
    pub memory: Memory,
    /// Parameter or transient.
    pub origin: Origin,
    /// The region whose pass starts its life: the graph's for parameters.
    pub region: RegionId,
    /// Its name in the declaration.
    pub place: Place,
    /// Whether it stands for itself.
    pub family: Family,
}

/// Whether a buffer of the symbolic program is one, several, or one of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Family {
    /// One buffer.
    #[default]
    Single,
    /// A list, or a struct, of buffers: which there are is known when the graph is built.
    List,
    /// One of a list, as written: `w[i + 1]`.
    Member {
        /// The list.
        list: BufferId,
        /// Evaluates to the buffer that is meant.
        symbol: SymbolId,
        /// All indices are literals, so that another text is another buffer.
        literal: bool,
    },
}

impl Buffer {
    /// The number of elements, if it is known.
    pub fn length(&self) -> Option<u64> {
        self.shape.elements()
    }
}
