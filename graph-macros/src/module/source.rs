//! The kernel file and its headers, found and read.

use std::path::{Path, PathBuf};

use graph_ir::code::Code;
use syn::LitStr;

use super::ast::Arguments;
use super::attribute::not_yet;
use super::files::{Files, normalized};
use super::{nearest, scan};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// A kernel file that is there.
pub(super) struct Source {
    pub(super) path: LitStr,
    pub(super) contents: Contents,
}

pub(super) enum Contents {
    Cuda { text: String, headers: Vec<Header>, options: Vec<LitStr> },
    Ptx { text: String },
    Cubin,
}

/// A file behind a quoted `#include`.
pub(super) struct Header {
    /// As written in the `#include`.
    pub(super) name: String,
    /// From the package's folder.
    pub(super) path: String,
    /// Without comments.
    pub(super) text: String,
}

/// `None` if there is nothing to embed.
pub(super) fn load(arguments: Arguments, files: &dyn Files, diagnostics: &mut Diagnostics) -> Option<Source> {
    match read(arguments, files, diagnostics) {
        Ok(source) => Some(source),
        Err(fault) => {
            diagnostics.push(fault);
            None
        }
    }
}

fn read(arguments: Arguments, files: &dyn Files, diagnostics: &mut Diagnostics) -> Result<Source, Diagnostic> {
    let Arguments { path, options } = arguments;
    let relative = PathBuf::from(path.value());
    if relative.is_absolute() {
        return Err(Diagnostic::error(Code::KERNEL_FILE, path.span(), "the path of a kernel file must be relative")
            .note("it starts at the package's folder, so that the package builds on every machine"));
    }
    let extension = relative.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
    if !["cu", "ptx", "cubin"].contains(&extension.as_str()) {
        return Err(Diagnostic::error(Code::KERNEL_FILE, path.span(), format!("`{}` is no kernel file", path.value()))
            .note("expected a name that ends in `.cu` (CUDA C++), `.ptx` or `.cubin`"));
    }
    let bytes =
        files.read(&files.root().join(&relative)).map_err(|error| unreadable(&path, &relative, files, &error))?;
    let contents = match extension.as_str() {
        "cubin" => Contents::Cubin,
        "ptx" => Contents::Ptx { text: scan::without_comments(&utf8(bytes, &path)?) },
        _ => {
            let text = scan::without_comments(&utf8(bytes, &path)?);
            let headers = headers(&path, &text, files, diagnostics);
            return Ok(Source { path, contents: Contents::Cuda { text, headers, options } });
        }
    };
    if let Some(option) = options.first() {
        diagnostics.push(
            Diagnostic::error(
                Code::DECLARATION,
                option.span(),
                format!("`options(…)` has no meaning for a `.{extension}` file"),
            )
            .note("options are for NVRTC, which compiles `.cu` files when a graph is built"),
        );
    }
    Ok(Source { path, contents })
}

fn unreadable(path: &LitStr, relative: &Path, files: &dyn Files, error: &std::io::Error) -> Diagnostic {
    let full = files.root().join(relative);
    let folder = full.parent().unwrap_or(&full);
    let fault =
        Diagnostic::error(Code::KERNEL_FILE, path.span(), format!("kernel file `{}` cannot be read", path.value()))
            .note(format!("looked at `{}`: {error}", full.display()));
    let name = relative.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match nearest::of(&name, files.names(folder)) {
        Some(near) if near != name => {
            let near = normalized(&relative.with_file_name(near));
            fault.help(format!("a file with a similar name exists: `{near}`"))
        }
        _ => fault.note("the path is relative to the package's folder"),
    }
}

fn utf8(bytes: Vec<u8>, path: &LitStr) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::error(Code::KERNEL_FILE, path.span(), format!("kernel file `{}` is not UTF-8", path.value()))
            .note(format!("the first byte that is not is at offset {at}"))
    })
}

/// All headers that quoted includes reach, each relative to the file that includes it. What is not there is left to NVRTC, which may
/// know it, as it knows `cuda_fp16.h`.
fn headers(main: &LitStr, text: &str, files: &dyn Files, diagnostics: &mut Diagnostics) -> Vec<Header> {
    let mut found: Vec<Header> = Vec::new();
    let mut open = vec![(normalized(Path::new(&main.value())), text.to_owned())];
    while let Some((includer, text)) = open.pop() {
        for name in scan::includes(&text) {
            let path = normalized(&Path::new(&includer).with_file_name("").join(name));
            if let Some(first) = found.iter().find(|header| header.name == name) {
                if first.path != path && exists(&path, files) {
                    diagnostics.push(same_name(main, name, [&first.path, &path]));
                }
                continue;
            }
            let Some(text) = contents(&path, files) else { continue };
            let text = scan::without_comments(&text);
            open.push((path.clone(), text.clone()));
            found.push(Header { name: name.to_owned(), path, text });
        }
    }
    found
}

fn exists(path: &str, files: &dyn Files) -> bool {
    files.read(&files.root().join(path)).is_ok()
}

fn contents(path: &str, files: &dyn Files) -> Option<String> {
    String::from_utf8(files.read(&files.root().join(path)).ok()?).ok()
}

fn same_name(main: &LitStr, name: &str, paths: [&str; 2]) -> Diagnostic {
    not_yet(main.span(), &format!("two headers that are included as `{name}`"))
        .note(format!(
            "they are `{}` and `{}`; NVRTC looks headers up by the name in the `#include`",
            paths[0], paths[1]
        ))
        .help("rename one of the files")
}
