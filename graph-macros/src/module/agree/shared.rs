//! CG0219: shared memory that a kernel declares itself fits into what every kernel gets (rule R050).

use graph_ir::code::Code;

use super::super::ast::Kernel;
use super::super::written::Written;
use crate::diagnostic::Diagnostic;

/// Bytes: more is only given to launches that ask for it.
const MOST: u64 = 48 * 1024;

pub(super) fn check(kernel: &Kernel, written: &Written) -> Option<Diagnostic> {
    (written.shared > MOST).then(|| {
        let (name, bytes) = (&kernel.name, written.shared);
        let message =
            format!("kernel `{name}` declares {bytes} bytes of shared memory, more than the {MOST} that it can");
        Diagnostic::error(Code::STATIC_SHARED, name.span(), message)
            .note(format!("`{}` is where the kernel begins", written.place))
            .help("take it as `extern __shared__`, and ask for the bytes in the launch: `<<<grid, block, bytes>>>`")
    })
}
