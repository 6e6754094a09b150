//! Codes of findings. A number is never reused; each has a page `graph-runtime/src/errors/CGxxxx.md`.

use std::fmt;

/// The code of a finding: `CG0301`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The number behind `CG`.
    pub fn number(self) -> u16 {
        self.0
    }

    /// One line: what the code is about.
    pub fn title(self) -> &'static str {
        ALL.iter().find(|(code, _)| *code == self).map_or("", |(_, title)| title)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CG{:04}", self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Self = Self($number);)*
        }

        /// Every code with its title, in order.
        pub const ALL: &[(Code, &str)] = &[$((Code::$name, $title),)*];
    };
}

codes! {
    // 00xx syntax
    NOT_YET = 1, "a form of the language that is not supported yet";
    SYNTAX = 2, "a statement that the block's grammar does not have";
    EXPRESSION = 3, "an expression that cannot run on the device";
    DECLARATION = 4, "a declaration that a `#[cuda_module]` cannot hold";
    DEPTH = 5, "a block that is nested too deeply, or an expression that is too long";
    // 01xx names
    UNKNOWN_BUFFER = 101, "a name that no buffer of the graph has";
    UNKNOWN_LABEL = 102, "a label that no statement of the region has";
    DUPLICATE_NAME = 103, "one name for two buffers, values or labels";
    KERNEL_FILE = 104, "a kernel file that is missing, or that lacks a declared kernel";
    LENGTH_NAME = 105, "a length that names no value parameter of its kernel";
    UNUSED_PARAMETER = 106, "a parameter that nothing in its graph uses";
    SHAPE = 110, "a shape with a size that nothing gives";
    // 02xx arguments and geometry
    READ_ONLY = 201, "a write through a read-only parameter";
    ALIAS = 202, "one buffer twice in a launch, and written";
    LENGTH = 203, "a buffer with fewer elements than a kernel touches, or than its parameter declares";
    GEOMETRY = 204, "a grid or block that no device accepts";
    RANGE = 205, "a range that leaves its buffer or runs backwards";
    VALUE = 206, "a value that its receiver cannot hold, or a negative amount";
    DEVICE_READ = 207, "a host expression that reads an element on the device";
    BOUNDED = 208, "a value with a bound where the graph's shape is decided";
    RANK = 210, "a box or an index of other dimensions than its buffer";
    PIECES = 211, "a box in pieces for a kernel that takes elements in one piece";
    REQUIRES = 212, "a launch that does not meet a kernel's requirement";
    CLUSTER = 213, "clusters that do not fill the grid, or are too large";
    WAITS = 214, "a kernel that is declared `#[waits]` and does not wait";
    FIXED_BLOCK = 215, "a launch with another block than the declaration fixes";
    NEVER_SETS = 216, "a kernel that takes a `Condition`, in a file that sets none";
    DISAGREES = 217, "a declaration that disagrees with the kernel file";
    LAUNCH_BOUNDS = 218, "a block with more threads than the kernel file allows";
    STATIC_SHARED = 219, "a kernel that declares more shared memory than a kernel gets";
    SHARED = 220, "a launch with more shared memory than a block has";
    UNREAD_KERNEL = 221, "a kernel whose signature could not be read";
    SETTER = 222, "a function that sets conditions, declared with other parameters";
    PARAMETERS = 223, "a kernel with more bytes of parameters than a launch takes";
    // 03xx order
    CYCLE = 301, "statements that wait for each other";
    UNORDERED = 302, "statements of an `#[explicit]` graph that conflict and that no `after` orders";
    AFTER_REGION = 303, "`after` across the border of a body";
    REDUNDANT_AFTER = 305, "an `after` that orders nothing";
    NEEDLESS_WAIT = 306, "a wait that a second buffer would spare";
    // 04xx memory
    UNINITIALISED = 401, "a read that no write reaches";
    SCOPE = 402, "a buffer used outside the block that declares it";
    UNREAD = 403, "a result that nobody reads";
    MAYBE_UNINITIALISED = 404, "a read that only some paths have written";
    OUT_NOT_WRITTEN = 405, "an `&out` parameter that is not written on every path";
    DROPPED = 406, "a buffer used after `drop`, or dropped in another region";
    STATIC = 407, "a `static` in a body, or whose length would change";
    UNUSED_BUFFER = 408, "a buffer that nothing uses";
    MAILBOX = 409, "a mailbox that is used otherwise than element by element";
    // 05xx conditionals
    CALL_IN_BODY = 501, "a host callback or an event inside a conditional body";
    ENDLESS = 502, "a loop that nothing can end";
    EVERY = 503, "`limit` that is no multiple of `every`";
    SWAP = 504, "a `swap` that leaves the names exchanged";
    MATCH = 505, "an arm that can never run";
    UNLIMITED = 506, "a loop that only a comparison of floats can end";
    CONDITION = 511, "a condition that no kernel, or more than one, sets in a pass";
    BY_LAUNCHES = 512, "a graph with conditions, for a driver that has no conditional nodes";
    // 06xx copies
    COPY_LENGTH = 601, "a copy between ranges of different lengths";
    COPY_OVERLAP = 602, "a copy between overlapping ranges";
    // 07xx kernels in the block
    RACE = 701, "an element that several indices of a kernel in the block touch, and one of them writes";
    BODY = 702, "what the body of a kernel in the block cannot hold";
    IDLE_KERNEL = 703, "a `kernel for` that writes no buffer";
    // 08xx objects, callbacks, captures, events, graphs inside graphs
    HOST_MEMORY = 801, "a host callback on device memory";
    OBJECT = 802, "an object that is used otherwise than its parameter allows";
    CAPTURE = 803, "a captured call that fails, or that holds what its place does not allow";
    CPU_FORM = 804, "a captured call without a form for the CPU, built on the CPU";
    INSIDE = 811, "a graph inside a graph that is given other lengths or shapes than it declares";
    RECURSION = 812, "a graph that contains itself";
    // 09xx internal
    INTERNAL = 900, "a fault of `cuda_graph!` itself";
}
