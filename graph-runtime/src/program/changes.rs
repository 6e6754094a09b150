//! In what two evaluations of one graph differ.

use graph_ir::concrete::{FrameId, SymbolValue};
use graph_ir::model::{NodeId, SymbolId};

use super::Sink;
use super::frames::{Frame, Frames, Table};
use crate::compute::{ComputeFunction, ComputeKind};

/// What the later of two evaluations has come to instead.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Values that kernels, fills and device expressions are given, and messages.
    pub(crate) values: Vec<(FrameId, SymbolId)>,
    /// Numbers of elements, ends of ranges, limits, grids and blocks.
    pub(crate) numbers: Vec<(FrameId, SymbolId)>,
    /// The first thing that the host decides otherwise.
    pub(crate) decision: Option<Decision>,
    /// Kernels in the block over other indices, as written.
    pub(crate) axes: Vec<(FrameId, NodeId)>,
    /// Closures were made anew, which may depend on any value.
    pub(crate) calls: bool,
    /// Something else.
    pub(crate) other: bool,
}

/// Something that the host decides, and that the graph's shape follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Which arm of an `if` or a `match` is taken.
    Arm(SymbolId),
    /// How many passes a `for` makes.
    Passes {
        /// The `for`.
        node: NodeId,
        /// Before and now.
        passes: [usize; 2],
    },
    /// Which buffer of a list, or which list, is meant.
    Buffer(SymbolId),
}

impl Changes {
    /// Whether nothing but values that nodes are given and messages is different.
    pub(crate) fn are_values_only(&self) -> bool {
        self.numbers.is_empty() && self.axes.is_empty() && self.keep_decisions()
    }

    /// Whether nothing is different but numbers: values that nodes are given, messages, amounts, and indices of kernels in the block.
    pub(crate) fn keep_decisions(&self) -> bool {
        self.decision.is_none() && !self.other
    }

    /// These, and those of the evaluation for the bounds, of which only the shape is looked at: a number that is different there belongs
    /// to something else than a value with a bound.
    pub(crate) fn with_shape(mut self, largest: &Self) -> Self {
        self.decision = self.decision.or(largest.decision);
        self.other |= largest.other || !largest.numbers.is_empty() || !largest.axes.is_empty();
        self
    }

    /// These and others that were not found out.
    pub(crate) fn and_more(self) -> Self {
        Self { other: true, ..self }
    }

    fn decide(&mut self, decision: Decision) {
        self.decision.get_or_insert(decision);
    }
}

impl Sink {
    /// What `later` has come to instead.
    pub(crate) fn changes(&self, later: &Self) -> Changes {
        let mut changes = Changes {
            other: self.lengths != later.lengths
                || self.listed != later.listed
                || self.casts != later.casts
                || self.bounds.any != later.bounds.any
                || !self.bounds.beyond.is_empty()
                || !later.bounds.beyond.is_empty()
                || self.exchanges() != later.exchanges(),
            calls: true,
            ..Changes::default()
        };
        self.frames.compare(&later.frames, &mut changes);
        changes
    }
}

impl Frames {
    fn compare(&self, later: &Self, changes: &mut Changes) {
        changes.other |= self.repeats != later.repeats || self.endless() != later.endless();
        for (number, (was, is)) in (0..).zip(self.frames.iter().zip(&later.frames)) {
            was.compare(is, FrameId(number), changes);
            if changes.decision.is_some() {
                // Frames behind it belong to other passes.
                return;
            }
        }
        changes.other |= self.frames.len() != later.frames.len();
    }
}

