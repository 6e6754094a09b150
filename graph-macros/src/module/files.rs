//! Where kernel files come from.

use std::io;
use std::path::{Component, Path, PathBuf};

/// A package's files.
pub(crate) trait Files {
    /// The package's folder.
    fn root(&self) -> &Path;
    /// The folder that the package's build script writes to, if there is one.
    fn out_dir(&self) -> Option<&Path>;
    /// The contents of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The names in a folder, sorted; none if it cannot be read.
    fn names(&self, folder: &Path) -> Vec<String>;
}

/// The files of the package that is being compiled.
pub(crate) struct Disk {
    root: PathBuf,
    out_dir: Option<PathBuf>,
}

impl Disk {
    /// As Cargo says.
    pub(crate) fn package() -> Self {
        let folder = |name| std::env::var_os(name).map(PathBuf::from);
        Self { root: folder("CARGO_MANIFEST_DIR").unwrap_or_default(), out_dir: folder("OUT_DIR") }
    }
}

impl Files for Disk {
    fn root(&self) -> &Path {
        &self.root
    }

    fn out_dir(&self) -> Option<&Path> {
        self.out_dir.as_deref()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

/// `kernels/../inc/a.h` as `inc/a.h`, with `/` on every system.
pub(super) fn normalized(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            Component::CurDir => {}
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized() {
        assert_eq!(normalized(Path::new("kernels/../inc/./a.h")), "inc/a.h");
        assert_eq!(normalized(Path::new("a/b/../../../c.h")), "../c.h");
        assert_eq!(normalized(Path::new("k.cu")), "k.cu");
    }

    #[test]
    fn this_file_is_on_disk() {
        let disk = Disk::package();
        let folder = disk.root().join("src/module");
        assert!(disk.names(&folder).iter().any(|name| name == "files.rs"));
        assert!(disk.read(&folder.join("files.rs")).unwrap().starts_with(b"//! Where kernel files"));
        assert!(disk.names(&folder.join("absent")).is_empty());
    }
}
