//! The state of the whole library.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::call::{Outcome, Refusal};
use crate::clock::{Clock, Moment};
use crate::libraries::Handle;
use crate::objects::{Block, Condition, Event, Exec, Function, Graph, Id, Kind, Module, Node, Program, Stream};
use crate::report::{self, Call, Config, Fault, Finish, Live, Ordered, Report, Violation};

thread_local! {
    static CURRENT: Cell<Id> = const { Cell::new(Id::NULL) };
}

/// The primary context of device 0; each device's is as many behind it as its number.
const FIRST_CONTEXT: u64 = 0x00C0_0000_0000_0000;

/// Everything.
#[derive(Debug, Default)]
pub(crate) struct Driver {
    pub(crate) config: Config,
    pub(crate) faults: Vec<Fault>,
    /// How many of [`Config::stores`] are used up.
    pub(crate) stored: usize,
    /// The call that is being answered.
    pub(crate) function: &'static str,
    pub(crate) calls: Vec<Call>,
    pub(crate) violations: Vec<Violation>,
    /// Each with its moment, if it has one.
    pub(crate) order: Vec<(Ordered, Option<Moment>)>,
    pub(crate) initialised: bool,
    /// How often each device's context is retained.
    pub(crate) contexts: BTreeMap<Id, u32>,
    pub(crate) memory: BTreeMap<Id, Block>,
    pub(crate) modules: BTreeMap<Id, Module>,
    pub(crate) programs: BTreeMap<Id, Program>,
    pub(crate) functions: BTreeMap<Id, Function>,
    /// Handles of cuBLAS and the like.
    pub(crate) libraries: BTreeMap<Id, Handle>,
    pub(crate) streams: BTreeMap<Id, Stream>,
    pub(crate) events: BTreeMap<Id, Event>,
    pub(crate) graphs: BTreeMap<Id, Graph>,
    pub(crate) nodes: BTreeMap<Id, Node>,
    pub(crate) conditions: BTreeMap<Id, Condition>,
    pub(crate) execs: BTreeMap<Id, Exec>,
    /// Memory that was freed and not given out again, with its size.
    pub(crate) freed: BTreeMap<Id, u64>,
    /// Ranges as a profiler is told of them, indented within those that were open, in order.
    pub(crate) ranges: Vec<String>,
    pub(crate) open_ranges: u16,
    pub(crate) stream_names: Vec<String>,
    /// What the host knows to be over.
    pub(crate) over: Clock,
    last: u64,
}

impl Driver {
    /// Every handle has these bits, and others.
    pub(crate) const FIRST_ID: u64 = 0x00A0_0000_0000_0000;

    /// A handle that nothing has had before.
    pub(crate) fn id(&mut self) -> Id {
        self.last += 1;
        Id(Self::FIRST_ID | self.last << 4)
    }

    /// Whether a fault answers this call, and with which code.
    pub(crate) fn take_fault(&mut self, function: &str) -> Option<u32> {
        let mut code = None;
        self.faults.retain_mut(|fault| {
            if fault.function.as_ref().is_some_and(|only| only != function) {
                return true;
            }
            let hit = fault.index == 0;
            if hit {
                code = Some(fault.code);
            } else {
                fault.index -= 1;
            }
            !hit || fault.lasting
        });
        code
    }

    /// Writes a broken rule down.
    pub(crate) fn note(&mut self, rule: &str, text: impl Into<String>) {
        let (rule, function) = (rule.to_owned(), self.function.to_owned());
        self.violations.push(Violation { rule, function, text: text.into() });
    }

    /// The same, as an answer.
    pub(crate) fn refuse<T>(&mut self, rule: &str, code: Refusal, text: impl Into<String>) -> Outcome<T> {
        self.note(rule, text);
        Err(code)
    }

    /// A handle that is none any more, or never was.
    pub(crate) fn dead<T>(&mut self, what: &str, id: Id) -> Outcome<T> {
        self.refuse("R034", Refusal::INVALID_HANDLE, format!("there is no {what} {:#x}", id.0))
    }

    /// The context of a device.
    pub(crate) fn context_of(device: i32) -> Id {
        Id(FIRST_CONTEXT + u64::from(device.unsigned_abs()))
    }

    /// The thread's context, which must be retained.
    pub(crate) fn current(&mut self) -> Outcome<Id> {
        let current = CURRENT.get();
        if current == Id::NULL || !self.contexts.contains_key(&current) {
            return self.refuse("R210", Refusal::INVALID_CONTEXT, "no context is current in this thread");
        }
        Ok(current)
    }

