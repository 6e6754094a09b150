//! What entries are launched with.

use graph_ir::model::SymbolId;

use crate::compute::reduce;
use crate::scalar::typing::IndexSite;

/// An entry, and how to launch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name in the module.
    pub(crate) name: String,
    /// In order.
    pub(crate) parameters: Vec<Parameter>,
    /// The indices that it checks.
    pub(crate) sites: Vec<IndexSite>,
    /// How many indices a thread of a kernel in the block takes at a time.
    pub(crate) lanes: u32,
    /// Whether it numbers elements in 32 bits.
    pub(crate) narrow: bool,
}

/// One parameter of an entry. All are `u64`, or 8 bytes with the value in the low ones, except patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// The handle of a conditional node; of a row of nodes, the one with this index.
    Handle(u32),
    /// The address of a `u32` that receives what a handle would be set to.
    Value,
    /// The address of the loop's [`LoopState`](crate::plan::LoopState), a multiple of 16.
    State,
    /// Most passes of the user's body; `u64::MAX` for no limit.
    Limit,
    /// Passes of the user's body that one run of the loop's body makes.
    Every,
    /// The address of the first element of the node's access with this index.
    Access(u32),
    /// A host value: its bytes in the low bytes of 8.
    Host(SymbolId),
    /// The number of bytes to fill: elements times the size of one. Of a box, those of one row.
    Bytes,
    /// The number of bytes after which the pattern repeats.
    Size,
    /// The number of rows of a box, in all slices.
    Rows,
    /// The number of rows of one slice.
    Height,
    /// Bytes from one row to the next.
    Pitch,
    /// Bytes from one slice to the next.
    Slice,
    /// What [`fill_pattern`] makes of the fill value: this many bytes.
    Pattern(u32),
    /// The first index of a kernel's axis, in the low bytes.
    Start(u32),
    /// How many indices a kernel's axis has.
    Count(u32),
    /// The address of the first element of the buffer that the node's access with this index is of.
    Buffer(u32),
    /// The size of that buffer along a dimension.
    Dimension(u32, u32),
    /// The address of a reduction's blocks' values, 8 bytes each.
    Partials,
    /// The address of the blocks' values of the reduction with this number among those that are combined first.
    Collected(u32),
    /// How many blocks it has.
    CollectedBlocks(u32),
    /// The address of a reduction's counter, a `u32` that is zero between launches.
    Ticket,
    /// The address of the record of faults.
    Fault,
    /// The number of the node's first site in that record.
    Site,
}

/// The most threads of a block of a `kernel for`.
pub(super) const EACH_THREADS: u64 = 256;

/// Blocks and threads of a `kernel for` whose threads take `lanes` indices of the last axis at a time. Any geometry is right.
pub(crate) fn each_geometry(counts: &[u64], lanes: u32) -> [[u32; 3]; 2] {
    let [mut grid, mut block] = [[1_u32; 3]; 2];
    let widest = if counts.len() == 1 { EACH_THREADS } else { 64 };
    let mut left = EACH_THREADS;
    for (dimension, count) in counts.iter().rev().enumerate().take(3) {
        let wanted = if dimension == 0 { count.div_ceil(u64::from(lanes)) } else { *count };
        let wanted = wanted.max(1);
        // Full warps along the last axis.
        let least = if counts.len() == 1 { 32 } else { 1 };
        let threads = wanted.min(EACH_THREADS).next_power_of_two().clamp(least, widest.min(left));
        let blocks = wanted.div_ceil(threads).min(if dimension == 0 { 0x7fff_ffff } else { 0xffff });
        left /= threads;
        (grid[dimension], block[dimension]) = (blocks as u32, threads as u32);
    }
    [grid, block]
}

/// The same for a kernel that first combines what reductions left to it: full blocks, and not many, since each of them does that.
pub(crate) fn collecting_geometry(counts: &[u64], lanes: u32) -> [[u32; 3]; 2] {
    let block = if counts.len() == 1 { [EACH_THREADS as u32, 1, 1] } else { [64, 4, 1] };
    let (mut grid, mut left) = ([1; 3], u64::from(MOST_BLOCKS));
    for (dimension, count) in counts.iter().rev().enumerate().take(3) {
        let wanted = if dimension == 0 { count.div_ceil(u64::from(lanes)) } else { *count };
        let blocks = wanted.div_ceil(u64::from(block[dimension])).clamp(1, left);
        grid[dimension] = blocks as u32;
        left /= blocks;
    }
    [grid, block]
}

/// The most blocks of a reduction.
pub(crate) const MOST_BLOCKS: u32 = 1024;

/// Blocks and threads of a reduction over so many indices, of which a thread takes `lanes` at a time: one accumulator for each lane of
/// each thread, as many as [`reduce::blocks`] has. One block if it has so few; else small ones, that more multiprocessors take part.
pub(crate) fn reduce_geometry(count: u64, lanes: u32) -> [[u32; 3]; 2] {
    let accumulators = reduce::blocks(count) * reduce::WIDTH;
    let threads = match lanes {
        _ if accumulators == reduce::WIDTH => reduce::WIDTH / u64::from(lanes),
        1 => 256,
        _ => 128,
    };
    let blocks = accumulators / u64::from(lanes) / threads;
    debug_assert!(blocks <= u64::from(MOST_BLOCKS), "there is scratch for so many");
    [[blocks as u32, 1, 1], [threads as u32, 1, 1]]
}

