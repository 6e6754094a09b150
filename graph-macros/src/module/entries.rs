//! Declared kernels that the file does not contain.

use graph_ir::code::Code;
use syn::ext::IdentExt as _;

use super::ast::{Kernel, Module};
use super::source::{Contents, Source};
use super::{nearest, scan};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Names listed in a message.
const LISTED: usize = 8;

/// Compares the names of the declared kernels with those in the file. What only a compiler can know is left open.
pub(super) fn check(module: &Module, source: &Source, diagnostics: &mut Diagnostics) {
    let found: Vec<scan::Kernel> = match &source.contents {
        Contents::Cubin => return,
        Contents::Ptx { text } => {
            scan::entries(text).into_iter().map(|name| scan::Kernel { name, extern_c: true }).collect()
        }
        Contents::Cuda { text, headers, .. } => {
            let mut texts = std::iter::once(text).chain(headers.iter().map(|header| &header.text));
            if texts.clone().any(|text| scan::defines_kernels(text)) {
                return;
            }
            texts.by_ref().flat_map(|text| scan::kernels(text)).collect()
        }
    };
    for kernel in module.kernels() {
        diagnostics.extend(missing(kernel, &found, &source.path.value()));
    }
}

fn missing(kernel: &Kernel, found: &[scan::Kernel], path: &str) -> Option<Diagnostic> {
    let name = kernel.name.unraw().to_string();
    let mut same = found.iter().filter(|found| found.name == name).peekable();
    if same.peek().is_some() {
        return same.all(|found| !found.extern_c).then(|| mangled(kernel, path));
    }
    let fault =
        Diagnostic::error(Code::KERNEL_FILE, kernel.name.span(), format!("`{path}` has no kernel named `{name}`"));
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    Some(match nearest::of(&name, names.iter().copied()) {
        Some(near) => fault.help(format!("a kernel with a similar name exists: `{near}`")),
        None if names.is_empty() => fault.note("the file has no kernel at all"),
        None => fault.note(format!("its kernels are {}", list(&names))),
    })
}

fn mangled(kernel: &Kernel, path: &str) -> Diagnostic {
    let name = &kernel.name;
    Diagnostic::error(Code::KERNEL_FILE, name.span(), format!("kernel `{name}` is not `extern \"C\"` in `{path}`"))
        .note("a C++ kernel has another name in the compiled module")
        .help("write `extern \"C\"` in front of its `__global__`")
}

fn list(names: &[&str]) -> String {
    let mut text = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        text.push_str(", …");
    }
    text
}