    /// Reads or sets the thread's context.
    pub(crate) fn thread_context(set: Option<Id>) -> Id {
        set.map_or_else(|| CURRENT.get(), |id| CURRENT.replace(id))
    }

    /// The stream, or the default stream, which is made at its first use.
    pub(crate) fn stream(&mut self, id: Id) -> Outcome<&mut Stream> {
        if id == Id::NULL {
            return Ok(self.streams.entry(Id::NULL).or_default());
        }
        if !self.streams.contains_key(&id) {
            return self.dead("stream", id);
        }
        self.streams.get_mut(&id).ok_or(Refusal::INVALID_HANDLE)
    }

    /// Puts a piece of work into a stream, behind `after` too. Gives its moment and all that comes before it.
    pub(crate) fn put(&mut self, stream: Id, after: &Clock) -> Outcome<(Moment, Clock)> {
        let context = self.stream(stream)?.context;
        if context.is_some_and(|context| context != Self::thread_context(None)) {
            self.note("R210", "work is put into a stream of a context that is not current");
        }
        let at = {
            let stream = self.stream(stream)?;
            stream.count += 1;
            stream.before.join(after);
            stream.count
        };
        let moment = (stream, at);
        let over = self.over.clone();
        let entry = self.stream(stream)?;
        entry.before.join(&over);
        let before = entry.before.clone();
        entry.before.reach(moment);
        if self.config.finish == Finish::AtOnce {
            self.over.join(&before);
            self.over.reach(moment);
        }
        Ok((moment, before))
    }

    /// Writes down what is ordered behind `before`.
    pub(crate) fn ordered(&mut self, about: u64, moment: Option<Moment>, before: &Clock) {
        let earlier = self.order.iter().enumerate();
        let over = earlier.filter(|(_, (_, moment))| moment.is_none_or(|moment| before.has(moment)));
        let behind = over.map(|(number, _)| number).collect();
        self.order.push((Ordered { function: self.function.to_owned(), about, behind }, moment));
    }

    /// The memory that holds an address.
    pub(crate) fn block(&self, address: u64) -> Option<(Id, &Block)> {
        let (start, block) = self.memory.range(..=Id(address)).next_back()?;
        (address < start.0 + block.bytes).then_some((*start, block))
    }

    /// Forgets that memory was freed where it is given out again.
    pub(crate) fn given_out_again(&mut self, start: u64, end: u64) {
        while let Some((id, bytes)) = self.freed.range(..Id(end)).next_back().map(|(id, bytes)| (*id, *bytes)) {
            if id.0 + bytes <= start {
                break;
            }
            self.freed.remove(&id);
        }
    }

    /// Whether an address lies in memory that was freed.
    pub(crate) fn is_freed(&self, address: u64) -> bool {
        let found = self.freed.range(..=Id(address)).next_back();
        found.is_some_and(|(start, bytes)| address < start.0 + bytes)
    }

    /// Bytes of device memory that are in use.
    pub(crate) fn used(&self) -> u64 {
        self.memory.values().filter(|block| block.kind != Kind::Pinned).map(|block| block.bytes).sum()
    }

    /// One number of the device; `None` if the driver does not know the attribute.
    pub(crate) fn attribute(&self, attribute: u32) -> Option<i32> {
        self.config.attributes.get(&attribute).copied().or_else(|| crate::calls::device::h200(attribute))
    }

    /// A graph that lives.
    pub(crate) fn graph(&mut self, id: Id) -> Outcome<&mut Graph> {
        if !self.graphs.get(&id).is_some_and(|graph| graph.alive) {
            return self.dead("graph", id);
        }
        self.graphs.get_mut(&id).ok_or(Refusal::INVALID_HANDLE)
    }

    /// A graph and the bodies and children of its nodes, outermost first.
    pub(crate) fn family(&self, graph: Id) -> Vec<Id> {
        let mut all = vec![graph];
        let mut next = 0;
        while let Some(one) = all.get(next).copied() {
            let nodes = self.graphs.get(&one).map_or(&[][..], |graph| &graph.nodes);
            for node in nodes.iter().filter_map(|node| self.nodes.get(node)) {
                all.extend_from_slice(&node.bodies);
            }
            next += 1;
        }
        all
    }

    /// The graph that nobody owns which a graph is part of.
    pub(crate) fn root(&self, mut graph: Id) -> Id {
        while let Some(owner) = self.graphs.get(&graph).and_then(|graph| graph.owner) {
            let Some(node) = self.nodes.get(&owner) else { break };
            graph = node.graph;
        }
        graph
    }

