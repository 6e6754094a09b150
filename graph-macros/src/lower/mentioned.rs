//! The names that a step of the evaluator mentions, noted as it is made: to read them back from its tokens costs more than all else there.

use proc_macro2::Ident;
use syn::Expr;

use super::text::{self, Seen};

/// Names as they are written.
#[derive(Default)]
pub(crate) struct Mentioned {
    names: Vec<Ident>,
    /// A literal may name more: `"{n}"`.
    formats: bool,
}

impl Mentioned {
    pub(crate) fn add(&mut self, name: &Ident) {
        self.names.push(name.clone());
    }

    /// A host expression's text; its names are noted.
    pub(crate) fn text_of(&mut self, expression: &Expr) -> String {
        text::with_names(expression, &mut |seen| match seen {
            Seen::Name(name, _) => self.names.push(name.clone()),
            Seen::Literal(text) => self.formats |= text.contains('{'),
        })
    }

    /// All names, if they are known.
    pub(crate) fn names(&self) -> Option<&[Ident]> {
        (!self.formats).then_some(self.names.as_slice())
    }
}
