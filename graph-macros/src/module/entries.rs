//! Declared kernels against those in the file: which are missing, and by which name the compiled module knows each.

use graph_ir::code::Code;

use super::ast::{Kernel, Module, Symbol};
use super::level::Level;
use super::source::{Contents, Source};
use super::written::{self, File, Unread, Written};
use super::{agree, conditions, nearest, scan};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Names listed in a message.
const LISTED: usize = 8;

/// What is known about the file's kernels.
enum Found {
    /// All of them, by name.
    Kernels(Vec<scan::Kernel>),
    /// Macros define them, or only a compiler can know.
    Open,
}

/// Compares the names of the declared kernels with those in the file, and finds out how each is known to the compiled module. What only
/// a compiler can know is left open.
pub(super) fn resolve(module: &mut Module, source: &Source, diagnostics: &mut Diagnostics) {
    let is_source = matches!(source.contents, Contents::Cuda { .. });
    let path = source.path.value();
    let found = found(&source.contents);
    let waiting = waits(&source.contents);
    let file = written::read(source);
    let level = module.unread;
    for kernel in module.kernels_mut() {
        let mut faults = Diagnostics::default();
        if kernel.is_generic() && !is_source {
            faults.push(compiled_template(kernel, &path));
        } else if let Found::Kernels(found) = &found {
            faults.extend(missing(kernel, found, &path));
            let mangled = found.iter().filter(|found| found.name == last(kernel)).any(|found| !found.extern_c);
            if mangled && is_source {
                kernel.symbol = Symbol::Mangled;
            }
        }
        if is_source && (kernel.is_generic() || kernel.name_in_file().contains("::")) {
            kernel.symbol = Symbol::Mangled;
        }
        if let Some(span) = kernel.settings.waits.as_ref().map(|waits| waits.span).filter(|_| !waiting.unwrap_or(true))
        {
            faults.push(never_waits(kernel, &path, span));
        }
        if !kernel.broken {
            faults.extend(conditions::never_set(kernel, &source.contents, &path));
        }
        if !kernel.broken && !faults.has_error() {
            faults.extend(agree::setter(kernel, &file.setters));
            faults.extend(compared(kernel, &file, &path, level));
        }
        kernel.broken |= faults.has_error();
        diagnostics.extend(faults);
    }
}

fn found(contents: &Contents) -> Found {
    match contents {
        Contents::Cubin => Found::Open,
        Contents::Ptx { text } => Found::Kernels(
            scan::entries(text)
                .into_iter()
                .map(|name| scan::Kernel { name, extern_c: true, template: false })
                .collect(),
        ),
        Contents::Cuda { text, headers, .. } => {
            let mut texts = std::iter::once(text).chain(headers.iter().map(|header| &header.text));
            if texts.clone().any(|text| scan::defines_kernels(text)) {
                return Found::Open;
            }
            Found::Kernels(texts.by_ref().flat_map(|text| scan::kernels(text)).collect())
        }
    }
}

/// Whether anything in the file waits for the kernels before; `None` if that cannot be seen.
fn waits(contents: &Contents) -> Option<bool> {
    let waits = |text: &str| text.contains("griddepcontrol.wait") || text.contains("cudaGridDependencySynchronize");
    match contents {
        Contents::Cubin => None,
        Contents::Ptx { text } => Some(waits(text)),
        Contents::Cuda { text, headers, .. } => Some(waits(text) || headers.iter().any(|header| waits(&header.text))),
    }
}

/// The name without namespaces.
fn last(kernel: &Kernel) -> String {
    let name = kernel.name_in_file();
    name.rsplit("::").next().map(str::to_owned).unwrap_or(name)
}

