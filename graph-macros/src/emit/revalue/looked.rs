//! The steps of an evaluator with the names in them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use rustc_hash::{FxHashMap, FxHashSet};
use syn::visit::Visit;

use super::super::Emission;
use crate::lower::{DeviceKind, Evaluation, FieldValue, KernelKind, is_primitive};
use crate::syntax::ast;

/// A name's number.
pub(super) type Name = usize;

/// A step with the names in it.
pub(super) struct Looked<'a> {
    pub(super) step: &'a Evaluation,
    /// Those that it mentions itself, not in its blocks.
    pub(super) mentioned: Vec<Name>,
    pub(super) declared: Vec<Name>,
    pub(super) blocks: Vec<Vec<Looked<'a>>>,
}

/// The numbers of names.
#[derive(Default)]
pub(super) struct Names(FxHashMap<String, Name>);

impl Names {
    pub(super) fn of(&mut self, text: String) -> Name {
        let next = self.0.len();
        *self.0.entry(text).or_insert(next)
    }

    pub(super) fn search(&mut self, tokens: TokenStream, found: &mut Vec<Name>) {
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

impl Emission<'_> {
    pub(super) fn look<'a>(&self, step: &'a Evaluation, names: &mut Names) -> Looked<'a> {
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
                search(left);
                search(right);
            }
            Evaluation::Text { format, .. } => search(format),
            Evaluation::Resize { name, .. } | Evaluation::Shaped { name, .. } => search(name),
            Evaluation::Call(_) | Evaluation::Graph(_) | Evaluation::Device(_) | Evaluation::Kernel(_) => {
                self.closure_mentions(step, &mut search);
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

    /// The names in what is called later.
    fn closure_mentions(&self, step: &Evaluation, search: &mut dyn FnMut(&dyn ToTokens)) {
        match step {
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
            _ => {}
        }
    }
}

impl Looked<'_> {
    pub(super) fn is_unsteady(&self, objects: &[Name]) -> bool {
        let later = matches!(self.step, Evaluation::Call(_) | Evaluation::Graph(_) | Evaluation::Check(_));
        let changes = matches!(self.step, Evaluation::Let { pattern, .. } if is_mutable(pattern));
        changes
            || !later && self.mentioned.iter().any(|name| objects.contains(name))
            || self.inner().any(|one| one.is_unsteady(objects))
    }

    pub(super) fn inner(&self) -> impl Iterator<Item = &Self> {
        self.blocks.iter().flatten()
    }

    /// Adds what `let`s compute from what is computed so far. `None` if that decides more than values, or if a name of the parameter's
    /// spelling is another.
    pub(super) fn compute(&self, parameter: Name, computed: &mut FxHashSet<Name>) -> Option<()> {
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
    pub(super) fn is_value(&self) -> bool {
        let recorded =
            matches!(self.step, Evaluation::Value { .. } | Evaluation::Argument { .. } | Evaluation::Element { .. });
        recorded || self.is_closure() || self.step.is_check()
    }

    pub(super) fn is_closure(&self) -> bool {
        matches!(self.step, Evaluation::Device(_) | Evaluation::Kernel(_))
    }

    /// Whether it may be evaluated again for the name that it declares, which has the same type wherever it is used.
    pub(super) fn is_sure(&self) -> bool {
        match self.step {
            Evaluation::Let { known, .. } => known.as_ref().is_some_and(is_primitive),
            Evaluation::Transient { count, .. } => count.is_none(),
            Evaluation::Member { .. } | Evaluation::Resize { .. } | Evaluation::Shaped { .. } => true,
            _ => false,
        }
    }
}

/// The names that a step declares, for those behind it or for its blocks.
fn declares(step: &Evaluation, declare: &mut dyn FnMut(&Ident)) {
    match step {
        Evaluation::Let { pattern, .. } | Evaluation::For { pattern, .. } => {
            ast::pattern_names(pattern).iter().for_each(declare);
        }
        Evaluation::Branch { condition, .. } => ast::condition_names(condition).iter().for_each(declare),
        Evaluation::Choice { arms, .. } => {
            arms.iter().flat_map(|arm| ast::pattern_names(&arm.pattern)).for_each(|name| declare(&name));
        }
        Evaluation::Transient { name, .. } | Evaluation::Resize { name, .. } | Evaluation::Shaped { name, .. } => {
            declare(name);
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
