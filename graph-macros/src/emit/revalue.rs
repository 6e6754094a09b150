//! The part of the evaluator that a value parameter decides, where that is no more than values that nodes are passed: what a setter runs.
//!
//! A step that mentions the parameter, or a host `let` that is computed from it, is evaluated again, with the blocks around it and the
//! `let`s that it needs. If such a step is anything but a value of a node (a length, a grid, a condition, the iterator of a `for`, a closure
//! that is called later), there is no part, and a setter evaluates everything. Names are compared as they are spelled, so whoever shadows
//! another is taken for it: then more is evaluated than need be, never less. Small parts only, since rustc reads their text twice.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use rustc_hash::{FxHashMap, FxHashSet};
use syn::visit::Visit;

use super::Emission;
use super::evaluate::Bound;
use super::once::Once;
use super::program::internal;
use crate::lower::{DeviceKind, Evaluation, FieldValue, KernelKind, is_primitive};
use crate::syntax::{ast, bound_name};

/// A part has so many steps and closures at most, and all parts of a graph so many steps.
const STEPS: usize = 24;
const CLOSURES: usize = 4;
const ALL_STEPS: usize = 96;

/// A name's number.
type Name = usize;

/// A step with the names in it.
struct Looked<'a> {
    step: &'a Evaluation,
    /// Those that it mentions itself, not in its blocks.
    mentioned: Vec<Name>,
    declared: Vec<Name>,
    blocks: Vec<Vec<Looked<'a>>>,
}

/// The numbers of names.
#[derive(Default)]
struct Names(FxHashMap<String, Name>);

impl Names {
    fn of(&mut self, text: String) -> Name {
        let next = self.0.len();
        *self.0.entry(text).or_insert(next)
    }

