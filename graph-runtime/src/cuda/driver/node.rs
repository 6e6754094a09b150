//! `CUgraphNodeParams`, written through raw pointers.
//!
//! The struct holds enums without a variant for zero (`CUmemorytype`), so no reference to a zeroed one may exist: bytes are zeroed
//! first, as the driver demands of unused ones, and fields are written in place.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use cudarc::driver::sys::{
    CUDA_MEMCPY3D, CUgraph, CUgraphConditionalNodeType, CUgraphNodeParams, CUgraphNodeType, CUmemorytype,
};

use super::error::check;
use super::{Context, EventRef, Failure, Function, GraphRef, Handle, Stream, functions};
use graph_ir::model::Memory;

/// What a host node calls.
pub(in crate::cuda) type HostFunction = unsafe extern "C" fn(*mut c_void);

/// The parameters of one node.
pub(in crate::cuda) struct NodeParams(MaybeUninit<CUgraphNodeParams>);

/// One end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct CopyEnd {
    /// First byte.
    pub(in crate::cuda) address: u64,
    /// Where it is: the driver must be told the truth.
    pub(in crate::cuda) memory: Memory,
    /// Bytes from one row to the next.
    pub(in crate::cuda) pitch: u64,
    /// Rows from one slice to the next.
    pub(in crate::cuda) height: u64,
}

/// What a conditional node does with its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) enum Conditional {
    /// One or two bodies.
    If,
    /// One body.
    While,
    /// A body per value.
    Switch,
}

impl NodeParams {
    /// A node that only has order.
    pub(in crate::cuda) fn empty() -> Self {
        Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY)
    }

    /// A launch of nothing, for [`NodeParams::set_kernel`].
    pub(in crate::cuda) fn any_kernel() -> Self {
        Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL)
    }

    /// A launch. `arguments` has one pointer per parameter and outlives the call that takes these parameters.
    pub(in crate::cuda) fn kernel(
        function: Function,
        [grid, block]: [[u32; 3]; 2],
        shared: u32,
        arguments: &mut [*mut c_void],
    ) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL);
        params.set_kernel(function, [grid, block], shared, arguments);
        params
    }

    /// Makes these parameters of a launch those of another: cheaper than making new ones.
    pub(in crate::cuda) fn set_kernel(
        &mut self,
        function: Function,
        [grid, block]: [[u32; 3]; 2],
        shared: u32,
        arguments: &mut [*mut c_void],
    ) {
        // SAFETY: the pointer is to a whole, initialised struct; fields are written in place, and integers and pointers may be zero.
        unsafe {
            let kernel = &raw mut (*self.0.as_mut_ptr()).__bindgen_anon_1.kernel;
            (*kernel).func = function.0;
            [(*kernel).gridDimX, (*kernel).gridDimY, (*kernel).gridDimZ] = grid;
            [(*kernel).blockDimX, (*kernel).blockDimY, (*kernel).blockDimZ] = block;
            (*kernel).sharedMemBytes = shared;
            (*kernel).kernelParams = arguments.as_mut_ptr();
        }
    }

    /// A copy of slices of rows of bytes, at least one.
    pub(in crate::cuda) fn copy(to: CopyEnd, from: CopyEnd, sizes: [u64; 3], context: Context) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMCPY);
        // SAFETY: as in `kernel`; the memory types, which have no variant for zero, are written and never read.
        unsafe {
            let memcpy = &raw mut (*params.0.as_mut_ptr()).__bindgen_anon_1.memcpy;
            (*memcpy).copyCtx = context.raw();
            set_copy(&raw mut (*memcpy).copyParams, to, from, sizes);
        }
        params
    }

    /// A call of `function` with `data`.
    pub(in crate::cuda) fn host(function: HostFunction, data: u64) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_HOST);
        // SAFETY: as in `kernel`.
        unsafe {
            let host = &raw mut (*params.0.as_mut_ptr()).__bindgen_anon_1.host;
            (&raw mut (*host).fn_).write(Some(function));
            (*host).userData = data as *mut c_void;
        }
        params
    }

    /// A copy of a graph.
    pub(in crate::cuda) fn child(graph: GraphRef) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH);
        // SAFETY: as in `kernel`; zero means that the graph is copied.
        unsafe { (*params.0.as_mut_ptr()).__bindgen_anon_1.graph.graph = graph.0 };
        params
    }

    /// A record of an event.
    pub(in crate::cuda) fn record(event: EventRef) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_EVENT_RECORD);
        // SAFETY: as in `kernel`.
        unsafe { (*params.0.as_mut_ptr()).__bindgen_anon_1.eventRecord.event = event.0 };
        params
    }

    /// A wait for an event.
    pub(in crate::cuda) fn wait(event: EventRef) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_WAIT_EVENT);
        // SAFETY: as in `kernel`.
        unsafe { (*params.0.as_mut_ptr()).__bindgen_anon_1.eventWait.event = event.0 };
        params
    }

    /// A conditional with `bodies` bodies.
    pub(in crate::cuda) fn conditional(handle: Handle, kind: Conditional, bodies: u32, context: Context) -> Self {
        let mut params = Self::of(CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL);
        // SAFETY: as in `kernel`.
        unsafe {
            let conditional = &raw mut (*params.0.as_mut_ptr()).__bindgen_anon_1.conditional;
            (*conditional).handle = handle.0;
            // The enum may lack SWITCH in older bindings; it is a `u32` in every version.
            (&raw mut (*conditional).type_).cast::<u32>().write(conditional_type(kind));
            (*conditional).size = bodies;
            (*conditional).ctx = context.raw();
        }
        params
    }

    /// The bodies that the driver made for a conditional, once its node was added.
    ///
    /// # Safety
    /// The node was added with these parameters, which are those of a conditional with `bodies` bodies.
    pub(in crate::cuda) unsafe fn bodies(&self, bodies: usize) -> Vec<CUgraph> {
        // SAFETY: the driver wrote a pointer to an array of `bodies` graphs, which lives as long as the node.
        unsafe {
            let graphs = (*self.0.as_ptr()).__bindgen_anon_1.conditional.phGraph_out;
            (0..bodies).map(|body| *graphs.add(body)).collect()
        }
    }

    /// For the calls that take them; the driver may write results into them.
    pub(super) fn as_mut_ptr(&mut self) -> *mut CUgraphNodeParams {
        self.0.as_mut_ptr()
    }

    fn of(kind: CUgraphNodeType) -> Self {
        let mut params = MaybeUninit::<CUgraphNodeParams>::zeroed();
        // SAFETY: the pointer is to a whole struct.
        unsafe { (&raw mut (*params.as_mut_ptr()).type_).write(kind) };
        Self(params)
    }
}

