//! The axes of a body, and inner loops with bounds of the host's.

use graph_ir::model::Axis;
use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::visit::Visit;

use super::polynomial::{Atom, Polynomial, of_host};
use super::span::Interval;
use super::{Axes, Body, Name};
use crate::lower::expression::Both;
use crate::lower::text;
use crate::syntax::ast;

/// Something that runs from one bound to another, both known when the graph is built.
pub(super) struct Iteration {
    pub(super) interval: Interval,
    /// The bounds that are written as they are in the interval.
    pub(super) written: Vec<Expr>,
}

impl Body<'_, '_> {
    /// Declares the axes.
    pub(super) fn axes(&mut self, axes: &[ast::Axis]) -> Axes {
        let help = "loop to a number of the host's that is large enough, and compare with `{name}[…]` in the body";
        let mut data = Vec::new();
        let mut ranges = Vec::new();
        for axis in axes {
            let refused = [&axis.start, &axis.end]
                .into_iter()
                .any(|bound| self.lowering.mentions_broken(bound) || self.lowering.refuse_device_read(bound, help));
            self.failed |= refused;
            let (start, end) = (self.bound(&axis.start), self.bound(&axis.end));
            let span = Span::mixed_site().located_at(text::span(&axis.start));
            let (first, last) = (start.rust, end.rust);
            let dots = if axis.inclusive { quote_spanned!(span=> ..=) } else { quote_spanned!(span=> ..) };
            ranges.push(quote_spanned!(span=> #first #dots #last));
            data.push((start.data, end.data));
        }
        let names: Vec<Ident> = axes.iter().map(|axis| axis.name.clone()).collect();
        let data = axes.iter().zip(data).map(|(axis, (start, end))| {
            let local = self.axis(axis);
            Axis { local, start, end }
        });
        let data = data.collect();
        self.axes = self.iterations.len();
        let ranges = if let [single] = ranges.as_slice() { single.clone() } else { quote!((#(#ranges),*)) };
        Axes { data, ranges, names }
    }

    fn axis(&mut self, axis: &ast::Axis) -> u32 {
        let iteration = self.iteration(axis);
        self.declare_iteration(&axis.name, Some(iteration))
    }

    /// A name that runs through a range, which is an iteration's if its bounds are the host's.
    pub(super) fn declare_iteration(&mut self, name: &Ident, iteration: Option<usize>) -> u32 {
        let polynomial = iteration.map(|iteration| Polynomial::atom(Atom::Iteration(iteration)));
        self.declare(name, None, |local| Name { local, polynomial })
    }

    /// Adds an iteration with bounds of the host's.
    pub(super) fn iteration(&mut self, axis: &ast::Axis) -> usize {
        let (start, end) = (self.host_polynomial(&axis.start), self.host_polynomial(&axis.end));
        let interval = if axis.inclusive {
            let behind = end.add(&Polynomial::constant(1)).unwrap_or_default();
            Iteration { interval: Interval { start, end: behind }, written: vec![axis.start.clone()] }
        } else {
            Iteration { interval: Interval { start, end }, written: vec![axis.start.clone(), axis.end.clone()] }
        };
        self.iterations.push(interval);
        self.iterations.len() - 1
    }

    /// A host expression; what is too long to be taken apart is one atom.
    pub(super) fn host_polynomial(&mut self, expression: &Expr) -> Polynomial {
        of_host(expression, &mut self.atoms).unwrap_or_else(|| {
            let key = text::of_expression(expression);
            self.atoms.insert(key.clone(), expression.clone());
            Polynomial::atom(Atom::Host(key))
        })
    }

    /// A bound: a literal, or a host value.
    fn bound(&mut self, bound: &Expr) -> Both {
        match text::bare(bound) {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(_), .. }) => self.value(bound),
            _ => self.host_value(bound),
        }
    }

    /// Whether an expression names anything that only the device has.
    pub(super) fn on_device(&self, expression: &Expr) -> bool {
        self.names_own(expression) || self.lowering.reads_buffer(expression)
    }

    /// Whether a name of the body's own occurs.
    pub(super) fn names_own(&self, expression: &Expr) -> bool {
        let mut finder = LocalFinder { body: self, found: false };
        finder.visit_expr(expression);
        finder.found
    }
}

/// Whether a name of the body's own occurs.
struct LocalFinder<'b, 'l, 'd> {
    body: &'b Body<'l, 'd>,
    found: bool,
}

impl<'ast> Visit<'ast> for LocalFinder<'_, '_, '_> {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.found |= path.path.get_ident().is_some_and(|name| self.body.find(&name.to_string()).is_some());
    }

    fn visit_macro(&mut self, written: &'ast syn::Macro) {
        self.found |= text::identifiers(&written.tokens).iter().any(|name| self.body.find(name).is_some());
    }
}
