//! A part of the host expressions, evaluated again: what it comes to takes the place of what a whole evaluation has recorded.
//!
//! The macro knows which expressions depend on a value parameter. If those are only values that nodes are passed, a setter evaluates
//! nothing else ([`Program::revalue`](super::Program::revalue)). Passes of a `for` are walked through, not made; whatever else comes out
//! otherwise than it was recorded is [`Changes::other`], and then everything is evaluated.

use std::collections::HashMap;

use graph_ir::concrete::{FrameId, SymbolValue};
use graph_ir::model::{NodeId, ScalarType, SymbolId};

use super::changes::same_kind;
use super::frames::Frames;
use super::{Changes, ScalarFunction, Sink, TypedValue};
use crate::compute::ComputeFunction;

/// What a part of the host expressions came to.
#[derive(Default)]
pub(crate) struct Again {
    /// What is different.
    pub(crate) changes: Changes,
    /// What was there.
    replaced: Vec<Replaced>,
    /// The pass of each `for` that comes next.
    next: HashMap<(FrameId, NodeId), usize>,
}

enum Replaced {
    Value(FrameId, SymbolId, TypedValue),
    Function(FrameId, NodeId, (ScalarType, ScalarFunction)),
    Compute(FrameId, NodeId, ComputeFunction),
}

impl Again {
    /// A number or a decision, which stays.
    pub(super) fn symbol(&mut self, frames: &mut Frames, symbol: SymbolId, value: SymbolValue) {
        self.changes.other |= frames.now().symbols.get(symbol.0) != Some(&value);
    }

    /// A value.
    pub(super) fn value(&mut self, frames: &mut Frames, symbol: SymbolId, value: TypedValue) {
        let frame = frames.current();
        match frames.now().typed.get_mut(symbol.0) {
            Some(known) if *known == value => {}
            Some(known) => {
                self.changes.other |= known.layout != value.layout;
                self.changes.values.push((frame, symbol));
                self.replaced.push(Replaced::Value(frame, symbol, std::mem::replace(known, value)));
            }
            None => self.changes.other = true,
        }
    }

    /// A node's device expression.
    pub(super) fn function(&mut self, frames: &mut Frames, node: NodeId, function: (ScalarType, ScalarFunction)) {
        let frame = frames.current();
        let Some(known) = frames.now().functions.get_mut(node.0) else { return self.changes.other = true };
        self.changes.other |= known.0 != function.0;
        self.replaced.push(Replaced::Function(frame, node, std::mem::replace(known, function)));
    }

    /// A node's kernel in the block.
    pub(super) fn compute(&mut self, frames: &mut Frames, node: NodeId, compute: ComputeFunction) {
        let frame = frames.current();
        let Some(known) = frames.now().computes.get_mut(node.0) else { return self.changes.other = true };
        self.changes.other |= !same_kind(known, &compute);
        if known.axes != compute.axes {
            self.changes.axes.push((frame, node));
        }
        self.replaced.push(Replaced::Compute(frame, node, std::mem::replace(known, compute)));
    }

    /// Goes on to the next pass of a `for`; `false` if there is none.
    pub(super) fn enter(&mut self, frames: &mut Frames, node: NodeId) -> bool {
        let next = self.next.entry((frames.current(), node)).or_default();
        let entered = frames.enter_again(node, *next);
        *next += 1;
        self.changes.other |= !entered;
        entered
    }
}

impl Sink {
    /// Evaluates a part of the host expressions again. `None` if `evaluate` says that it does not know which.
    pub(crate) fn again(&mut self, evaluate: impl FnOnce(&mut Self) -> bool) -> Option<Again> {
        self.again = Some(Box::default());
        let known = evaluate(self);
        let mut again = *self.again.take().filter(|_| known)?;
        // A `for` that ends early has left passes as they were.
        let ends =
            |((frame, node), next): (&(FrameId, NodeId), &usize)| self.frames.passes(*frame, *node).len() == *next;
        again.changes.other |= !again.next.iter().all(ends);
        Some(again)
    }

    /// Puts back what was there, also after a panic.
    pub(crate) fn take_back(&mut self, again: Option<Again>) {
        self.frames.back_to_graph();
        let begun = self.again.take().map(|again| *again);
        for replaced in begun.into_iter().chain(again).flat_map(|again| again.replaced.into_iter().rev()) {
            self.put_back(replaced);
        }
    }

