//! `CUgraphNodeParams` as the caller wrote them.

use std::ffi::c_void;

use cudarc::driver::sys::{CUDA_MEMCPY3D, CUgraphNodeParams};

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::ffi::In;
use crate::objects::Id;
use crate::report::Work;
use crate::rules::copy::Copy;

/// `CUgraphNodeType`
pub(crate) const CONDITIONAL: u32 = 13;
/// Where the union of `CUgraphNodeParams` begins.
const UNION: usize = 16;

/// A launch's sizes.
pub(super) struct Geometry {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) shared: u32,
}

/// A conditional's parameters.
pub(crate) struct Conditional {
    pub(crate) handle: Id,
    pub(crate) kind: u32,
    pub(crate) size: u32,
    pub(crate) context: Id,
}

/// The kind of a node.
pub(super) fn kind(params: *const CUgraphNodeParams) -> u32 {
    // SAFETY: the header wants a whole struct; its first field is the kind, which may be newer than the bindings.
    unsafe { params.cast::<u32>().read() }
}

/// What a node of any kind but conditionals does, with every byte where CUDA wants it.
pub(super) fn read(driver: &mut Driver, params: *const CUgraphNodeParams) -> Outcome<Work> {
    match kind(params) {
        0 => launch(driver, params),
        1 => memcpy(driver, params),
        3 => {
            rest_is_zero(driver, params, 16)?;
            Ok(Work::Host { data: word(params, 1) })
        }
        4 => {
            rest_is_zero(driver, params, 8)?;
            Ok(Work::Child { graph: word(params, 0) })
        }
        5 => {
            rest_is_zero(driver, params, 0)?;
            Ok(Work::Empty)
        }
        6 => {
            rest_is_zero(driver, params, 8)?;
            Ok(Work::Wait { event: word(params, 0) })
        }
        7 => {
            rest_is_zero(driver, params, 8)?;
            Ok(Work::Record { event: word(params, 0) })
        }
        other => driver.refuse("stand-in", Refusal::NOT_SUPPORTED, format!("nodes of kind {other} are not there")),
    }
}

/// A conditional's parameters.
pub(super) fn conditional(driver: &mut Driver, params: *const CUgraphNodeParams) -> Outcome<Conditional> {
    rest_is_zero(driver, params, 32)?;
    let sizes = word(params, 1);
    let kind = (sizes & u64::from(u32::MAX)) as u32;
    Ok(Conditional { handle: Id(word(params, 0)), kind, size: (sizes >> 32) as u32, context: Id(word(params, 3)) })
}

/// Tells the caller where its bodies are: the array lives as long as the node.
pub(super) fn give_bodies(params: *mut CUgraphNodeParams, bodies: &[Id]) {
    // SAFETY: the header wants a whole struct that the driver may write; the parameters are a conditional's, and graphs are pointers.
    unsafe { (*params).__bindgen_anon_1.conditional.phGraph_out = bodies.as_ptr().cast_mut().cast() };
}

/// A word of the union.
fn word(params: *const CUgraphNodeParams, index: usize) -> u64 {
    // SAFETY: the header wants a whole struct, whose union has 29 words.
    unsafe { params.cast::<u64>().add(UNION / 8 + index).read() }
}

/// Rules R011 and R012: all bytes but the first of the union are zero.
fn rest_is_zero(driver: &mut Driver, params: *const CUgraphNodeParams, used: usize) -> Outcome {
    let bytes = In::of(params.cast::<u8>()).slice(size_of::<CUgraphNodeParams>());
    let dirty = (4..UNION).chain(UNION + used..bytes.len()).find(|at| bytes[*at] != 0);
    let Some(at) = dirty else { return Ok(()) };
    driver.refuse("R011", Refusal::INVALID_VALUE, format!("byte {at} of a node's parameters is unused and not zero"))
}

