//! Names of warnings: rustc prints them as the deprecated item that the warning stands for.

use graph_ir::code::Code;

use crate::module::nearest;

/// Every name, with the code of what it is given for.
const ALL: [(&str, Code); 7] = [
    ("endless_loop", Code::ENDLESS),
    ("needless_wait", Code::NEEDLESS_WAIT),
    ("redundant_after", Code::REDUNDANT_AFTER),
    ("unlimited_loop", Code::UNLIMITED),
    ("unread_result", Code::UNREAD),
    ("unused_buffer", Code::UNUSED_BUFFER),
    ("unused_parameter", Code::UNUSED_PARAMETER),
];

/// What declarations of kernels are warned of, and graphs are not.
pub(crate) const UNREAD_KERNEL: &str = "unread_kernel";

/// The name of all of them, ours and rustc's.
pub(crate) const WARNINGS: &str = "warnings";

/// Whether this is a name of ours.
pub(crate) fn is_known(name: &str) -> bool {
    name == WARNINGS || ALL.iter().any(|(known, _)| *known == name)
}

/// Our names, as a message lists them.
pub(crate) fn known() -> String {
    ALL.map(|(name, _)| format!("`{name}`")).join(", ")
}

/// The name that was meant by another one, or by a code.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let by_code = ALL.iter().find(|(_, code)| code.to_string() == name).map(|(name, _)| *name);
    by_code.or_else(|| nearest::of(name, ALL.map(|(name, _)| name)))
}

/// What the warnings of a code are called.
pub(super) fn name(code: Option<Code>) -> &'static str {
    let mut all = ALL.iter().chain(&[(UNREAD_KERNEL, Code::UNREAD_KERNEL)]);
    all.find(|(_, known)| Some(*known) == code).map_or("suspicious_graph", |(name, _)| name)
}