    fn put_back(&mut self, replaced: Replaced) {
        match replaced {
            Replaced::Value(frame, symbol, value) => self.frames.of(frame).typed.put(symbol.0, value),
            Replaced::Function(frame, node, function) => self.frames.of(frame).functions.put(node.0, function),
            Replaced::Compute(frame, node, compute) => self.frames.of(frame).computes.put(node.0, compute),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::Elements;

    const FOR: u32 = 3;

    /// A value in the graph, and another one in each of three passes.
    fn evaluate(sink: &mut Sink, values: [f32; 4]) {
        sink.value(1, values[0]);
        for value in &values[1..] {
            assert!(sink.enter(FOR));
            sink.value(2, *value);
            sink.leave();
        }
        let factor = values[0];
        sink.scalar(5, move |_: &Elements<'_>| factor);
    }

    fn floats(sink: &Sink) -> Vec<f32> {
        let passes = sink.passes(FrameId::GRAPH, NodeId(FOR));
        let places =
            std::iter::once((FrameId::GRAPH, SymbolId(1))).chain(passes.into_iter().map(|pass| (pass, SymbolId(2))));
        let float = |(frame, symbol)| bytemuck::pod_read_unaligned(&sink.typed(frame, symbol).unwrap().bytes);
        places.map(float).collect()
    }

    #[test]
    fn values_take_the_place_of_those_that_were_recorded_and_go_back() {
        let mut sink = Sink::new(Vec::new());
        evaluate(&mut sink, [1.0, 2.0, 3.0, 4.0]);
        let again = sink.again(|sink| {
            evaluate(sink, [5.0, 2.0, 6.0, 4.0]);
            true
        });
        let again = again.unwrap();
        let second = sink.passes(FrameId::GRAPH, NodeId(FOR))[1];
        assert_eq!(again.changes.values, [(FrameId::GRAPH, SymbolId(1)), (second, SymbolId(2))]);
        assert!(again.changes.are_values_only());
        assert_eq!(floats(&sink), [5.0, 2.0, 6.0, 4.0]);
        // SAFETY: there are no accesses.
        let nothing = unsafe { Elements::new(&[]) };
        let computed = |sink: &Sink| {
            let (_, function) = sink.function(FrameId::GRAPH, NodeId(5)).unwrap();
            f32::from_bits(function(&nothing) as u32)
        };
        assert_eq!(computed(&sink).to_bits(), 5.0_f32.to_bits());
        sink.take_back(Some(again));
        assert_eq!((floats(&sink), computed(&sink)), (vec![1.0, 2.0, 3.0, 4.0], 1.0));
    }

    #[test]
    fn what_is_recorded_otherwise_is_something_else() {
        let other = |evaluate_again: fn(&mut Sink)| {
            let mut sink = Sink::new(Vec::new());
            sink.flag(0, true);
            evaluate(&mut sink, [1.0; 4]);
            let again = sink.again(|sink| {
                evaluate_again(sink);
                true
            });
            again.unwrap().changes.other
        };
        assert!(!other(|sink| sink.flag(0, true)));
        assert!(other(|sink| sink.flag(0, false)));
        assert!(other(|sink| sink.extent(9, 4_u32)));
        assert!(other(|sink| sink.value(1, 7_u32)), "of another type");
        assert!(other(|sink| sink.value(7, 7_u32)));
        assert!(other(|sink| (0..4).for_each(|_| {
            if sink.enter(FOR) {
                sink.leave();
            }
        })));
        let mut sink = Sink::new(Vec::new());
        assert!(sink.again(|_| false).is_none());
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let mut sink = Sink::new(Vec::new());
        evaluate(&mut sink, [1.0, 2.0, 3.0, 4.0]);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            sink.again(|sink| {
                sink.value(1, 9.0_f32);
                assert!(sink.enter(FOR));
                panic!("of the user's");
            })
        }));
        assert!(panicked.is_err());
        sink.take_back(None);
        assert_eq!(floats(&sink), [1.0, 2.0, 3.0, 4.0]);
        sink.value(1, 8.0_f32);
        assert_eq!(floats(&sink), [8.0, 2.0, 3.0, 4.0]);
    }
}
