//! `swap` of the buffers of lists: in the evaluator, which then names others.

use std::collections::BTreeMap;

use graph_ir::analysis::rounds;
use graph_ir::concrete::{Exchange, Exchanges, FrameId, LeftExchanged, ListedBuffer};
use graph_ir::model::{NodeId, Place, SymbolId};

use super::Sink;
use crate::kernel::ghost::Ghost;

/// What was exchanged so far.
#[derive(Default)]
pub(super) struct Exchanged {
    found: Exchanges,
    /// By graph, the innermost last: the graph itself, and the bodies that are open in it.
    open: Vec<Vec<Body>>,
}

/// A body that the device decides, or a graph: the places whose buffers were exchanged in it.
#[derive(Default)]
struct Body {
    places: BTreeMap<ListedBuffer, Slot>,
    /// Transients from this one on are its own.
    own: u32,
    /// The last `swap`.
    last: Option<Place>,
}

/// One place: an item of a list, a field of a struct.
#[derive(Clone, Copy)]
struct Slot {
    /// What stood there when the body began.
    first: ListedBuffer,
    now: ListedBuffer,
    /// It is a parameter's.
    parameter: bool,
}

impl Body {
    fn put(&mut self, place: ListedBuffer, slot: Slot) {
        self.places.entry(place).or_insert(slot).now = slot.now;
    }

    /// The places that hold another buffer than at first, apart from those of the body's own transients.
    fn moved(&self) -> impl Iterator<Item = (ListedBuffer, Slot)> {
        let own = |place: ListedBuffer| matches!(place, ListedBuffer::Transient(number) if number >= self.own);
        let moved = self.places.iter().filter(move |(place, slot)| slot.first != slot.now && !own(**place));
        moved.map(|(place, slot)| (*place, *slot))
    }

    /// After how many times every place holds again what it held.
    fn order(&self) -> u32 {
        let moved: Vec<_> = self.moved().map(|(_, slot)| (slot.first, slot.now)).collect();
        rounds(&moved)
    }
}

impl Sink {
    /// Begins a graph in which buffers of lists are exchanged.
    pub fn begin_exchanges(&mut self) {
        self.exchanged.open.push(vec![Body { own: u32::MAX, ..Body::default() }]);
    }

    /// Exchanges the buffers in two places, each with whether it is a parameter's. Returns what stands there from here on.
    pub fn exchange<A, B>(
        &mut self,
        place: u32,
        (left, left_parameter): (&Ghost<A>, bool),
        (right, right_parameter): (&Ghost<B>, bool),
    ) -> (Ghost<A>, Ghost<B>) {
        let place = Place(self.offsets.locations + place);
        let buffers = [left.buffer().listed(), right.buffer().listed()];
        let places = [left.home().listed(), right.home().listed()];
        if let ([Some(a), Some(b)], [Some(left_place), Some(right_place)]) = (buffers, places) {
            self.exchanged.found.pairs.push(Exchange { place, buffers: [a, b] });
            for body in self.exchanged.open.last_mut().into_iter().flatten() {
                body.put(left_place, Slot { first: a, now: b, parameter: left_parameter });
                body.put(right_place, Slot { first: b, now: a, parameter: right_parameter });
                body.last = Some(place);
            }
        }
        (left.now(right.buffer()), right.now(left.buffer()))
    }

    /// Begins a body that the device decides.
    pub fn begin_body(&mut self) {
        let own = self.listed;
        if let Some(bodies) = self.exchanged.open.last_mut() {
            bodies.push(Body { own, ..Body::default() });
        }
    }

    /// Ends it: each place must hold what it held.
    pub fn end_body(&mut self, node: u32) {
        let body = Some(self.node_id(node));
        if let Some(ended) = self.exchanged.open.last_mut().and_then(Vec::pop) {
            let names: Vec<_> = ended.moved().map(|(_, slot)| slot.first).collect();
            self.left_exchanged(body, &ended, names);
        }
    }

    fn left_exchanged(&mut self, body: Option<NodeId>, ended: &Body, names: Vec<ListedBuffer>) {
        let Some(place) = ended.last.filter(|_| !names.is_empty()) else { return };
        let (frame, order) = (self.frames.current(), ended.order());
        self.exchanged.found.left.push(LeftExchanged { body, frame, names, order, place });
    }

