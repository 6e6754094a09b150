//! CG0218: blocks within what the kernel file allows: `__launch_bounds__(256)`, `.maxntid`.

use graph_ir::code::Code;
use syn::spanned::Spanned as _;
use syn::{Expr, Lit};

use super::super::ast::Kernel;
use super::super::written::Written;
use crate::diagnostic::Diagnostic;
use crate::lower::text;

/// The block that the declaration fixes, if it is written in numbers.
pub(super) fn check(kernel: &Kernel, written: &Written) -> Option<Diagnostic> {
    let bound = written.bound.as_ref()?;
    let sizes = kernel.settings.block.as_ref()?;
    let threads = sizes.iter().map(literal).try_fold(1_u64, |product, size| product.checked_mul(size?))?;
    let first = sizes.first()?;
    (threads > bound.threads).then(|| {
        Diagnostic::error(Code::LAUNCH_BOUNDS, first.span(), headline(kernel, threads))
            .note(reason(written, &bound.text))
            .help(format!("fix a block of at most {} threads, or raise the bound in the file", bound.threads))
    })
}

fn literal(size: &Expr) -> Option<u64> {
    match text::bare(size) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(size) => size.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn headline(kernel: &Kernel, threads: u64) -> String {
    format!("kernel `{}` is declared with a block of {threads} threads, more than it can run with", kernel.name)
}

fn reason(written: &Written, bound: &str) -> String {
    format!("`{}` has `{bound}`", written.place)
}

/// The most threads that a block may have.
pub(super) fn threads(written: &Written) -> Option<u32> {
    written.bound.as_ref().and_then(|bound| u32::try_from(bound.threads).ok())
}

/// What rustc says where a literal block is larger.
pub(super) fn too_large(kernel: &Kernel, written: &Written) -> String {
    let Some(bound) = &written.bound else { return String::new() };
    let code = Code::LAUNCH_BOUNDS;
    format!(
        "this block has more threads than kernel `{}` can run with [{code}]\nnote: {}\nhelp: launch blocks of at most {} threads, or raise \
         the bound in the file",
        kernel.name,
        reason(written, &bound.text),
        bound.threads
    )
}
