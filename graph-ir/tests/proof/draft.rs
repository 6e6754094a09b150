//! Random programs, as statements that know neither the model nor the rules.

use graph_ir::model::Mode;
use proptest::collection::vec;
use proptest::prelude::*;

/// An amount that the host computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Number(u64),
    /// `n`, `a`, `b`.
    Value(Value),
    /// `a + 1`
    Behind(Value),
    /// The number of the pass of the innermost `for`, plus this. Outside of every `for` it is `a` instead.
    Pass(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    N,
    A,
    B,
}

/// A buffer by its number in scope, a mode, a range along each dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) slot: usize,
    pub(crate) mode: Mode,
    pub(crate) rows: Option<(Amount, Amount)>,
    pub(crate) columns: Option<(Amount, Amount)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Kernel {
        arguments: Vec<Argument>,
        effects: bool,
    },
    /// A captured call, and which of two objects it uses alone.
    Capture {
        arguments: Vec<Argument>,
        objects: [bool; 2],
    },
    /// `record` or `wait` of one of two events: against the uses of a buffer, or of everything.
    Fence {
        waits: bool,
        event: usize,
        used: Option<Argument>,
    },
    Copy(Argument, Argument),
    Fill(Argument),
    /// The element that is assigned first.
    Scalar(Vec<Argument>),
    Swap(usize, usize),
    If {
        test: Argument,
        then: Vec<Statement>,
        otherwise: Option<Vec<Statement>>,
    },
    Match {
        test: Argument,
        arms: Vec<Vec<Statement>>,
        rest: Option<Vec<Statement>>,
    },
    Loop {
        tests_first: bool,
        test: Argument,
        limit: Option<Amount>,
        every: u32,
        body: Vec<Statement>,
    },
    HostIf {
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    For {
        count: Amount,
        body: Vec<Statement>,
    },
}

/// A graph: its statements, and pairs of nodes by any number, of which the first waits for the second if both are in one region.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) statements: Vec<Statement>,
    pub(crate) afters: Vec<(usize, usize)>,
    /// Whether `t`, `u`, `s` and the buffers of the list are the caller's.
    pub(crate) given: [bool; 4],
    /// `#[explicit]`: and which nodes, by any number, wait for the one above in their region.
    pub(crate) explicit: Option<Vec<bool>>,
}

fn amount() -> BoxedStrategy<Amount> {
    let value = || prop::sample::select(vec![Value::N, Value::A, Value::B]);
    prop_oneof![
        6 => (0..=3_u64).prop_map(Amount::Number),
        4 => value().prop_map(Amount::Value),
        1 => value().prop_map(Amount::Behind),
        2 => (0..=1_u64).prop_map(Amount::Pass),
    ]
    .boxed()
}

fn range() -> BoxedStrategy<(Amount, Amount)> {
    let forwards = |(first, second)| match (first, second) {
        (Amount::Number(one), Amount::Number(two)) => (Amount::Number(one.min(two)), Amount::Number(one.max(two))),
        mixed => mixed,
    };
    prop_oneof![
        3 => (amount(), amount()).prop_map(forwards),
        2 => amount().prop_map(|end| (Amount::Number(0), end)),
        2 => amount().prop_map(|start| (start, Amount::Value(Value::N))),
        2 => element(),
    ]
    .boxed()
}

/// A range of one.
fn element() -> BoxedStrategy<(Amount, Amount)> {
    prop_oneof![
        (0..=2_u64).prop_map(|index| (Amount::Number(index), Amount::Number(index + 1))),
        prop::sample::select(vec![Value::A, Value::B]).prop_map(|value| (Amount::Value(value), Amount::Behind(value))),
        Just((Amount::Pass(0), Amount::Pass(1))),
    ]
    .boxed()
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(vec![Mode::Read, Mode::Update, Mode::Overwrite, Mode::Overwrite, Mode::Atomic])
}

/// Most arguments are whole buffers, and few write what is only lent: else almost all graphs are refused.
fn argument() -> BoxedStrategy<Argument> {
    let slot =
        prop_oneof![40 => prop::sample::select(vec![0_usize, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]), 1 => Just(2_usize)];
    (slot, mode(), prop::option::weighted(0.35, range()), prop::option::weighted(0.15, range()))
        .prop_map(|(slot, mode, rows, columns)| Argument { slot, mode, rows, columns })
        .boxed()
}

fn with(mode: Mode) -> BoxedStrategy<Argument> {
    let lent = move |argument: &Argument| mode == Mode::Read && argument.columns.is_some();
    let used =
        move |argument: Argument| Argument { mode, slot: if lent(&argument) { 2 } else { argument.slot }, ..argument };
    argument().prop_map(used).boxed()
}

/// What a condition reads: elements, or a whole buffer.
fn test() -> BoxedStrategy<Argument> {
    let one = |(used, rows, columns): (Argument, _, _)| Argument {
        rows: used.rows.map(|_| rows),
        columns: used.columns.map(|_| columns),
        ..used
    };
    (with(Mode::Read), element(), element()).prop_map(one).boxed()
}