    /// All that a node waits for, directly or not.
    pub(crate) fn ancestors(&self, node: Id) -> BTreeSet<Id> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![node]);
        while let Some(node) = open.pop() {
            let edges = self.nodes.get(&node).map_or(&[][..], |node| &node.edges);
            open.extend(edges.iter().map(|edge| Id(edge.from)).filter(|from| seen.insert(*from)));
        }
        seen
    }

    /// Everything, for the test; without what graphs are made of, if that is not wanted.
    pub(crate) fn report(&self, graphs: bool) -> Report {
        let (calls, violations, live) = (self.calls.clone(), self.violations.clone(), self.live());
        let (ranges, stream_names) = (self.ranges.clone(), self.stream_names.clone());
        let order = self.order.iter().map(|(one, _)| one.clone()).collect();
        let mut report = Report { calls, violations, order, live, ranges, stream_names, ..Report::default() };
        if graphs {
            report.graphs = self.graphs.iter().map(|(id, graph)| self.graph_report(*id, graph)).collect();
            report.execs = self.execs.iter().map(|(id, exec)| exec_report(*id, exec)).collect();
        }
        report
    }

    /// Forgets the calls and violations so far, and what is destroyed.
    pub(crate) fn forget(&mut self) {
        self.calls.clear();
        self.violations.clear();
        self.order.clear();
        self.ranges.clear();
        self.stream_names.clear();
        self.graphs.retain(|_, graph| graph.alive);
        self.execs.retain(|_, exec| exec.alive);
        let graphs = &self.graphs;
        self.nodes.retain(|_, node| graphs.contains_key(&node.graph));
        self.forget_streams();
    }

    /// Takes streams that are destroyed out of all clocks.
    fn forget_streams(&mut self) {
        let there: BTreeSet<Id> = self.streams.keys().copied().collect();
        let blocks = self.memory.values_mut().map(|block| &mut block.uses);
        let events = self.events.values_mut().filter_map(|event| event.recorded.as_mut());
        let streams = self.streams.values_mut().map(|stream| &mut stream.before);
        let execs = self.execs.values_mut().map(|exec| &mut exec.ran);
        let clocks = blocks.chain(events).chain(streams).chain(execs).chain([&mut self.over]);
        clocks.for_each(|clock| clock.keep(|stream| there.contains(&stream)));
    }

    /// What is there.
    pub(crate) fn live(&self) -> Vec<Live> {
        let mut live = Vec::new();
        let mut add = |kind: &str, ids: &mut dyn Iterator<Item = Id>| {
            live.extend(ids.map(|id| Live { kind: kind.to_owned(), handle: id.0 }));
        };
        add("context", &mut self.contexts.keys().copied());
        add("module", &mut self.modules.keys().copied());
        add("compiler program", &mut self.programs.keys().copied());
        add("library handle", &mut self.libraries.keys().copied());
        add("stream", &mut self.streams.keys().copied().filter(|id| *id != Id::NULL));
        add("event", &mut self.events.keys().copied());
        let roots = self.graphs.iter().filter(|(_, graph)| graph.alive && graph.owner.is_none());
        add("graph", &mut roots.map(|(id, _)| *id));
        add("exec", &mut self.execs.iter().filter(|(_, exec)| exec.alive).map(|(id, _)| *id));
        for (id, block) in &self.memory {
            let kind = if block.kind == Kind::Pinned { "pinned memory" } else { "device memory" };
            live.push(Live { kind: kind.to_owned(), handle: id.0 });
        }
        live
    }

    fn graph_report(&self, id: Id, graph: &Graph) -> report::Graph {
        let nodes = graph.nodes.iter().filter_map(|id| Some((*id, self.nodes.get(id)?)));
        let node = |(id, node): (Id, &Node)| report::Node {
            handle: id.0,
            work: node.work.clone(),
            edges: node.edges.clone(),
            attributes: node.attributes.clone(),
        };
        report::Graph {
            handle: id.0,
            alive: graph.alive,
            owner: graph.owner.map(|owner| owner.0),
            nodes: nodes.map(node).collect(),
        }
    }
}

fn exec_report(id: Id, exec: &Exec) -> report::Exec {
    report::Exec {
        handle: id.0,
        alive: exec.alive,
        graph: exec.graph.0,
        launches: exec.launches,
        works: exec.works.iter().map(|(node, work)| (node.0, work.clone())).collect(),
        disabled: exec.disabled.iter().map(|node| node.0).collect(),
    }
}
