//! What decided `#[cfg(true)]` and `#[cfg(false)]` leave of a block; other attributes inside a kernel's body.

use graph_ir::code::Code;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, ExprMatch, Item, Stmt};

use super::Parser;
use crate::diagnostic::Diagnostic;

/// What may stand inside a kernel's body: comments, and levels of warnings.
const IN_BODIES: [&str; 6] = ["doc", "allow", "expect", "warn", "deny", "forbid"];

/// Whether it is `#[cfg(true)]` or `#[cfg(false)]`.
fn value(attribute: &Attribute) -> Option<bool> {
    let cfg = attribute.path().is_ident("cfg");
    cfg.then(|| attribute.parse_args::<syn::LitBool>().ok()).flatten().map(|value| value.value)
}

impl Parser<'_> {
    /// Takes out what was decided: whether what the attributes stand in front of is there at all.
    pub(super) fn is_there(&mut self, attributes: &mut Vec<Attribute>) -> bool {
        let (there, decided) = take(attributes);
        self.configured |= decided;
        there
    }

    /// Takes out of a kernel's body what is not there, and reports attributes that mean nothing there.
    pub(super) fn configure(&mut self, body: &mut Vec<Stmt>) {
        let mut configure = Configure { decided: false, faults: Vec::new() };
        configure.statements(body);
        body.iter_mut().for_each(|statement| configure.visit_stmt_mut(statement));
        self.configured |= configure.decided;
        self.diagnostics.extend(configure.faults);
    }
}

/// Whether it is there, and whether an attribute says so.
fn take(attributes: &mut Vec<Attribute>) -> (bool, bool) {
    let values: Vec<bool> = attributes.iter().filter_map(value).collect();
    attributes.retain(|attribute| value(attribute).is_none());
    (values.iter().all(|value| *value), !values.is_empty())
}

struct Configure {
    decided: bool,
    faults: Vec<Diagnostic>,
}

impl Configure {
    fn statements(&mut self, body: &mut Vec<Stmt>) {
        body.retain_mut(|statement| attributes(statement).is_none_or(|attributes| self.is_there(attributes)));
    }

    fn is_there(&mut self, attributes: &mut Vec<Attribute>) -> bool {
        let (there, decided) = take(attributes);
        self.decided |= decided;
        there
    }
}

impl VisitMut for Configure {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.statements(&mut block.stmts);
        syn::visit_mut::visit_block_mut(self, block);
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        if IN_BODIES.iter().any(|name| attribute.path().is_ident(name)) {
            return;
        }
        let name = attribute.path().to_token_stream().to_string().replace(' ', "");
        let message = format!("`#[{name}]` means nothing inside a kernel's body");
        let fault = Diagnostic::error(Code::SYNTAX, attribute.path().span(), message);
        self.faults
            .push(fault.note("what applies to the whole kernel stands in front of `kernel for`").help("remove it"));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {
        // Refused as a whole.
    }

    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        choice.arms.retain_mut(|arm| self.is_there(&mut arm.attrs));
        syn::visit_mut::visit_expr_match_mut(self, choice);
    }
}

/// The attributes in front of a statement.
fn attributes(statement: &mut Stmt) -> Option<&mut Vec<Attribute>> {
    match statement {
        Stmt::Local(local) => Some(&mut local.attrs),
        Stmt::Macro(inner) => Some(&mut inner.attrs),
        Stmt::Expr(expression, _) => of_expression(expression),
        Stmt::Item(_) => None,
    }
}

/// syn gives a statement's attributes to what begins it.
fn of_expression(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    match expression {
        Expr::Assign(inner) => of_expression(&mut inner.left),
        Expr::Binary(inner) => of_expression(&mut inner.left),
        Expr::Cast(inner) => of_expression(&mut inner.expr),
        Expr::Block(inner) => Some(&mut inner.attrs),
        Expr::Break(inner) => Some(&mut inner.attrs),
        Expr::Call(inner) => Some(&mut inner.attrs),
        Expr::Continue(inner) => Some(&mut inner.attrs),
        Expr::ForLoop(inner) => Some(&mut inner.attrs),
        Expr::If(inner) => Some(&mut inner.attrs),
        Expr::Index(inner) => Some(&mut inner.attrs),
        Expr::Loop(inner) => Some(&mut inner.attrs),
        Expr::Match(inner) => Some(&mut inner.attrs),
        Expr::MethodCall(inner) => Some(&mut inner.attrs),
        Expr::Paren(inner) => Some(&mut inner.attrs),
        Expr::Path(inner) => Some(&mut inner.attrs),
        Expr::Unary(inner) => Some(&mut inner.attrs),
        Expr::While(inner) => Some(&mut inner.attrs),
        _ => None,
    }
}
