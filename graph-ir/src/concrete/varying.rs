//! Amounts that may change without another shape of the graph: whose they are, and what those come to with other numbers.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::place::Placer;
use super::{BoundBuffer, Evaluator, Exchanges, FrameId, ListedBuffer, SymbolValue, Values};
use crate::model::{
    Access, Argument, BufferId, Dimensions, Extent, Footprint, HostValue, Node, NodeId, NodeKind, Program, Shape,
    SymbolId,
};

/// The nodes and the buffers of a concrete program whose numbers may vary, as they were before they had any.
#[derive(Clone, Debug)]
pub struct Varying {
    nodes: BTreeMap<NodeId, (FrameId, Node)>,
    buffers: BTreeMap<BufferId, (FrameId, Shape)>,
}

impl Varying {
    /// Those of a program with these values. `None` if what is part of the graph, or who names what in it, goes by an amount that varies.
    pub fn of(program: &Program, values: &dyn Values) -> Option<Self> {
        let asked = Asked { program, values, any: Cell::new(false) };
        let exchanges = values.exchanges();
        let mut placer = Placer::new(program, &asked);
        placer.graph().ok()?;
        if asked.any.get() || !exchanges.pairs.is_empty() || !exchanges.left.is_empty() {
            return None;
        }
        let placed = &placer.program;
        let frame = |instance: u32| placer.instances[instance as usize].frame;
        let varies = |symbol: &SymbolId| program.symbol(*symbol).origin.varies();
        let mut varying = Self { nodes: BTreeMap::new(), buffers: BTreeMap::new() };
        for ((id, buffer), (instance, _)) in placed.buffer_ids().zip(&placed.buffers).zip(&placer.buffers) {
            if of_shape(&buffer.shape).any(|symbol| varies(&symbol)) {
                varying.buffers.insert(id, (frame(*instance), buffer.shape));
            }
        }
        for id in placed.live_regions().iter().flat_map(|region| &placed.region(*region).nodes) {
            let node = placed.node(*id);
            let named = node.accesses.iter().any(|access| varying.buffers.contains_key(&access.buffer));
            let indices = matches!(node.kind, NodeKind::Compute(_));
            if named || indices || amounts(node).iter().chain(&passed(node)).any(varies) {
                varying.nodes.insert(*id, (frame(placer.nodes[id.0 as usize].0), node.clone()));
            }
        }
        Some(varying)
    }

    /// The nodes, with expressions for amounts, and where the values of those are.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, FrameId, &Node)> {
        self.nodes.iter().map(|(id, (frame, node))| (*id, *frame, node))
    }

    /// The buffers, likewise.
    pub fn buffers(&self) -> impl Iterator<Item = (BufferId, FrameId, &Shape)> {
        self.buffers.iter().map(|(id, (frame, shape))| (*id, *frame, shape))
    }

    /// A node with expressions for amounts.
    pub fn written(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id).map(|(_, node)| node)
    }

    /// Gives a node the numbers that these values come to; `None` if it is none of these, or if an amount has none.
    pub fn renumber(&self, id: NodeId, node: &mut Node, (program, values): (&Program, &dyn Values)) -> Option<()> {
        let (frame, written) = self.nodes.get(&id)?;
        node.accesses.clone_from(&written.accesses);
        match (&mut node.kind, &written.kind) {
            (NodeKind::Kernel(launch), NodeKind::Kernel(written)) => {
                (launch.grid, launch.block, launch.shared) = (written.grid, written.block, written.shared);
            }
            (NodeKind::Loop(head), NodeKind::Loop(written)) => head.limit = written.limit,
            _ => {}
        }
        Evaluator { symbols: &program.symbols, values, frame: *frame }.node(node).ok()
    }

    /// A buffer's shape with numbers, likewise.
    pub fn shape(&self, id: BufferId, program: &Program, values: &dyn Values) -> Option<Shape> {
        let (frame, mut shape) = self.buffers.get(&id).copied()?;
        let evaluator = Evaluator { symbols: &program.symbols, values, frame };
        for size in shape.sizes_mut() {
            *size = evaluator.extent(*size).ok()?;
        }
        Some(shape)
    }
}

/// The expressions that the numbers of a node are made of.
pub fn amounts(node: &Node) -> Vec<SymbolId> {
    let mut found: Vec<SymbolId> = node.accesses.iter().flat_map(|access| of_footprint(&access.footprint)).collect();
    match &node.kind {
        NodeKind::Kernel(launch) => {
            found.extend(of_dimensions(&launch.grid).chain(of_dimensions(&launch.block)));
            found.extend(launch.shared.and_then(symbol));
        }
        NodeKind::Loop(head) => found.extend(head.limit.and_then(symbol)),
        _ => {}
    }
    found
}

