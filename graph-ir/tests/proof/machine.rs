//! Runs a graph: nodes one at a time in any order that a set of edges allows, those of bodies between those around them.
//!
//! What a node writes is a number made of its name and of all that it reads, so that two runs that differ in what any node sees
//! differ in the end. Atomic updates add, so they commute. Tests have answers of their own: a path is a choice of them.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use graph_ir::model::Mode;

use crate::unfold::{Item, Kind, Leaf, Region, Touch};

/// Passes of a loop that are looked at, at most.
const MOST_PASSES: u64 = 2;

/// All that a buffer of at most three elements, or three rows of two, can have.
const ELEMENTS: [u64; 7] = [0, 1, 2, 16, 17, 32, 33];

/// Edges of each region, by the key of its body, as positions of its items.
pub(crate) type EdgesOf = BTreeMap<String, BTreeSet<(usize, usize)>>;

/// Goes through all sequences of choices.
#[derive(Default)]
pub(crate) struct Odometer {
    /// What was chosen, of how many.
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Odometer {
    pub(crate) fn choose(&mut self, count: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, count));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    /// To the next sequence, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, count)) = self.digits.pop() {
            if chosen + 1 < count {
                self.digits.push((chosen + 1, count));
                return true;
            }
        }
        false
    }
}

/// Where transients lie in an arena; none has memory of its own then.
pub(crate) type Places = BTreeMap<String, u64>;

/// The memory and what was seen of it.
#[derive(Clone, Default)]
pub(crate) struct World {
    places: Places,
    memory: BTreeMap<(String, u64), u64>,
    /// The caller's buffers.
    lent: BTreeSet<String>,
    /// What each node saw.
    pub(crate) seen: BTreeMap<String, u64>,
    /// Nodes with effects, as they ran.
    pub(crate) effects: Vec<String>,
    /// Who has used each object, in turn.
    pub(crate) turns: BTreeMap<String, Vec<String>>,
    /// The answers of the tests.
    pub(crate) answers: BTreeMap<String, usize>,
    /// Something was read that nobody wrote.
    pub(crate) undefined: bool,
}

impl World {
    fn new(graph: &Region) -> Self {
        let lent = |buffer: &&str| !graph.locals.iter().any(|local| local == buffer);
        let mut world = Self::default();
        for buffer in ["p", "c", "t", "u", "s", "w[0]", "w[1]", "k"].into_iter().filter(lent) {
            let elements = ELEMENTS.map(|element| ((buffer.to_owned(), element), hash(&(buffer, element))));
            world.memory.extend(elements);
            world.lent.insert(buffer.to_owned());
        }
        world.lent.insert("q".to_owned());
        world
    }

    fn begin(&mut self, region: &Region) {
        self.memory.retain(|(buffer, _), _| !region.locals.contains(buffer));
    }

    /// Where an element lies.
    fn cell(&self, buffer: &str, element: u64) -> (String, u64) {
        self.places
            .get(buffer)
            .map_or_else(|| (buffer.to_owned(), element), |place| ("arena".to_owned(), place + element))
    }

    /// What the caller finds.
    pub(crate) fn left(&self) -> Vec<(&(String, u64), &u64)> {
        self.memory.iter().filter(|((buffer, _), _)| self.lent.contains(buffer)).collect()
    }

    fn read(&mut self, name: &str, touches: &[Touch]) -> u64 {
        let mut seen = DefaultHasher::new();
        for touch in touches.iter().filter(|touch| touch.mode != Mode::Overwrite) {
            for element in &touch.elements {
                let found = self.memory.get(&self.cell(&touch.buffer, *element));
                self.undefined |= found.is_none();
                if touch.mode != Mode::Atomic {
                    found.hash(&mut seen);
                }
            }
        }
        let seen = seen.finish();
        self.seen.insert(name.to_owned(), seen);
        seen
    }

