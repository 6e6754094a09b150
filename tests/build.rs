//! Gathers the pages of the language reference, so that their blocks are compiled and run as documentation tests, and makes a kernel file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("CARGO_MANIFEST_DIR is not set"))?;
    let root = Path::new(&root);
    let pages = root.join("../docs/reference");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut paths = fs::read_dir(&pages)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let mut text = String::new();
    for (number, path) in paths.iter().enumerate() {
        let path = path.display().to_string();
        let written = writeln!(text, "#[doc = include_str!({path:?})]\npub struct Page{number};");
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
    }
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&out).join("reference.rs"), text)?;
    make_kernel_file(root, Path::new(&out))
}

/// As a build script that runs a compiler would.
fn make_kernel_file(root: &Path, out: &Path) -> io::Result<()> {
    let source = root.join("kernels/scale.ptx");
    println!("cargo::rerun-if-changed={}", source.display());
    fs::write(out.join("made.ptx"), fs::read_to_string(source)?)
}
