//! Fills and copies that write what nobody reads: all that they write is replaced before anybody looks at it, or ends with the launch.
//!
//! ```text
//! fill(&out x, 0.0);                       // left out: the copy replaces all of it
//! copy(&y, &out x);
//! ```
//!
//! A fill of which one element is read stays, and so does one that is replaced in a body only, which may not run. Nobody reads a
//! transient once its region is over; what the caller has lent, and what is kept from launch to launch, is read at the end. The host looks at
//! a mailbox whenever it likes, and whoever waits for an event may look at everything.
//!
//! The regions are walked from the end to the front with the elements that somebody further down reads. A loop's body ends with what the
//! first of its next pass, its test, or somebody behind the loop reads. What a node that stays reads is read, so a copy that is left
//! out reads nothing.
//!
//! What is named by an `after` or has one stays: it carries an order that the user asked for. So does what can be switched off.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::effects::accesses;
use crate::analysis::numbers::{Known, Numbers};
use crate::model::{
    Access, BufferId, Family, Footprint, LoopHead, Memory, Mode, Node, NodeId, NodeKind, Program, RegionId,
};

/// The nodes of a concrete program that can be left out, in order.
///
/// `widest` has the footprints for every value that it may be launched with; it is the same program if they do not vary. `surely`: whether a
/// node that runs writes all of this access of its, whatever it is launched with.
pub fn unread(program: &Program, widest: &Program, surely: &dyn Fn(NodeId, usize) -> bool) -> Vec<NodeId> {
    let regions = program.live_regions();
    let nodes = || regions.iter().flat_map(|region| &program.region(*region).nodes).copied();
    if !nodes().any(|node| write(program.node(node)).is_some()) {
        return Vec::new();
    }
    let named: FxHashSet<NodeId> =
        nodes().flat_map(|node| &program.node(node).after).map(|after| after.target).collect();
    let mut walk = Walk { named, ..Walk::new(program, widest, surely) };
    for node in nodes() {
        if let Some(access) = walk.candidate(node) {
            walk.watched.insert(access.buffer);
        }
    }
    if walk.watched.iter().any(|buffer| program.buffer(*buffer).family != Family::Single) {
        return Vec::new();
    }
    walk.everything(|buffer| buffer.origin.outlives_a_launch());
    walk.region(RegionId::GRAPH);
    walk.unread.sort_unstable();
    walk.unread
}

/// Takes nodes, in order, out of their regions.
pub fn leave_out(program: &mut Program, nodes: &[NodeId]) {
    if !nodes.is_empty() {
        program.regions.iter_mut().for_each(|region| region.nodes.retain(|node| nodes.binary_search(node).is_err()));
    }
}

/// What a fill or a copy writes, if it can be left out at all.
fn write(node: &Node) -> Option<&Access> {
    let access = match node.kind {
        NodeKind::Fill { .. } => node.accesses.first(),
        NodeKind::Copy => node.accesses.get(1),
        _ => None,
    };
    access.filter(|_| !node.optional && !node.effects && node.after.is_empty())
}

