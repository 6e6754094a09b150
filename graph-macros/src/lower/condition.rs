//! The condition of a `while |c|`: its name, and who may be given it.

use graph_ir::model::{NodeId, RegionKind};
use graph_ir::rules::condition;
use proc_macro2::Ident;
use syn::Expr;
use syn::spanned::Spanned as _;

use super::evaluation::Evaluation;
use super::scope::BindingKind;
use super::{Lowering, text};

impl Lowering<'_> {
    /// Declares the name in the loop's own scope.
    pub(crate) fn declare_condition(&mut self, name: &Ident, node: NodeId) {
        let id = self.scopes.fresh();
        self.declare(name, id, BindingKind::Condition(node));
        self.evaluate(Evaluation::Condition(name.clone()));
    }

    /// The loop whose condition an expression names.
    pub(crate) fn condition_named(&self, value: &Expr) -> Option<NodeId> {
        match self.scopes.find(&text::identifier(value)?.to_string())?.kind {
            BindingKind::Condition(node) => Some(node),
            _ => None,
        }
    }

    /// Reports a condition that is named within another body than its loop's; an `if` on host values is none.
    pub(crate) fn refuse_distant_condition(&mut self, value: &Expr) -> bool {
        let Some(node) = self.condition_named(value) else { return false };
        let mut region = self.region();
        loop {
            let here = self.program.region(region);
            let Some(owner) = here.owner else { break };
            if owner == node {
                return false;
            }
            let owner = self.program.node(owner);
            let host = matches!(here.kind, RegionKind::Then | RegionKind::Else) && owner.accesses.is_empty();
            if !host {
                break;
            }
            region = owner.region;
        }
        let name = text::of(value);
        let declared = self.scopes.find(&name).map(|binding| binding.place);
        let place = self.place(value.span());
        let word = self.bodies.last().map_or("loop", |body| body.word);
        self.report(&condition::in_another_body(&name, place, declared.unwrap_or(place), word));
        true
    }
}
