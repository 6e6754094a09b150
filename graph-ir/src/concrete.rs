//! From the symbolic program to the concrete one: every extent a number, everything that the host decides decided.
//!
//! What is taken of a [`NodeKind::HostIf`], a [`NodeKind::HostMatch`], a [`NodeKind::For`] or a [`NodeKind::Graph`] takes the node's
//! place in its region (`place`); orders that named the node then name what it was replaced by. Only what is still part of the graph is
//! evaluated, so expressions in an arm that is not taken may have no value. Host values and expressions keep their [`SymbolId`]s; with
//! the frame of the node's instance they find their values.

mod exchanges;
mod place;
pub mod varying;

pub use exchanges::{Exchange, Exchanges, LeftExchanged};
pub use varying::Varying;

use std::sync::Arc;

use crate::finding::Finding;
use crate::model::{BufferId, Dimensions, Extent, Memory, Node, NodeId, NodeKind, Program, Range, Symbol, SymbolId};

/// One run of a host body: the graph's own is [`FrameId::GRAPH`], each pass of a `for` has another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub u32);

impl FrameId {
    /// The graph's own.
    pub const GRAPH: Self = Self(0);
}

/// The value of a host expression, as far as the graph's shape depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolValue {
    /// A number of elements, an index, a number of passes.
    Extent(u64),
    /// A whole grid or block.
    Dimensions([u32; 3]),
    /// A condition.
    Flag(bool),
    /// The number of the arm that is taken.
    Choice(u32),
    /// Which buffer of a list is meant.
    Buffer(ListedBuffer),
    /// A whole list: `count` buffers from `first` on.
    List {
        /// Anything if there are none.
        first: ListedBuffer,
        /// How many.
        count: u32,
    },
    /// A whole list whose buffers do not stand one behind the other: see [`Values::scattered`].
    Scattered,
    /// Anything else: a value that only kernels or device expressions see.
    Other,
}

/// One buffer of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListedBuffer {
    /// One that a parameter is bound to, counted through all parameters.
    Bound(u32),
    /// One of a list of transients, counted through all.
    Transient(u32),
}

impl ListedBuffer {
    /// The one that stands `distance` behind this one.
    #[must_use]
    pub fn behind(self, distance: u32) -> Self {
        match self {
            Self::Bound(number) => Self::Bound(number + distance),
            Self::Transient(number) => Self::Transient(number + distance),
        }
    }
}

/// A buffer that a parameter is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundBuffer {
    /// The parameter.
    pub parameter: BufferId,
    /// As messages call it: `w[3]`.
    pub name: String,
    /// Number of elements.
    pub length: u64,
    /// Where it lies.
    pub memory: Memory,
}

/// What the host's side came to.
pub trait Values {
    /// What the parameters are bound to, in order; empty if each is bound to one buffer.
    fn bound(&self) -> Vec<BoundBuffer> {
        Vec::new()
    }

    /// The first of the transients of a list, and how many there are.
    fn listed(&self, _frame: FrameId, _list: BufferId) -> Option<(u32, u32)> {
        None
    }

    /// The value of an expression in a frame or in one around it.
    fn value(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue>;

    /// The frames of the passes that a `for` made, or that of a graph inside the graph.
    fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId>;

    /// The buffers of a list that is [`SymbolValue::Scattered`].
    fn scattered(&self, _frame: FrameId, _symbol: SymbolId) -> Vec<ListedBuffer> {
        Vec::new()
    }

    /// What `swap` made of the buffers of lists.
    fn exchanges(&self) -> Exchanges {
        Exchanges::default()
    }

    /// What lies elsewhere at the end of the graph that ran in this frame: from where to where it is copied.
    fn given_back(&self, _frame: FrameId) -> Vec<(ListedBuffer, ListedBuffer)> {
        Vec::new()
    }
}

/// Values of a graph without `for`.
impl<F: Fn(SymbolId) -> Option<SymbolValue>> Values for F {
    fn value(&self, _: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        self(symbol)
    }

