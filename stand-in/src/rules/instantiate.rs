//! What is looked at when a graph is instantiated (rules R155 to R170, R200, R201).

use crate::call::Refusal;
use crate::driver::Driver;
use crate::objects::{Id, Node};
use crate::report::Work;

/// Why a graph cannot be instantiated.
pub(crate) struct Fault {
    pub(crate) rule: &'static str,
    pub(crate) text: String,
    /// `CUgraphInstantiateResult`
    pub(crate) reason: u32,
    pub(crate) node: Option<Id>,
    pub(crate) code: Refusal,
}

const ERROR: u32 = 1;
const NOT_SUPPORTED: u32 = 3;
const UNUSED_HANDLE: u32 = 5;
const PRIORITIES: u64 = 8;

/// Whether it can be.
pub(crate) fn check(driver: &mut Driver, graph: Id, flags: u64) -> Result<(), Fault> {
    let fault = |rule, text: &str, reason, node| {
        Err(Fault { rule, text: text.to_owned(), reason, node, code: Refusal::INVALID_VALUE })
    };
    if flags & !PRIORITIES != 0 {
        return fault("R200", "flags other than those for priorities", ERROR, None);
    }
    let family = driver.family(graph);
    let is_body = driver.graphs.get(&graph).is_some_and(|graph| graph.owner.is_some());
    if is_body {
        return fault("R166", "a body is instantiated", ERROR, None);
    }
    for one in &family {
        let handles = driver.graphs.get(one).map_or(&[][..], |graph| &graph.handles);
        if handles.iter().any(|handle| driver.conditions.get(handle).is_none_or(|known| known.node.is_none())) {
            return fault("R155", "a handle has no conditional", UNUSED_HANDLE, None);
        }
    }
    let nodes: Vec<Id> =
        family.iter().filter_map(|one| driver.graphs.get(one)).flat_map(|one| one.nodes.clone()).collect();
    let conditional =
        |node: &&Id| driver.nodes.get(*node).is_some_and(|node| matches!(node.work, Work::Conditional { .. }));
    let instantiated = driver.graphs.get(&graph).is_some_and(|graph| !graph.instances.is_empty());
    if instantiated && let Some(node) = nodes.iter().find(conditional) {
        let (rule, text, code) =
            ("R165", "a second exec of a graph with a conditional".to_owned(), Refusal::NOT_SUPPORTED);
        return Err(Fault { rule, text, reason: NOT_SUPPORTED, node: Some(*node), code });
    }
    nodes.into_iter().try_for_each(|id| one(driver, id, flags))
}

fn one(driver: &mut Driver, id: Id, flags: u64) -> Result<(), Fault> {
    let Some(node) = driver.nodes.get(&id) else { return Ok(()) };
    let (graph, cooperative) = (node.graph, node.attributes.get(&2).is_some_and(|value| value[0] != 0));
    if node.attributes.contains_key(&8) && flags & PRIORITIES == 0 {
        driver.note("R055", "a node's priority has no effect");
    }
    let Some(node) = driver.nodes.get(&id) else { return Ok(()) };
    let inside = in_body(driver, graph);
    let fault = |rule, text: &str| {
        let (text, node, code) = (text.to_owned(), Some(id), Refusal::INVALID_VALUE);
        Err(Fault { rule, text, reason: ERROR, node, code })
    };
    let old = driver.config.version < 12080;
    match &node.work {
        Work::Host { .. } | Work::Record { .. } | Work::Wait { .. } if inside => {
            fault("R161", "a callback or an event in a body")
        }
        Work::Copy { to, from, .. } if inside && [to, from].iter().any(|end| driver.block(**end).is_none()) => {
            fault("R164", "a copy in a body from or to memory that the device cannot reach")
        }
        Work::Kernel { .. } if inside && cooperative && (old || driver.attribute(133) != Some(0)) => {
            fault("R163", "a cooperative launch in a body")
        }
        Work::Conditional { handle, kind, bodies } => {
            let empty = |body: &u64| driver.graphs.get(&Id(*body)).is_none_or(|body| body.nodes.is_empty());
            if old && bodies.iter().any(empty) {
                return fault("R167", "an empty body before CUDA 12.8");
            }
            let (handle, kind, bodies) = (*handle, *kind, bodies.clone());
            setters(driver, id, handle, kind, &bodies);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether a graph is a conditional's body, or lies in one.
fn in_body(driver: &Driver, mut graph: Id) -> bool {
    while let Some(node) =
        driver.graphs.get(&graph).and_then(|graph| graph.owner).and_then(|owner| driver.nodes.get(&owner))
    {
        if matches!(node.work, Work::Conditional { .. }) {
            return true;
        }
        graph = node.graph;
    }
    false
}

/// Someone sets the handle before its conditional, one after the other; of a loop, in every pass too (rules R157, R158, R160). Who is
/// given the handle counts as one that sets it.
fn setters(driver: &mut Driver, conditional: Id, handle: u64, kind: u32, bodies: &[u64]) {
    let before = driver.ancestors(conditional);
    let sets = |node: &Node| match &node.work {
        Work::Kernel { arguments, .. } => arguments.iter().any(|bytes| words(bytes).any(|word| word == handle)),
        _ => false,
    };
    let of = |graph: Id| {
        let nodes = driver.graphs.get(&graph).map_or(Vec::new(), |graph| graph.nodes.clone());
        nodes.into_iter().filter(|node| driver.nodes.get(node).is_some_and(sets)).collect::<Vec<_>>()
    };
    let Some(node) = driver.nodes.get(&conditional) else { return };
    let here = of(node.graph);
    let inside: Vec<Id> = bodies.iter().flat_map(|body| of(Id(*body))).collect();
    let unordered = |these: &[Id]| these.windows(2).any(|pair| !driver.ancestors(pair[1]).contains(&pair[0]));
    let (raced, ordered) = (unordered(&here) || unordered(&inside), here.iter().all(|setter| before.contains(setter)));
    if here.is_empty() || !ordered {
        driver.note("R157", "a conditional does not wait for what sets its handle");
    }
    if raced {
        driver.note("R158", "two nodes set a handle at the same time");
    }
    if kind == 1 && inside.is_empty() {
        driver.note("R160", "nothing in a loop's body sets its handle");
    }
}

/// The words of eight bytes at multiples of eight.
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_ne_bytes))
}
