//! What a plan becomes for drivers of each version, said once more and apart from the code under test.

use std::collections::BTreeSet;

use graph_runtime::__private::PlannedNode;

/// What a driver takes.
#[derive(Clone, Copy)]
pub struct Driver {
    /// 13000 is 13.0.
    pub version: i32,
    /// Whether clients share the device.
    pub by_mps: bool,
}

/// A node of the CUDA graph.
pub struct Expected<'p> {
    /// `kernel`, `copy`, `if`, …
    pub word: &'static str,
    /// The positions of what it waits for.
    pub waits: BTreeSet<usize>,
    /// Of those, before whose end it begins; `None` if the plan does not say.
    pub early: Option<BTreeSet<usize>>,
    /// The nodes of its bodies.
    pub bodies: Vec<&'p [PlannedNode]>,
    /// Whether counters of nested loops must be clear before.
    pub clears: bool,
}

impl Expected<'_> {
    fn kernel(waits: BTreeSet<usize>) -> Self {
        Self { word: "kernel", waits, early: None, bodies: Vec::new(), clears: false }
    }
}

/// The nodes that those of a region become, in order; `inside` a conditional.
pub fn region(driver: Driver, nodes: &[PlannedNode], inside: bool) -> Vec<Expected<'_>> {
    let mut expected: Vec<Expected<'_>> = Vec::new();
    let mut exits: Vec<(u32, usize)> = Vec::new();
    let mut gates: Vec<(&[u32], usize)> = Vec::new();
    for node in nodes.iter().filter(|node| node.within.is_none() && !node.by_test) {
        let members = nodes.iter().filter(|member| member.within == Some(node.id)).chain([node]);
        let launches = |of: fn(&PlannedNode) -> &[u32]| -> BTreeSet<u32> {
            members.clone().flat_map(|member| of(member).iter().map(|wait| launch(nodes, *wait))).collect()
        };
        let (waits, begins) = (launches(|member| &member.waits), launches(|member| &member.early));
        let spared: BTreeSet<u32> = node.gates.iter().flatten().copied().collect();
        let others = waits.iter().filter(|wait| **wait != node.id && !spared.contains(wait));
        let exit =
            |wait: &u32| exits.iter().find(|(known, _)| known == wait).map_or(usize::MAX, |(_, position)| *position);
        let mut others: BTreeSet<usize> = others.map(exit).collect();
        for gate in &node.gates {
            // A gate stands in front of the first that waits for it.
            if !gates.iter().any(|(known, _)| known == gate) {
                gates.push((gate, expected.len()));
                expected.push(Expected::kernel(gate.iter().map(exit).collect()));
            }
            others.extend(gates.iter().filter(|(known, _)| known == gate).map(|(_, position)| *position));
        }
        let begins = begins.iter().filter(|wait| **wait != node.id);
        let at = |wait: &u32| match node.gates.iter().find(|gate| gate.contains(wait)) {
            Some(gate) => gates.iter().find(|(known, _)| known == gate).map_or(usize::MAX, |(_, position)| *position),
            None => exit(wait),
        };
        let early = begins.map(at).collect();
        one(driver, node, (others, early), inside, &mut expected);
        exits.push((node.id, expected.len() - 1));
    }
    expected
}

/// The nodes of a body. A loop's ends with its test, behind all others; where there is no other work, behind a launch of nothing. Before
/// 12.8, a body that has no nodes has such a launch.
pub fn body(driver: Driver, nodes: &[PlannedNode], is_loop: bool, built: usize) -> Vec<Expected<'_>> {
    let mut expected = region(driver, nodes, true);
    if is_loop {
        let waited: BTreeSet<usize> = expected.iter().flat_map(|one| one.waits.iter().copied()).collect();
        let mut last: BTreeSet<usize> = (0..expected.len()).filter(|position| !waited.contains(position)).collect();
        if built == expected.len() + 2 && !expected.iter().any(|one| one.word == "copy") {
            last.insert(expected.len());
            expected.push(Expected::kernel(BTreeSet::new()));
        }
        expected.push(Expected::kernel(last));
    } else if expected.is_empty() && driver.version < 12080 {
        expected.push(Expected::kernel(BTreeSet::new()));
    }
    expected
}

/// The nodes that one becomes: the last one is what others wait for.
fn one<'p>(
    driver: Driver,
    node: &'p PlannedNode,
    (waits, early): (BTreeSet<usize>, BTreeSet<usize>),
    inside: bool,
    expected: &mut Vec<Expected<'p>>,
) {
    let whole = node.whole && (!inside || driver.version >= 12080 && !driver.by_mps);
    let word = match node.kind {
        "copy" => "copy",
        "host" => "host",
        "capture" => "child",
        "record" => "record",
        "wait" => "wait",
        _ => "kernel",
    };
    let clears = !inside && !whole && has_nested_loop(node);
    let early = (whole == node.whole).then_some(early);
    expected.push(Expected { word, early, clears, ..Expected::kernel(waits) });
    let bodies = node.bodies.iter().map(Vec::as_slice);
    let (word, in_one) = match node.kind {
        "if" => ("if", driver.version >= 13000),
        "match" => (if driver.version >= 12080 { "switch" } else { "if" }, driver.version >= 12080),
        "while" | "loop" if !whole => ("while", true),
        _ => return,
    };
    let each: Vec<Vec<&[PlannedNode]>> =
        if in_one { vec![bodies.collect()] } else { bodies.map(|body| vec![body]).collect() };
    for bodies in each {
        expected.push(Expected { word, bodies, ..Expected::kernel([expected.len() - 1].into()) });
    }
}

fn has_nested_loop(node: &PlannedNode) -> bool {
    node.bodies.iter().flatten().any(|inner| matches!(inner.kind, "while" | "loop") || has_nested_loop(inner))
}

/// The node whose launch a node is in.
fn launch(nodes: &[PlannedNode], id: u32) -> u32 {
    nodes.iter().find(|node| node.id == id).and_then(|node| node.within).unwrap_or(id)
}
