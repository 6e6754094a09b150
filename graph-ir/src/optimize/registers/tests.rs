//! Against runs of all ways through small bodies: whoever reads an element must have stored it, at the same index, in the same launch.

use proptest::prelude::*;

use super::*;
use crate::model::{Axis, Combine, Compute, Index, Local, Mode, NodeKind, Place, Reduction};
use crate::testing::{Builder, number, overwrite, read, update};

/// Elements of each buffer.
const LENGTH: usize = 3;

/// One thing that a body does.
#[derive(Clone, Debug)]
enum Act {
    Store(At),
    Load(At),
    /// What decides is a host value of its own.
    If(Vec<Act>, Vec<Act>),
    /// For no pass or one or two.
    For(Vec<Act>),
    Break,
}

/// Which element of `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Own,
    /// Of which the kernel checks that it is there.
    Checked,
    First,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let at = prop_oneof![12 => Just(At::Own), 1 => Just(At::Checked), 1 => Just(At::First)];
    let leaf = prop_oneof![
        3 => at.clone().prop_map(Act::Store),
        4 => at.prop_map(Act::Load),
        1 => Just(Act::Break),
    ];
    let act = leaf.prop_recursive(3, 12, 3, |inner| {
        let some = proptest::collection::vec(inner, 0..3);
        prop_oneof![
            (some.clone(), some.clone()).prop_map(|(then, other)| Act::If(then, other)),
            some.prop_map(Act::For)
        ]
    });
    proptest::collection::vec(act, 0..4)
}

/// Whether every way through the members keeps to the rule. A way is taken by the decisions of the digits, a new digit for each.
struct Walk<'w> {
    digits: &'w mut Vec<u8>,
    taken: usize,
    stored: bool,
    kept: bool,
}

impl Walk<'_> {
    /// Zero to `most`.
    fn decide(&mut self, most: u8) -> u8 {
        if self.taken == self.digits.len() {
            self.digits.push(most);
        }
        self.taken += 1;
        self.digits[self.taken - 1].min(most)
    }

    /// Whether a `break` was met.
    fn run(&mut self, acts: &[Act], in_loop: bool) -> bool {
        acts.iter().any(|act| match act {
            Act::Store(at) => {
                self.kept &= *at == At::Own;
                self.stored = true;
                false
            }
            Act::Load(at) => {
                self.kept &= *at == At::Own && self.stored;
                false
            }
            Act::If(then, other) => {
                let taken = if self.decide(1) == 1 { then } else { other };
                self.run(taken, in_loop)
            }
            Act::For(body) => {
                let passes = self.decide(2);
                _ = (0..passes).any(|_| self.run(body, true));
                false
            }
            Act::Break => in_loop,
        })
    }
}

/// By all ways: each is one number of a few digits, counted down.
fn is_kept_on_all_ways(members: &[Vec<Act>]) -> bool {
    let mut digits = Vec::new();
    loop {
        let mut walk = Walk { digits: &mut digits, taken: 0, stored: false, kept: true };
        members.iter().for_each(|acts| _ = walk.run(acts, false));
        let (kept, taken) = (walk.kept, walk.taken);
        if !kept {
            return false;
        }
        digits.truncate(taken);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let Some(last) = digits.last_mut() else { return true };
        *last -= 1;
    }
}

fn any_checked(acts: &[Act]) -> bool {
    acts.iter().any(|act| match act {
        Act::Store(at) | Act::Load(at) => *at != At::Own,
        Act::If(then, other) => any_checked(then) || any_checked(other),
        Act::For(body) => any_checked(body),
        Act::Break => false,
    })
}

fn uses(acts: &[Act]) -> bool {
    acts.iter().any(|act| match act {
        Act::Store(_) | Act::Load(_) => true,
        Act::If(then, other) => uses(then) || uses(other),
        Act::For(body) => uses(body),
        Act::Break => false,
    })
}

fn index(at: At) -> Index {
    let coordinate = match at {
        At::First => Expression::Literal { text: "0".to_owned(), suffix: None },
        At::Own | At::Checked => Expression::Local(0),
    };
    Index { coordinates: vec![coordinate], proved: at != At::Checked, place: Place(0) }
}

fn load(access: u32, at: At) -> Expression {
    Expression::Load { access, index: Box::new(index(at)) }
}

/// As a body in which access 0 is `y` and access 1 is `t`.
fn body(acts: &[Act], in_loop: bool) -> Vec<Statement> {
    let statement = |act: &Act| {
        Some(match act {
            Act::Store(at) => Statement::Store { access: 1, index: index(*at), value: load(0, At::Own) },
            Act::Load(at) => Statement::Store { access: 0, index: index(At::Own), value: load(1, *at) },
            Act::If(then, other) => Statement::If {
                condition: Expression::Boolean(true),
                then: body(then, in_loop),
                otherwise: body(other, in_loop),
            },
            Act::For(pass) => Statement::For {
                local: 1,
                start: Expression::Element(2),
                end: Expression::Element(2),
                inclusive: false,
                body: body(pass, true),
            },
            Act::Break if in_loop => Statement::Break(0),
            Act::Break => return None,
        })
    };
    acts.iter().filter_map(statement).collect()
}

