//! A large evaluator as several functions.
//!
//! rustc looks at all that it knows of a function's types once for each closure in it when it builds incrementally: its time grows with
//! closures × the function's size. Each `kernel for`, reduction, device expression and callback is a closure. So steps move, in text
//! order, into functions of a few closures each, which take what the steps name as arguments. An argument needs a type; what has none
//! that is written, a host `let` or the pattern of a `for`, keeps the steps that name it where it is, or moves with all of them.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::Emission;
use super::evaluate::{Bound, never_run};
use super::names::Names;
use super::once::Once;
use super::program::internal;
use super::put::{self, put};
use crate::lower::Evaluation;
use rustc_hash::FxHashMap;

/// An evaluator with no more steps is one function.
const LARGE: usize = 128;
/// A function has so many steps, closures and checks at most, unless one step has more.
const STEPS: usize = 32;
const CLOSURES: usize = 8;
const CHECKS: usize = 256;
/// Fewer steps without a closure are left where they are.
const FEW_STEPS: usize = 4;

/// Whether an evaluator is split.
pub(super) fn is_large(evaluations: &[Evaluation]) -> bool {
    evaluations.iter().map(Size::of).sum::<Size>().steps > LARGE
}

/// Steps, inner ones included, and the closures among them.
#[derive(Clone, Copy, Default)]
struct Size {
    steps: usize,
    closures: usize,
}

impl Size {
    fn of(evaluation: &Evaluation) -> Self {
        let closures = match evaluation {
            Evaluation::Device(_) | Evaluation::Kernel(_) => 1,
            Evaluation::Call(call) => 1 + usize::from(call.cpu.is_some()),
            _ => 0,
        };
        let inner = evaluation.blocks().into_iter().flatten().map(Self::of);
        inner.fold(Self { steps: 1, closures }, |sum, inner| sum + inner)
    }

    fn fits(self) -> bool {
        self.steps <= STEPS && self.closures <= CLOSURES
    }
}

impl std::ops::Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { steps: self.steps + other.steps, closures: self.closures + other.closures }
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |sum, size| sum + size)
    }
}

/// A step that has been emitted.
struct Item {
    tokens: TokenStream,
    size: Size,
    is_check: bool,
    /// It has inner blocks from which steps have moved.
    stays: bool,
    /// The names that it mentions, each with the place of the first mention.
    uses: Vec<(usize, Span)>,
    declares: std::ops::Range<usize>,
}

/// A function that is being filled.
#[derive(Default)]
struct Part {
    items: Vec<(TokenStream, bool)>,
    size: Size,
    arguments: Vec<(usize, Span)>,
    /// The names among them, by their spelling.
    known: FxHashMap<usize, usize>,
}