    fn passes(&self, _: FrameId, _: NodeId) -> Vec<FrameId> {
        Vec::new()
    }
}

/// A concrete program, and what it was made of.
#[derive(Clone, Debug)]
pub struct Concrete {
    /// With numbers.
    pub program: Program,
    /// What there is one or more of: the graph as written first, then each pass.
    pub instances: Vec<Instance>,
    /// By node id: the index of its instance, and the node of the symbolic program.
    pub nodes: Vec<(u32, NodeId)>,
    /// By buffer id, likewise.
    pub buffers: Vec<(u32, BufferId)>,
    /// By buffer id: the number of what is bound, for parameters.
    pub bound: Vec<Option<u32>>,
    /// What is wrong with the decisions.
    pub findings: Vec<Finding>,
}

/// The graph as written, one pass of a `for` in it, or a graph inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Where its values are.
    pub frame: FrameId,
    /// Which pass of each `for` around it, outermost first, from 0. Of a graph inside a graph, those of its own.
    pub passes: Vec<u32>,
    /// The nodes that named the graphs around it, outermost first, each with the passes around it.
    pub calls: Vec<(NodeId, Vec<u32>)>,
    /// What stands in front of the labels of its nodes: `Step[2]/`.
    pub prefix: String,
}

impl Instance {
    /// What a node of it is called: `Step[2]/attn[0]`.
    fn label(&self, written: &Arc<str>) -> Arc<str> {
        let mut label = String::new();
        self.write_label(written, &mut label)
    }

    /// The same with memory for the text.
    fn write_label(&self, written: &Arc<str>, label: &mut String) -> Arc<str> {
        if self.passes.is_empty() && self.prefix.is_empty() {
            return Arc::clone(written);
        }
        label.clear();
        label.push_str(&self.prefix);
        label.push_str(written);
        for number in &self.passes {
            label.push('[');
            label.push_str(itoa::Buffer::new().format(*number));
            label.push(']');
        }
        label.as_str().into()
    }
}

/// An expression that the graph's shape depends on has no value, or one of another kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` has no value that can be used as {wanted}")]
pub struct Missing {
    /// The expression.
    pub symbol: SymbolId,
    /// Where it was evaluated.
    pub frame: FrameId,
    /// As written.
    pub text: String,
    /// What its value is needed as: `a number of elements`.
    pub wanted: &'static str,
}

/// The program with numbers for extents, and with what the host decided in its place.
///
/// # Errors
/// If an expression that is needed has no value of the right kind.
pub fn concretize(program: &Program, values: &dyn Values) -> Result<Concrete, Missing> {
    let mut placer = place::Placer::new(program, values);
    placer.graph()?;
    let written = program;
    let (mut program, instances, mut findings) = (placer.program, placer.instances, placer.findings);
    let (nodes, buffers, bound, listed) = (placer.nodes, placer.buffers, placer.bound, placer.listed);
    let symbols = std::mem::take(&mut program.symbols);
    let frame = |instance: u32| instances[instance as usize].frame;
    let evaluator = |instance| Evaluator { symbols: &symbols, values, frame: frame(instance) };
    numbers(&mut program, &|node| evaluator(nodes[node].0), &|buffer| evaluator(buffers[buffer].0))?;
    program.symbols = symbols;
    program.concrete = true;
    findings.extend(exchanges::check((written, &program), values, &listed));
    Ok(Concrete { program, instances, nodes, buffers, bound, findings })
}

/// Puts numbers in the place of the expressions of what is part of the graph.
fn numbers<'v>(
    program: &mut Program,
    of_node: &dyn Fn(usize) -> Evaluator<'v>,
    of_buffer: &dyn Fn(usize) -> Evaluator<'v>,
) -> Result<(), Missing> {
    let mut is_live = vec![false; program.regions.len()];
    for region in program.live_regions() {
        is_live[region.0 as usize] = true;
    }
    for (index, buffer) in program.buffers.iter_mut().enumerate() {
        if is_live[buffer.region.0 as usize] {
            for size in buffer.shape.sizes_mut() {
                *size = of_buffer(index).extent(*size)?;
            }
        }
    }
    let live = program.regions.iter().zip(is_live).filter(|(_, is_live)| *is_live);
    for node in live.flat_map(|(region, _)| &region.nodes) {
        of_node(node.0 as usize).node(&mut program.nodes[node.0 as usize])?;
    }
    Ok(())
}

fn missing(symbols: &[Symbol], frame: FrameId, symbol: SymbolId, wanted: &'static str) -> Missing {
    Missing { symbol, frame, text: symbols[symbol.0 as usize].text.clone(), wanted }
}