fn compute(body: Vec<Statement>, reduced: Option<Expression>) -> NodeKind {
    let host = Expression::Boolean(false);
    let axes = vec![Axis { local: 0, start: host.clone(), end: host }];
    let locals = ["i", "j"].map(|name| Local { name: name.to_owned(), scalar: None }).to_vec();
    let reduction = reduced.map(|value| Reduction { operator: Combine::Sum, value, accumulate: false });
    NodeKind::Compute(Compute { axes, locals, body, reduction }.into())
}

/// What the members keep of `t`, `y`, `n`, whether somebody outside of the launch names `t` or not.
fn kept(members: &[Vec<Act>], outside: bool) -> Vec<BufferId> {
    let mut block = Builder::new("g");
    let length = LENGTH as u64;
    let [y, n] = ["y", "n"].map(|name| block.parameter(name, Mode::Update, number(length)));
    let t = block.transient("t", number(length));
    let member = |block: &mut Builder, acts: &Vec<Act>| {
        let accesses = if uses(acts) { vec![update(y), update(t), read(n)] } else { vec![update(y)] };
        block.node("m", compute(body(acts, false), None), &accesses)
    };
    let nodes: Vec<NodeId> = members.iter().map(|acts| member(&mut block, acts)).collect();
    if outside {
        block.kernel("outside", &[read(t)]);
    }
    let program = block.finish();
    Users::of(&program).kept_by(&program, &nodes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn what_every_way_serves_is_kept_and_nothing_else(members in proptest::collection::vec(acts(), 1..4)) {
        // A body that only has a checked index behind a `break` is refused too: nobody looks where it is.
        prop_assume!(!members.iter().any(|acts| any_checked(acts)) || !is_kept_on_all_ways(&members));
        let used = members.iter().any(|acts| uses(acts));
        let expected = used && is_kept_on_all_ways(&members);
        prop_assert_eq!(kept(&members, false), if expected { vec![BufferId(2)] } else { Vec::new() });
        prop_assert_eq!(kept(&members, true), Vec::new(), "somebody else reads it");
    }
}

#[test]
fn a_sum_reads_what_stands_in_front_of_it() {
    let kept = |stores: bool| {
        let mut block = Builder::new("g");
        let s = block.parameter("s", Mode::Update, number(1));
        let t = block.transient("t", number(4));
        let stored = Statement::Store { access: 1, index: index(At::Own), value: Expression::Boolean(true) };
        let body = if stores { vec![stored] } else { Vec::new() };
        let sum = block.node("sum", compute(body, Some(load(1, At::Own))), &[overwrite(s), update(t)]);
        let program = block.finish();
        Users::of(&program).kept_by(&program, &[sum]).len()
    };
    assert_eq!((kept(true), kept(false)), (1, 0));
}

#[test]
fn only_transients_on_the_device_that_one_launch_always_computes() {
    let kept = |change: &dyn Fn(&mut Program)| {
        let mut block = Builder::new("g");
        let y = block.parameter("y", Mode::Update, number(4));
        let t = block.transient("t", number(4));
        let acts = [Act::Store(At::Own), Act::Load(At::Own)];
        let node = block.node("m", compute(body(&acts, false), None), &[update(y), update(t)]);
        let mut program = block.finish();
        change(&mut program);
        Users::of(&program).kept_by(&program, &[node]).len()
    };
    assert_eq!(kept(&|_| ()), 1);
    assert_eq!(kept(&|program| program.buffers[1].memory = Memory::Host), 0, "the host may look");
    assert_eq!(kept(&|program| program.buffers[1].origin = Origin::Parameter(Mode::Update)), 0);
    assert_eq!(kept(&|program| program.nodes[0].optional = true), 0, "it may be switched off");
    assert_eq!(kept(&|program| program.buffers[0].family = Family::List), 0, "not all is known");
}

/// Wherever a value may stand, a read that no store comes before is one.
#[test]
fn a_read_counts_wherever_it_stands() {
    let read = || load(1, At::Own);
    let pass = |start, end| Statement::For { local: 1, start, end, inclusive: false, body: Vec::new() };
    let number = || Expression::Element(2);
    let at_read = Index { coordinates: vec![read()], ..index(At::Own) };
    let reads = [
        Statement::Let { local: 1, value: Some(read()) },
        Statement::Assign { local: 1, value: read() },
        Statement::If { condition: read(), then: Vec::new(), otherwise: Vec::new() },
        pass(read(), number()),
        pass(number(), read()),
        Statement::While { condition: read(), body: Vec::new() },
        Statement::Store { access: 0, index: at_read, value: load(0, At::Own) },
    ];
    for statement in reads {
        for stored in [true, false] {
            let mut block = Builder::new("g");
            let [y, n] =
                ["y", "n"].map(|name| block.parameter(name, Mode::Update, crate::testing::number(LENGTH as u64)));
            let t = block.transient("t", crate::testing::number(LENGTH as u64));
            let store = Statement::Store { access: 1, index: index(At::Own), value: load(0, At::Own) };
            let body = stored.then_some(store).into_iter().chain([statement.clone()]).collect();
            let node = block.node("m", compute(body, None), &[update(y), update(t), crate::testing::read(n)]);
            let program = block.finish();
            let kept = Users::of(&program).kept_by(&program, &[node]);
            assert_eq!(kept, if stored { vec![t] } else { vec![] }, "{statement:?}");
        }
    }
}