/// A declaration against what the file says of its kernel, or why that is not known.
fn compared(kernel: &mut Kernel, file: &File, path: &str, level: Option<Level>) -> Diagnostics {
    let mut faults = Diagnostics::default();
    let unread = match of(kernel, file) {
        Some(Ok(written)) => {
            faults.extend(agree::check(kernel, &written));
            written.parameters.err()
        }
        Some(Err(unread)) => Some(unread),
        None => None,
    };
    faults.extend(unread.and_then(|unread| agree::unread(kernel, &unread, path, level)));
    faults
}

/// The kernel that is meant, if what the file says of it has one meaning.
fn of(kernel: &Kernel, file: &File) -> Option<Result<Written, Unread>> {
    let name = kernel.name_in_file();
    let exact = file.kernels.iter().find(|(known, _)| *known == name);
    let mut named = file.kernels.iter().filter(|(known, _)| known.rsplit("::").next() == Some(&name));
    match (exact, named.next(), named.next()) {
        (Some((_, found)), ..) | (None, Some((_, found)), None) => Some(found.clone()),
        (None, Some((first, Ok(written))), Some((second, _))) => {
            let reason = format!("it may be `{first}` or `{second}`: `#[name = \"{first}\"]` says which");
            Some(Err(Unread::new(&written.place, reason)))
        }
        (None, Some((_, Err(unread))), Some(_)) => Some(Err(unread.clone())),
        (None, None, _) => file.unread.clone().map(Err),
    }
}

fn missing(kernel: &Kernel, found: &[scan::Kernel], path: &str) -> Option<Diagnostic> {
    let name = last(kernel);
    let span = kernel.settings.name.as_ref().map_or_else(|| kernel.name.span(), syn::LitStr::span);
    let same: Vec<_> = found.iter().filter(|found| found.name == name).collect();
    if !same.is_empty() {
        return wrong_kind(kernel, &same, path);
    }
    let fault = Diagnostic::error(Code::KERNEL_FILE, span, format!("`{path}` has no kernel named `{name}`"));
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    Some(match nearest::of(&name, names.iter().copied()) {
        Some(near) => fault.help(format!("a kernel with a similar name exists: `{near}`")),
        None if names.is_empty() => fault.note("the file has no kernel at all"),
        None => fault.note(format!("its kernels are {}", list(&names))),
    })
}

/// A template that is declared without parameters, or the other way round.
fn wrong_kind(kernel: &Kernel, same: &[&scan::Kernel], path: &str) -> Option<Diagnostic> {
    let name = &kernel.name;
    let fault = |message: String| Diagnostic::error(Code::KERNEL_FILE, name.span(), message);
    if kernel.is_generic() && same.iter().all(|found| !found.template) {
        return Some(fault(format!("kernel `{name}` is generic, but `{path}` has no template of that name")).help(
            "write `template <typename T>` in front of it in the kernel file, or declare it without parameters",
        ));
    }
    (!kernel.is_generic() && same.iter().all(|found| found.template)).then(|| {
        fault(format!("kernel `{name}` is a template in `{path}`"))
            .help(format!("declare its parameters, in the template's order: `fn {name}<T: Element>(…)`"))
    })
}

fn compiled_template(kernel: &Kernel, path: &str) -> Diagnostic {
    let name = &kernel.name;
    let message = format!("kernel `{name}` is generic, and `{path}` is compiled already");
    Diagnostic::error(Code::KERNEL_FILE, name.span(), message)
        .note("a template is instantiated by NVRTC, from CUDA C++")
        .help("name the `.cu` file, or declare one kernel per instance, each with its own `#[name = \"…\"]`")
}

fn never_waits(kernel: &Kernel, path: &str, span: proc_macro2::Span) -> Diagnostic {
    let message = format!("kernel `{}` is declared `#[waits]`, and nothing in `{path}` waits", kernel.name);
    Diagnostic::error(Code::WAITS, span, message)
        .note("a kernel that overlaps with those before it must wait for them before it touches memory")
        .help("execute `griddepcontrol.wait` in the kernel, in CUDA C++ `asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");`")
}

fn list(names: &[&str]) -> String {
    let mut text = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        text.push_str(", …");
    }
    text
}