/// Copies slices of rows of bytes on a stream.
///
/// # Safety
/// Both ends have those bytes until the stream gets there.
pub(in crate::cuda) unsafe fn copy_rows(
    to: CopyEnd,
    from: CopyEnd,
    sizes: [u64; 3],
    stream: &Stream,
) -> Result<(), Failure> {
    let mut copy = MaybeUninit::<CUDA_MEMCPY3D>::zeroed();
    // SAFETY: all bytes are zeroed, then the enums without a variant for zero are written; the rest is the caller's promise.
    unsafe {
        set_copy(copy.as_mut_ptr(), to, from, sizes);
        check(functions::cuMemcpy3DAsync_v2(copy.as_ptr(), stream.raw()))
    }
}

/// Writes a copy's parameters. Distances are left out where there is nothing to be apart.
///
/// # Safety
/// The pointer is to a whole struct of zeros.
unsafe fn set_copy(copy: *mut CUDA_MEMCPY3D, to: CopyEnd, from: CopyEnd, [slices, rows, row]: [u64; 3]) {
    // SAFETY: the caller's promise; the memory types, which have no variant for zero, are written and never read.
    unsafe {
        (&raw mut (*copy).srcMemoryType).write(memory_type(from.memory));
        (&raw mut (*copy).dstMemoryType).write(memory_type(to.memory));
        match from.memory {
            Memory::Device => (*copy).srcDevice = from.address,
            Memory::Host | Memory::Mailbox => (*copy).srcHost = from.address as *const c_void,
        }
        match to.memory {
            Memory::Device => (*copy).dstDevice = to.address,
            Memory::Host | Memory::Mailbox => (*copy).dstHost = to.address as *mut c_void,
        }
        if slices > 1 || rows > 1 {
            (*copy).srcPitch = from.pitch as usize;
            (*copy).dstPitch = to.pitch as usize;
        }
        if slices > 1 {
            (*copy).srcHeight = from.height as usize;
            (*copy).dstHeight = to.height as usize;
        }
        (*copy).WidthInBytes = row as usize;
        (*copy).Height = rows as usize;
        (*copy).Depth = slices as usize;
    }
}