impl Part {
    /// Adds steps that move together: what they declare is theirs.
    fn add(&mut self, items: &mut [Item], names: &Names) {
        let first = items.first().map_or(0, |item| item.declares.start);
        let last = items.last().map_or(0, |item| item.declares.end);
        self.size = self.size + items.iter().map(|item| item.size).sum();
        for (name, span) in items.iter_mut().flat_map(|item| std::mem::take(&mut item.uses)) {
            if !(first..last).contains(&name) && self.known.insert(names.spelling(name), name).is_none() {
                self.arguments.push((name, span));
            }
        }
        let steps = items.iter_mut().map(|item| (std::mem::take(&mut item.tokens), item.is_check));
        if first == last {
            self.items.extend(steps);
        } else {
            let steps = Once::new(in_order(steps.collect()));
            self.items.push((quote!({ #steps }), false));
        }
    }

    fn is_worth_it(&self) -> bool {
        self.size.closures > 0 || self.size.steps >= FEW_STEPS
    }
}

struct Splitter<'a> {
    emission: &'a Emission<'a>,
    names: Names,
    /// Checks, which need no order.
    checks: Part,
    parts: Vec<TokenStream>,
}

impl Emission<'_> {
    /// Every step, and the functions of those that have moved.
    pub(super) fn split(&self) -> (TokenStream, Vec<TokenStream>) {
        let names = Names::of(self);
        let mut splitter = Splitter { emission: self, names, checks: Part::default(), parts: Vec::new() };
        let steps = splitter.block(&self.lowered.evaluations, Bound::Nothing);
        splitter.end_checks();
        (steps, splitter.parts)
    }
}

impl Splitter<'_> {
    fn block(&mut self, evaluations: &[Evaluation], bound: Bound<'_>) -> TokenStream {
        self.names.enter(bound.names());
        let items = evaluations.iter().enumerate().map(|(index, evaluation)| self.item(index, evaluation)).collect();
        let tokens = self.arrange(items);
        self.names.leave();
        tokens
    }

    fn item(&mut self, index: usize, evaluation: &Evaluation) -> Item {
        let emission = self.emission;
        let size = Size::of(evaluation);
        let is_block = !evaluation.blocks().is_empty();
        let whole = |inner: &[Evaluation], _: Bound<'_>| emission.steps(inner);
        self.names.at(index);
        let moves = (!is_block || size.fits()).then(|| emission.step(evaluation, &mut { whole }));
        let moves = moves.map(|tokens| (self.names.mentioned_by(emission, evaluation, &tokens), tokens));
        let moves = moves.filter(|(uses, _)| !is_block || uses.iter().all(|(name, _)| self.names.has_type(*name)));
        let stays = moves.is_none();
        let (uses, tokens) = moves.unwrap_or_else(|| {
            let tokens = emission.step(evaluation, &mut |inner, bound| self.block(inner, bound));
            (self.names.mentioned(&tokens), tokens)
        });
        let declares = self.names.declare_by(emission, evaluation);
        Item { tokens, size, is_check: evaluation.is_check(), stays, uses, declares }
    }

    /// The steps of a block, with calls of functions where steps have moved.
    fn arrange(&mut self, mut items: Vec<Item>) -> TokenStream {
        let (mut left, mut part) = (Vec::new(), Part::default());
        let mut index = 0;
        while index < items.len() {
            let Some(end) = self.unit(&items, index) else {
                left.extend(self.end(std::mem::take(&mut part)));
                left.push((std::mem::take(&mut items[index].tokens), items[index].is_check));
                index += 1;
                continue;
            };
            let unit = &mut items[index..end];
            if let [check] = &mut *unit
                && check.is_check
            {
                self.add_check(check);
            } else {
                let size: Size = unit.iter().map(|item| item.size).sum();
                if !(part.size + size).fits() {
                    left.extend(self.end(std::mem::take(&mut part)));
                }
                part.add(unit, &self.names);
            }
            index = end;
        }
        left.extend(self.end(part));
        in_order(left)
    }

    /// The end of the fewest steps from `start` on that can move: all that they name has a type, or is declared by them and named
    /// by no others.
    fn unit(&self, items: &[Item], start: usize) -> Option<usize> {
        let (mut index, mut end, mut size) = (start, start + 1, Size::default());
        while index < end {
            let item = &items[index];
            let first = items[start].declares.start;
            let is_known = |name: usize| self.names.has_type(name) || (first..item.declares.start).contains(&name);
            size = size + item.size;
            let fits = index == start || size.fits();
            if item.stays || !fits || !item.uses.iter().all(|(name, _)| is_known(*name)) {
                return None;
            }
            let last = item.declares.clone().map(|name| self.names.last(name)).max();
            end = end.max(last.map_or(0, |last| last + 1));
            index += 1;
        }
        Some(end)
    }

    fn add_check(&mut self, check: &mut Item) {
        let clash = check
            .uses
            .iter()
            .any(|(name, _)| self.checks.known.get(&self.names.spelling(*name)).is_some_and(|known| known != name));
        if clash || self.checks.items.len() >= CHECKS {
            self.end_checks();
        }
        self.checks.add(std::slice::from_mut(check), &self.names);
    }

    /// A function that nobody calls.
    fn end_checks(&mut self) {
        let checks = std::mem::take(&mut self.checks);
        if checks.items.is_empty() {
            return;
        }
        let names = &self.names;
        let parameters = put::made(|tokens| {
            checks.arguments.iter().for_each(|(name, _)| names.parameter(*name, tokens));
        });
        let steps = checks.items.into_iter().map(|(tokens, _)| tokens).collect();
        self.function("__check", parameters, steps);
    }

    /// The call of the function that a part becomes, or its steps.
    fn end(&mut self, part: Part) -> Vec<(TokenStream, bool)> {
        if !part.is_worth_it() {
            return part.items;
        }
        let (sink, casts, objects) = (internal("__sink"), internal("__casts"), internal("__objects"));
        let (has_casts, has_objects) = (self.emission.lowered.has_casts, self.emission.objects().next().is_some());
        let parameters = put::made(|tokens| {
            put!(tokens => #sink: &mut ::graph_runtime::__private::Sink,);
            if has_casts {
                put!(tokens => #casts: &::graph_runtime::__private::Casts,);
            }
            if has_objects {
                put!(tokens => #objects: &::graph_runtime::__private::Objects,);
            }
            part.arguments.iter().for_each(|(name, _)| self.names.parameter(*name, tokens));
        });
        let arguments = put::made(|tokens| {
            put!(tokens => #sink,);
            if has_casts {
                put!(tokens => #casts,);
            }
            if has_objects {
                put!(tokens => &#objects,);
            }
            part.arguments.iter().for_each(|(name, span)| self.names.argument(*name, *span, tokens));
        });
        let function = self.function("__evaluate", parameters, in_order(part.items));
        let arguments = Group::new(Delimiter::Parenthesis, arguments);
        vec![(quote!(Self::#function #arguments;), false)]
    }

    fn function(&mut self, word: &str, parameters: TokenStream, steps: TokenStream) -> Ident {
        let parameters = Group::new(Delimiter::Parenthesis, parameters);
        let body = Group::new(Delimiter::Brace, steps);
        let name = format_ident!("{word}_{}", self.parts.len(), span = Span::mixed_site());
        self.parts.push(quote! {
            fn #name #parameters #body
        });
        name
    }
}

/// Steps one behind the other, checks among them so that they never run.
fn in_order(items: Vec<(TokenStream, bool)>) -> TokenStream {
    let (mut steps, mut checks) = (Vec::with_capacity(items.len()), Vec::new());
    for (item, is_check) in items {
        if is_check {
            checks.push(item);
            continue;
        }
        if !checks.is_empty() {
            steps.push(never_run(std::mem::take(&mut checks)));
        }
        steps.push(item);
    }
    steps.push(never_run(checks));
    steps.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::Emission;
    use crate::diagnostic::Diagnostics;
    use crate::{lower, sources, syntax};

    /// [`super::Names::mentioned_by`] compares what it has found with the step's tokens, in tests.
    #[test]
    fn what_a_step_mentions_is_known_without_its_tokens() {
        for block in sources::all_blocks() {
            let mut diagnostics = Diagnostics::default();
            let block = syntax::parse(block, &mut diagnostics);
            for graph in &block.graphs {
                Emission::of(graph, &lower::lower(graph, &block, &mut diagnostics)).split();
            }
        }
    }
}