    /// Ends the graph: what a parameter's places hold at its end is copied to where its owner looks for it.
    pub fn end_exchanges(&mut self) {
        let Some(body) = self.exchanged.open.pop().and_then(|mut bodies| bodies.pop()) else { return };
        let mut moved: Vec<Slot> = body.moved().map(|(_, slot)| slot).filter(|slot| slot.parameter).collect();
        let mut copies = Vec::new();
        while !moved.is_empty() {
            // A buffer is written once what lies there has been copied on.
            let free = moved.iter().position(|slot| moved.iter().all(|other| other.now != slot.first));
            let Some(free) = free else {
                return self.left_exchanged(None, &body, moved.iter().map(|slot| slot.first).collect());
            };
            let slot = moved.swap_remove(free);
            copies.push((slot.now, slot.first));
        }
        self.frames.now().given_back.extend(copies);
    }

    /// What was exchanged.
    pub(crate) fn exchanges(&self) -> &Exchanges {
        &self.exchanged.found
    }

    /// From where to where buffers of lists are copied at the end of the graph that ran in a frame.
    pub(crate) fn given_back(&self, frame: FrameId) -> &[(ListedBuffer, ListedBuffer)] {
        self.frames.frame(frame).map_or(&[], |frame| &frame.given_back)
    }

    /// The buffers of a whole list that do not stand one behind the other.
    pub(crate) fn scattered(&self, frame: FrameId, symbol: SymbolId) -> &[ListedBuffer] {
        self.frames.find(frame, |frame| frame.scattered.get(symbol.0)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::ghost::GhostBuffer;

    fn ghosts<const N: usize>() -> [Ghost<f32>; N] {
        std::array::from_fn(|number| Ghost::new(4).of(GhostBuffer::Bound(number as u32)))
    }

    fn swap(sink: &mut Sink, list: &mut [Ghost<f32>], i: usize, k: usize) {
        (list[i], list[k]) = sink.exchange(7, (&list[i], true), (&list[k], false));
    }

    #[test]
    fn three_exchanged_in_a_ring_are_back_after_three_times() {
        let (mut sink, mut list) = (Sink::new(Vec::new()), ghosts::<3>());
        sink.begin_exchanges();
        sink.begin_body();
        swap(&mut sink, &mut list, 0, 1);
        swap(&mut sink, &mut list, 1, 2);
        sink.end_body(5);
        let [left] = &sink.exchanges().left[..] else { panic!("one body leaves names exchanged") };
        assert_eq!((left.body, left.order, left.place), (Some(NodeId(5)), 3, Place(7)));
        assert_eq!(left.names, [0, 1, 2].map(ListedBuffer::Bound));
    }

    #[test]
    fn what_is_swapped_back_leaves_nothing() {
        let (mut sink, mut list) = (Sink::new(Vec::new()), ghosts::<2>());
        sink.begin_exchanges();
        sink.begin_body();
        swap(&mut sink, &mut list, 0, 1);
        swap(&mut sink, &mut list, 0, 1);
        sink.end_body(5);
        sink.end_exchanges();
        assert!(sink.exchanges().left.is_empty() && sink.given_back(FrameId::GRAPH).is_empty());
    }

    #[test]
    fn a_parameter_gets_its_contents_back_from_a_transient_only() {
        let (mut sink, mut list) = (Sink::new(Vec::new()), ghosts::<2>());
        sink.begin_exchanges();
        swap(&mut sink, &mut list, 0, 1);
        sink.end_exchanges();
        let [first, second] = [0, 1].map(ListedBuffer::Bound);
        assert_eq!(sink.given_back(FrameId::GRAPH), [(second, first)], "the second place is no parameter's");

        let (mut sink, mut list) = (Sink::new(Vec::new()), ghosts::<3>());
        sink.begin_exchanges();
        swap(&mut sink, &mut list, 0, 2);
        swap(&mut sink, &mut list, 1, 2);
        sink.end_exchanges();
        let [first, second, third] = [0, 1, 2].map(ListedBuffer::Bound);
        assert_eq!(
            sink.given_back(FrameId::GRAPH),
            [(first, second), (third, first)],
            "the first is read before it is written"
        );

        let (mut sink, mut list) = (Sink::new(Vec::new()), ghosts::<2>());
        sink.begin_exchanges();
        (list[0], list[1]) = sink.exchange(7, (&list[0], true), (&list[1], true));
        sink.end_exchanges();
        assert_eq!(sink.exchanges().left.len(), 1);
        assert_eq!(list[0].buffer(), GhostBuffer::Bound(1));
    }
}