fn memory_type(memory: Memory) -> CUmemorytype {
    match memory {
        Memory::Device => CUmemorytype::CU_MEMORYTYPE_DEVICE,
        Memory::Host | Memory::Mailbox => CUmemorytype::CU_MEMORYTYPE_HOST,
    }
}

fn conditional_type(kind: Conditional) -> u32 {
    match kind {
        Conditional::If => CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_IF as u32,
        Conditional::While => CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE as u32,
        Conditional::Switch => 2,
    }
}

const _: () = assert!(size_of::<CUgraphNodeParams>() == 256 && size_of::<CUgraphConditionalNodeType>() == 4);

#[cfg(test)]
mod tests {
    use super::*;

    fn words(params: &NodeParams) -> Vec<u64> {
        let start = params.0.as_ptr().cast::<u64>();
        // SAFETY: all 256 bytes are initialised: zeroed, then written.
        (0..32).map(|word| unsafe { start.add(word).read_unaligned() }).collect()
    }

    #[test]
    fn an_empty_node_is_its_type_and_zeros() {
        let words = words(&NodeParams::empty());
        assert_eq!(words[0], 5);
        assert!(words[1..].iter().all(|word| *word == 0));
    }

    #[test]
    fn a_copy_tells_where_its_ends_are() {
        let end = |address, memory| CopyEnd { address, memory, pitch: 0x200, height: 7 };
        // SAFETY: a null context is never followed here.
        let context: Context = unsafe { MaybeUninit::zeroed().assume_init() };
        let params = NodeParams::copy(end(0x1000, Memory::Device), end(0x2000, Memory::Host), [1, 1, 96], context);
        // SAFETY: `copy` wrote the memory types.
        let copy = unsafe { (*params.0.as_ptr()).__bindgen_anon_1.memcpy.copyParams };
        assert_eq!((copy.srcMemoryType as u32, copy.dstMemoryType as u32), (1, 2));
        assert_eq!((copy.srcHost as u64, copy.srcDevice), (0x2000, 0));
        assert_eq!((copy.dstHost as u64, copy.dstDevice), (0, 0x1000));
        assert_eq!((copy.WidthInBytes, copy.Height, copy.Depth), (96, 1, 1));
        assert_eq!((copy.srcPitch, copy.dstPitch, copy.srcHeight, copy.dstHeight), (0, 0, 0, 0));
    }

    #[test]
    fn a_copy_in_rows_tells_how_far_they_are_apart() {
        let end = |address, pitch, height| CopyEnd { address, memory: Memory::Device, pitch, height };
        // SAFETY: a null context is never followed here.
        let context: Context = unsafe { MaybeUninit::zeroed().assume_init() };
        let params = NodeParams::copy(end(0x1000, 512, 5), end(0x2000, 64, 3), [2, 3, 48], context);
        // SAFETY: `copy` wrote the memory types.
        let copy = unsafe { (*params.0.as_ptr()).__bindgen_anon_1.memcpy.copyParams };
        assert_eq!((copy.srcPitch, copy.srcHeight, copy.dstPitch, copy.dstHeight), (64, 3, 512, 5));
        assert_eq!((copy.WidthInBytes, copy.Height, copy.Depth), (48, 3, 2));
    }

    #[test]
    fn a_conditional_has_handle_kind_and_size() {
        // SAFETY: a null context is never followed here.
        let context: Context = unsafe { MaybeUninit::zeroed().assume_init() };
        let words = words(&NodeParams::conditional(Handle(77), Conditional::Switch, 3, context));
        assert_eq!(words[0], 13);
        assert_eq!(words[2], 77);
        assert_eq!(words[3], 2 | 3 << 32);
    }
}
