//! A draft as a symbolic program, as the macro would make it: names resolved, `every` spelled out, one symbol per text and scope.

use std::cell::RefCell;
use std::collections::HashMap;

use graph_ir::concrete::{BoundBuffer, FrameId, ListedBuffer, SymbolValue, Values};
use graph_ir::model::{
    BufferId, Call, Extent, Family, Footprint, HostValue, Memory, Mode, NodeId, NodeKind, Object, ObjectId, ObjectKind,
    Origin, Program, Range, Shape, SymbolId,
};
use graph_ir::testing::{Builder, Head, Use, atomic, number, overwrite, read, update};

use crate::draft::{Amount, Argument, Draft, Statement, Value};

/// A name in scope.
#[derive(Clone)]
enum Slot {
    /// What it stands for now, and whether it may be swapped.
    Buffer(BufferId, bool),
    /// A member of the list, by a literal or by the pass.
    Member(BufferId, Option<u64>),
}

/// Names are left exchanged where the macro refuses it.
#[derive(Debug)]
pub(crate) struct LeftExchanged;

pub(crate) struct Written {
    pub(crate) program: Program,
    /// How many passes each `for` makes.
    pub(crate) counts: HashMap<NodeId, Extent>,
    /// The list of transients.
    pub(crate) list: BufferId,
    /// Labels of nodes: the first waits for the second.
    pub(crate) afters: Vec<(String, String)>,
}

struct Writer {
    slots: Vec<Slot>,
    /// The `for`s around the statement, outermost first.
    passes: Vec<NodeId>,
    counts: HashMap<NodeId, Extent>,
    exchanged: bool,
}

pub(crate) fn write(draft: &Draft) -> Result<Written, LeftExchanged> {
    let mut block = Builder::new("g");
    if draft.explicit.is_some() {
        block.explicit();
    }
    let n = block.symbol("n");
    let parameters = [("p", Mode::Update), ("q", Mode::Overwrite), ("c", Mode::Read)]
        .map(|(name, mode)| block.parameter(name, mode, n));
    let listed = draft.given[3].then(|| lent_list(&mut block, n));
    let declared = [("t", Shape::from(n)), ("u", Shape::from(n)), ("s", Shape::new(&[n, number(2)]))];
    let mut others = [None; 3];
    for turn in [true, false] {
        for (index, (name, shape)) in declared.iter().enumerate().filter(|(index, _)| draft.given[*index] == turn) {
            let buffer = if turn { block.parameter(name, Mode::Update, *shape) } else { block.transient(name, *shape) };
            others[index] = Some(buffer);
        }
    }
    let list = listed.unwrap_or_else(|| block.transients("w", n));
    let kept = kept(&mut block, n);
    let mut slots: Vec<_> = parameters.iter().map(|buffer| Slot::Buffer(*buffer, false)).collect();
    let swaps = |index: usize| index < 2 && !draft.given[index];
    slots.extend(others.into_iter().flatten().enumerate().map(|(index, buffer)| Slot::Buffer(buffer, swaps(index))));
    slots.extend([Some(0), Some(1), None].map(|index| Slot::Member(list, index)));
    slots.push(Slot::Buffer(kept, false));
    objects(&mut block);
    let mut writer = Writer { slots, passes: Vec::new(), counts: HashMap::new(), exchanged: false };
    writer.statements(&mut block, &draft.statements, "");
    if writer.exchanged {
        return Err(LeftExchanged);
    }
    let afters = afters(&mut block, draft);
    Ok(Written { program: block.finish(), counts: writer.counts, list, afters })
}

/// `w: [&mut [f32; n]]`
fn lent_list(block: &mut Builder, n: Extent) -> BufferId {
    let list = block.parameter("w", Mode::Update, n);
    block.program().buffers[list.0 as usize].family = Family::List;
    list
}

/// `static k: [f32; n] = 0.0;`
fn kept(block: &mut Builder, n: Extent) -> BufferId {
    let kept = block.transient("k", n);
    block.program().buffers[kept.0 as usize].origin = Origin::Static(0);
    block.program().statics.push(HostValue::Literal("0.0".to_owned()));
    kept
}

/// `one: &mut A, other: &mut B, first: &Event, second: &Event`
fn objects(block: &mut Builder) {
    let place = block.program().buffers[0].place;
    let kinds = [ObjectKind::Exclusive, ObjectKind::Exclusive, ObjectKind::Event, ObjectKind::Event];
    let objects = ["one", "other", "first", "second"].into_iter().zip(kinds);
    block.program().objects.extend(objects.map(|(name, kind)| Object { name: name.to_owned(), kind, place }));
}

