//! One thing to do about a driver's code.

/// The help for a code that neither the driver nor this crate has a name for.
pub(super) const UNKNOWN: &str = "the driver answers a code that it has no name for: look for the number among `CUresult` of the newest CUDA \
                                  toolkit, and see `dmesg`";

/// The help for a `CUresult`; empty if there is nothing useful to say.
pub(super) fn of(code: u32) -> &'static str {
    match code {
        1 => {
            "the driver does not say which value: a length, an address or a geometry of this node is not what it accepts"
        }
        2 => "the device's memory is full: drop buffers or graphs that are no longer needed, or use smaller ones",
        3 | 4 => "the CUDA driver is shutting down: keep devices and graphs out of destructors that run at exit",
        34 => "the library found is the toolkit's stub: put the real driver's folder first in LD_LIBRARY_PATH",
        35 | 803 => {
            "the installed driver is older than its libraries: update the NVIDIA driver, or reboot after an update"
        }
        46 | 101 => "the device is busy, in exclusive mode, or does not exist: see `nvidia-smi`",
        100 => "no CUDA device is visible: see `nvidia-smi` and CUDA_VISIBLE_DEVICES, or use `Device::cpu()`",
        200 => "the kernel file's image is damaged: compile it again",
        201 => "the context that this memory or stream belongs to is gone: was the device reset?",
        209 => {
            "the compiled kernel file has no code for this device: compile it for the device's architecture, or use the source or PTX"
        }
        218 => "the driver cannot compile this PTX: its log says why",
        220 => "NVLink reported an error that cannot be corrected: see `dmesg`",
        222 => "the PTX is newer than the driver: update the driver, or compile with an older toolkit",
        226 | 214 => "the device's memory reported an error that cannot be corrected: see `nvidia-smi -q -d ECC`",
        300 => "the kernel file's image is not valid",
        301..=303 => "the kernel file does not load: see its path",
        304 => "the operating system refused a call of the driver's",
        400 => "a graph, stream or memory was used after it was destroyed",
        500 => "the kernel file has no such symbol: declare a C++ kernel `extern \"C\"`",
        700 => {
            "a kernel touched memory outside its buffers, and the context is lost: call `run_eager()` in a new process to find the \
             node, or run under `compute-sanitizer`"
        }
        701 => {
            "the kernel needs more registers or shared memory than a block has: use a smaller block, or `__launch_bounds__`"
        }
        702 => "a kernel ran longer than the system allows: a loop without end, or a device that also drives a display",
        710 => "a device-side `assert` failed, and the context is lost: its text is on standard output",
        714..=718 => {
            "a kernel made a faulty access (alignment, address space or instruction), and the context is lost: run under \
             `compute-sanitizer`"
        }
        719 => {
            "a kernel failed, and the context is lost: call `run_eager()` in a new process to find the node, or run under \
             `compute-sanitizer`"
        }
        720 => "a cooperative grid is larger than the device holds at once: launch fewer blocks",
        800 => "the operation is not permitted here",
        801 => "this driver or device does not support the operation: update the driver, or use `Device::cpu()`",
        804 => "the driver's forward-compatibility package does not support this device",
        900..=908 => {
            "another thread captures a stream with CU_STREAM_CAPTURE_MODE_GLOBAL: build the graph before or after"
        }
        913 => "the kernel was not loaded yet: set CUDA_MODULE_LOADING=EAGER",
        999 => "the driver does not know what happened: see `dmesg`",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_usual_codes_have_help() {
        for code in [1, 2, 100, 201, 209, 218, 222, 300, 400, 700, 701, 716, 719, 801] {
            assert!(!of(code).is_empty(), "{code}");
        }
    }

    #[test]
    fn an_unknown_code_has_none() {
        assert_eq!(of(123_456), "");
    }
}
