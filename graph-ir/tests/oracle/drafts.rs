//! Random programs on few buffers with few elements.

use std::cell::RefCell;

use graph_ir::model::{BufferId, Extent, Footprint, Mode, NodeId, Program, Range};
use graph_ir::testing::{Builder, Head, Use, atomic, number, overwrite, read, update};
use proptest::collection::vec;
use proptest::prelude::*;

/// Elements per buffer where lengths are numbers.
const LENGTH: u64 = 4;

/// Whether borders of ranges may be expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Numbers,
    Expressions,
}

/// A border: a number, or one of the expressions `n`, `a`, `b`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Border {
    Number(u64),
    Text(&'static str),
}

/// A buffer by index, a mode, a range.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) buffer: usize,
    pub(crate) mode: Mode,
    pub(crate) range: Option<(Border, Border)>,
    /// The range along the second dimension, of buffers that have one.
    pub(crate) columns: Option<(Border, Border)>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Kernel(Vec<Argument>, bool),
    Copy(Argument, Argument),
    If(Argument, Vec<Statement>, Option<Vec<Statement>>),
    HostIf(Vec<Statement>, Vec<Statement>),
    Match(Argument, Vec<Vec<Statement>>, bool),
    Loop { tests_first: bool, test: Argument, limited: bool, body: Vec<Statement> },
}

/// A graph's statements.
#[derive(Clone, Debug)]
pub(crate) struct Draft(pub(crate) Vec<Statement>);

fn border(shape: Shape) -> BoxedStrategy<Border> {
    let numbers = (0..=LENGTH).prop_map(Border::Number);
    match shape {
        Shape::Numbers => numbers.boxed(),
        Shape::Expressions => {
            prop_oneof![numbers, prop::sample::select(vec!["n", "a", "b"]).prop_map(Border::Text)].boxed()
        }
    }
}

fn range(shape: Shape) -> BoxedStrategy<(Border, Border)> {
    (border(shape), border(shape))
        .prop_map(|(first, second)| match (first, second) {
            (Border::Number(a), Border::Number(b)) => (Border::Number(a.min(b)), Border::Number(a.max(b))),
            mixed => mixed,
        })
        .boxed()
}

fn argument(shape: Shape) -> BoxedStrategy<Argument> {
    let mode = prop::sample::select(vec![Mode::Read, Mode::Update, Mode::Overwrite, Mode::Overwrite, Mode::Atomic]);
    (0..6_usize, mode, prop::option::of(range(shape)), prop::option::of(range(shape)))
        .prop_map(|(buffer, mode, range, columns)| Argument { buffer, mode, range, columns })
        .boxed()
}

fn side(shape: Shape, mode: Mode) -> BoxedStrategy<Argument> {
    argument(shape).prop_map(move |argument| Argument { mode, ..argument }).boxed()
}

fn statements(shape: Shape) -> BoxedStrategy<Vec<Statement>> {
    let kernel = (vec(argument(shape), 0..3), any::<bool>())
        .prop_map(|(arguments, effects)| Statement::Kernel(arguments, effects));
    let copy = (side(shape, Mode::Read), side(shape, Mode::Overwrite)).prop_map(|(from, to)| Statement::Copy(from, to));
    let leaf = prop_oneof![4 => kernel, 1 => copy];
    let statement = leaf.prop_recursive(2, 12, 3, move |inner| {
        let body = || vec(inner.clone(), 0..3);
        let test = || side(shape, Mode::Read);
        let host = u32::from(shape == Shape::Expressions);
        prop_oneof![
            host => (body(), body()).prop_map(|(then, other)| Statement::HostIf(then, other)),
            1 => (test(), body(), prop::option::of(body())).prop_map(|(test, then, other)| Statement::If(test, then, other)),
            1 => (test(), vec(body(), 1..3), any::<bool>())
                .prop_map(|(test, arms, rest)| Statement::Match(test, arms, rest)),
            1 => (any::<bool>(), test(), any::<bool>(), body()).prop_map(|(tests_first, test, limited, body)| {
                Statement::Loop { tests_first, test, limited, body }
            }),
        ]
    });
    vec(statement, 1..7).boxed()
}

/// Random statements.
pub(crate) fn draft(shape: Shape) -> impl Strategy<Value = Draft> {
    statements(shape).prop_map(Draft)
}

/// Copies of whole buffers by number, `copy(&from, &out to)`: what makes one transient stand for two things in turn.
fn whole_copies() -> impl Strategy<Value = Vec<Statement>> {
    let side = |buffer, mode| Argument { buffer, mode, range: None, columns: None };
    let copy = (0..5_usize, 0..5_usize)
        .prop_map(move |(from, to)| Statement::Copy(side(from, Mode::Read), side(to, Mode::Overwrite)));
    vec(copy, 1..6)
}

/// Statements that use transients again, in the graph or in one body.
pub(crate) fn reuses(shape: Shape) -> impl Strategy<Value = Draft> {
    let part = || prop_oneof![5 => whole_copies(), 1 => statements(shape)];
    let block = move || vec(part(), 1..4).prop_map(|parts| parts.concat());
    let test = || side(shape, Mode::Read);
    let around = prop_oneof![
        3 => block(),
        1 => (test(), block()).prop_map(|(test, body)| vec![Statement::If(test, body, None)]),
        1 => (any::<bool>(), test(), block())
            .prop_map(|(tests_first, test, body)| vec![Statement::Loop { tests_first, test, limited: true, body }]),
        1 => (block(), block()).prop_map(move |(then, other)| {
            if shape == Shape::Numbers { then } else { vec![Statement::HostIf(then, other)] }
        }),
    ];
    (whole_copies(), around).prop_map(|(first, rest)| Draft([first, rest].concat()))
}

