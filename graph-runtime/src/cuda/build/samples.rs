//! A plan for tests: `'0: copy(&a, &out h)`, `'1: if … { '2: while … { '3: copy } '4: loop { '5: copy } }`, `'6: while … { }`,
//! with `'6` behind `'0` and `'1`, and `'4` behind `'2`.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::analysis::dependence::{Edge, Reason};
use graph_ir::model::{
    Access, Buffer, BufferId, Expression, Extent, Family, Footprint, LoopHead, Memory, Mode, Node, NodeId, NodeKind,
    Origin, Place, Program, Region, RegionId, RegionKind, ScalarType, SectionId, Test,
};
use graph_ir::optimize::{Fusion, Overlap};

use crate::device::{Bindings, BoundMemory, Device};
use crate::element::ElementLayout;
use crate::plan::{Arena, By, DeviceExpression, Plan, Planning, RegionPlan, Step};

const HERE: Place = Place(0);
const LENGTH: u64 = 64;

fn access(buffer: u32, range: [u64; 2]) -> Access {
    let [start, end] = range.map(Extent::Known);
    Access {
        buffer: BufferId(buffer),
        mode: Mode::Update,
        footprint: Footprint::line(start, end),
        ranged: true,
        place: HERE,
        view: None,
    }
}

fn node(region: u32, kind: NodeKind, accesses: Vec<Access>) -> Node {
    let region = RegionId(region);
    Node {
        label: "".into(),
        labelled: false,
        region,
        section: SectionId::STATEMENTS,
        kind,
        accesses,
        after: Vec::new(),
        optional: false,
        effects: false,
        attributes: None,
        place: HERE,
    }
}

fn test() -> Test {
    Test { value: Expression::Boolean(true), place: HERE }
}

fn repeat(body: u32) -> NodeKind {
    let body = RegionId(body);
    NodeKind::Loop(LoopHead {
        test: Some(test()),
        tests_first: true,
        body,
        limit: None,
        every: 1,
        every_by: None,
        by_kernel: false,
        place: HERE,
    })
}

fn buffer(name: &str, memory: Memory) -> Buffer {
    let (element, shape) = ("f32".to_owned(), Extent::Known(LENGTH).into());
    let (origin, region) = (Origin::Parameter(Mode::Update), RegionId::GRAPH);
    let family = Family::Single;
    Buffer { name: name.to_owned(), element, shape, memory, origin, region, family, place: HERE }
}

fn region(kind: RegionKind, owner: Option<u32>, nodes: &[u32]) -> Region {
    Region { kind, owner: owner.map(NodeId), nodes: nodes.iter().copied().map(NodeId).collect(), place: HERE }
}

fn order(nodes: &[u32], edges: &[(u32, u32)]) -> RegionPlan {
    let edge = |(from, to): &(u32, u32)| Edge { from: NodeId(*from), to: NodeId(*to), reason: Reason::Effects };
    let order = nodes.iter().copied().map(NodeId).collect();
    RegionPlan {
        order,
        edges: edges.iter().map(edge).collect(),
        implied: 0,
        fusion: Fusion::default(),
        lanes: None,
        gates: Vec::new(),
        overlap: Overlap::default(),
    }
}

fn program() -> Program {
    let whole = || vec![access(0, [8, 24]), access(1, [0, 16])];
    let branch = NodeKind::If { test: test(), then: RegionId(1), otherwise: None };
    let nothing = || vec![access(0, [5, 5]), access(1, [5, 5])];
    Program {
        name: "Sample".to_owned(),
        buffers: vec![buffer("a", Memory::Device), buffer("h", Memory::Host)],
        regions: vec![
            region(RegionKind::Graph, None, &[0, 1, 6]),
            region(RegionKind::Then, Some(1), &[2, 4]),
            region(RegionKind::Body, Some(2), &[3]),
            region(RegionKind::Body, Some(4), &[5]),
            region(RegionKind::Body, Some(6), &[]),
        ],
        nodes: vec![
            node(0, NodeKind::Copy, whole()),
            node(0, branch, Vec::new()),
            node(1, repeat(2), Vec::new()),
            node(2, NodeKind::Copy, whole()),
            node(1, repeat(3), Vec::new()),
            node(3, NodeKind::Copy, nothing()),
            node(0, repeat(4), Vec::new()),
        ],
        ..Program::default()
    }
}

pub(in crate::cuda) fn plan() -> Plan {
    let expression = || DeviceExpression { scalar: ScalarType::Bool, function: Arc::new(|_| 1), values: Arc::new([]) };
    let repeat = || Some(Step::Loop(Some(expression())));
    let copy = || Some(Step::Copy);
    Plan {
        origins: Arc::default(),
        bound: Arc::new([Some(0), Some(1)]),
        program: Arc::new(program()),
        elements: Arc::new([ElementLayout::of::<f32>(); 2]),
        regions: Arc::new([
            Some(order(&[0, 1, 6], &[(0, 6), (1, 6)])),
            Some(order(&[2, 4], &[(2, 4)])),
            Some(order(&[3], &[])),
            Some(order(&[5], &[])),
            Some(order(&[], &[])),
        ]),
        steps: vec![copy(), Some(Step::If(expression())), repeat(), copy(), repeat(), copy(), repeat()].into(),
        arena: Arc::new(Arena {
            device_bytes: 256,
            host_bytes: 0,
            apart: 256,
            spare: BTreeSet::new(),
            spare_bytes: 0,
            bound: 256,
            counter_bytes: 256,
            offsets: vec![None; 2],
            loops: vec![None, None, Some(32), None, Some(48), None, Some(64)],
        }),
        statics: Arc::new([]),
        unread: [].into(),
        merged: [].into(),
        planning: Planning::default(),
        by: By::default(),
    }
}

/// Memory of the CPU's: addresses are all that is looked at.
pub(in crate::cuda) fn bindings() -> Bindings {
    let bound = |memory| {
        let allocation = Device::cpu().allocate(4 * LENGTH as usize, memory).unwrap();
        Some(BoundMemory { allocation, offset: 0 })
    };
    let memory = || Some(Device::cpu().allocate(256, Memory::Device).unwrap());
    let parameters = vec![bound(Memory::Device), bound(Memory::Host)];
    Bindings { parameters, device_arena: memory(), host_arena: None, spare: None, counters: memory() }
}