/// The values that a kernel is passed.
pub fn passed(node: &Node) -> Vec<SymbolId> {
    let NodeKind::Kernel(launch) = &node.kind else { return Vec::new() };
    let value = |argument: &Argument| match argument {
        Argument::Value(HostValue::Symbol(symbol)) => Some(*symbol),
        _ => None,
    };
    launch.arguments.iter().filter_map(value).collect()
}

/// Whether which elements an access means may vary, as it is written.
pub fn varies(program: &Program, access: &Access) -> bool {
    of_footprint(&access.footprint).any(|symbol| program.symbol(symbol).origin.varies())
}

fn symbol(extent: Extent) -> Option<SymbolId> {
    match extent {
        Extent::Symbol(symbol) => Some(symbol),
        Extent::Known(_) => None,
    }
}

/// The expressions that a shape is made of.
pub fn of_shape(shape: &Shape) -> impl Iterator<Item = SymbolId> {
    shape.sizes().iter().copied().filter_map(symbol)
}

fn of_footprint(footprint: &Footprint) -> impl Iterator<Item = SymbolId> {
    footprint.ranges().iter().flat_map(|range| [range.start, range.end]).filter_map(symbol)
}

fn of_dimensions(dimensions: &Dimensions) -> impl Iterator<Item = SymbolId> {
    dimensions.symbol.into_iter().chain(dimensions.sizes.into_iter().filter_map(symbol))
}

/// Values that know whether one that varies was asked for.
struct Asked<'v> {
    program: &'v Program,
    values: &'v dyn Values,
    any: Cell<bool>,
}

impl Values for Asked<'_> {
    fn bound(&self) -> Vec<BoundBuffer> {
        self.values.bound()
    }

    fn listed(&self, frame: FrameId, list: BufferId) -> Option<(u32, u32)> {
        self.values.listed(frame, list)
    }

    fn value(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        if self.program.symbol(symbol).origin.varies() {
            self.any.set(true);
        }
        self.values.value(frame, symbol)
    }

    fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        self.values.passes(frame, node)
    }

    fn scattered(&self, frame: FrameId, symbol: SymbolId) -> Vec<ListedBuffer> {
        self.values.scattered(frame, symbol)
    }

    fn exchanges(&self) -> Exchanges {
        self.values.exchanges()
    }

    fn given_back(&self, frame: FrameId) -> Vec<(ListedBuffer, ListedBuffer)> {
        self.values.given_back(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::super::concretize;
    use super::*;
    use crate::model::{Mode, SymbolOrigin};
    use crate::testing::{Builder, overwrite, read, update};

    /// `n` may vary, `m` not.
    fn program() -> (Program, [NodeId; 3], [BufferId; 2]) {
        let mut block = Builder::new("g");
        let [n, m] = ["n", "m"].map(|name| block.symbol(name));
        let x = block.parameter("x", Mode::Update, n);
        let y = block.parameter("y", Mode::Update, m);
        let all = block.kernel("all", &[overwrite(x)]);
        let part = block.kernel("part", &[update(y).between(Extent::ZERO, n)]);
        block.kernel("fixed", &[read(y)]);
        let whole = block.copy("copy", read(x), overwrite(y).between(Extent::ZERO, n));
        let mut program = block.finish();
        let symbol = program.symbols.iter_mut().find(|symbol| symbol.text == "n");
        symbol.unwrap().origin = SymbolOrigin::Bounded;
        (program, [all, part, whole], [x, y])
    }

    fn values(n: u64) -> impl Fn(SymbolId) -> Option<SymbolValue> {
        move |symbol| Some(SymbolValue::Extent(if symbol.0 == 0 { n } else { 100 }))
    }

    #[test]
    fn other_numbers_are_those_of_a_program_with_them() {
        let (program, nodes, [x, y]) = program();
        let varying = Varying::of(&program, &values(7)).unwrap();
        assert_eq!(varying.nodes().map(|(id, ..)| id).collect::<Vec<_>>(), nodes);
        assert_eq!(varying.buffers().map(|(id, ..)| id).collect::<Vec<_>>(), [x]);
        let [before, fresh] = [7, 9].map(|n| concretize(&program, &values(n)).unwrap().program);
        for id in nodes {
            let mut node = before.node(id).clone();
            varying.renumber(id, &mut node, (&program, &values(9))).unwrap();
            assert_eq!(&node, fresh.node(id));
        }
        assert_eq!(varying.shape(x, &program, &values(9)), Some(fresh.buffer(x).shape));
        assert_eq!(varying.shape(y, &program, &values(9)), None);
    }
}
