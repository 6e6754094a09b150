//! What the evaluator records, by the pass of a `for` in which it does.

use std::collections::BTreeMap;

use graph_ir::concrete::{FrameId, ListedBuffer, SymbolValue};
use graph_ir::model::{NodeId, ScalarType, SymbolId};

use super::{ScalarFunction, TypedValue};
use crate::call::NodeCall;
use crate::compute::ComputeFunction;

/// More passes than any graph has nodes for: a `for` over an endless iterator ends here.
const MOST_FRAMES: usize = 1 << 22;

/// Values by number. The numbers of one frame lie close together.
pub(super) struct Table<T> {
    first: u32,
    values: Vec<Option<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { first: 0, values: Vec::new() }
    }
}

impl<T> Table<T> {
    /// Empty, with room for as much as another one has.
    fn with_room_of(other: &Self) -> Self {
        Self { first: other.first, values: Vec::with_capacity(other.values.len()) }
    }

    pub(super) fn put(&mut self, number: u32, value: T) {
        if self.values.is_empty() {
            self.first = number;
        }
        if number < self.first {
            let missing = (number..self.first).map(|_| None);
            self.values.splice(..0, missing);
            self.first = number;
        }
        let at = (number - self.first) as usize;
        if self.values.len() <= at {
            self.values.resize_with(at + 1, || None);
        }
        self.values[at] = Some(value);
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number.checked_sub(self.first)? as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number.checked_sub(self.first)? as usize)?.as_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (self.first..).zip(&self.values).filter_map(|(number, value)| Some((number, value.as_ref()?)))
    }

    /// What stands in two tables under each number; `None` if one has other numbers than the other.
    pub(super) fn beside<'t>(&'t self, other: &'t Self) -> Option<impl Iterator<Item = (u32, &'t T, &'t T)>> {
        let known = |value: &Option<T>| value.is_some();
        let (one, two) = (self.values.iter().map(known), other.values.iter().map(known));
        let same = self.first == other.first && one.eq(two);
        let pairs = self.values.iter().zip(&other.values).zip(self.first..);
        same.then(|| pairs.filter_map(|((one, two), number)| Some((number, one.as_ref()?, two.as_ref()?))))
    }
}

/// One pass of a `for`, or the graph.
#[derive(Default)]
pub(super) struct Frame {
    /// The frame around it; its own number for the graph.
    pub(super) parent: u32,
    pub(super) symbols: Table<SymbolValue>,
    pub(super) typed: Table<TypedValue>,
    pub(super) functions: Table<(ScalarType, ScalarFunction)>,
    pub(super) computes: Table<ComputeFunction>,
    pub(super) calls: Table<NodeCall>,
    pub(super) texts: Table<String>,
    /// Lists of transients: the first, and how many.
    pub(super) listed: Table<(u32, u32)>,
    pub(super) negative: Vec<SymbolId>,
    /// The buffers of whole lists that do not stand one behind the other.
    pub(super) scattered: Table<Vec<ListedBuffer>>,
    /// Of a graph: from where to where the buffers of lists are copied at its end.
    pub(super) given_back: Vec<(ListedBuffer, ListedBuffer)>,
    /// Of a graph inside the graph: what its parameters have, by buffer.
    pub(super) lengths: Table<usize>,
    /// The passes of the `for`s in it, in order.
    pub(super) passes: BTreeMap<NodeId, Vec<FrameId>>,
}

/// All frames; the graph's is the first.
#[expect(clippy::struct_field_names, reason = "it is what they are")]
pub(super) struct Frames {
    pub(super) frames: Vec<Frame>,
    current: u32,
    /// By the first copied node: the first original, and how many.
    pub(super) repeats: BTreeMap<u32, (u32, u32)>,
    endless: Option<NodeId>,
}

impl Default for Frames {
    fn default() -> Self {
        Self { frames: vec![Frame::default()], current: 0, repeats: BTreeMap::new(), endless: None }
    }
}

impl Frames {
    /// The frame that is being recorded.
    pub(super) fn now(&mut self) -> &mut Frame {
        &mut self.frames[self.current as usize]
    }

    pub(super) fn current(&self) -> FrameId {
        FrameId(self.current)
    }

