//! Gathers the pages of the language reference and of the guide, so that their blocks are compiled and run as documentation tests, and makes
//! a kernel file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("CARGO_MANIFEST_DIR is not set"))?;
    let root = Path::new(&root);
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    gather(&root.join("../docs/reference"), &Path::new(&out).join("reference.rs"))?;
    gather(&root.join("../guide/src"), &Path::new(&out).join("guide.rs"))?;
    make_kernel_file(root, Path::new(&out))
}

/// Writes a module for each page of a folder, which has the page as its documentation.
fn gather(pages: &Path, into: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut paths = fs::read_dir(pages)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
        let path = path.display().to_string();
        let written = writeln!(text, "#[doc = include_str!({path:?})]\npub mod r#{name} {{}}");
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
    }
    fs::write(into, text)
}

/// As a build script that runs a compiler would.
fn make_kernel_file(root: &Path, out: &Path) -> io::Result<()> {
    let source = root.join("kernels/scale.ptx");
    println!("cargo::rerun-if-changed={}", source.display());
    fs::write(out.join("made.ptx"), fs::read_to_string(source)?)
}