    fn search(&mut self, tokens: TokenStream, found: &mut Vec<Name>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => found.push(self.of(ident.to_string())),
                TokenTree::Group(group) => self.search(group.stream(), found),
                TokenTree::Literal(literal) => {
                    // `"{k}"` mentions `k`.
                    for part in literal.to_string().split('{').skip(1) {
                        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
                        found.push(self.of(part[..end].to_owned()));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

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
    fn candidates(&self) -> impl Iterator<Item = (u32, &proc_macro2::Ident)> {
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

    fn look<'a>(&self, step: &'a Evaluation, names: &mut Names) -> Looked<'a> {
        let (mut mentioned, mut declared) = (Vec::new(), Vec::new());
        self.mentions(step, names, &mut mentioned);
        declares(step, &mut |name| declared.push(names.of(name.to_string())));
        let blocks = step.blocks().into_iter();
        let blocks = blocks.map(|block| block.iter().map(|step| self.look(step, names)).collect()).collect();
        Looked { step, mentioned, declared, blocks }
    }

    fn mentions(&self, step: &Evaluation, names: &mut Names, found: &mut Vec<Name>) {
        let known = step.symbol().and_then(|symbol| self.lowered.mentions.get(&symbol));
        if let Some(known) = known {
            return found.extend(known.iter().map(|name| names.of(name.to_string())));
        }
        let mut search = |part: &dyn ToTokens| names.search(part.to_token_stream(), found);
        match step {
            Evaluation::Extent { value, .. }
            | Evaluation::Dimensions { value, .. }
            | Evaluation::Value { value, .. }
            | Evaluation::Argument { value, .. }
            | Evaluation::Let { value, .. }
            | Evaluation::Member { value, .. }
            | Evaluation::Passing { value, .. } => search(value),
            Evaluation::Element { target, value, .. } => {
                search(target);
                search(value);
            }
            Evaluation::Branch { condition, .. } => search(condition),
            Evaluation::Choice { value, arms, .. } => {
                search(value);
                arms.iter().filter_map(|arm| arm.guard.as_ref()).for_each(|(_, guard)| search(guard));
            }
            Evaluation::For { iterable, guard, .. } => {
                search(iterable);
                guard.iter().for_each(|guard| search(guard));
            }
            Evaluation::Exchange { left: (left, _), right: (right, _), .. } => {
                [left, right].into_iter().for_each(|one| search(one))
            }
            Evaluation::Text { format, .. } => search(format),
            Evaluation::Resize { name, .. } | Evaluation::Shaped { name, .. } => search(name),
            Evaluation::Call(call) => {
                call.hosts.iter().for_each(|name| search(name));
                let all: Vec<_> = self.values().map(|(name, _)| name).collect();
                call.values.iter().for_each(|value| search(all[*value as usize]));
            }
            Evaluation::Graph(call) => call.fields.iter().for_each(|(_, value)| match value {
                FieldValue::Value(value) => search(value),
                FieldValue::Buffer(buffer, _) | FieldValue::Passing(buffer) => search(&buffer.name),
                FieldValue::Object { .. } => {}
            }),
            Evaluation::Device(function) => {
                function.hosts.iter().for_each(|(_, _, value)| search(value));
                search(&function.body);
                match &function.kind {
                    DeviceKind::Element(target) => search(target),
                    DeviceKind::Match(patterns) => patterns.iter().for_each(|pattern| search(pattern)),
                    DeviceKind::Test | DeviceKind::Until => {}
                }
            }
            Evaluation::Kernel(function) => {
                function.hosts.iter().for_each(|(_, _, value)| search(value));
                search(&function.ranges);
                search(&function.body);
                if let KernelKind::Reduce { target, .. } = &function.kind {
                    search(target);
                }
            }
            Evaluation::Condition(_)
            | Evaluation::FixedBlock { .. }
            | Evaluation::Transient { .. }
            | Evaluation::BodyBegins
            | Evaluation::BodyEnds { .. }
            | Evaluation::Scope(_)
            | Evaluation::Check(_)
            | Evaluation::Repeat { .. } => {}
        }
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

impl Looked<'_> {
    fn is_unsteady(&self, objects: &[Name]) -> bool {
        let later = matches!(self.step, Evaluation::Call(_) | Evaluation::Graph(_) | Evaluation::Check(_));
        let changes = matches!(self.step, Evaluation::Let { pattern, .. } if is_mutable(pattern));
        changes
            || !later && self.mentioned.iter().any(|name| objects.contains(name))
            || self.inner().any(|one| one.is_unsteady(objects))
    }

    fn inner(&self) -> impl Iterator<Item = &Self> {
        self.blocks.iter().flatten()
    }

    /// Adds what `let`s compute from what is computed so far. `None` if that decides more than values, or if a name of the parameter's
    /// spelling is another.
    fn compute(&self, parameter: Name, computed: &mut FxHashSet<Name>) -> Option<()> {
        let from = self.mentioned.iter().any(|name| computed.contains(name));
        if self.declared.contains(&parameter)
            || from && !self.is_value() && !matches!(self.step, Evaluation::Let { .. })
        {
            return None;
        }
        if from && matches!(self.step, Evaluation::Let { .. }) {
            computed.extend(&self.declared);
        }
        self.inner().try_for_each(|one| one.compute(parameter, computed))
    }

    /// Whether it is a value that a node is passed, or a device expression, or only read by rustc.
    fn is_value(&self) -> bool {
        let recorded =
            matches!(self.step, Evaluation::Value { .. } | Evaluation::Argument { .. } | Evaluation::Element { .. });
        recorded || self.is_closure() || self.step.is_check()
    }

    fn is_closure(&self) -> bool {
        matches!(self.step, Evaluation::Device(_) | Evaluation::Kernel(_))
    }

    /// Whether it may be evaluated again for the name that it declares, which has the same type wherever it is used.
    fn is_sure(&self) -> bool {
        match self.step {
            Evaluation::Let { known, .. } => known.as_ref().is_some_and(is_primitive),
            Evaluation::Transient { count, .. } => count.is_none(),
            Evaluation::Member { .. } | Evaluation::Resize { .. } | Evaluation::Shaped { .. } => true,
            _ => false,
        }
    }
}

impl<'a> Part<'a> {
    /// Takes the values that are computed from these names, with the blocks around them. Says whether there are any.
    fn take_values(&mut self, one: &Looked<'_>, computed: &FxHashSet<Name>) -> bool {
        let value = one.is_value() && !one.step.is_check() && one.mentioned.iter().any(|name| computed.contains(name));
        let inside = one.inner().fold(false, |any, inner| self.take_values(inner, computed) || any);
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

/// The names that a step declares, for those behind it or for its blocks.
fn declares(step: &Evaluation, declare: &mut dyn FnMut(&proc_macro2::Ident)) {
    match step {
        Evaluation::Let { pattern, .. } | Evaluation::For { pattern, .. } => {
            ast::pattern_names(pattern).iter().for_each(|name| declare(name));
        }
        Evaluation::Branch { condition, .. } => ast::condition_names(condition).iter().for_each(|name| declare(name)),
        Evaluation::Choice { arms, .. } => {
            arms.iter().flat_map(|arm| ast::pattern_names(&arm.pattern)).for_each(|name| declare(&name));
        }
        Evaluation::Transient { name, .. } | Evaluation::Resize { name, .. } | Evaluation::Shaped { name, .. } => {
            declare(name)
        }
        Evaluation::Member { local, .. } | Evaluation::Passing { local, .. } => declare(local),
        Evaluation::Condition(name) => declare(name),
        _ => {}
    }
}

/// Whether a name in a pattern can be assigned to.
fn is_mutable(pattern: &syn::Pat) -> bool {
    struct Mutable(bool);
    impl<'ast> Visit<'ast> for Mutable {
        fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
            self.0 |= name.mutability.is_some();
            syn::visit::visit_pat_ident(self, name);
        }

        fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    }
    let mut mutable = Mutable(false);
    mutable.visit_pat(pattern);
    mutable.0
}
