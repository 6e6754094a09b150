//! What a draft means for given values: regions of nodes in text order, with every name and every element in its place.
//!
//! Written from the meaning of the language. It shares nothing with the library but the word for a mode.

use std::collections::BTreeSet;

use graph_ir::model::Mode;

use crate::draft::{Amount, Argument, Draft, Statement, Value};

/// One use of a buffer: which elements, as numbers that no two elements of a buffer share.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) buffer: String,
    pub(crate) mode: Mode,
    pub(crate) elements: BTreeSet<u64>,
    /// It names an element that is not there, or runs backwards.
    pub(crate) outside: bool,
}

/// A body whose order is the device's: the graph, an arm, a pass of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    /// Undefined when it begins.
    pub(crate) locals: Vec<String>,
    pub(crate) items: Vec<Item>,
    /// Labels of items or blocks: the first waits for the second.
    pub(crate) afters: Vec<(String, String)>,
    /// Whether only those order the items of one pass.
    pub(crate) explicit: bool,
}

/// A node.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) label: String,
    /// What the host decided around it in this region, outermost first: an `if`, a `for`.
    pub(crate) blocks: Vec<String>,
    /// The passes around it in this region, outermost first: whose, and which.
    pub(crate) passes: Vec<(String, u64)>,
    /// Arguments, or what a test reads.
    pub(crate) touches: Vec<Touch>,
    /// Objects and events that it uses alone.
    pub(crate) objects: BTreeSet<String>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Leaf {
        effects: bool,
        word: Leaf,
    },
    /// One of the arms runs; none may if `idle`.
    Choice {
        arms: Vec<Region>,
        idle: bool,
    },
    /// `most`: passes of the region.
    Loop {
        tests_first: bool,
        most: Option<u64>,
        body: Region,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    Kernel,
    Copy,
    Scalar,
    Fill,
    Capture,
    Fence,
}

/// Why a draft is wrong for these values, whatever runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// A name means another buffer at the end of a body.
    Exchanged,
    /// A limit that passes cannot make up.
    Every,
}

#[derive(Debug)]
pub(crate) struct Unfolded {
    pub(crate) graph: Region,
    pub(crate) faults: BTreeSet<Fault>,
    /// `n`
    pub(crate) length: usize,
}

/// A name in scope: the buffer that it stands for, if that does not depend on the place; its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    buffer: String,
    sizes: Vec<u64>,
    swaps: bool,
}

struct Unfolding<'d> {
    numbers: [u64; 3],
    flag: bool,
    afters: &'d [(String, String)],
    names: Vec<Name>,
    passes: Vec<u64>,
    /// Those of the region that is written.
    around: Vec<(String, u64)>,
    explicit: bool,
    faults: BTreeSet<Fault>,
}

/// `afters`: labels as written.
pub(crate) fn unfold(draft: &Draft, numbers: [u64; 3], flag: bool, afters: &[(String, String)]) -> Unfolded {
    let n = numbers[0];
    let name = |buffer: &str, sizes: &[u64]| Name {
        buffer: buffer.to_owned(),
        sizes: sizes.to_vec(),
        swaps: buffer == "t" && !draft.given[0] || buffer == "u" && !draft.given[1],
    };
    let mut names: Vec<_> = ["p", "q", "c", "t", "u"].map(|buffer| name(buffer, &[n])).into();
    names.push(name("s", &[n, 2]));
    names.extend(["w[0]", "w[1]", "w[?]", "k"].map(|buffer| name(buffer, &[n])));
    let explicit = draft.explicit.is_some();
    let (passes, around) = (Vec::new(), Vec::new());
    let mut unfolding = Unfolding { numbers, flag, afters, names, passes, around, explicit, faults: BTreeSet::new() };
    let given = draft.given.into_iter().chain([draft.given[3]]);
    let own = ["t", "u", "s", "w[0]", "w[1]"].into_iter().zip(given).filter(|(_, given)| !given).map(|(name, _)| name);
    let locals = ["q"].into_iter().chain(own).map(str::to_owned).collect();
    let mut graph = Region { locals, explicit, ..Region::default() };
    unfolding.statements(&draft.statements, "", &[], &mut graph);
    Unfolded { graph, faults: unfolding.faults, length: n as usize }
}