fn launch(driver: &mut Driver, params: *const CUgraphNodeParams) -> Outcome<Work> {
    rest_is_zero(driver, params, 72)?;
    // SAFETY: the header wants a whole struct, and these are a kernel's: integers and pointers.
    let kernel = unsafe { (&raw const (*params).__bindgen_anon_1.kernel).read() };
    if !kernel.kern.is_null() || !kernel.ctx.is_null() {
        return driver.refuse("stand-in", Refusal::NOT_SUPPORTED, "kernels of libraries are not there");
    }
    let grid = [kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ];
    let block = [kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ];
    let geometry = Geometry { grid, block, shared: kernel.sharedMemBytes };
    let [arguments, extra] = [kernel.kernelParams, kernel.extra].map(|array| In::of(array.cast_const()));
    self::kernel(driver, Id(kernel.func as u64), geometry, arguments, extra)
}

/// A launch with the bytes of its arguments.
pub(super) fn kernel(
    driver: &mut Driver,
    function: Id,
    Geometry { grid, block, shared }: Geometry,
    arguments: In<*mut c_void>,
    extra: In<*mut c_void>,
) -> Outcome<Work> {
    let entry = super::function::known(driver, function)?.entry.clone();
    if !extra.is_null() {
        return driver.refuse("R042", Refusal::NOT_SUPPORTED, "arguments are given as `extra`");
    }
    if arguments.is_null() && !entry.parameters.is_empty() {
        return driver.refuse(
            "R044",
            Refusal::INVALID_VALUE,
            format!("`{}` is launched without arguments", entry.name),
        );
    }
    let mut values = Vec::with_capacity(entry.parameters.len());
    for (index, (_, bytes)) in entry.parameters.iter().enumerate() {
        let value = In::of(arguments.at(index).cast_const().cast::<u8>());
        if value.is_null() {
            return driver.refuse(
                "R044",
                Refusal::INVALID_VALUE,
                format!("argument {index} of `{}` is null", entry.name),
            );
        }
        values.push(value.slice(*bytes));
    }
    Ok(Work::Kernel { name: entry.name, function: function.0, grid, block, shared, arguments: values })
}

fn memcpy(driver: &mut Driver, params: *const CUgraphNodeParams) -> Outcome<Work> {
    rest_is_zero(driver, params, 16 + size_of::<CUDA_MEMCPY3D>())?;
    if word(params, 0) != 0 {
        return driver.refuse("R070", Refusal::INVALID_VALUE, "a copy's flags and its reserved number are not zero");
    }
    let context = Id(word(params, 1));
    if !driver.contexts.contains_key(&context) {
        return driver.refuse("R070", Refusal::INVALID_CONTEXT, "a copy has no context");
    }
    // SAFETY: the header wants a whole struct, and these are a copy's.
    let copy = copy(driver, unsafe { &raw const (*params).__bindgen_anon_1.memcpy.copyParams })?;
    crate::rules::copy::check(driver, &copy)?;
    Ok(copy.work())
}

/// A copy's parameters.
pub(super) fn copy(driver: &mut Driver, params: *const CUDA_MEMCPY3D) -> Outcome<Copy> {
    if params.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    // SAFETY: not null, and the header wants a whole struct; the memory types are read as numbers, since they may be none of the enum's.
    let copy = unsafe {
        let memory = [&raw const (*params).dstMemoryType, &raw const (*params).srcMemoryType];
        let memory = memory.map(|one| one.cast::<u32>().read());
        let end = |kind: u32, host: u64, device: u64| if kind == 1 { host } else { device };
        Copy {
            to: end(memory[0], (*params).dstHost as u64, (*params).dstDevice),
            from: end(memory[1], (*params).srcHost as u64, (*params).srcDevice),
            memory,
            sizes: [(*params).WidthInBytes as u64, (*params).Height as u64, (*params).Depth as u64],
            pitch: [(*params).dstPitch as u64, (*params).srcPitch as u64],
            height: [(*params).dstHeight as u64, (*params).srcHeight as u64],
            start: [
                (*params).srcXInBytes,
                (*params).srcY,
                (*params).srcZ,
                (*params).dstXInBytes,
                (*params).dstY,
                (*params).dstZ,
            ]
            .iter()
            .any(|at| *at != 0),
            level: (*params).srcLOD != 0 || (*params).dstLOD != 0,
            arrays: !(*params).srcArray.is_null() || !(*params).dstArray.is_null(),
        }
    };
    if copy.arrays || copy.start {
        return driver.refuse(
            "stand-in",
            Refusal::NOT_SUPPORTED,
            "arrays and copies that start inside a box are not there",
        );
    }
    Ok(copy)
}
