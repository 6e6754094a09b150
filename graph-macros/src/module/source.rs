//! The kernel file, found and read.

use std::path::{Path, PathBuf};

use graph_ir::code::Code;
use syn::LitStr;

use super::ast::{Arguments, Root};
use super::files::{Files, normalized};
use super::{headers, nearest, scan};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// A kernel file that is there.
pub(super) struct Source {
    pub(super) root: Root,
    pub(super) path: LitStr,
    pub(super) contents: Contents,
}

pub(super) enum Contents {
    Cuda { text: String, headers: Vec<Header>, options: Vec<String> },
    Ptx { text: String },
    Cubin,
}

/// A file behind an `#include`.
pub(super) struct Header {
    /// As written in the `#include`.
    pub(super) name: String,
    /// From the package's folder, or from that of the kernel file.
    pub(super) path: String,
    pub(super) root: Root,
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
    let Arguments { root, path, .. } = &arguments;
    let relative = PathBuf::from(path.value());
    if relative.is_absolute() {
        return Err(Diagnostic::error(Code::KERNEL_FILE, path.span(), "the path of a kernel file must be relative")
            .note("it starts at the package's folder, so that the package builds on every machine")
            .help("copy the file into the package, and write its path from there: `\"kernels/name.cu\"`"));
    }
    let extension = relative.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
    if !["cu", "ptx", "cubin"].contains(&extension.as_str()) {
        return Err(Diagnostic::error(Code::KERNEL_FILE, path.span(), format!("`{}` is no kernel file", path.value()))
            .note("expected a name that ends in `.cu` (CUDA C++), `.ptx` or `.cubin`"));
    }
    let folder = folder(*root, path, files)?;
    let bytes =
        files.read(&folder.join(&relative)).map_err(|error| unreadable(path, folder, &relative, files, &error))?;
    let contents = match extension.as_str() {
        "cubin" => Contents::Cubin,
        "ptx" => Contents::Ptx { text: scan::without_comments(&utf8(bytes, path)?) },
        _ => cuda(&arguments, scan::without_comments(&utf8(bytes, path)?), files, diagnostics),
    };
    if !matches!(contents, Contents::Cuda { .. }) {
        diagnostics.extend(meaningless(&arguments, &extension));
    }
    Ok(Source { root: arguments.root, path: arguments.path, contents })
}

/// Where paths of a root begin.
fn folder<'f>(root: Root, path: &LitStr, files: &'f dyn Files) -> Result<&'f Path, Diagnostic> {
    match root {
        Root::Package => Ok(files.root()),
        Root::OutDir => files.out_dir().ok_or_else(|| {
            Diagnostic::error(
                Code::KERNEL_FILE,
                path.span(),
                "this package has no build script that could make a kernel file",
            )
            .note("`out_dir` is the folder that Cargo gives to `build.rs`")
            .help(format!("add a `build.rs` that writes `{}` to `OUT_DIR`", path.value()))
        }),
    }
}

fn cuda(arguments: &Arguments, text: String, files: &dyn Files, diagnostics: &mut Diagnostics) -> Contents {
    for folder in &arguments.includes {
        if files.names(&files.root().join(folder.value())).is_empty() {
            let message = format!("include folder `{}` is not there, or empty", folder.value());
            let fault = Diagnostic::error(Code::KERNEL_FILE, folder.span(), message);
            diagnostics.push(fault.note("the path is relative to the package's folder"));
        }
    }
    let headers = headers::all(arguments, &text, files, diagnostics);
    let defines = arguments.defines.iter().map(|(define, _)| define.clone());
    let options = defines.chain(arguments.options.iter().map(LitStr::value)).collect();
    Contents::Cuda { text, headers, options }
}

/// What only a compiler could use.
fn meaningless(arguments: &Arguments, extension: &str) -> Option<Diagnostic> {
    let options = arguments.options.iter().map(|option| ("options", option.span()));
    let defines = arguments.defines.iter().map(|(_, span)| ("define", *span));
    let includes = arguments.includes.iter().map(|folder| ("include", folder.span()));
    let (word, span) = options.chain(defines).chain(includes).next()?;
    let message = format!("`{word}(…)` has no meaning for a `.{extension}` file");
    Some(
        Diagnostic::error(Code::DECLARATION, span, message)
            .note("it is for NVRTC, which compiles `.cu` files when a graph is built"),
    )
}

fn unreadable(path: &LitStr, root: &Path, relative: &Path, files: &dyn Files, error: &std::io::Error) -> Diagnostic {
    let full = root.join(relative);
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
        _ if root == files.root() => fault.note("the path is relative to the package's folder"),
        _ => fault.note("the path is relative to the folder that the build script writes to"),
    }
}

fn utf8(bytes: Vec<u8>, path: &LitStr) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::error(Code::KERNEL_FILE, path.span(), format!("kernel file `{}` is not UTF-8", path.value()))
            .note(format!("the first byte that is not is at offset {at}"))
    })
}
