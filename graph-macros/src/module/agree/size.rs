//! Sizes that only rustc knows, compared where it knows them.

use graph_ir::code::Code;
use syn::Type;

use super::super::written::Parameter;
use super::line;

/// A type of the user's, and how many bytes it has in the file.
pub(in crate::module) struct Size {
    pub(in crate::module) ty: Type,
    pub(in crate::module) bytes: u64,
    pub(in crate::module) rule: Rule,
    /// What is said if it has not.
    pub(in crate::module) message: String,
}

/// How two sizes agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::module) enum Rule {
    Equal,
    /// The type is made of several.
    Multiple,
}

impl Size {
    /// `what`: `` `crop: Rect` ``.
    pub(super) fn new(ty: &Type, bytes: u64, rule: Rule, what: &str, written: &Parameter) -> Self {
        let other = match rule {
            Rule::Equal => format!("does not have the {bytes} bytes of the kernel file's"),
            Rule::Multiple => format!("is not made of the kernel file's elements of {bytes} bytes"),
        };
        let (note, code) = (line(written), Code::DISAGREES);
        let message = format!(
            "{what} {other} [{code}]\nnote: {note}\nhelp: give both the same fields, and the Rust struct `#[repr(C)]`"
        );
        Self { ty: ty.clone(), bytes, rule, message }
    }
}
