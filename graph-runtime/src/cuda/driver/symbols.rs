//! The functions of the driver's library that are called. cudarc looks each up at its first call, and panics if it is not there.

use std::sync::OnceLock;

use libloading::Library;

use crate::cuda::names;

/// Before the version is known.
const TO_START: &[&str] = &["cuDriverGetVersion", "cuInit", "cuGetErrorString"];

/// All that a driver of 12.3 has, those that cudarc calls for us at the end.
const NEEDED: &[&str] = &[
    "cuCtxGetCurrent",
    "cuCtxGetStreamPriorityRange",
    "cuCtxSetCurrent",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuGraphAddNode_v2",
    "cuGraphChildGraphNodeGetGraph",
    "cuGraphConditionalHandleCreate",
    "cuGraphCreate",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphExecNodeSetParams",
    "cuGraphGetNodes",
    "cuGraphInstantiateWithParams",
    "cuGraphKernelNodeSetAttribute",
    "cuGraphLaunch",
    "cuGraphNodeGetType",
    "cuGraphNodeSetEnabled",
    "cuGraphUpload",
    "cuLaunchKernel",
    "cuLaunchKernelEx",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemcpy3DAsync_v2",
    "cuMemcpyAsync",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxActiveClusters",
    "cuPointerGetAttribute",
    "cuStreamBeginCapture_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamEndCapture",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    // cudarc's.
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
];

/// Whether there is what tells the version; the first function that is not there.
pub(super) fn needed_to_start() -> Result<(), &'static str> {
    first_missing(TO_START)
}

/// Whether there is everything; the first function that is not there.
pub(super) fn needed() -> Result<(), &'static str> {
    first_missing(NEEDED)
}

/// The driver's library, never unloaded.
pub(super) fn driver() -> Option<&'static Library> {
    static DRIVER: OnceLock<Option<Library>> = OnceLock::new();
    DRIVER.get_or_init(|| names::load("cuda").or_else(|| names::load("nvcuda"))).as_ref()
}

fn first_missing(symbols: &[&'static str]) -> Result<(), &'static str> {
    let is_there = |symbol: &str| {
        // SAFETY: the symbol is looked for and not used.
        driver().is_some_and(|driver| unsafe { driver.get::<*const ()>(symbol.as_bytes()) }.is_ok())
    };
    symbols.iter().find(|symbol| !is_there(symbol)).map_or(Ok(()), |symbol| Err(*symbol))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_function_that_is_called_is_looked_for() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cuda/driver");
        // Where only the binary is, there are no sources to look at.
        let Ok(files) = std::fs::read_dir(folder) else { return };
        let mut called = BTreeSet::new();
        for file in files {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let calls = text.split("sys::cu").skip(1).filter(|rest| rest.starts_with(char::is_uppercase));
            let name = |rest: &str| {
                rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next().map(str::to_owned)
            };
            called.extend(calls.filter_map(name).map(|name| format!("cu{name}")));
        }
        let known: BTreeSet<String> = TO_START.iter().chain(NEEDED).map(ToString::to_string).collect();
        let unknown: Vec<&String> = called.difference(&known).collect();
        assert!(unknown.is_empty(), "add {unknown:?} to NEEDED");
        assert!(called.len() > 40, "{called:?}");
    }
}