/// Pairs of nodes, each of which waits for the one above in its region.
fn chained(program: &Program, waits: &[bool]) -> Vec<(usize, usize)> {
    let nodes = program.regions.iter().flat_map(|region| region.nodes.windows(2));
    let pairs = nodes.map(|pair| (pair[1].0 as usize, pair[0].0 as usize));
    pairs.filter(|(waiting, _)| waits[waiting % waits.len()]).collect()
}

fn afters(block: &mut Builder, draft: &Draft) -> Vec<(String, String)> {
    let mut written = Vec::new();
    let chained = draft.explicit.as_ref().map(|waits| chained(block.program(), waits)).unwrap_or_default();
    for (waiting, target) in draft.afters.iter().chain(&chained) {
        let program = block.program();
        let nodes = program.nodes.len().max(1);
        let (waiting, target) = (waiting % nodes, target % nodes);
        let region = |node: usize| program.nodes.get(node).map(|node| node.region);
        if region(waiting).is_some() && region(waiting) == region(target) && waiting != target {
            let label = |node: usize| program.nodes[node].label.to_string();
            written.push((label(waiting), label(target)));
            block.after(NodeId(waiting as u32), NodeId(target as u32));
        }
    }
    written
}

fn text(value: Value) -> &'static str {
    ["n", "a", "b"][value as usize]
}

impl Writer {
    fn amount(&self, block: &mut Builder, amount: Amount) -> Extent {
        let written = match (amount, self.passes.last()) {
            (Amount::Number(value), _) => return number(value),
            (Amount::Value(value), _) => text(value).to_owned(),
            (Amount::Behind(value), _) => format!("{} + 1", text(value)),
            (Amount::Pass(0), None) => "a".to_owned(),
            (Amount::Pass(behind), None) => format!("a + {behind}"),
            (Amount::Pass(0), Some(node)) => format!("i{}", node.0),
            (Amount::Pass(behind), Some(node)) => format!("i{} + {behind}", node.0),
        };
        block.symbol(&written)
    }

    fn used(&self, block: &mut Builder, argument: &Argument) -> Use {
        let buffer = match &self.slots[argument.slot % self.slots.len()] {
            Slot::Buffer(buffer, _) => *buffer,
            Slot::Member(list, Some(index)) => block.member(*list, &format!("w[{index}]"), true),
            Slot::Member(list, None) => {
                let index = self.passes.last().map_or("a".to_owned(), |node| format!("i{}", node.0));
                block.member(*list, &format!("w[{index} % 2]"), false)
            }
        };
        let used = match argument.mode {
            Mode::Read => read(buffer),
            Mode::Update => update(buffer),
            Mode::Overwrite => overwrite(buffer),
            Mode::Atomic => atomic(buffer),
        };
        let mut ranges = Footprint::whole(block.program().buffer(buffer).shape).ranges().to_vec();
        let mut partial = false;
        for (into, range) in ranges.iter_mut().zip([argument.rows, argument.columns]) {
            if let Some((start, end)) = range {
                *into = Range { start: self.amount(block, start), end: self.amount(block, end) };
                partial = true;
            }
        }
        if partial { used.ranges(&ranges) } else { used }
    }

