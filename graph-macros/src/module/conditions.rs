//! CG0216: a kernel that takes a condition is in a file that sets one.
//!
//! A condition that nothing sets stays as it is, so that its loop never ends. Whether a kernel calls the function is not looked for, only
//! whether its file names it; of a compiled image nothing is known.

use graph_ir::code::Code;

use super::agree::taken;
use super::ast::Kernel;
use super::source::Contents;
use super::written::SETTER;
use crate::diagnostic::Diagnostic;

/// The fault of a kernel whose condition stays as it is.
pub(super) fn never_set(kernel: &Kernel, contents: &Contents, path: &str) -> Option<Diagnostic> {
    let span = taken(kernel)?;
    if names_setter(contents)? {
        return None;
    }
    let message = format!("kernel `{}` takes a condition, and nothing in `{path}` sets one", kernel.name);
    let fault = Diagnostic::error(Code::NEVER_SETS, span, message);
    Some(
        fault
            .note("a condition that is not set stays as it is, and its loop never ends")
            .help(format!("call `{SETTER}(condition, value)` from one thread of the kernel")),
    )
}

/// Whether the file has the function's name; `None` if that cannot be seen.
fn names_setter(contents: &Contents) -> Option<bool> {
    match contents {
        Contents::Cubin => None,
        Contents::Ptx { text } => Some(text.contains(SETTER)),
        Contents::Cuda { text, headers, .. } => {
            Some(text.contains(SETTER) || headers.iter().any(|header| header.text.contains(SETTER)))
        }
    }
}
