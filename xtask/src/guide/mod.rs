//! `cargo xtask guide`: builds the guide as a book, with the reference and the pages of all codes, and follows every link in it.
//!
//! mdbook is installed into `target/tools` if this version of it is not there yet. While it runs, it calls `cargo xtask guide pages` (see
//! `guide/book.toml`), which adds the pages that lie outside of `guide/src`.

mod followed;
mod pages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// For the list of commands.
pub(crate) const ABOUT: &str = "builds the guide into target/guide, with the reference, and follows its links";

const MDBOOK: &str = "0.5.4";

/// Builds the book, or adds pages to it for mdbook.
pub(crate) fn run(arguments: &[String]) -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no workspace")?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => build(root),
        ["pages"] => pages::add(root),
        ["pages", "supports", "html"] => Ok(()),
        ["pages", "supports", renderer] => Err(format!("the guide is not written for `{renderer}`").into()),
        _ => Err("usage: cargo xtask guide".into()),
    }
}

fn build(root: &Path) -> Result {
    let book = root.join("target/guide");
    let mdbook = installed(root)?;
    if book.exists() {
        fs::remove_dir_all(&book)?;
    }
    succeed(Command::new(mdbook).arg("build").arg(root.join("guide")).arg("--dest-dir").arg(&book))?;
    copy_pictures(&root.join("docs/plots"), &book.join("docs/plots"))?;
    let (pages, links) = followed::all(&book)?;
    println!("{}: {pages} pages, {links} links followed", book.join("index.html").display());
    Ok(())
}

/// The pictures of pages that lie outside of the guide: mdbook copies those beside chapters only.
fn copy_pictures(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let (Some(name), true) = (path.file_name(), path.extension().is_some_and(|extension| extension == "svg")) {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// mdbook's program. What only a web server needs is left out, and it is not optimised: it runs for a second.
fn installed(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/tools").join(format!("mdbook-{MDBOOK}"));
    let program = folder.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([
            "install",
            "--quiet",
            "--locked",
            "--debug",
            "--no-default-features",
            "mdbook",
            "--version",
            MDBOOK,
        ]);
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TARGET_DIR", folder.join("build"));
        succeed(cargo.arg("--root").arg(&folder).current_dir(root))?;
        fs::remove_dir_all(folder.join("build"))?;
    }
    Ok(program)
}

fn succeed(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("{command:?} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed: {status}").into()) }
}
