//! `cargo xtask gpu-bundle [--out DIR]`: everything that a machine with a GPU and CUDA, but without Rust, needs to test and measure.
//!
//! The folder holds stripped release builds of the test binaries and programs, the files that they read, the C++ programs to compare
//! with, and `run.sh`, which runs it all. Test binaries find their data as under `cargo test`: the working directory is
//! the package's folder, and the environment variable `CARGO_MANIFEST_DIR` names it (`env!` would name the folder on this machine).

mod copy;
mod executables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use executables::Executable;

/// For the list of commands.
pub(crate) const ABOUT: &str =
    "builds gpu-bundle/: tests, programs and benchmarks for a GPU machine without Rust [--out DIR]";

/// Packages whose tests go along.
const TESTED: &[&str] = &["graph-runtime", "tests", "examples"];
/// Packages whose programs go along.
const PROGRAMS: &[&str] = &["examples", "benches"];
/// Packages whose files go along.
const DATA: &[&str] = &["graph-runtime", "tests", "examples", "benches"];
/// Test targets that stay behind: those that call cargo, or programs and libraries where cargo built them, and those that compare text.
const LEFT_OUT: &[&str] = &["ui", "golden", "command", "stand_in"];

/// Builds the bundle.
pub(crate) fn run(arguments: &[String]) -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no workspace")?;
    let out = destination(arguments, root)?;
    clear(&out)?;
    for executable in executables::tests(root, TESTED)? {
        if !LEFT_OUT.contains(&executable.target.as_str()) {
            place(&executable, &out.join("test-binaries").join(&executable.package))?;
        }
    }
    for executable in executables::programs(root, PROGRAMS)? {
        place(&executable, &out.join("programs"))?;
    }
    for package in DATA {
        fs::create_dir_all(out.join(package))?;
        copy::folder(&root.join(package), &out.join(package), &["src", "target"])?;
    }
    copy::script(&out.join("run.sh"), include_str!("run.sh"))?;
    println!("{}: {} KiB", out.display(), copy::size(&out)? / 1024);
    println!("copy the folder to the GPU machine and run: bash run.sh OUTPUT_FOLDER");
    Ok(())
}

fn destination(arguments: &[String], root: &Path) -> Result<PathBuf> {
    match arguments {
        [] => Ok(root.join("gpu-bundle")),
        [flag, folder] if flag == "--out" => Ok(PathBuf::from(folder)),
        _ => Err("usage: cargo xtask gpu-bundle [--out DIR]".into()),
    }
}

/// Removes an earlier bundle, and nothing else.
fn clear(out: &Path) -> Result {
    if !out.exists() || fs::read_dir(out)?.next().is_none() {
        return Ok(());
    }
    if !out.join("run.sh").exists() || !out.join("test-binaries").exists() {
        return Err(format!("{} holds something else; name an empty folder", out.display()).into());
    }
    Ok(fs::remove_dir_all(out)?)
}

/// Copies an executable into a folder, without its symbols if `strip` is there.
fn place(executable: &Executable, folder: &Path) -> Result {
    fs::create_dir_all(folder)?;
    let to = folder.join(&executable.target);
    fs::copy(&executable.path, &to)?;
    match Command::new("strip").arg(&to).status() {
        Ok(status) if status.success() => {}
        _ => println!("not stripped: {}", to.display()),
    }
    Ok(())
}