impl Frame {
    fn compare(&self, later: &Self, frame: FrameId, changes: &mut Changes) {
        self.compare_symbols(later, frame, changes);
        let passes = self.passes.iter().map(|(node, passes)| (*node, passes.len()));
        for (node, before) in passes {
            let now = later.passes.get(&node).map_or(0, Vec::len);
            if now != before {
                changes.decide(Decision::Passes { node, passes: [before, now] });
            }
        }
        if let Some((node, passes)) = later.passes.iter().find(|(node, _)| !self.passes.contains_key(node)) {
            changes.decide(Decision::Passes { node: *node, passes: [0, passes.len()] });
        }
        changes.other |= self.parent != later.parent
            || self.passes != later.passes
            || self.negative != later.negative
            || self.given_back != later.given_back
            || !same(&self.listed, &later.listed, PartialEq::eq)
            || !same(&self.scattered, &later.scattered, PartialEq::eq)
            || !same(&self.lengths, &later.lengths, PartialEq::eq)
            || !same(&self.functions, &later.functions, |one, other| one.0 == other.0)
            || !same(&self.calls, &later.calls, |_, _| true);
        self.compare_computes(later, frame, changes);
    }

    fn compare_computes(&self, later: &Self, frame: FrameId, changes: &mut Changes) {
        let Some(computes) = self.computes.beside(&later.computes) else {
            changes.other = true;
            return;
        };
        for (node, was, is) in computes {
            changes.other |= !same_kind(was, is);
            if was.axes != is.axes {
                changes.axes.push((frame, NodeId(node)));
            }
        }
    }

    fn compare_symbols(&self, later: &Self, frame: FrameId, changes: &mut Changes) {
        let tables =
            (self.symbols.beside(&later.symbols), self.typed.beside(&later.typed), self.texts.beside(&later.texts));
        let (Some(symbols), Some(typed), Some(texts)) = tables else {
            self.find_decision(later, changes);
            changes.other = true;
            return;
        };
        for (symbol, was, is) in symbols.filter(|(_, was, is)| was != is) {
            let symbol = SymbolId(symbol);
            match is {
                SymbolValue::Flag(_) | SymbolValue::Choice(_) => changes.decide(Decision::Arm(symbol)),
                SymbolValue::Extent(_) | SymbolValue::Dimensions(_) => changes.numbers.push((frame, symbol)),
                SymbolValue::Buffer(_) | SymbolValue::List { .. } => changes.decide(Decision::Buffer(symbol)),
                SymbolValue::Scattered | SymbolValue::Other => changes.other |= was != is,
            }
        }
        for (symbol, was, is) in typed.filter(|(_, was, is)| was != is) {
            changes.values.push((frame, SymbolId(symbol)));
            changes.other |= was.layout != is.layout;
        }
        changes.values.extend(texts.filter(|(_, was, is)| was != is).map(|(symbol, _, _)| (frame, SymbolId(symbol))));
    }

    /// An arm that is taken evaluates other expressions than one that is not.
    fn find_decision(&self, later: &Self, changes: &mut Changes) {
        let arm = self.symbols.iter().find(|(symbol, was)| {
            let decides = matches!(was, SymbolValue::Flag(_) | SymbolValue::Choice(_));
            decides && later.symbols.get(*symbol).is_some_and(|is| is != *was)
        });
        if let Some((symbol, _)) = arm {
            changes.decide(Decision::Arm(SymbolId(symbol)));
        }
    }
}

/// Whether two tables have the same numbers, and what is the same under each.
fn same<T>(one: &Table<T>, other: &Table<T>, equal: impl Fn(&T, &T) -> bool) -> bool {
    one.beside(other).is_some_and(|mut pairs| pairs.all(|(_, one, other)| equal(one, other)))
}

pub(super) fn same_kind(one: &ComputeFunction, other: &ComputeFunction) -> bool {
    match (&one.kind, &other.kind) {
        (ComputeKind::For(_), ComputeKind::For(_)) => true,
        (
            ComputeKind::Reduce { scalar, operator, accumulate, .. },
            ComputeKind::Reduce {
                scalar: other_scalar, operator: other_operator, accumulate: other_accumulate, ..
            },
        ) => (scalar, operator, accumulate) == (other_scalar, other_operator, other_accumulate),
        _ => false,
    }
}
