//! Values with a bound, and what is computed from them.

use graph_ir::model::{Bound, Extent, Origin, Place, Shape, SymbolId, SymbolOrigin};
use graph_ir::rules::bounded;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use rustc_hash::{FxHashMap, FxHashSet};
use syn::Expr;
use syn::spanned::Spanned;

use super::evaluation::Evaluation;
use super::scope::BindingId;
use super::{Lowering, text};
use crate::syntax::{ast, bound_name};

/// Which names may change at each launch.
#[derive(Default)]
pub(crate) struct Bounded {
    values: FxHashSet<BindingId>,
    /// What is computed from one, with the value's name and its place.
    varying: FxHashMap<BindingId, (String, Place)>,
}

impl Lowering<'_> {
    /// Declares the bounds of a graph's values.
    pub(crate) fn declare_bounds(&mut self, graph: &ast::Graph) {
        for parameter in &graph.parameters {
            let Some(bound) = &parameter.bound else { continue };
            let (name, place) = (parameter.name.to_string(), self.place(parameter.name.span()));
            self.declare_host(&bound_name(&parameter.name));
            if let Some(binding) = self.scopes.find(&name).map(|binding| binding.id) {
                self.bounded.values.insert(binding);
                self.bounded.varying.insert(binding, (name.clone(), place));
            }
            self.program.bounds.push(Bound { name, text: text::of(bound), place });
        }
        for bound in graph.parameters.iter().filter_map(|parameter| parameter.bound.as_ref()) {
            if let Some((value, declared)) = self.varies(bound) {
                let place = self.place(bound.span());
                self.report(&bounded::bound_varies(&value, place, declared));
            }
        }
    }

    /// The value with a bound that an expression is computed from, and where that is declared.
    pub(crate) fn varies(&self, expression: &impl ToTokens) -> Option<(String, Place)> {
        if self.bounded.varying.is_empty() {
            return None;
        }
        let names = text::identifiers(expression);
        let mut bindings = names.iter().filter_map(|name| self.scopes.find(name));
        bindings.find_map(|binding| self.bounded.varying.get(&binding.id)).cloned()
    }

    /// Where the value of an expression comes from.
    pub(crate) fn origin(&self, expression: &Expr) -> SymbolOrigin {
        if self.varies(expression).is_none() {
            return SymbolOrigin::Evaluated;
        }
        let name = text::identifier(expression).and_then(|name| self.scopes.find(&name.to_string()));
        match name {
            Some(binding) if self.bounded.values.contains(&binding.id) => SymbolOrigin::Bounded,
            _ => SymbolOrigin::Varying,
        }
    }

    /// Names are computed from a value with a bound, if from any.
    pub(crate) fn inherit(&mut self, names: &[Ident], value: Option<&(String, Place)>) {
        let Some(value) = value else { return };
        for name in names {
            if let Some(binding) = self.scopes.find(&name.to_string()) {
                self.bounded.varying.insert(binding.id, value.clone());
            }
        }
    }

    /// A buffer's sizes are computed from values with a bound: `x.len()` is what it is for the values, also of a parameter, to which a
    /// buffer of the length for the bounds is bound.
    pub(crate) fn inherit_sizes(&mut self, buffer: &Ident, shape: &Shape, origin: Origin) {
        let varying: Vec<SymbolId> = shape.sizes().iter().filter_map(|size| self.varying(*size)).collect();
        let Some(first) = varying.first() else { return };
        let text = self.program.symbol(*first).text.parse::<TokenStream>().unwrap_or_default();
        let value = self.varies(&text);
        self.inherit(std::slice::from_ref(buffer), value.as_ref());
        if let (Origin::Parameter(_), Some(_)) = (origin, shape.line()) {
            self.evaluate(Evaluation::Resize { name: buffer.clone(), length: *first });
        }
    }

    /// The symbol of an amount that may change at each launch.
    pub(super) fn varying(&self, extent: Extent) -> Option<SymbolId> {
        match extent {
            Extent::Symbol(symbol) if self.program.symbol(symbol).origin.varies() => Some(symbol),
            _ => None,
        }
    }

    /// Reports an expression that decides the graph's shape and may change at each launch. `what` is `` this `if` ``.
    pub(crate) fn refuse_varying(&mut self, expression: &Expr, what: &str) {
        if let Some((value, declared)) = self.varies(expression) {
            let named = super::calls::idents(expression).into_iter().find(|name| self.varies(name).is_some());
            let place = self.place(named.map_or_else(|| expression.span(), |name| name.span()));
            self.report(&bounded::decides_shape(&value, what, place, declared));
        }
    }
}
