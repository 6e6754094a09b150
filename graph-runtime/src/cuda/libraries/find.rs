//! Whether a library is there, and where it was looked for.

use crate::cuda::module::{PLACES, libraries};
use crate::cuda::names::{load, names};
use crate::error::{Error, Result};

/// A library of CUDA's.
pub(super) struct Library {
    /// For people: `cuBLAS`.
    pub(super) name: &'static str,
    /// In the names of its files: `cublas`.
    pub(super) file: &'static str,
    /// Loads it, the first time.
    pub(super) load: fn() -> Option<&'static libloading::Library>,
    /// The first of the functions that are called which it lacks.
    pub(super) missing: fn() -> Option<&'static str>,
}

impl Library {
    /// Loads it, with all functions that are called.
    pub(super) fn require(&self) -> Result<()> {
        if (self.load)().is_none() {
            return Err(Error::Unavailable(self.not_found()));
        }
        (self.missing)().map_or(Ok(()), |function| Err(Error::Unavailable(self.incomplete(function))))
    }

    /// By one of its names, or in a toolkit's folder.
    pub(super) fn find(&self) -> Option<libloading::Library> {
        load(self.file).or_else(|| self.of_toolkit())
    }

    fn of_toolkit(&self) -> Option<libloading::Library> {
        let prefix = format!("lib{}.so", self.file);
        let files =
            libraries().into_iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let mut files = files.filter(|file| file.file_name().to_string_lossy().starts_with(&prefix));
        // SAFETY: loading CUDA's libraries runs their initialisers, which have no requirements of their own.
        files.find_map(|file| unsafe { libloading::Library::new(file.path()) }.ok())
    }

    fn not_found(&self) -> String {
        let Self { name, file, .. } = self;
        let names = names(file).join(", ");
        format!(
            "the library {name} was not found: tried {names}, and lib{file}.so* in {PLACES}\nhelp: install the CUDA toolkit or the \
             library's pip package, or put its folder into LD_LIBRARY_PATH; `Device::cpu()` needs none"
        )
    }

    fn incomplete(&self, function: &str) -> String {
        let Self { name, file, .. } = self;
        format!(
            "the library {name} that was found lacks `{function}`\nhelp: install the CUDA toolkit or the library's pip package: another \
             library called lib{file} may come first in LD_LIBRARY_PATH; `Device::cpu()` needs none"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Library = Library { name: "cuNone", file: "cunone", load: || None, missing: || Some("cuNoneCreate") };

    #[test]
    fn a_missing_library_is_told_with_the_names_that_were_tried() {
        assert!(NONE.find().is_none());
        let text = NONE.require().unwrap_err().to_string();
        assert!(text.starts_with("the library cuNone was not found: tried libcunone.so, "), "{text}");
        assert!(text.contains("CUDA_PATH") && text.contains("LD_LIBRARY_PATH"), "{text}");
    }

    #[test]
    fn a_library_that_lacks_a_function_is_told_with_it() {
        let text = NONE.incomplete("cuNoneCreate");
        assert!(text.starts_with("the library cuNone that was found lacks `cuNoneCreate`\nhelp: "), "{text}");
    }
}