impl Unfolding<'_> {
    fn amount(&self, amount: Amount) -> u64 {
        let value = |value: Value| self.numbers[value as usize];
        match amount {
            Amount::Number(number) => number,
            Amount::Value(named) => value(named),
            Amount::Behind(named) => value(named) + 1,
            Amount::Pass(behind) => self.passes.last().copied().unwrap_or(value(Value::A)) + behind,
        }
    }

    fn touch(&self, argument: &Argument) -> Touch {
        let name = &self.names[argument.slot % self.names.len()];
        let (mut buffer, sizes) = (name.buffer.clone(), name.sizes.clone());
        if buffer == "w[?]" {
            buffer = format!("w[{}]", self.amount(Amount::Pass(0)) % 2);
        }
        let (mut elements, mut outside) = (BTreeSet::from([0]), false);
        for (size, range) in sizes.iter().zip([argument.rows, argument.columns]) {
            let (start, end) = range.map_or((0, *size), |(start, end)| (self.amount(start), self.amount(end)));
            outside |= start > end || end > *size;
            elements = elements.iter().flat_map(|outer| (start..end).map(move |index| outer * 16 + index)).collect();
        }
        Touch { buffer, mode: argument.mode, elements, outside }
    }

    /// `[1][0]`
    fn number(&self, label: &str) -> String {
        let passes: Vec<_> = self.passes.iter().map(|pass| format!("[{pass}]")).collect();
        format!("{label}{}", passes.concat())
    }

    fn statements(&mut self, statements: &[Statement], prefix: &str, blocks: &[String], into: &mut Region) {
        for (index, statement) in statements.iter().enumerate() {
            let label = format!("{prefix}{index}");
            let waits = self.afters.iter().filter(|(waiting, _)| *waiting == label);
            into.afters.extend(waits.map(|(waiting, target)| (self.number(waiting), self.number(target))));
            match statement {
                Statement::Swap(one, other) => self.swap(*one, *other),
                Statement::HostIf { then, otherwise } => {
                    let (body, letter) = if self.flag { (then, 't') } else { (otherwise, 'e') };
                    let blocks = [blocks, &[self.number(&label)]].concat();
                    self.inside(body, &format!("{label}{letter}"), 1, &blocks, into);
                }
                Statement::For { count, body } => {
                    let blocks = [blocks, &[self.number(&label)]].concat();
                    let whose = self.number(&label);
                    for pass in 0..self.amount(*count) {
                        self.passes.push(pass);
                        self.around.push((whose.clone(), pass));
                        self.inside(body, &label, 1, &blocks, into);
                        self.around.pop();
                        self.passes.pop();
                    }
                }
                _ => {
                    let item = self.item(statement, &label, blocks);
                    into.items.push(item);
                }
            }
        }
    }

    /// Statements with a transient of their own, `every` times over.
    fn inside(&mut self, statements: &[Statement], label: &str, every: u32, blocks: &[String], into: &mut Region) {
        for copy in 0..every {
            let outer = self.names.len();
            let local = self.number(&format!("l{label}'{copy}"));
            into.locals.push(local.clone());
            self.names.push(Name { buffer: local.clone(), sizes: vec![self.numbers[0]], swaps: true });
            self.around.push((format!("{label}'"), copy.into()));
            self.statements(statements, &format!("{label}'{copy}."), blocks, into);
            self.around.pop();
            self.names.truncate(outer);
        }
    }

    /// The device decides whether a body runs, so behind it the names mean what they meant. What the host exchanges stays so.
    fn put_back(&mut self, before: Vec<Name>) {
        if before != self.names {
            self.faults.insert(Fault::Exchanged);
        }
        self.names = before;
    }

    fn swap(&mut self, one: usize, other: usize) {
        let swaps: Vec<usize> = (0..self.names.len()).filter(|name| self.names[*name].swaps).collect();
        if swaps.is_empty() {
            return;
        }
        self.names.swap(swaps[one % swaps.len()], swaps[other % swaps.len()]);
    }

    fn region(&mut self, statements: &[Statement], label: &str, every: u32) -> Region {
        let mut region = Region { explicit: self.explicit, ..Region::default() };
        let before = self.names.clone();
        let around = std::mem::take(&mut self.around);
        self.inside(statements, label, every, &[], &mut region);
        self.put_back(before);
        self.around = around;
        region
    }

    fn item(&mut self, statement: &Statement, label: &str, blocks: &[String]) -> Item {
        let (touches, kind) = match statement {
            Statement::Kernel { arguments, effects } => {
                (self.touches(arguments), Kind::Leaf { effects: *effects, word: Leaf::Kernel })
            }
            Statement::Capture { arguments, .. } => {
                (self.touches(arguments), Kind::Leaf { effects: false, word: Leaf::Capture })
            }
            Statement::Fence { used, .. } => (
                self.touches(&used.iter().copied().collect::<Vec<_>>()),
                Kind::Leaf { effects: false, word: Leaf::Fence },
            ),
            Statement::Copy(from, to) => (self.touches(&[*from, *to]), Kind::Leaf { effects: false, word: Leaf::Copy }),
            Statement::Fill(target) => (self.touches(&[*target]), Kind::Leaf { effects: false, word: Leaf::Fill }),
            Statement::Scalar(arguments) => {
                (self.touches(arguments), Kind::Leaf { effects: false, word: Leaf::Scalar })
            }
            Statement::If { test, then, otherwise } => {
                let touches = self.touches(&[*test]);
                let mut arms = vec![self.region(then, &format!("{label}t"), 1)];
                arms.extend(otherwise.iter().map(|body| self.region(body, &format!("{label}e"), 1)));
                (touches, Kind::Choice { idle: arms.len() == 1, arms })
            }
            Statement::Match { test, arms, rest } => {
                let touches = self.touches(&[*test]);
                let bodies = arms.iter().chain(rest).enumerate();
                let arms = bodies.map(|(arm, body)| self.region(body, &format!("{label}m{arm}"), 1)).collect();
                (touches, Kind::Choice { arms, idle: rest.is_none() })
            }
            Statement::Loop { tests_first, test, limit, every, body } => {
                let touches = self.touches(&[*test]);
                let limit = limit.map(|limit| self.amount(limit));
                if limit.is_some_and(|limit| limit % u64::from(*every) != 0) {
                    self.faults.insert(Fault::Every);
                }
                let most = limit.map(|limit| limit / u64::from(*every));
                let body = self.region(body, label, *every);
                (touches, Kind::Loop { tests_first: *tests_first, most, body })
            }
            Statement::Swap(..) | Statement::HostIf { .. } | Statement::For { .. } => unreachable!("no nodes"),
        };
        let objects = objects(statement);
        Item { label: self.number(label), blocks: blocks.to_vec(), passes: self.around.clone(), touches, objects, kind }
    }

    fn touches(&self, arguments: &[Argument]) -> Vec<Touch> {
        arguments.iter().map(|argument| self.touch(argument)).collect()
    }
}

/// What a statement uses alone.
fn objects(statement: &Statement) -> BTreeSet<String> {
    match statement {
        Statement::Capture { objects, .. } => ["one", "other"]
            .into_iter()
            .zip(objects)
            .filter(|(_, used)| **used)
            .map(|(name, _)| name.to_owned())
            .collect(),
        Statement::Fence { event, .. } => BTreeSet::from([format!("event {event}")]),
        _ => BTreeSet::new(),
    }
}
