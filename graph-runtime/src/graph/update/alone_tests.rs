//! Values that are evaluated again by themselves: whatever is set, the graph is the one that a whole evaluation makes.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::super::evaluated::Evaluated;
use crate::plan::{structural, touched};
use crate::prelude::*;

const LENGTH: usize = 16;

#[cuda_module("src/errors/kernels.cu")]
unsafe mod kernels {
    /// Not for `by == 3`.
    #[requires(by != 3.0)]
    pub fn scale(x: &mut [f32; n], by: f32, n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x *= by);
    }
}

cuda_graph! {
    /// Whatever a value may decide.
    graph Alone(
        x: &mut [f32; n],
        y: &mut [f32; LENGTH],
        s: &mut [f32; 3],
        direct: f32,
        twice: f32,
        looped: f32,
        chosen: f32,
        inside: f32,
        test: f32,
        steps: u32,
        touched: u32,
        rounds: usize,
        wide: bool,
        lost: usize,
        filled: f32,
        unsure: f32,
        first: usize <= 8,
        called: f32,
    ) {
        let double: f32 = twice * 2.0;
        let shifted = double + direct;
        'direct: kernels::scale<<<1, 16>>>(&mut x, direct, n as u32);
        'shifted: kernels::scale<<<1, 16>>>(&mut x, shifted, n as u32);
        'touched: kernels::scale<<<1, 32>>>(&mut y[first..], 0.5, touched);
        for _ in 0..rounds {
            'looped: kernels::scale<<<1, 16>>>(&mut x, looped, n as u32);
            if wide { 'chosen: kernels::scale<<<1, 16>>>(&mut y, chosen + looped, LENGTH as u32); }
            match rounds { 2 => { 'second: fill(&out s[..1], chosen); } _ => {} }
        }
        'inside: kernel for i in 0..n { x[i] = x[i] * inside + double; }
        'summed: s[1] = (0..n).map(|i| x[i] * inside).sum();
        'tested: if s[1] < test { y[0] = test; }
        'lost: kernels::scale<<<1, 16>>>(&mut y, 0.5, lost as u32);
        'filled: fill(&out y, filled);
        'strided: kernel for i in 0..steps { y[i] += 1.0; }
        let parsed = format!("{unsure}").parse().unwrap();
        'unsure: kernels::scale<<<1, 16>>>(&mut x, parsed, n as u32);
        host(|| assert!(called < 100.0));
    }
}

/// A setter's call.
#[derive(Clone, Copy, Debug)]
enum Set {
    Value(usize, f32),
    Steps(u32),
    Touched(u32),
    Rounds(usize),
    Wide(bool),
    Lost(usize),
    First(usize),
}

/// The floats, with the setter of each; one that evaluates everything is beside it.
macro_rules! floats {
    ($($number:literal $name:ident $setter:ident)*) => {
        fn set_float(graph: &mut Alone<'_>, number: usize, value: f32) -> Result<()> {
            match number { $($number => graph.$setter(value),)* _ => Ok(()) }
        }

        fn set_float_whole(graph: &mut Alone<'_>, number: usize, value: f32) -> Result<()> {
            match number { $($number => graph.set_values(stringify!($name), |values| values.$name = value),)* _ => Ok(()) }
        }

        const FLOATS: &[&str] = &[$(stringify!($name)),*];
    };
}

floats! {
    0 direct set_direct
    1 twice set_twice
    2 looped set_looped
    3 chosen set_chosen
    4 inside set_inside
    5 test set_test
    6 filled set_filled
    7 unsure set_unsure
    8 called set_called
}

fn any_set() -> impl Strategy<Value = Set> {
    prop_oneof![
        8 => (0..FLOATS.len(), 0_i8..5).prop_map(|(number, value)| Set::Value(number, f32::from(value))),
        1 => (0_u32..20).prop_map(Set::Steps),
        1 => (0_u32..20).prop_map(Set::Touched),
        1 => (0_usize..4).prop_map(Set::Rounds),
        1 => any::<bool>().prop_map(Set::Wide),
        1 => prop_oneof![0_usize..20, Just(usize::MAX)].prop_map(Set::Lost),
        1 => (0_usize..10).prop_map(Set::First),
    ]
}

impl Set {
    fn apply(self, graph: &mut Alone<'_>) -> Result<()> {
        match self {
            Self::Value(number, value) => set_float(graph, number, value),
            Self::Steps(steps) => graph.set_steps(steps),
            Self::Touched(touched) => graph.set_touched(touched),
            Self::Rounds(rounds) => graph.set_rounds(rounds),
            Self::Wide(wide) => graph.set_wide(wide),
            Self::Lost(lost) => graph.set_lost(lost),
            Self::First(first) => graph.set_first(first),
        }
    }

    /// The same by evaluating everything.
    fn apply_whole(self, graph: &mut Alone<'_>) -> Result<()> {
        match self {
            Self::Value(number, value) => set_float_whole(graph, number, value),
            Self::Steps(steps) => graph.set_values("steps", |values| values.steps = steps),
            Self::Touched(touched) => graph.set_values("touched", |values| values.touched = touched),
            Self::Lost(lost) => graph.set_values("lost", |values| values.lost = lost),
            other => other.apply(graph),
        }
    }
}

fn built() -> Alone<'static> {
    let device = Device::cpu();
    let (x, y, s) = (device.zeros(LENGTH).unwrap(), device.zeros(LENGTH).unwrap(), device.zeros(3).unwrap());
    let (direct, twice, looped, chosen, inside, test) = (0.5, 1.5, 2.0, 0.25, 1.0, 4.0);
    let (steps, touched, rounds, wide, lost) = (4, 6, 2, true, 4);
    let (filled, unsure, first, called) = (1.0, 2.0, 3, 1.0);
    #[rustfmt::skip]
    let arguments = AloneArgs {
        x, y, s, direct, twice, looped, chosen, inside, test, steps, touched, rounds, wide, lost, filled, unsure, first, called,
    };
    arguments.build(&device).unwrap()
}

/// Poisons what is written, runs, and returns everything as bits.
fn results(graph: &mut Alone<'_>) -> std::result::Result<Vec<u32>, String> {
    let x: Vec<f32> = (0..LENGTH as u16).map(f32::from).collect();
    let ran = (|| {
        graph.x_mut()?.write_from(&x)?;
        graph.y_mut()?.write_from(&x)?;
        graph.s_mut()?.write_from(&[f32::NAN; 3])?;
        graph.launch()?;
        graph.synchronize()?;
        Ok::<_, Error>([graph.x().to_vec()?, graph.y().to_vec()?, graph.s().to_vec()?].concat())
    })();
    Ok(ran.map_err(|error| error.to_string())?.into_iter().map(f32::to_bits).collect())
}

/// Nothing is known otherwise of the graph than a whole evaluation finds out, and its plan is that of `other`.
fn is_whole(graph: &Alone<'_>, other: &Alone<'_>) -> TestCaseResult {
    let objects = (graph.objects.table(), &graph.versions[..]);
    let whole = Evaluated::of::<__AloneProgram>(&graph.symbolic, &graph.values, &graph.layout, objects).unwrap();
    let changes = graph.evaluated.changes(&whole);
    prop_assert!(changes.are_values_only() && changes.values.is_empty(), "{:?}", changes);
    let plans = [&*graph.plan, &*other.plan];
    prop_assert_eq!(structural(plans[0], plans[1]), None);
    prop_assert!(plans[0].program == plans[1].program && plans[0].regions == plans[1].regions);
    let bindings = graph.memory.bindings(plans[0]);
    let others = touched(plans, [&bindings, &bindings]);
    let others: Vec<_> = others.iter().map(|node| &*plans[0].program.node(*node).label).collect();
    // Closures are compared by how often their values were set.
    prop_assert!(others == ["host"] || others.is_empty(), "{:?}", others);
    Ok(())
}

/// What the last change came to, without the closure: `set_values` makes all of them anew.
fn told(graph: &Alone<'_>) -> (bool, Vec<String>) {
    match graph.last_update() {
        Some(crate::Update::Patched(touched)) => {
            (true, touched.labels().filter(|label| *label != "host").map(str::to_owned).collect())
        }
        Some(crate::Update::Updated(touched)) => {
            (false, touched.labels().filter(|label| *label != "host").map(str::to_owned).collect())
        }
        other => (false, vec![format!("{other:?}")]),
    }
}

#[test]
fn values_that_nodes_are_passed_are_evaluated_alone() {
    let mut graph = built();
    let mut alone = |number: u32| {
        let (values, evaluated) = (graph.values.clone(), &mut graph.evaluated);
        evaluated.again::<__AloneProgram>(&values, number).is_some_and(|revalued| {
            assert!(revalued.changes().is_some_and(|changes| changes.values.is_empty()), "nothing was set");
            true
        })
    };
    // In the order of the parameters.
    let expected = [
        ("direct", true),
        ("twice", true),
        ("looped", true),
        ("chosen", true),
        ("inside", true),
        ("test", true),
        ("steps", false),
        ("touched", true),
        ("rounds", false),
        ("wide", false),
        ("lost", true),
        ("filled", true),
        ("unsure", false),
        ("first", false),
        ("called", false),
    ];
    for (number, (name, is_alone)) in (0..).zip(expected) {
        assert_eq!(alone(number), is_alone, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn setters_come_to_what_a_whole_evaluation_comes_to(sets in prop::collection::vec(any_set(), 1..12)) {
        let (mut graph, mut twin) = (built(), built());
        for set in sets {
            match (set.apply(&mut graph), set.apply_whole(&mut twin)) {
                (Ok(()), Ok(())) => prop_assert_eq!(told(&graph), told(&twin)),
                (Err(one), Err(other)) => prop_assert_eq!(one.to_string(), other.to_string()),
                (one, other) => prop_assert!(false, "{:?} but {:?}", one.err(), other.err()),
            }
            is_whole(&graph, &twin)?;
            prop_assert_eq!(results(&mut graph), results(&mut twin));
        }
    }
}
