//! Values with a bound: memory and order are those of every value up to it, all else is the value's.
//!
//! The program is concrete twice: for the values, which decides what nodes do, and for the bounds, which decides how much memory there
//! is. For the order, each end of a range that is computed from such a value goes as far as it may: a start to the first element, an end
//! that is the value itself to where the bound is, any other to the end of the buffer. So a setter changes parameters of nodes and never
//! the edges.

use graph_ir::analysis::Edge;
use graph_ir::code::Code;
use graph_ir::concrete::{BoundBuffer, FrameId, ListedBuffer, SymbolValue, Values, concretize};
use graph_ir::finding::Finding;
use graph_ir::model::{
    Argument, BufferId, Extent, Footprint, HostValue, Node, NodeId, NodeKind, Program, Range, Shape, SymbolId,
    SymbolOrigin,
};
use graph_ir::rules;

use super::build::{Evaluated, concrete};
use crate::error::{Error, Refusal, Result};
use crate::program::Sink;

/// An end that is the value itself.
const BOUNDED: u64 = u64::MAX - 1;
/// An end that is computed from it.
const VARYING: u64 = u64::MAX;

/// Refuses values beyond their bounds, without what only follows from that.
pub(super) fn check(symbolic: &Program, sink: &Sink) -> Result<()> {
    let beyond = sink.beyond().iter().filter_map(|(index, value, bound)| {
        let declared = symbolic.bounds.get(*index as usize)?;
        Some(rules::bounded::beyond(declared, value, bound))
    });
    let findings: Vec<Finding> = beyond.collect();
    if findings.is_empty() { Ok(()) } else { Err(Error::Refused(Refusal::new(symbolic, findings))) }
}

/// The program for the bounds.
pub(super) struct Largest {
    pub(super) program: Program,
    /// The same with marks for what varies.
    marked: Program,
}

impl Largest {
    pub(super) fn of(symbolic: &Program, sink: &Sink) -> Result<Self> {
        let program = concrete(symbolic, sink)?.program;
        let values = Marked(Evaluated::new(symbolic, sink));
        // What has a value for the bounds has one here.
        let marked = concretize(symbolic, &values).map_or_else(|_| program.clone(), |concrete| concrete.program);
        Ok(Self { program, marked })
    }

    /// Refuses buffers that are larger for the values than for the bounds, by which memory is planned. `origins`: what each was made of.
    pub(super) fn check(&self, symbolic: &Program, now: &Program, origins: &[(u32, BufferId)]) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        for ((buffer, largest), (_, written)) in now.buffers.iter().zip(&self.program.buffers).zip(origins) {
            let (Some(is), Some(most)) = (buffer.length(), largest.length()) else { continue };
            if is > most {
                let text = symbolic.shape_text(&symbolic.buffer(*written).shape);
                let finding = rules::bounded::larger(buffer, &text, [is, most]);
                // Passes repeat it.
                if !found.contains(&finding) {
                    found.push(finding);
                }
            }
        }
        found
    }

    /// Whether a node may write other elements of an access for another value.
    pub(super) fn varies(&self, symbolic: &Program, node: &Node, (id, access): (NodeId, usize)) -> bool {
        let marked = self.marked.node(id).accesses.get(access);
        let is_fixed = marked.is_some_and(|marked| !marked.footprint.ranges().iter().any(|range| is_marked(*range)));
        !is_fixed || passes_varying(symbolic, node)
    }

    /// The program with footprints for every value. `now` has those of the values, as kernels' declarations narrow them.
    pub(super) fn footprints(&self, symbolic: &Program, now: &Program) -> Program {
        let mut wide = now.clone();
        let nodes = self.program.nodes.iter().zip(&self.marked.nodes);
        for (node, (largest, marked)) in wide.nodes.iter_mut().zip(nodes) {
            let argument_varies = passes_varying(symbolic, node);
            let accesses = node.accesses.iter_mut().zip(largest.accesses.iter().zip(&marked.accesses));
            for (access, (largest, marked)) in accesses {
                if argument_varies || marked.footprint.ranges().iter().any(|range| is_marked(*range)) {
                    let shape = &self.program.buffer(access.buffer).shape;
                    access.footprint = widened(&largest.footprint, &marked.footprint, shape);
                }
            }
        }
        for (buffer, largest) in wide.buffers.iter_mut().zip(&self.program.buffers) {
            buffer.shape = largest.shape;
        }
        wide
    }
}

/// The values for the bounds, with marks in the place of amounts that vary.
struct Marked<'s>(Evaluated<'s>);

impl Values for Marked<'_> {
    fn value(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        let value = self.0.value(frame, symbol);
        match (self.0.symbolic.symbol(symbol).origin, value) {
            (SymbolOrigin::Bounded, Some(SymbolValue::Extent(_))) => Some(SymbolValue::Extent(BOUNDED)),
            (SymbolOrigin::Varying, Some(SymbolValue::Extent(_))) => Some(SymbolValue::Extent(VARYING)),
            _ => value,
        }
    }

    fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        self.0.passes(frame, node)
    }

    fn bound(&self) -> Vec<BoundBuffer> {
        self.0.bound()
    }

    fn listed(&self, frame: FrameId, list: BufferId) -> Option<(u32, u32)> {
        self.0.listed(frame, list)
    }

    fn scattered(&self, frame: FrameId, symbol: SymbolId) -> Vec<ListedBuffer> {
        self.0.scattered(frame, symbol)
    }

    fn given_back(&self, frame: FrameId) -> Vec<(ListedBuffer, ListedBuffer)> {
        self.0.given_back(frame)
    }
}

fn is_marked(range: Range) -> bool {
    [range.start, range.end].iter().any(|end| end.known().is_some_and(|end| end >= BOUNDED))
}

/// As far as it may go for any value.
fn widened(largest: &Footprint, marked: &Footprint, shape: &Shape) -> Footprint {
    let sizes = shape.sizes().iter().copied().chain(std::iter::repeat(Extent::Known(u64::MAX)));
    let ranges = largest.ranges().iter().zip(marked.ranges()).zip(sizes);
    let widened: Vec<Range> = ranges
        .map(|((largest, marked), size)| Range {
            start: if marked.start.known() >= Some(BOUNDED) { Extent::ZERO } else { marked.start },
            end: match marked.end.known() {
                Some(BOUNDED) => largest.end,
                Some(VARYING) => size,
                _ => marked.end,
            },
        })
        .collect();
    Footprint::new(&widened)
}

/// Whether a kernel is passed what is computed from a value with a bound: its declaration may narrow footprints by it.
fn passes_varying(symbolic: &Program, node: &Node) -> bool {
    let NodeKind::Kernel(launch) = &node.kind else { return false };
    launch.arguments.iter().any(|argument| {
        matches!(argument, Argument::Value(HostValue::Symbol(symbol)) if symbolic.symbol(*symbol).origin.varies())
    })
}

/// Statements that wait for each other for some value.
pub(super) fn cycles(wide: &Program) -> Vec<Finding> {
    let found = rules::check(wide).refuted;
    found.into_iter().filter(|finding| finding.code == Code::CYCLE).collect()
}

/// All edges of both, each pair of nodes once.
pub(super) fn united(mut edges: Vec<Edge>, others: Vec<Edge>) -> Vec<Edge> {
    // The wide ones first: their reasons do not depend on the values.
    edges.splice(0..0, others);
    edges.sort_by_key(|edge| (edge.to, edge.from));
    edges.dedup_by_key(|edge| (edge.to, edge.from));
    edges
}
