//! Host expressions must not read what only the device has.

use graph_ir::code::Code;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::visit::{Visit, visit_expr_index};
use syn::{Expr, ExprIndex};

use super::{Lowering, text};
use crate::diagnostic::Diagnostic;

impl Lowering<'_> {
    /// Reports a host expression that reads an element of a buffer. Such an expression is not evaluated.
    pub(crate) fn refuse_device_read(&mut self, expression: &Expr, help: &str) -> bool {
        let mut finder = ElementFinder { lowering: self, found: None };
        finder.visit_expr(expression);
        let Some((name, element, span)) = finder.found else { return false };
        let message = format!("`{element}` is on the device, and this is evaluated when the graph is built");
        let diagnostic = Diagnostic::error(Code::DEVICE_READ, span, message);
        let declared = self.scopes.find(&name.to_string()).map(|binding| self.places[binding.place.0 as usize]);
        let diagnostic = match declared {
            Some(declared) => diagnostic.note_at(declared, format!("`{name}` is a buffer")),
            None => diagnostic,
        };
        self.diagnose(diagnostic.help(help.replace("{name}", &name.to_string())));
        true
    }

    /// Whether an expression names a host value that has no value: nothing more is said about it.
    pub(crate) fn mentions_broken(&self, expression: &Expr) -> bool {
        !self.broken.is_empty() && text::identifiers(expression).iter().any(|name| self.broken.contains(name))
    }
}

/// The first element of a buffer in an expression.
struct ElementFinder<'a, 'd> {
    lowering: &'a Lowering<'d>,
    found: Option<(Ident, String, Span)>,
}

impl<'ast> Visit<'ast> for ElementFinder<'_, '_> {
    fn visit_expr_index(&mut self, index: &'ast ExprIndex) {
        // rustc says it where a field is a buffer: it may as well be a list of values.
        if self.lowering.is_item(&Expr::Index(index.clone())) || self.lowering.in_struct(&index.expr) {
            return self.visit_expr(&index.index);
        }
        let name = if self.lowering.is_item(&index.expr) { base(&index.expr) } else { text::identifier(&index.expr) };
        let name = name.filter(|name| self.lowering.scopes.buffer(&name.to_string()).is_some());
        if let (None, Some(name)) = (&self.found, name) {
            self.found = Some((name.clone(), text::of(index), index.span()));
        }
        visit_expr_index(self, index);
    }
}

/// The name behind which indices stand.
fn base(place: &Expr) -> Option<&Ident> {
    match text::bare(place) {
        Expr::Index(index) => base(&index.expr),
        other => text::identifier(other),
    }
}