    pub(super) fn enter(&mut self, node: NodeId) -> bool {
        if self.frames.len() >= MOST_FRAMES {
            self.endless.get_or_insert(node);
            return false;
        }
        let frame = FrameId(self.frames.len() as u32);
        let passes = self.now().passes.entry(node).or_default();
        // The passes of a `for` record about as much each.
        let before = passes.last().copied();
        passes.push(frame);
        let parent = self.current;
        self.frames.push(match before.map(|before| &self.frames[before.0 as usize]) {
            None => Frame { parent, ..Frame::default() },
            Some(before) => Frame {
                parent,
                symbols: Table::with_room_of(&before.symbols),
                typed: Table::with_room_of(&before.typed),
                ..Frame::default()
            },
        });
        self.current = frame.0;
        true
    }

    /// Goes to a pass that was recorded; `false` if there is none.
    pub(super) fn enter_again(&mut self, node: NodeId, pass: usize) -> bool {
        let frame = self.now().passes.get(&node).and_then(|passes| passes.get(pass)).copied();
        if let Some(frame) = frame {
            self.current = frame.0;
        }
        frame.is_some()
    }

    pub(super) fn back_to_graph(&mut self) {
        self.current = FrameId::GRAPH.0;
    }

    pub(super) fn of(&mut self, frame: FrameId) -> &mut Frame {
        &mut self.frames[frame.0 as usize]
    }

    pub(super) fn leave(&mut self) {
        self.current = self.now().parent;
    }

    pub(super) fn repeat(&mut self, original: u32, count: u32, copy: u32) {
        self.repeats.insert(copy, (original, count));
    }

    /// The node that a node of an unrolled pass is a copy of.
    pub(super) fn original(&self, mut node: NodeId) -> NodeId {
        while let Some((copy, (original, count))) = self.repeats.range(..=node.0).next_back()
            && node.0 - copy < *count
        {
            node = NodeId(original + (node.0 - copy));
        }
        node
    }

    /// What `look` finds in a frame, or else in those around it.
    pub(super) fn find<T>(&self, frame: FrameId, look: impl Fn(&Frame) -> Option<&T>) -> Option<&T> {
        self.climb(frame, look).map(|(_, found)| found)
    }

    /// The same with the frame in which it is.
    pub(super) fn climb<T>(&self, frame: FrameId, look: impl Fn(&Frame) -> Option<&T>) -> Option<(FrameId, &T)> {
        let mut at = frame.0;
        loop {
            let frame = self.frames.get(at as usize)?;
            match look(frame) {
                Some(found) => return Some((FrameId(at), found)),
                None if frame.parent == at => return None,
                None => at = frame.parent,
            }
        }
    }

    pub(super) fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        let frame = self.frames.get(frame.0 as usize);
        frame.and_then(|frame| frame.passes.get(&node)).cloned().unwrap_or_default()
    }

    pub(super) fn frame(&self, frame: FrameId) -> Option<&Frame> {
        self.frames.get(frame.0 as usize)
    }

    pub(super) fn endless(&self) -> Option<NodeId> {
        self.endless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_sees_what_is_around_it_and_nothing_of_its_neighbours() {
        let mut frames = Frames::default();
        frames.now().symbols.put(7, SymbolValue::Extent(70));
        for number in [1, 2] {
            assert!(frames.enter(NodeId(3)));
            frames.now().symbols.put(9, SymbolValue::Extent(number));
            if number == 2 {
                frames.now().symbols.put(8, SymbolValue::Extent(80));
            }
            frames.leave();
        }
        let value = |frame, symbol| frames.find(frame, |frame| frame.symbols.get(symbol)).copied();
        let passes = frames.passes(FrameId::GRAPH, NodeId(3));
        assert_eq!(passes.len(), 2);
        assert_eq!(value(passes[0], 7), Some(SymbolValue::Extent(70)));
        assert_eq!(value(passes[0], 9), Some(SymbolValue::Extent(1)));
        assert_eq!(value(passes[1], 9), Some(SymbolValue::Extent(2)));
        assert_eq!((value(passes[0], 8), value(passes[1], 8)), (None, Some(SymbolValue::Extent(80))));
        assert_eq!(value(FrameId::GRAPH, 9), None);
    }

    #[test]
    fn copies_of_copies_lead_to_the_original() {
        let mut frames = Frames::default();
        frames.repeat(1, 2, 3);
        frames.repeat(0, 6, 6);
        let originals: Vec<u32> = (0..13).map(|node| frames.original(NodeId(node)).0).collect();
        assert_eq!(originals, [0, 1, 2, 1, 2, 5, 0, 1, 2, 1, 2, 5, 12]);
    }
}
