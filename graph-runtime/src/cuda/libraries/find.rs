//! Whether a library is there, and where it was looked for.

use crate::cuda::module::{PLACES, libraries};
use crate::cuda::names::{names, present};
use crate::error::{Error, Result};

/// A library of CUDA's.
pub(super) struct Library {
    /// For people: `cuBLAS`.
    pub(super) name: &'static str,
    /// In the names of its files: `cublas`.
    pub(super) file: &'static str,
}

impl Library {
    /// Loads it. Asked before any call: cudarc panics without it.
    pub(super) fn require(&self) -> Result<()> {
        if present(self.file) || self.load_from_toolkit() {
            return Ok(());
        }
        Err(Error::Unavailable(self.missing()))
    }

    /// A library that is loaded is found by its bare name, wherever it was loaded from.
    fn load_from_toolkit(&self) -> bool {
        let prefix = format!("lib{}.so", self.file);
        let files =
            libraries().into_iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let mut files = files.filter(|file| file.file_name().to_string_lossy().starts_with(&prefix));
        files.any(|file| {
            // SAFETY: loading CUDA's libraries runs their initialisers, which have no requirements of their own.
            let library = unsafe { libloading::Library::new(file.path()) };
            library.map(std::mem::forget).is_ok() && present(self.file)
        })
    }

    fn missing(&self) -> String {
        let Self { name, file, .. } = self;
        let names = names(file).join(", ");
        format!(
            "the library {name} was not found: tried {names}, and lib{file}.so* in {PLACES}\nhelp: install the CUDA toolkit or the \
             library's pip package, or put its folder into LD_LIBRARY_PATH; `Device::cpu()` needs none"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_told_with_the_names_that_were_tried() {
        let library = Library { name: "cuNone", file: "cunone" };
        let text = library.require().unwrap_err().to_string();
        assert!(text.starts_with("the library cuNone was not found: tried libcunone.so, "), "{text}");
        assert!(text.contains("CUDA_PATH") && text.contains("LD_LIBRARY_PATH"), "{text}");
    }
}