/// Pairs of nodes, by any number, of which the first shall wait for the second if both are in one region.
pub(crate) fn afters() -> impl Strategy<Value = Vec<(usize, usize)>> {
    vec((0..12_usize, 0..12_usize), 0..4)
}

/// One statement of each kind.
pub(crate) fn blocks() -> Vec<Statement> {
    let one = |mode| Argument { buffer: 0, mode, range: None, columns: None };
    let kernel = Statement::Kernel(vec![one(Mode::Update)], false);
    let body = || vec![kernel.clone()];
    vec![
        kernel.clone(),
        Statement::Copy(one(Mode::Read), Argument { buffer: 1, ..one(Mode::Overwrite) }),
        Statement::If(one(Mode::Read), body(), None),
        Statement::Match(one(Mode::Read), vec![body()], true),
        Statement::Loop { tests_first: true, test: one(Mode::Read), limited: true, body: body() },
        Statement::Loop { tests_first: false, test: one(Mode::Read), limited: false, body: body() },
    ]
}

struct Writer {
    expressions: bool,
    buffers: Vec<BufferId>,
}

impl Writer {
    fn border(block: &mut Builder, border: Border) -> Extent {
        match border {
            Border::Number(value) => number(value),
            Border::Text(text) => block.symbol(text),
        }
    }

    fn used(&self, block: &mut Builder, argument: &Argument) -> Use {
        let buffer = self.buffers[argument.buffer % self.buffers.len()];
        let used = match argument.mode {
            Mode::Read => read(buffer),
            Mode::Update => update(buffer),
            Mode::Overwrite => overwrite(buffer),
            Mode::Atomic => atomic(buffer),
        };
        let mut ranges = Footprint::whole(block.program().buffer(buffer).shape).ranges().to_vec();
        let mut partial = false;
        for (into, range) in ranges.iter_mut().zip([argument.range, argument.columns]) {
            if let Some((start, end)) = range {
                *into = Range { start: Self::border(block, start), end: Self::border(block, end) };
                partial = true;
            }
        }
        if partial { used.ranges(&ranges) } else { used }
    }

    fn body(&mut self, block: &mut Builder, statements: &[Statement]) {
        let length = if self.expressions { block.symbol("n") } else { number(LENGTH) };
        self.buffers.push(block.transient("local", length));
        for statement in statements {
            self.statement(block, statement);
        }
        self.buffers.pop();
    }

    fn statement(&mut self, block: &mut Builder, statement: &Statement) {
        match statement {
            Statement::Kernel(arguments, effects) => {
                let uses: Vec<_> = arguments.iter().map(|argument| self.used(block, argument)).collect();
                let node = block.kernel("k", &uses);
                if *effects {
                    block.effects(node);
                }
            }
            Statement::Copy(from, to) => {
                let (from, to) = (self.used(block, from), self.used(block, to));
                block.copy("copy", from, to);
            }
            Statement::If(test, then, None) => {
                let test = self.used(block, test);
                block.when(&[test], |block| self.body(block, then));
            }
            Statement::If(test, then, Some(otherwise)) => {
                let test = self.used(block, test);
                let this = RefCell::new(self);
                let write = |body| {
                    let this = &this;
                    move |block: &mut Builder| this.borrow_mut().body(block, body)
                };
                block.when_else(&[test], write(then), write(otherwise));
            }
            Statement::HostIf(then, otherwise) => {
                let this = RefCell::new(self);
                let write = |body| {
                    let this = &this;
                    move |block: &mut Builder| this.borrow_mut().body(block, body)
                };
                block.host_if("flag", write(then), write(otherwise));
            }
            Statement::Match(test, arms, otherwise) => {
                let test = self.used(block, test);
                let patterns: Vec<_> = (0..arms.len() as i128).map(|value| [(value, value)]).collect();
                let patterns: Vec<&[(i128, i128)]> = patterns.iter().map(|pattern| &pattern[..]).collect();
                block.choose(&[test], &patterns, *otherwise, |block, arm| {
                    self.body(block, arms.get(arm).map_or(&arms[0], |arm| arm));
                });
            }
            Statement::Loop { tests_first, test, limited, body } => {
                let test = [self.used(block, test)];
                let limit = limited.then(|| number(2));
                let head = Head { tests_first: *tests_first, limit, ..Head::on(&test) };
                block.repeat(head, |block| self.body(block, body));
            }
        }
    }
}

impl Draft {
    /// The program, with an `after` for each pair of nodes that share a region.
    pub(crate) fn program(&self, links: &[(usize, usize)]) -> Program {
        let mut block = Builder::new("g");
        let expressions = format!("{self:?}").contains("Text(");
        let length = if expressions { block.symbol("n") } else { number(LENGTH) };
        let buffers = vec![
            block.parameter("p", Mode::Update, length),
            block.parameter("q", Mode::Overwrite, length),
            block.transient("s", graph_ir::model::Shape::new(&[length, length])),
            block.transient("t", graph_ir::model::Shape::new(&[length, length, number(2)])),
        ];
        let mut writer = Writer { expressions, buffers };
        self.0.iter().for_each(|statement| writer.statement(&mut block, statement));
        for (waiting, target) in links {
            let program = block.program();
            let nodes = program.nodes.len();
            let (waiting, target) = (NodeId((waiting % nodes) as u32), NodeId((target % nodes) as u32));
            if program.node(waiting).region == program.node(target).region {
                block.after(waiting, target);
            }
        }
        block.finish()
    }
}