fn single(mode: Mode) -> BoxedStrategy<Argument> {
    (0..12_usize, element(), element())
        .prop_map(move |(slot, rows, columns)| Argument { slot, mode, rows: Some(rows), columns: Some(columns) })
        .boxed()
}

fn leaf() -> BoxedStrategy<Statement> {
    let kernel = (vec(argument(), 0..3), prop::bool::weighted(0.2))
        .prop_map(|(arguments, effects)| Statement::Kernel { arguments, effects });
    let scalar = (single(Mode::Overwrite), vec(single(Mode::Read), 0..2))
        .prop_map(|(target, read)| Statement::Scalar([vec![target], read].concat()));
    let capture = (vec(argument(), 0..3), any::<[bool; 2]>())
        .prop_map(|(arguments, objects)| Statement::Capture { arguments, objects });
    let fence = (any::<bool>(), 0..2_usize, prop::option::weighted(0.7, with(Mode::Read)))
        .prop_map(|(waits, event, used)| Statement::Fence { waits, event, used });
    prop_oneof![
        30 => kernel,
        8 => capture,
        3 => fence,
        10 => (with(Mode::Read), with(Mode::Overwrite)).prop_map(|(from, to)| Statement::Copy(from, to)),
        15 => with(Mode::Overwrite).prop_map(Statement::Fill),
        10 => scalar,
        5 => (0..12_usize, 0..12_usize).prop_map(|(one, other)| Statement::Swap(one, other)),
    ]
    .boxed()
}

/// Copies that use one buffer for two things in turn.
fn reuse() -> BoxedStrategy<Vec<Statement>> {
    let whole = |slot, mode| Argument { slot, mode, rows: None, columns: None };
    let copy = move |from, to| Statement::Copy(whole(from, Mode::Read), whole(to, Mode::Overwrite));
    let turn = (0..10_usize, prop::sample::select(vec![0_usize, 1, 6, 7]));
    (prop::sample::select(vec![3_usize, 4, 10]), vec(turn, 2..4))
        .prop_map(move |(t, turns)| turns.into_iter().flat_map(|(from, to)| [copy(from, t), copy(t, to)]).collect())
        .boxed()
}

fn statement() -> BoxedStrategy<Statement> {
    let around = |inner: BoxedStrategy<Statement>| {
        let body = move || prop_oneof![9 => vec(inner.clone(), 0..3), 1 => reuse()].boxed();
        let limit = prop::option::weighted(0.7, amount());
        prop_oneof![
            (test(), body(), prop::option::of(body())).prop_map(|(test, then, otherwise)| Statement::If {
                test,
                then,
                otherwise
            }),
            (test(), vec(body(), 1..3), prop::option::of(body())).prop_map(|(test, arms, rest)| Statement::Match {
                test,
                arms,
                rest
            }),
            (any::<bool>(), test(), limit, 1..3_u32, body()).prop_map(|(tests_first, test, limit, every, body)| {
                Statement::Loop { tests_first, test, limit, every, body }
            }),
            (body(), body()).prop_map(|(then, otherwise)| Statement::HostIf { then, otherwise }),
            (amount(), body()).prop_map(|(count, body)| Statement::For { count, body }),
        ]
        .boxed()
    };
    leaf().prop_recursive(2, 8, 3, around).boxed()
}

/// Whole graphs of up to eight nodes, give or take what bodies hold. Many get contents for what they may read first.
pub(crate) fn drafts() -> impl Strategy<Value = Draft> {
    let afters = prop_oneof![2 => Just(Vec::new()), 1 => vec((0..12_usize, 0..12_usize), 1..3)];
    let whole = |slot| Statement::Fill(Argument { slot, mode: Mode::Overwrite, rows: None, columns: None });
    let often = || prop::bool::weighted(0.8);
    let filled = (often(), often(), often());
    let given = [0.6, 0.6, 0.6, 0.3].map(prop::bool::weighted);
    let statements = prop_oneof![9 => vec(statement(), 1..6), 1 => reuse()];
    let explicit = prop::option::weighted(0.25, vec(prop::bool::weighted(0.85), 7));
    let all = (statements, afters, filled, given, explicit);
    all.prop_map(move |(statements, afters, (q, first, second), given, explicit)| {
        let fills =
            [(1, q), (6, first), (7, second)].into_iter().filter(|(_, filled)| *filled).map(|(slot, _)| whole(slot));
        Draft { statements: fills.chain(statements).collect(), afters, given, explicit }
    })
}

impl Draft {
    /// Which of `n`, `a`, `b` and `flag` it names.
    pub(crate) fn named(&self) -> [bool; 4] {
        let text = format!("{self:?}");
        let value = |name: &str| text.contains(&format!("Value({name})")) || text.contains(&format!("Behind({name})"));
        // A pass stands for `a` outside of every `for`.
        [true, value("A") || text.contains("Pass("), value("B"), text.contains("HostIf")]
    }
}
