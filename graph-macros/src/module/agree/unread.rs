//! CG0221: what a file says of a kernel is understood. Where it is not, the declaration is compared with nothing, and that is told.
//!
//! Files that only a compiler can read are legal: this is a warning. Nothing is said of compiled images, in which there is nothing to read.

use graph_ir::code::Code;

use super::super::ast::Kernel;
use super::super::level::Level;
use super::super::written::Unread;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::UNREAD_KERNEL as NAME;

/// `level`: of the module.
pub(in crate::module) fn told(
    kernel: &Kernel,
    unread: &Unread,
    path: &str,
    level: Option<Level>,
) -> Option<Diagnostic> {
    let level = kernel.unread.or(level).unwrap_or(Level::Warn);
    let Unread { place, reason } = unread;
    let message = format!("kernel `{}` is not compared with `{path}`, which could not be read", kernel.name);
    let warning = Diagnostic::error(Code::UNREAD_KERNEL, kernel.name.span(), message)
        .note(format!("`{place}`: {reason}"))
        .note("the number and the sizes of its parameters are compared when a graph is built")
        .help(format!(
            "write the kernel's parameters out in the file, or `#[allow({NAME})]` in front of the declaration"
        ));
    match level {
        Level::Allow => None,
        Level::Warn => Some(Diagnostic { warning: true, ..warning }),
        Level::Deny(span) => Some(warning.denied(NAME, span)),
    }
}