/// Where a decision goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// To the handle of one conditional node.
    Node,
    /// To the handles of a row of conditional nodes with one body each. The same as [`Target::Node`] for loops.
    Row,
    /// To memory, for conditions that the host decides: what [`Target::Node`] would set.
    Memory,
    /// To a register of the launch that the entry is a part of: what [`Target::Node`] would set.
    Register,
}

/// The pattern size to which fills with a period of 1, 2, 4, 8 or 16 bytes are brought.
pub(super) const PERIODIC: u32 = 16;

/// Kernels take at most 4 KiB of parameters.
pub(super) const LARGEST_PATTERN: usize = 2048;

/// The bytes of the pattern parameter of fills with a value of `size` bytes; `None` if there is no such fill.
pub(super) fn capacity(size: usize) -> Option<u32> {
    match size {
        0 => None,
        1 | 2 | 4 | 8 | 16 => Some(PERIODIC),
        17..=LARGEST_PATTERN | 3..=15 => Some(size.next_power_of_two().max(64) as u32),
        _ => None,
    }
}

/// The bytes of [`Parameter::Pattern`] for a fill value: the value again and again, up to the parameter's size.
pub(crate) fn fill_pattern(value: &[u8]) -> Vec<u8> {
    let capacity = capacity(value.len()).unwrap_or(0) as usize;
    value.iter().copied().cycle().take(capacity).collect()
}

/// The value of [`Parameter::Size`] for a fill value.
pub(crate) fn fill_period(value: &[u8]) -> u64 {
    let size = value.len() as u64;
    if capacity(value.len()) == Some(PERIODIC) { u64::from(PERIODIC) } else { size }
}

/// Blocks along the rows of a box: the most that a grid can have there, or fewer.
pub(crate) fn fill_rows(rows: u64) -> u32 {
    rows.clamp(1, 65_535) as u32
}

/// Blocks and threads of a fill of this many bytes. Any geometry with at least 16 threads is right.
pub(crate) fn fill_geometry(bytes: u64) -> (u32, u32) {
    let vectors = bytes.div_ceil(16);
    if vectors <= 32 {
        return (1, 32);
    }
    (vectors.div_ceil(256).min(16_384) as u32, 256)
}

impl Entry {
    /// The entry of a node that names these host values.
    pub(super) fn with_hosts(&self, hosts: &[SymbolId]) -> Self {
        let parameters = self.parameters.iter().map(|parameter| match parameter {
            Parameter::Host(slot) => Parameter::Host(hosts[slot.0 as usize]),
            other => *other,
        });
        let (name, parameters, sites) = (self.name.clone(), parameters.collect(), self.sites.clone());
        Self { name, parameters, sites, lanes: self.lanes, narrow: self.narrow }
    }
}

impl Parameter {
    /// Its name in the text, where host values are numbered from 0.
    pub(super) fn name(self) -> String {
        match self {
            Self::Handle(index) => format!("handle_{index}"),
            Self::Value => "value".to_owned(),
            Self::State => "state".to_owned(),
            Self::Limit => "limit".to_owned(),
            Self::Every => "every".to_owned(),
            Self::Access(access) => format!("access_{access}"),
            Self::Host(slot) => format!("host_{}", slot.0),
            Self::Bytes => "bytes".to_owned(),
            Self::Size => "size".to_owned(),
            Self::Rows => "rows".to_owned(),
            Self::Height => "height".to_owned(),
            Self::Pitch => "pitch".to_owned(),
            Self::Slice => "slice".to_owned(),
            Self::Pattern(_) => "pattern".to_owned(),
            Self::Start(axis) => format!("start_{axis}"),
            Self::Count(axis) => format!("count_{axis}"),
            Self::Buffer(access) => format!("buffer_{access}"),
            Self::Dimension(access, dimension) => format!("size_{access}_{dimension}"),
            Self::Partials => "partials".to_owned(),
            Self::Collected(number) => format!("collected_{number}"),
            Self::CollectedBlocks(number) => format!("blocks_{number}"),
            Self::Ticket => "ticket".to_owned(),
            Self::Fault => "fault".to_owned(),
            Self::Site => "site".to_owned(),
        }
    }

    /// How many words of 8 bytes it has.
    pub(super) fn words(self) -> usize {
        match self {
            Self::Pattern(bytes) => (bytes as usize).div_ceil(8),
            _ => 1,
        }
    }

    /// Its declaration, with something in front of its name.
    pub(super) fn declared(self, prefix: &str) -> String {
        let name = self.name();
        match self {
            Self::Pattern(bytes) => format!(".param .align 16 .b8 {prefix}{name}[{bytes}]"),
            _ => format!(".param .u64 {prefix}{name}"),
        }
    }
}

/// `.visible .entry name(…) … {`.
pub(super) fn head(name: &str, parameters: &[Parameter], directive: &str) -> String {
    let declarations: Vec<String> = parameters.iter().map(|parameter| parameter.declared("")).collect();
    format!("\n.visible .entry {name}(\n\t{}\n)\n{directive}{{\n", declarations.join(",\n\t"))
}
