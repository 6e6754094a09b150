//! NVRTC's library: by its name, or in a toolkit's folder.

use std::sync::OnceLock;

use libloading::Library;

use crate::cuda::module::libraries;
use crate::cuda::names;

/// Never unloaded.
pub(super) fn nvrtc() -> Option<&'static Library> {
    static NVRTC: OnceLock<Option<Library>> = OnceLock::new();
    NVRTC.get_or_init(|| names::load("nvrtc").or_else(of_toolkit)).as_ref()
}

fn of_toolkit() -> Option<Library> {
    let names = ["libnvrtc.so.13", "libnvrtc.so.12"];
    let folders = libraries();
    let mut paths = folders.iter().flat_map(|folder| names.map(|name| folder.join(name))).filter(|path| path.is_file());
    // SAFETY: loading NVRTC runs its initialisers, which have no requirements of their own.
    paths.find_map(|path| unsafe { Library::new(path) }.ok())
}
