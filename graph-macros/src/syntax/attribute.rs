//! Attributes of graphs, parameters and statements.

use graph_ir::code::Code;
use syn::Attribute;
use syn::spanned::Spanned as _;

use super::{Parser, not_yet};
use crate::diagnostic::Diagnostic;

/// Attributes that are kept, for graphs, parameters and statements alike.
const KEPT: [&str; 2] = ["doc", "allow"];

/// Attributes of the language that nothing acts on yet.
const NOT_YET: [&str; 8] = ["priority", "cluster", "cooperative", "overlap", "optional", "explicit", "deny", "cfg"];

impl Parser<'_> {
    /// The attributes that are kept; the others are reported and dropped.
    pub(super) fn accept(&mut self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        attributes.into_iter().filter(|attribute| self.accepts(attribute)).collect()
    }

    fn accepts(&mut self, attribute: &Attribute) -> bool {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        if KEPT.contains(&name.as_str()) {
            return true;
        }
        let span = attribute.path().span();
        self.diagnostics.push(if NOT_YET.contains(&name.as_str()) {
            not_yet::form(span, &format!("the attribute `#[{name}]`")).help("remove it")
        } else {
            Diagnostic::error(Code::SYNTAX, span, "unknown attribute in a graph")
                .note("graphs, parameters and statements take `#[doc]` and `#[allow]`")
        });
        false
    }
}
