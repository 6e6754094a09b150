//! Names of warnings: rustc prints them as the deprecated item that the warning stands for.

use graph_ir::code::Code;

/// What the warnings of a code are called.
pub(super) fn name(code: Option<Code>) -> &'static str {
    match code.map(Code::number) {
        Some(301) => "redundant_after",
        Some(401 | 404) => "uninitialised_read",
        Some(403) => "unread_transient",
        Some(502) => "endless_loop",
        Some(504) => "unbalanced_swap",
        Some(505) => "unreachable_arm",
        _ => "suspicious_graph",
    }
}