/// Puts numbers in the place of expressions.
struct Evaluator<'v> {
    symbols: &'v [Symbol],
    values: &'v dyn Values,
    frame: FrameId,
}

impl Evaluator<'_> {
    fn node(&self, node: &mut Node) -> Result<(), Missing> {
        for access in &mut node.accesses {
            for range in access.footprint.ranges_mut() {
                *range = Range { start: self.extent(range.start)?, end: self.extent(range.end)? };
            }
        }
        match &mut node.kind {
            NodeKind::Kernel(launch) => {
                self.dimensions(&mut launch.grid)?;
                self.dimensions(&mut launch.block)?;
                launch.shared = launch.shared.map(|bytes| self.extent(bytes)).transpose()?;
            }
            NodeKind::Loop(head) => head.limit = head.limit.map(|limit| self.extent(limit)).transpose()?,
            _ => {}
        }
        Ok(())
    }

    fn dimensions(&self, dimensions: &mut Dimensions) -> Result<(), Missing> {
        if let Some(symbol) = dimensions.symbol {
            dimensions.sizes = match self.values.value(self.frame, symbol) {
                Some(SymbolValue::Dimensions(sizes)) => sizes.map(|size| Extent::Known(u64::from(size))),
                _ => return Err(missing(self.symbols, self.frame, symbol, "the size of a grid or block")),
            };
            dimensions.symbol = None;
        }
        for size in &mut dimensions.sizes {
            *size = self.extent(*size)?;
        }
        Ok(())
    }

    fn extent(&self, extent: Extent) -> Result<Extent, Missing> {
        let Extent::Symbol(symbol) = extent else { return Ok(extent) };
        match self.values.value(self.frame, symbol) {
            Some(SymbolValue::Extent(value)) => Ok(Extent::Known(value)),
            _ => Err(missing(self.symbols, self.frame, symbol, "a number of elements")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mode, RegionId};
    use crate::testing::{Builder, overwrite, read};

    fn decide(program: &Program, flag: bool) -> Program {
        let value = |symbol: SymbolId| {
            let text = &program.symbol(symbol).text;
            Some(if text == "n" { SymbolValue::Extent(7) } else { SymbolValue::Flag(flag) })
        };
        concretize(program, &value).unwrap().program
    }

    #[test]
    fn the_taken_arm_stands_in_place_of_the_if_and_extents_are_numbers() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let y = block.parameter("y", Mode::Overwrite, n);
        let first = block.kernel("first", &[overwrite(y)]);
        let choice = block.host_if("wide", |block| block.kernel("inner", &[read(y)]), |_| ());
        let last = block.kernel("last", &[read(y)]);
        block.after(last, choice);
        block.after(choice, first);
        let program = block.finish();

        let taken = decide(&program, true);
        let inner = NodeId(2);
        assert_eq!(taken.region(RegionId::GRAPH).nodes, [first, inner, last]);
        assert_eq!(taken.node(inner).region, RegionId::GRAPH);
        assert_eq!(taken.node(inner).after[0].target, first);
        assert_eq!(taken.node(last).after[0].target, inner);
        assert_eq!(taken.buffer(y).length(), Some(7));
        assert_eq!(taken.node(inner).accesses[0].footprint.outermost().end, Extent::Known(7));

        let untaken = decide(&program, false);
        assert_eq!(untaken.region(RegionId::GRAPH).nodes, [first, last]);
        assert_eq!(untaken.node(last).after[0].target, first, "an empty `if` passes on what it waited for");
    }

    #[test]
    fn an_untaken_arm_needs_no_values_but_a_taken_one_does() {
        let mut block = Builder::new("g");
        let arm = |block: &mut Builder| {
            let m = block.symbol("m");
            let t = block.transient("t", m);
            block.kernel("inner", &[overwrite(t)]);
        };
        block.host_if("wide", arm, |_| ());
        let program = block.finish();
        let value = |flag| move |symbol: SymbolId| (symbol.0 == 0).then_some(SymbolValue::Flag(flag));
        assert!(concretize(&program, &value(false)).is_ok());
        let missing = concretize(&program, &value(true)).unwrap_err();
        assert_eq!(missing.text, "m");
    }
}
