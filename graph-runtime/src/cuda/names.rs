//! Under which names CUDA's libraries are looked for: names that cudarc tries, so what is found here it finds too.
//!
//! cudarc itself can only be asked where it loads the libraries. In a program with candle, for instance, it links them.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

use cudarc::driver::sys::CUDA_VERSION;
use libloading::Library;

/// File names of a library: `cufft` is `libcufft.so`, `libcufft.so.12`, or `cufft64_12.dll`.
pub(super) fn names(library: &str) -> Vec<String> {
    let (major, minor) = (CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
    let file = |middle: &str, end: &str| format!("{DLL_PREFIX}{library}{middle}{DLL_SUFFIX}{end}");
    let mut names = vec![file("", ""), file("64", "")];
    let versions =
        [major.to_string(), format!("{major}{minor}"), format!("{major}{minor}_0"), format!("{major}0_{minor}")];
    names.extend(versions.iter().map(|version| file(&format!("64_{version}"), "")));
    names.extend(["64_10", "64_11", "64_12"].map(|middle| file(middle, "")));
    names.push(file("", &format!(".{major}")));
    names.extend([".12", ".11", ".10", ".9", ".1"].map(|end| file("", end)));
    names.dedup();
    names
}

/// A library by one of its names.
pub(super) fn load(library: &str) -> Option<Library> {
    // SAFETY: loading CUDA's libraries runs their initialisers, which have no requirements of their own.
    names(library).iter().find_map(|name| unsafe { Library::new(name) }.ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn libraries_have_the_names_of_their_versions() {
        let names = names("cufft");
        assert_eq!(names[0], "libcufft.so");
        for version in ["libcufft.so.11", "libcufft.so.12"] {
            assert!(names.iter().any(|name| name == version), "{names:?}");
        }
    }

    #[test]
    fn what_is_nowhere_is_not_found() {
        assert!(load("cunone").is_none());
    }
}