    fn statements(&mut self, block: &mut Builder, statements: &[Statement], prefix: &str) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(block, statement, &format!("{prefix}{index}"));
        }
    }

    /// A body of its own, with a transient; what it leaves exchanged is put back.
    fn body(&mut self, block: &mut Builder, statements: &[Statement], label: &str) {
        let before = self.slots.clone();
        self.repeated(block, statements, label, 1);
        self.exchanged |= current(&before) != current(&self.slots);
        self.slots = before;
    }

    fn repeated(&mut self, block: &mut Builder, statements: &[Statement], label: &str, every: u32) {
        block.passes(every, |block, copy| {
            let n = block.symbol("n");
            let outer = self.slots.len();
            self.slots.push(Slot::Buffer(block.transient(&format!("l{label}'{copy}"), n), true));
            let local = current(&self.slots)[outer];
            self.statements(block, statements, &format!("{label}'{copy}."));
            self.exchanged |= current(&self.slots)[..outer].contains(&local);
            self.slots.truncate(outer);
        });
    }

    fn statement(&mut self, block: &mut Builder, statement: &Statement, label: &str) {
        match statement {
            Statement::Kernel { arguments, effects } => {
                let uses: Vec<_> = arguments.iter().map(|argument| self.used(block, argument)).collect();
                let node = block.kernel(label, &uses);
                if *effects {
                    block.effects(node);
                }
            }
            Statement::Capture { arguments, objects } => {
                let uses: Vec<_> = arguments.iter().map(|argument| self.used(block, argument)).collect();
                let exclusive = (0..2).filter(|object| objects[*object as usize]).map(ObjectId).collect();
                block.node(label, NodeKind::Capture(Call { exclusive, cpu: false }), &uses);
            }
            Statement::Fence { waits, event, used } => {
                let event = ObjectId(2 + *event as u32);
                let kind = if *waits { NodeKind::Wait(event) } else { NodeKind::Record(event) };
                let uses: Vec<_> = used.iter().map(|argument| self.used(block, argument)).collect();
                block.node(label, kind, &uses);
            }
            Statement::Copy(from, to) => {
                let (from, to) = (self.used(block, from), self.used(block, to));
                block.copy(label, from, to);
            }
            Statement::Fill(target) => {
                let target = self.used(block, target);
                block.node(label, NodeKind::Fill { value: HostValue::Literal("0".to_owned()) }, &[target]);
            }
            Statement::Scalar(arguments) => {
                let uses: Vec<_> = arguments.iter().map(|argument| self.used(block, argument)).collect();
                block.scalar(label, &uses);
            }
            Statement::Swap(one, other) => swap(&mut self.slots, *one, *other),
            _ => self.around(block, statement, label),
        }
    }

    fn around(&mut self, block: &mut Builder, statement: &Statement, label: &str) {
        let node = match statement {
            Statement::If { test, then, otherwise } => {
                let test = self.used(block, test);
                let this = RefCell::new(self);
                let then_body = |block: &mut Builder| this.borrow_mut().body(block, then, &format!("{label}t"));
                match otherwise {
                    None => block.when(&[test], then_body),
                    Some(otherwise) => block.when_else(&[test], then_body, |block| {
                        this.borrow_mut().body(block, otherwise, &format!("{label}e"));
                    }),
                }
            }
            Statement::Match { test, arms, rest } => {
                let test = self.used(block, test);
                let patterns: Vec<_> = (0..arms.len() as i128).map(|value| [(value, value)]).collect();
                let patterns: Vec<&[(i128, i128)]> = patterns.iter().map(|pattern| &pattern[..]).collect();
                block.choose(&[test], &patterns, rest.is_some(), |block, arm| {
                    let body = arms.get(arm).or(rest.as_ref()).map_or(&[][..], |body| &body[..]);
                    self.body(block, body, &format!("{label}m{arm}"));
                })
            }
            Statement::Loop { tests_first, test, limit, every, body } => {
                let test = [self.used(block, test)];
                let limit = limit.map(|limit| self.amount(block, limit));
                let head = Head { tests_first: *tests_first, limit, every: *every, ..Head::on(&test) };
                block.repeat(head, |block| {
                    let before = self.slots.clone();
                    self.repeated(block, body, label, *every);
                    self.exchanged |= current(&before) != current(&self.slots);
                    self.slots = before;
                })
            }
            Statement::HostIf { then, otherwise } => {
                let this = RefCell::new(self);
                block.host_if(
                    "flag",
                    |block| this.borrow_mut().body(block, then, &format!("{label}t")),
                    |block| this.borrow_mut().body(block, otherwise, &format!("{label}e")),
                )
            }
            Statement::For { count, body } => {
                let count = self.amount(block, *count);
                block.each(label, |block, node| self.pass(block, node, (count, body), label))
            }
            _ => return,
        };
        block.program().nodes[node.0 as usize].label = label.into();
    }

    /// One pass of a `for`: behind it the names mean what they meant, since the build exchanges them.
    fn pass(
        &mut self,
        block: &mut Builder,
        node: NodeId,
        (count, body): (Extent, &[Statement]),
        label: &str,
    ) -> Vec<(BufferId, BufferId)> {
        self.counts.insert(node, count);
        self.passes.push(node);
        let before = self.slots.clone();
        self.repeated(block, body, label, 1);
        self.passes.pop();
        let pairs = current(&before).into_iter().zip(current(&self.slots));
        let swapped =
            pairs.filter(|(one, other)| one != other).filter_map(|(one, other)| Some((one?, other?))).collect();
        self.slots = before;
        swapped
    }
}