struct Walk<'p> {
    program: &'p Program,
    widest: &'p Program,
    surely: &'p dyn Fn(NodeId, usize) -> bool,
    /// By an `after`.
    named: FxHashSet<NodeId>,
    /// Buffers that something writes that could be left out.
    watched: FxHashSet<BufferId>,
    /// What somebody further down reads.
    read: FxHashMap<BufferId, Numbers>,
    /// Per body being walked: what was read behind it, of each buffer of which its nodes have changed that.
    saved: Vec<BTreeMap<BufferId, Numbers>>,
    /// By body of a loop: what a pass reads that it has not written before, if everything in it stays.
    first: FxHashMap<RegionId, BTreeMap<BufferId, Numbers>>,
    /// Whether everything stays.
    keeps_all: bool,
    unread: Vec<NodeId>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, widest: &'p Program, surely: &'p dyn Fn(NodeId, usize) -> bool) -> Self {
        Self {
            program,
            widest,
            surely,
            named: FxHashSet::default(),
            watched: FxHashSet::default(),
            read: FxHashMap::default(),
            saved: Vec::new(),
            first: FxHashMap::default(),
            keeps_all: false,
            unread: Vec::new(),
        }
    }

    /// What a node writes that could be left out.
    fn candidate(&self, node: NodeId) -> Option<&'p Access> {
        write(self.widest.node(node)).filter(|access| {
            let buffer = self.widest.buffer(access.buffer);
            let is_box = access.footprint.ranges().len() == buffer.shape.rank();
            is_box && buffer.memory != Memory::Mailbox && !self.named.contains(&node)
        })
    }

    fn at(&mut self, buffer: BufferId) -> &mut Numbers {
        let read = self.read.entry(buffer).or_default();
        if let Some(body) = self.saved.last_mut() {
            body.entry(buffer).or_insert_with(|| read.clone());
        }
        read
    }

    /// Somebody reads all of the buffers of these.
    fn everything(&mut self, of: impl Fn(&crate::model::Buffer) -> bool) {
        let buffers: BTreeSet<BufferId> = self.watched.iter().copied().collect();
        for buffer in buffers.into_iter().filter(|buffer| of(self.widest.buffer(*buffer))) {
            self.insert(buffer, &Footprint::whole(self.widest.buffer(buffer).shape));
        }
    }

    fn insert(&mut self, buffer: BufferId, footprint: &Footprint) {
        let whole = Footprint::whole(self.widest.buffer(buffer).shape);
        let as_box = |footprint: &Footprint| (footprint.ranges().len() == whole.ranges().len()).then_some(*footprint);
        let known = as_box(footprint).as_ref().and_then(Known::of).or_else(|| Known::of(&whole));
        if let Some(known) = known {
            self.at(buffer).insert(known.bounds());
        }
    }

    fn reads<'a>(&mut self, accesses: impl IntoIterator<Item = &'a Access>) {
        for access in accesses {
            if access.mode.reads() && self.watched.contains(&access.buffer) {
                self.insert(access.buffer, &access.footprint);
            }
        }
    }

    /// From the last node to the first.
    fn region(&mut self, region: RegionId) {
        let program = self.program;
        for node in program.region(region).nodes.iter().rev() {
            self.node(*node);
        }
    }

    fn node(&mut self, id: NodeId) {
        let node = self.widest.node(id);
        match &node.kind {
            NodeKind::Fill { .. }
            | NodeKind::Copy
            | NodeKind::Kernel(_)
            | NodeKind::Scalar { .. }
            | NodeKind::Compute(_) => self.writer(id),
            NodeKind::If { then, otherwise, .. } => {
                self.branch(&[*then], *otherwise);
                self.reads(&node.accesses);
            }
            NodeKind::Match { arms, otherwise, .. } => {
                let arms: Vec<_> = arms.iter().map(|arm| arm.body).collect();
                self.branch(&arms, *otherwise);
                self.reads(&node.accesses);
            }
            NodeKind::Loop(head) => self.repeat(id, head),
            NodeKind::Record(_) | NodeKind::Wait(_) if node.accesses.is_empty() => {
                self.everything(|buffer| buffer.origin.outlives_a_launch());
            }
            NodeKind::Record(_)
            | NodeKind::Wait(_)
            | NodeKind::Host(_)
            | NodeKind::Capture(_)
            | NodeKind::Assert { .. }
            | NodeKind::Graph(_)
            | NodeKind::HostIf { .. }
            | NodeKind::HostMatch { .. }
            | NodeKind::For { .. } => self.reads(&*accesses(self.widest, id)),
        }
    }

    fn writer(&mut self, id: NodeId) {
        if !self.keeps_all
            && let Some(access) = self.candidate(id)
            && let Some(known) = Known::of(&access.footprint)
            && !self.read.get(&access.buffer).is_some_and(|read| read.overlaps(known.bounds()))
        {
            self.unread.push(id);
            return;
        }
        let node = self.program.node(id);
        if !node.optional {
            for (index, access) in node.accesses.iter().enumerate() {
                self.replace(id, index, access);
            }
        }
        self.reads(&self.widest.node(id).accesses);
    }

    /// What a node writes is not what was there before.
    fn replace(&mut self, node: NodeId, index: usize, access: &Access) {
        if access.mode != Mode::Overwrite || !self.watched.contains(&access.buffer) || !(self.surely)(node, index) {
            return;
        }
        let rank = self.program.buffer(access.buffer).shape.rank();
        if let Some(known) = Known::of(&access.footprint).filter(|known| known.bounds().len() == rank) {
            self.at(access.buffer).remove(known.bounds());
        }
    }

    /// Walks a body, and takes back what that changes, which is returned.
    fn body(&mut self, region: RegionId) -> BTreeMap<BufferId, Numbers> {
        self.saved.push(BTreeMap::new());
        self.region(region);
        let behind = self.saved.pop().unwrap_or_default();
        let mut front = BTreeMap::new();
        for (buffer, behind) in behind {
            let outlives = self.program.buffer(buffer).region != region;
            let found = self.read.insert(buffer, behind).unwrap_or_default();
            if outlives {
                front.insert(buffer, found);
            }
        }
        front
    }

    fn branch(&mut self, bodies: &[RegionId], otherwise: Option<RegionId>) {
        let mut fronts: Vec<_> = bodies.iter().chain(&otherwise).map(|body| self.body(*body)).collect();
        if otherwise.is_none() {
            fronts.push(BTreeMap::new());
        }
        let touched: BTreeSet<BufferId> = fronts.iter().flat_map(|front| front.keys().copied()).collect();
        for buffer in touched {
            let behind = std::mem::take(self.at(buffer));
            let mut read = Numbers::default();
            fronts.iter().for_each(|front| read.unite(front.get(&buffer).unwrap_or(&behind)));
            *self.at(buffer) = read;
        }
    }

    fn repeat(&mut self, id: NodeId, head: &LoopHead) {
        self.reads(&self.widest.node(id).accesses);
        for (buffer, read) in self.first(head.body) {
            self.at(buffer).unite(&read);
        }
        let front = self.body(head.body);
        // A loop without a limit that tests behind its passes makes one.
        if !head.tests_first && head.limit.is_none() {
            for (buffer, read) in front {
                *self.at(buffer) = read;
            }
        }
    }

    /// What a pass reads that it has not written before, if everything in it stays.
    fn first(&mut self, body: RegionId) -> BTreeMap<BufferId, Numbers> {
        if let Some(known) = self.first.get(&body) {
            return known.clone();
        }
        let (read, saved) = (std::mem::take(&mut self.read), std::mem::take(&mut self.saved));
        let keeps_all = std::mem::replace(&mut self.keeps_all, true);
        let first = self.body(body);
        (self.read, self.saved, self.keeps_all) = (read, saved, keeps_all);
        self.first.insert(body, first.clone());
        first
    }
}

#[cfg(test)]
mod tests;
