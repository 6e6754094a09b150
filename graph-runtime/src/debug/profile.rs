//! How long each node takes, and each pass of a loop.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use graph_ir::export::data::{PassTimes, TimeData};
use graph_ir::model::NodeId;

use super::watch::Watch;
use crate::error::{NodeName, Result};
use crate::graph::Durations;
use crate::plan::{Measured, Plan, PlanView};

/// Times of one run, node by node: each node runs alone, so the times are those of its work and say nothing of what a launch runs side
/// by side. What a launch fuses (neighbouring scalars, whole loops) runs apart here.
#[derive(Clone)]
pub struct Profile {
    plan: PlanView,
    device: String,
    nodes: Vec<NodeProfile>,
    /// By node: which it is in the plan.
    ids: Vec<NodeId>,
    loops: Vec<LoopProfile>,
    /// By loop, likewise.
    loop_ids: Vec<NodeId>,
    spans: Vec<Span>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeProfile {
    /// Its label and its place.
    pub name: NodeName,
    /// `kernel`, `copy`, `while`, …; of a conditional its test is measured.
    pub kind: &'static str,
    /// How often it ran.
    pub runs: usize,
    /// All runs together.
    pub total: Duration,
    /// The longest run.
    pub longest: Duration,
}

/// One loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopProfile {
    /// Its label and its place.
    pub name: NodeName,
    /// By pass between two tests, over all times that the loop ran: how long its nodes took.
    pub passes: Vec<Duration>,
}

/// A stretch of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    label: String,
    kind: &'static str,
    start: Duration,
    time: Duration,
    /// How many loops it stands in.
    depth: usize,
}

impl Profile {
    /// The nodes that ran, in the order in which they first did.
    pub fn nodes(&self) -> &[NodeProfile] {
        &self.nodes
    }

    /// The loops that made a pass.
    pub fn loops(&self) -> &[LoopProfile] {
        &self.loops
    }

    /// All nodes' times together.
    pub fn total(&self) -> Duration {
        self.nodes.iter().map(|node| node.total).sum()
    }

    /// How long one run of each node takes: for [`Graph::tune_by`](crate::Graph::tune_by), of this graph or of another one with such nodes.
    /// Nodes of the same label have their mean.
    pub fn durations(&self) -> Durations {
        let mut durations = Durations::default();
        for node in &self.nodes {
            durations.add(&node.name.label, node.total, node.runs as u64);
        }
        durations
    }

    /// By node id, in nanoseconds: how long one run takes, of a conditional all that was run in its bodies too; zero for what did not run.
    /// Rounded to two digits, since more of them are noise.
    pub(crate) fn durations_of(&self, plan: &Plan) -> Vec<u64> {
        let mut all = vec![Duration::ZERO; plan.program.nodes.len()];
        for (id, node) in self.ids.iter().zip(&self.nodes) {
            let conditional = !plan.program.node(*id).kind.bodies().is_empty();
            let runs = if conditional { 1 } else { u32::try_from(node.runs).unwrap_or(u32::MAX).max(1) };
            all[id.0 as usize] += node.total / runs;
            let around = std::iter::successors(plan.owner(*id), |owner| plan.owner(*owner));
            around.for_each(|owner| all[owner.0 as usize] += node.total);
        }
        all.into_iter().map(|time| two_digits(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))).collect()
    }

    /// The plan that ran, with the times: in its text, its JSON and on its page, which colours nodes by their time and shows the chain of
    /// waits that took longest in the place of the longest in nodes.
    pub fn plan(&self) -> PlanView {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let passes: BTreeMap<NodeId, PassTimes> = self
            .loop_ids
            .iter()
            .zip(&self.loops)
            .map(|(id, one)| {
                let times = || one.passes.iter().map(|time| ns(*time));
                let (shortest_ns, longest_ns) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
                (*id, PassTimes { count: one.passes.len() as u64, total_ns: times().sum(), shortest_ns, longest_ns })
            })
            .collect();
        let time = |(id, node): (&NodeId, &NodeProfile)| {
            let (total_ns, longest_ns) = (ns(node.total), ns(node.longest));
            let passes = passes.get(id).copied();
            (*id, TimeData { runs: node.runs as u64, total_ns, longest_ns, tests_ns: None, passes })
        };
        let nodes = self.ids.iter().zip(&self.nodes).map(time).collect();
        self.plan.clone().with(Measured { device: self.device.clone(), nodes })
    }

    /// The run in the format that `chrome://tracing` and Perfetto open (complete events, microseconds): nodes one behind another, passes
    /// of loops around them.
    pub fn to_chrome_trace(&self) -> String {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let event = |span: &Span| {
            serde_json::json!({
                "name": span.label, "cat": span.kind, "ph": "X", "pid": 1, "tid": 1,
                "ts": micros(span.start), "dur": micros(span.time), "args": { "loops around it": span.depth },
            })
        };
        let named = |name: &str, value: &str| serde_json::json!({ "name": name, "ph": "M", "pid": 1, "tid": 1, "args": { "name": value } });
        let heads = [named("process_name", self.plan.name()), named("thread_name", &self.device)];
        let events: Vec<_> = heads.into_iter().chain(self.spans.iter().map(event)).collect();
        serde_json::json!({ "traceEvents": events, "displayTimeUnit": "ns" }).to_string()
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        writeln!(f, "graph {} on {}: {total:.1?}, each node alone", self.plan.name(), self.device)?;
        writeln!(f, "{:>7} {:>12} {:>12} {:>7}  node", "runs", "total", "longest", "share")?;
        for node in &self.nodes {
            let share = node.total.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE) * 100.0;
            let (runs, total, longest) = (node.runs, format!("{:.1?}", node.total), format!("{:.1?}", node.longest));
            let NodeName { label, location } = &node.name;
            writeln!(f, "{runs:>7} {total:>12} {longest:>12} {share:>6.1}%  {label} ({}, {location})", node.kind)?;
        }
        for one in &self.loops {
            let (count, all) = (one.passes.len(), one.passes.iter().sum::<Duration>());
            let mean = all.checked_div(count as u32).unwrap_or_default();
            writeln!(f, "{} ran {count} passes, {mean:.1?} each", one.name)?;
        }
        Ok(())
    }
}

fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number / unit * unit
}

/// Adds up the times of a run.
pub(crate) struct Clock {
    now: Duration,
    order: Vec<NodeId>,
    nodes: BTreeMap<NodeId, (usize, Duration, Duration)>,
    passes: BTreeMap<NodeId, Vec<Duration>>,
    /// The passes that have begun: whose, when, and where their span is.
    open: Vec<(NodeId, Duration, usize)>,
    /// The node, the start, the time, the loops around it; of a pass its number.
    spans: Vec<(NodeId, Duration, Duration, usize, Option<usize>)>,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self {
            now: Duration::ZERO,
            order: Vec::new(),
            nodes: BTreeMap::new(),
            passes: BTreeMap::new(),
            open: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Ends the pass of this loop that is open, if the innermost one is its.
    fn close(&mut self, node: NodeId) {
        if let Some((_, start, span)) = self.open.pop_if(|open| open.0 == node) {
            let time = self.now.saturating_sub(start);
            self.passes.entry(node).or_default().push(time);
            if let Some(span) = self.spans.get_mut(span) {
                span.2 = time;
            }
        }
    }

    pub(crate) fn profile(&self, view: &PlanView, device: String) -> Profile {
        let plan = view.plan();
        let name = |node: NodeId| NodeName::of(&plan.program, node);
        let kind = |node: NodeId| plan.program.node(node).kind.word();
        let node = |id: &NodeId| {
            let (runs, total, longest) = self.nodes.get(id).copied().unwrap_or_default();
            NodeProfile { name: name(*id), kind: kind(*id), runs, total, longest }
        };
        let span = |&(node, start, time, depth, pass): &(NodeId, Duration, Duration, usize, Option<usize>)| {
            let label = name(node).label;
            let label = pass.map_or_else(|| label.clone(), |pass| format!("{label}, pass {pass}"));
            Span { label, kind: if pass.is_some() { "pass" } else { kind(node) }, start, time, depth }
        };
        let loops = self.passes.iter().map(|(node, passes)| LoopProfile { name: name(*node), passes: passes.clone() });
        Profile {
            plan: view.clone(),
            device,
            nodes: self.order.iter().map(node).collect(),
            ids: self.order.clone(),
            loops: loops.collect(),
            loop_ids: self.passes.keys().copied().collect(),
            spans: self.spans.iter().map(span).collect(),
        }
    }
}

impl Watch for Clock {
    fn after(&mut self, node: NodeId, time: Duration) -> Result<()> {
        let order = &mut self.order;
        let (runs, total, longest) = self.nodes.entry(node).or_insert_with(|| {
            order.push(node);
            (0, Duration::ZERO, Duration::ZERO)
        });
        (*runs, *total, *longest) = (*runs + 1, *total + time, time.max(*longest));
        self.spans.push((node, self.now, time, self.open.len(), None));
        self.now += time;
        Ok(())
    }

    fn pass(&mut self, node: NodeId) -> Result<()> {
        self.close(node);
        let number = self.passes.get(&node).map_or(0, Vec::len);
        self.spans.push((node, self.now, Duration::ZERO, self.open.len(), Some(number)));
        self.open.push((node, self.now, self.spans.len() - 1));
        Ok(())
    }

    fn over(&mut self, node: NodeId) -> Result<()> {
        self.close(node);
        Ok(())
    }
}