fn current(slots: &[Slot]) -> Vec<Option<BufferId>> {
    let current = |slot: &Slot| if let Slot::Buffer(buffer, _) = slot { Some(*buffer) } else { None };
    slots.iter().map(current).collect()
}

fn swap(slots: &mut [Slot], one: usize, other: usize) {
    let swappable: Vec<usize> = (0..slots.len()).filter(|slot| matches!(slots[*slot], Slot::Buffer(_, true))).collect();
    if swappable.is_empty() {
        return;
    }
    slots.swap(swappable[one % swappable.len()], swappable[other % swappable.len()]);
}

/// Of a `for`, whatever its count comes to.
const MOST_PASSES: u64 = 8;

/// What the host's expressions come to.
pub(crate) struct Evaluated<'w> {
    pub(crate) written: &'w Written,
    pub(crate) numbers: [u64; 3],
    pub(crate) flag: bool,
    frames: RefCell<Vec<(FrameId, NodeId, u64)>>,
    made: RefCell<HashMap<(FrameId, NodeId), Vec<FrameId>>>,
}

impl<'w> Evaluated<'w> {
    pub(crate) fn new(written: &'w Written, numbers: [u64; 3], flag: bool) -> Self {
        Self { written, numbers, flag, frames: RefCell::default(), made: RefCell::default() }
    }

    /// A name, or `i7`: the pass of node 7 that the frame is in.
    fn name(&self, frame: FrameId, name: &str) -> Option<u64> {
        if let Some(index) = ["n", "a", "b"].iter().position(|known| *known == name) {
            return Some(self.numbers[index]);
        }
        let node = NodeId(name.strip_prefix('i')?.parse().ok()?);
        let mut at = frame;
        loop {
            let (parent, of, pass) = *self.frames.borrow().get((at.0 as usize).checked_sub(1)?)?;
            if of == node {
                return Some(pass);
            }
            at = parent;
        }
    }
}

impl Values for Evaluated<'_> {
    fn bound(&self) -> Vec<BoundBuffer> {
        let program = &self.written.program;
        let one = |parameter: BufferId, name: &str| {
            let lengths = program.buffer(parameter).shape.rank() as u64;
            let (name, length) = (name.to_owned(), self.numbers[0].saturating_mul(lengths));
            BoundBuffer { parameter, name, length, memory: Memory::Device }
        };
        let all = program.parameters().flat_map(|parameter| match program.buffer(parameter).family {
            Family::List => vec![one(parameter, "w[0]"), one(parameter, "w[1]")],
            _ => vec![one(parameter, &program.buffer(parameter).name)],
        });
        all.collect()
    }

    fn value(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        let text = self.written.program.symbol(symbol).text.as_str();
        if text == "flag" {
            return Some(SymbolValue::Flag(self.flag));
        }
        if let Some(index) = text.strip_prefix("w[").and_then(|rest| rest.strip_suffix(']')) {
            let index = match index.strip_suffix(" % 2") {
                Some(name) => self.name(frame, name)? % 2,
                None => index.parse().ok()?,
            };
            let index = index as u32;
            let first = self.written.program.parameters().position(|parameter| parameter == self.written.list);
            return Some(SymbolValue::Buffer(match first {
                Some(first) => ListedBuffer::Bound(first as u32 + index),
                None => ListedBuffer::Transient(index),
            }));
        }
        let (name, behind) = text.split_once(" + ").unwrap_or((text, "0"));
        Some(SymbolValue::Extent(self.name(frame, name)?.saturating_add(behind.parse().ok()?)))
    }

    fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        if let Some(known) = self.made.borrow().get(&(frame, node)) {
            return known.clone();
        }
        let count = match self.written.counts[&node] {
            Extent::Known(count) => count,
            Extent::Symbol(symbol) => match self.value(frame, symbol) {
                Some(SymbolValue::Extent(count)) => count,
                _ => 0,
            },
        };
        let mut frames = self.frames.borrow_mut();
        let mut made = Vec::new();
        for pass in 0..count.min(MOST_PASSES) {
            frames.push((frame, node, pass));
            made.push(FrameId(frames.len() as u32));
        }
        self.made.borrow_mut().insert((frame, node), made.clone());
        made
    }

    fn listed(&self, _: FrameId, list: BufferId) -> Option<(u32, u32)> {
        let own = self.written.program.buffer(list).origin == Origin::Transient;
        (own && list == self.written.list).then_some((0, 2))
    }
}
