//! Loaded modules. The context is current.

use std::ffi::{CString, c_void};

use cudarc::driver::sys::{CUfunction, CUjit_option, CUmodule};

use super::error::{Failure, check};
use super::{Context, Function, functions};

const LOG_BYTES: usize = 16 * 1024;

/// A module, unloaded when dropped.
#[derive(Debug)]
pub(in crate::cuda) struct Module {
    raw: CUmodule,
    context: Context,
}

// SAFETY: the driver locks modules itself; the pointer is only handed to it.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Module {
    /// Loads PTX text (with a NUL behind it) or a cubin. On failure the JIT compiler's log comes beside the code.
    pub(in crate::cuda) fn load(context: Context, image: &[u8]) -> Result<Self, (Failure, String)> {
        let mut log = vec![0_u8; LOG_BYTES];
        let mut options = [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), LOG_BYTES as *mut c_void];
        let mut raw: CUmodule = std::ptr::null_mut();
        let loaded = context.bind().and_then(|()| {
            // SAFETY: the image is whole (a cubin has its length inside, PTX ends with NUL), and the options' arrays have two entries
            // each: a buffer that outlives the call, and its size.
            check(unsafe {
                functions::cuModuleLoadDataEx(
                    &raw mut raw,
                    image.as_ptr().cast(),
                    2,
                    options.as_mut_ptr(),
                    values.as_mut_ptr(),
                )
            })
        });
        match loaded {
            Ok(()) => Ok(Self { raw, context }),
            Err(failure) => Err((failure, text_of(&log))),
        }
    }

    /// A kernel by its symbol; `None` if the module has none of that name.
    pub(in crate::cuda) fn function(&self, name: &str) -> Result<Option<Function>, Failure> {
        let Ok(symbol) = CString::new(name) else { return Ok(None) };
        let mut raw: CUfunction = std::ptr::null_mut();
        // SAFETY: the module is loaded, the name ends with NUL, and `raw` is a valid place.
        match check(unsafe { functions::cuModuleGetFunction(&raw mut raw, self.raw, symbol.as_ptr()) }) {
            Ok(()) => Ok(Some(Function(raw))),
            Err(Failure::NOT_FOUND) => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

fn text_of(log: &[u8]) -> String {
    let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
    String::from_utf8_lossy(&log[..end]).trim().to_owned()
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the module is ours, and whoever drops it has no launch left that uses it.
        self.context.give_back("a CUDA module", || check(unsafe { functions::cuModuleUnload(self.raw) }));
    }
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn a_log_ends_at_the_first_nul() {
        assert_eq!(text_of(b"ptxas error\n\0rest"), "ptxas error");
        assert_eq!(text_of(b"full"), "full");
    }
}