    fn leaf(&mut self, name: &str, item: &Item) {
        for object in &item.objects {
            self.turns.entry(object.clone()).or_default().push(name.to_owned());
        }
        if matches!(item.kind, Kind::Leaf { word: Leaf::Fence, .. }) {
            return;
        }
        let seen = self.read(name, &item.touches);
        for (index, touch) in item.touches.iter().enumerate().filter(|(_, touch)| touch.mode != Mode::Read) {
            for element in &touch.elements {
                let new = hash(&(name, index, element, seen));
                let cell = self.memory.entry(self.cell(&touch.buffer, *element)).or_default();
                *cell = if touch.mode == Mode::Atomic { cell.wrapping_add(new) } else { new };
            }
        }
        if matches!(item.kind, Kind::Leaf { effects: true, .. }) {
            self.effects.push(name.to_owned());
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// One body that runs.
struct Running<'r> {
    region: &'r Region,
    /// The item's label and the number of the body.
    key: String,
    /// Its name, with the passes around it.
    name: String,
    items: Vec<State<'r>>,
}

enum State<'r> {
    Waiting,
    /// The body that runs, and which pass it is.
    Inside(Box<Running<'r>>, usize),
    Done,
}

impl<'r> Running<'r> {
    fn new(region: &'r Region, key: &str, name: &str) -> Self {
        let items = region.items.iter().map(|_| State::Waiting).collect();
        Self { region, key: key.to_owned(), name: name.to_owned(), items }
    }

    fn is_done(&self) -> bool {
        self.items.iter().all(|state| matches!(state, State::Done))
    }

    /// What can happen next: the positions of a node, from the outermost body in.
    fn next(&self, edges: &EdgesOf, around: &[usize], into: &mut Vec<Vec<usize>>) {
        for (index, state) in self.items.iter().enumerate() {
            let path = [around, &[index]].concat();
            match state {
                State::Inside(inner, _) if !inner.is_done() => inner.next(edges, &path, into),
                State::Inside(..) => into.push(path),
                State::Waiting => {
                    let waits = edges.get(&self.key).into_iter().flatten().filter(|(_, to)| *to == index);
                    if waits.into_iter().all(|(from, _)| matches!(self.items[*from], State::Done)) {
                        into.push(path);
                    }
                }
                State::Done => {}
            }
        }
    }

    fn step(&mut self, path: &[usize], world: &mut World, answer: &mut dyn FnMut(&str, usize) -> usize) {
        let index = path[0];
        let item = &self.region.items[index];
        let name = format!("{}/{}", self.name, item.label);
        let state = std::mem::replace(&mut self.items[index], State::Done);
        self.items[index] = match (state, &item.kind) {
            (State::Inside(mut inner, pass), _) if path.len() > 1 => {
                inner.step(&path[1..], world, answer);
                State::Inside(inner, pass)
            }
            (State::Waiting, Kind::Leaf { .. }) => {
                world.leaf(&name, item);
                State::Done
            }
            (State::Waiting, Kind::Choice { arms, idle }) => {
                world.read(&name, &item.touches);
                let taken = answer(&name, arms.len() + usize::from(*idle));
                arms.get(taken).map_or(State::Done, |arm| enter(arm, (item, taken), &name, 0, world))
            }
            (State::Waiting, Kind::Loop { tests_first, most, body }) => {
                if *tests_first {
                    world.read(&name, &item.touches);
                }
                let most = most.unwrap_or(MOST_PASSES).min(MOST_PASSES);
                let least = u64::from(!tests_first && most > 0);
                let passes = least as usize + answer(&name, (most - least + 1) as usize);
                if passes == 0 { State::Done } else { enter(body, (item, 0), &name, passes, world) }
            }
            (State::Inside(_, left), Kind::Loop { body, .. }) => {
                world.read(&format!("{name} behind {left}"), &item.touches);
                if left > 1 { enter(body, (item, 0), &name, left - 1, world) } else { State::Done }
            }
            (State::Inside(..) | State::Done, _) => State::Done,
        };
    }
}

fn enter<'r>(
    body: &'r Region,
    (item, number): (&Item, usize),
    name: &str,
    left: usize,
    world: &mut World,
) -> State<'r> {
    world.begin(body);
    let inner = Running::new(body, &format!("{}#{number}", item.label), &format!("{name}.{number}.{left}"));
    State::Inside(Box::new(inner), left)
}

/// Runs to the end; `choose` says which of what can happen next happens. False if nothing can, and not all has run.
fn run(
    graph: &Region,
    edges: &EdgesOf,
    world: &mut World,
    answer: &mut dyn FnMut(&str, usize) -> usize,
    choose: &mut dyn FnMut(usize) -> usize,
) -> bool {
    let mut running = Running::new(graph, "", "");
    loop {
        let mut next = Vec::new();
        running.next(edges, &[], &mut next);
        if next.is_empty() {
            return running.is_done();
        }
        let path = next.swap_remove(choose(next.len()));
        running.step(&path, world, answer);
    }
}

/// From top to bottom, with the answers that the odometer gives.
pub(crate) fn in_text_order(graph: &Region, odometer: &mut Odometer) -> World {
    let mut world = World::new(graph);
    let mut answers = BTreeMap::new();
    let mut answer = |name: &str, count: usize| {
        let chosen = odometer.choose(count);
        answers.insert(name.to_owned(), chosen);
        chosen
    };
    run(graph, &EdgesOf::new(), &mut world, &mut answer, &mut |_| 0);
    world.answers = answers;
    world
}

/// With the same answers, in an order that the edges allow, with transients at these places; the first is as far from the text as can be.
pub(crate) fn in_some_order(
    graph: &Region,
    edges: &EdgesOf,
    answers: &BTreeMap<String, usize>,
    places: &Places,
    odometer: &mut Odometer,
) -> Option<World> {
    let mut world = World { places: places.clone(), ..World::new(graph) };
    let mut answer = |name: &str, _| answers.get(name).copied().unwrap_or(0);
    let ended = run(graph, edges, &mut world, &mut answer, &mut |count| count - 1 - odometer.choose(count));
    ended.then_some(world)
}
