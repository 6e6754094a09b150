//! Names of warnings: rustc prints them as the deprecated item that the warning stands for.

use graph_ir::code::Code;

/// Every name, to tell them from rustc's own lints.
const ALL: [&str; 7] = [
    "endless_loop",
    "redundant_after",
    "suspicious_graph",
    "unbalanced_swap",
    "uninitialised_read",
    "unreachable_arm",
    "unread_result",
];

/// Whether this is a name of ours.
pub(crate) fn is_known(name: &str) -> bool {
    ALL.contains(&name)
}

/// Our names, as a message lists them.
pub(crate) fn known() -> String {
    ALL.map(|name| format!("`{name}`")).join(", ")
}

/// What the warnings of a code are called.
pub(super) fn name(code: Option<Code>) -> &'static str {
    match code.map(Code::number) {
        Some(301) => "redundant_after",
        Some(401 | 404) => "uninitialised_read",
        Some(403) => "unread_result",
        Some(502) => "endless_loop",
        Some(504) => "unbalanced_swap",
        Some(505) => "unreachable_arm",
        _ => "suspicious_graph",
    }
}
