//! The part of the evaluator that a value parameter decides, where that is no more than values that nodes are passed: what a setter runs.
//!
//! A step that mentions the parameter, or a host `let` that is computed from it, is evaluated again, with the blocks around it and the
//! `let`s that it needs. If such a step is anything but a value of a node (a length, a grid, a condition, the iterator of a `for`, a closure
//! that is called later), there is no part, and a setter evaluates everything. Names are compared as they are spelled, so whoever shadows
//! another is taken for it: then more is evaluated than need be, never less. Small parts only, since rustc reads their text twice.

mod looked;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use rustc_hash::FxHashSet;

use super::Emission;
use super::evaluate::Bound;
use super::once::Once;
use super::program::internal;
use crate::lower::Evaluation;
use crate::syntax::{ast, bound_name};
use looked::{Looked, Name, Names};

/// A part has so many steps and closures at most, and all parts of a graph so many steps.
const STEPS: usize = 24;
const CLOSURES: usize = 4;
const ALL_STEPS: usize = 96;

/// What a part has.
struct Part<'a> {
    steps: FxHashSet<*const Evaluation>,
    /// The names that it needs from the graph's head.
    names: FxHashSet<Name>,
    count: usize,
    looked: &'a [Looked<'a>],
}

impl Emission<'_> {
    /// The arms of a `match` on the number of a value parameter, for those that have a part.
    pub(super) fn revalued(&self) -> Vec<TokenStream> {
        let has_candidates = self.candidates().next().is_some();
        if !has_candidates || !self.lowered.exchanged.is_empty() {
            return Vec::new();
        }
        let mut names = Names::default();
        let looked: Vec<_> = self.lowered.evaluations.iter().map(|step| self.look(step, &mut names)).collect();
        if self.is_unsteady(&looked, &mut names) {
            return Vec::new();
        }
        let mut left = ALL_STEPS;
        let arms = self.candidates().filter_map(|(number, name)| {
            let part = self.part(names.of(name.to_string()), &looked, &mut names)?;
            left = left.checked_sub(part.count)?;
            let body = self.part_body(&part, &mut names);
            Some(quote!(#number => { #body }))
        });
        arms.collect()
    }

    /// Value parameters without a bound that are no lists, each with its number among all.
    fn candidates(&self) -> impl Iterator<Item = (u32, &Ident)> {
        let values = self.graph.parameters.iter().filter(|one| matches!(one.kind, ast::ParameterKind::Value(_)));
        let single = (0..).zip(values).filter(|(_, one)| one.bound.is_none() && one.listed.is_none());
        single.map(|(number, one)| (number, &one.name))
    }

    /// Whether what host expressions come to may depend on more than values: on objects, or on what a `let mut` has become.
    fn is_unsteady(&self, looked: &[Looked<'_>], names: &mut Names) -> bool {
        let shared = self.objects().filter(super::ObjectParameter::is_shared);
        let objects: Vec<Name> = shared.map(|object| names.of(object.name.to_string())).collect();
        looked.iter().any(|one| one.is_unsteady(&objects))
    }

    /// What is evaluated again for a parameter; `None` if it decides more than values, or if that is much.
    fn part<'a>(&self, parameter: Name, looked: &'a [Looked<'a>], names: &mut Names) -> Option<Part<'a>> {
        if self.in_bounds(parameter, names) {
            return None;
        }
        let mut computed = FxHashSet::from_iter([parameter]);
        let mut before = 0;
        while before < computed.len() {
            before = computed.len();
            looked.iter().try_for_each(|one| one.compute(parameter, &mut computed))?;
        }
        let mut part = Part { steps: FxHashSet::default(), names: FxHashSet::default(), count: 0, looked };
        for one in looked {
            part.take_values(one, &computed);
        }
        part.take_needed()?;
        let closures = part.kept().filter(|one| one.is_closure()).count();
        part.count = part.kept().count();
        (part.count <= STEPS && closures <= CLOSURES).then_some(part)
    }

    /// Whether a bound is computed from a value.
    fn in_bounds(&self, value: Name, names: &mut Names) -> bool {
        let mut found = Vec::new();
        for bound in self.graph.parameters.iter().filter_map(|parameter| parameter.bound.as_ref()) {
            names.search(bound.to_token_stream(), &mut found);
        }
        found.contains(&value)
    }

    fn part_body(&self, part: &Part<'_>, names: &mut Names) -> TokenStream {
        let mut needed = part.names.clone();
        for parameter in self.graph.parameters.iter().filter(|parameter| parameter.bound.is_some()) {
            let own = [names.of(parameter.name.to_string()), names.of(bound_name(&parameter.name).to_string())];
            if own.iter().any(|name| needed.contains(name)) {
                let mut found = own.to_vec();
                names.search(parameter.bound.to_token_stream(), &mut found);
                needed.extend(found);
            }
        }
        let steps = Once::new(self.steps_of(part, &self.lowered.evaluations));
        self.with_variables(&mut |name| needed.contains(&names.of(name.to_string())), &steps)
    }

    fn steps_of(&self, part: &Part<'_>, steps: &[Evaluation]) -> TokenStream {
        let kept = steps.iter().filter(|step| part.steps.contains(&std::ptr::from_ref(*step)));
        kept.map(|step| self.step(step, &mut |inner, _: Bound<'_>| self.steps_of(part, inner))).collect()
    }

    /// The function that evaluates them, if any parameter has a part.
    pub(super) fn revalue(&self, arms: Vec<TokenStream>) -> Option<TokenStream> {
        if arms.is_empty() {
            return None;
        }
        let arms = Once::all(arms);
        let (values, used) = (&self.names.values, self.generics.used());
        let (sink, input, parameter) = (internal("__sink"), internal("__values"), internal("__parameter"));
        Some(quote! {
            #[allow(unused_variables, unused_mut, unused_parens, unused_braces, clippy::all, clippy::pedantic)]
            #[allow(unreachable_patterns, unused_comparisons, overlapping_range_endpoints, overflowing_literals)]
            fn __revalue(
                #input: &#values<#used>,
                #parameter: u32,
                #sink: &mut ::graph_runtime::__private::Sink,
            ) -> bool {
                match #parameter {
                    #arms
                    _ => return false,
                }
                true
            }
        })
    }
}

impl<'a> Part<'a> {
    /// Takes the values that are computed from these names, with the blocks around them. Says whether there are any.
    fn take_values(&mut self, one: &Looked<'_>, computed: &FxHashSet<Name>) -> bool {
        let value = one.is_value() && !one.step.is_check() && one.mentioned.iter().any(|name| computed.contains(name));
        let inside = one.inner().filter(|inner| self.take_values(inner, computed)).count() > 0;
        if value || inside {
            self.steps.insert(std::ptr::from_ref(one.step));
            self.names.extend(&one.mentioned);
        }
        value || inside
    }

    /// Takes what declares the names that are needed. `None` if it cannot be evaluated by itself.
    fn take_needed(&mut self) -> Option<()> {
        let (looked, mut before) = (self.looked, usize::MAX);
        while before != self.steps.len() {
            before = self.steps.len();
            self.take_declarations(looked)?;
        }
        Some(())
    }

    fn take_declarations(&mut self, block: &[Looked<'_>]) -> Option<()> {
        for one in block {
            let kept = self.steps.contains(&std::ptr::from_ref(one.step));
            if one.declared.iter().any(|name| self.names.contains(name)) && (kept || one.blocks.is_empty()) {
                if !one.is_sure() {
                    return None;
                }
                self.steps.insert(std::ptr::from_ref(one.step));
                self.names.extend(&one.mentioned);
            }
            if kept {
                one.blocks.iter().try_for_each(|block| self.take_declarations(block))?;
            }
        }
        Some(())
    }

    fn kept(&self) -> impl Iterator<Item = &'a Looked<'a>> {
        let mut open: Vec<&Looked<'_>> = self.looked.iter().collect();
        let all = std::iter::from_fn(move || {
            let one = open.pop()?;
            open.extend(one.inner());
            Some(one)
        });
        all.filter(|one| self.steps.contains(&std::ptr::from_ref(one.step)))
    }
}
