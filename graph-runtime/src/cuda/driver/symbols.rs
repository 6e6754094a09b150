//! Whether the driver's library has what is called.

use std::sync::OnceLock;

use libloading::Library;

use super::{functions, start};
use crate::cuda::names;

/// What cudarc calls for us beside functions that are called here too: it panics if one is not there.
const CUDARC: &[&str] = &["cuCtxSynchronize"];

/// Whether there is what tells the version; the first function that is not there.
pub(super) fn needed_to_start() -> Result<(), &'static str> {
    start::missing().map_or(Ok(()), Err)
}

/// Whether there is everything; the first function that is not there.
pub(super) fn needed() -> Result<(), &'static str> {
    let is_there = |symbol: &str| {
        // SAFETY: the symbol is looked for and not used.
        driver().is_some_and(|driver| unsafe { driver.get::<*const ()>(symbol.as_bytes()) }.is_ok())
    };
    let missing = functions::missing().or_else(|| CUDARC.iter().find(|symbol| !is_there(symbol)).copied());
    missing.map_or(Ok(()), Err)
}

/// The driver's library, never unloaded.
pub(super) fn driver() -> Option<&'static Library> {
    static DRIVER: OnceLock<Option<Library>> = OnceLock::new();
    DRIVER.get_or_init(|| names::load("cuda").or_else(|| names::load("nvcuda"))).as_ref()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// What is called in a text, of `sys::cuInit(0)`, `result::init()` and the like. Types of the bindings are no calls.
    fn calls(text: &str) -> Vec<&str> {
        let modules = ["sys::", "result::"];
        let names = modules.iter().flat_map(|module| text.split(module).skip(1)).map(|rest| {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            rest.split_at(end)
        });
        names.filter(|(name, rest)| !name.is_empty() && rest.starts_with('(')).map(|(name, _)| name).collect()
    }

    #[test]
    fn a_call_is_told_from_a_type() {
        let text = "sys::cuInit(0); let x: sys::CUstream = sys::cublasSide_t::LEFT; sys::{self, cuX}; let y: result::Error = \
                    unsafe { sys::cufftCreate(p) } result::dn_create()";
        assert_eq!(calls(text), ["cuInit", "cufftCreate", "dn_create"]);
    }

    /// What the bindings call answers with an enum that is closed (rule R010).
    #[test]
    fn nothing_is_called_through_the_bindings() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cuda");
        let mut looked_at = 0;
        // Where only the binary is, there are no sources to look at.
        for folder in ["", "driver", "libraries", "nvrtc"].map(|name| folder.join(name)) {
            for file in std::fs::read_dir(folder).into_iter().flatten() {
                let path = file.unwrap().path();
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let text = text.split("mod tests {").next().unwrap_or_default();
                assert_eq!(calls(text), [""; 0], "{}", path.display());
                looked_at += 1;
            }
        }
        assert!(looked_at == 0 || looked_at > 30, "{looked_at}");
    }
}
