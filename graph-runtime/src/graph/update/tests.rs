//! Setters in any order against graphs that are built with the values: the same plan, the same results, the same refusals.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::Update;
use crate::plan::{Plan, structural, touched};
use crate::prelude::*;

const LENGTH: usize = 16;

cuda_graph! {
    graph Everything(
        x: &mut [f32; LENGTH],
        y: &mut [f32; LENGTH],
        k: &mut [u32; 4 * LENGTH],
        s: &mut [f32; 2],
        on: &[u32; 1],
        factor: f32,
        pattern: f32,
        stride: usize,
        base: u32,
        top: f32,
        rounds: usize,
        wide: bool,
        part: usize,
        first: usize <= LENGTH,
        cap: usize,
    ) {
        'filled: fill(&out y, pattern);
        'scaled: kernel for i in 0..LENGTH { y[i] = y[i] + x[i] * factor; }
        'strided: kernel for i in 0..LENGTH { k[i * stride] = base + i as u32; }
        'added: s[0] = (0..LENGTH).map(|i| y[i] * factor).sum();
        'started: s[1] = pattern;
        while s[1] < top limit cap { 'grown: s[1] += factor + 1.0; }
        'checked: assert!(s[0] < 1.0e9, "the sum of {LENGTH} with {factor}");
        if on[0] > base { 'chosen: kernel for i in 0..LENGTH { y[i] += factor; } }
        match on[0] {
            1 => { s[0] = s[0] + pattern; }
            _ => { 'other: fill(&out s, factor); }
        }
        for round in 0..rounds { 'round: kernel for i in 0..LENGTH { y[i] += (round as f32) * factor; } }
        if wide { 'widened: fill(&out k, base); }
        'copied: copy(&x[..part], &out y[LENGTH - part..]);
        'begun: kernel for i in 0..first { x[i] = x[i] + pattern; }
        host(|| assert!(pattern < 100.0));
    }
}

/// All values of the graph.
#[derive(Clone, Copy, Debug)]
struct Values {
    factor: f32,
    pattern: f32,
    stride: usize,
    base: u32,
    top: f32,
    rounds: usize,
    wide: bool,
    part: usize,
    first: usize,
    cap: usize,
}

const AT_FIRST: Values = Values {
    factor: 0.5,
    pattern: 1.0,
    stride: 1,
    base: 0,
    top: 4.0,
    rounds: 2,
    wide: false,
    part: 4,
    first: 8,
    cap: 10,
};

/// One setter's call.
#[derive(Clone, Copy, Debug)]
enum Set {
    Factor(f32),
    Pattern(f32),
    Stride(usize),
    Base(u32),
    Top(f32),
    Rounds(usize),
    Wide(bool),
    Part(usize),
    First(usize),
    Cap(usize),
}

fn any_set() -> impl Strategy<Value = Set> {
    prop_oneof![
        4 => (-4_i8..4).prop_map(|value| Set::Factor(f32::from(value) / 2.0)),
        3 => (0_i8..4).prop_map(|value| Set::Pattern(f32::from(value))),
        3 => (0_usize..6).prop_map(Set::Stride),
        2 => (0_u32..3).prop_map(Set::Base),
        2 => (0_i8..9).prop_map(|value| Set::Top(f32::from(value))),
        1 => (0_usize..4).prop_map(Set::Rounds),
        1 => any::<bool>().prop_map(Set::Wide),
        1 => (0..=LENGTH + 1).prop_map(Set::Part),
        2 => (0..=LENGTH + 1).prop_map(Set::First),
        1 => (0_usize..12).prop_map(Set::Cap),
    ]
}

impl Set {
    fn apply(self, graph: &mut Everything<'_>, values: &mut Values) -> Result<()> {
        match self {
            Self::Factor(value) => graph.set_factor(value).map(|()| values.factor = value),
            Self::Pattern(value) => graph.set_pattern(value).map(|()| values.pattern = value),
            Self::Stride(value) => graph.set_stride(value).map(|()| values.stride = value),
            Self::Base(value) => graph.set_base(value).map(|()| values.base = value),
            Self::Top(value) => graph.set_top(value).map(|()| values.top = value),
            Self::Rounds(value) => graph.set_rounds(value).map(|()| values.rounds = value),
            Self::Wide(value) => graph.set_wide(value).map(|()| values.wide = value),
            Self::Part(value) => graph.set_part(value).map(|()| values.part = value),
            Self::First(value) => graph.set_first(value).map(|()| values.first = value),
            Self::Cap(value) => graph.set_cap(value).map(|()| values.cap = value),
        }
    }

    /// The values with this one, whether they are allowed or not.
    fn wanted(self, values: Values) -> Values {
        match self {
            Self::Factor(factor) => Values { factor, ..values },
            Self::Pattern(pattern) => Values { pattern, ..values },
            Self::Stride(stride) => Values { stride, ..values },
            Self::Base(base) => Values { base, ..values },
            Self::Top(top) => Values { top, ..values },
            Self::Rounds(rounds) => Values { rounds, ..values },
            Self::Wide(wide) => Values { wide, ..values },
            Self::Part(part) => Values { part, ..values },
            Self::First(first) => Values { first, ..values },
            Self::Cap(cap) => Values { cap, ..values },
        }
    }
}

fn built(device: &Device, values: Values) -> Result<Everything<'static>> {
    let Values { factor, pattern, stride, base, top, rounds, wide, part, first, cap } = values;
    let (x, y, k) = (device.zeros(LENGTH)?, device.zeros(LENGTH)?, device.zeros(4 * LENGTH)?);
    let (s, on) = (device.zeros(2)?, device.buffer_from(&[1_u32])?);
    let buffers = (x, y, k, s, on);
    let (x, y, k, s, on) = buffers;
    EverythingArgs { x, y, k, s, on, factor, pattern, stride, base, top, rounds, wide, part, first, cap }.build(device)
}

/// Poisons what is written, runs, and returns everything as bits.
fn results(graph: &mut Everything<'_>) -> std::result::Result<Vec<u32>, String> {
    let x: Vec<f32> = (0..LENGTH as u16).map(f32::from).collect();
    let written = (|| {
        graph.x_mut()?.write_from(&x)?;
        graph.y_mut()?.write_from(&[f32::NAN; LENGTH])?;
        graph.k_mut()?.write_from(&[u32::MAX; 4 * LENGTH])?;
        graph.s_mut()?.write_from(&[f32::NAN; 2])?;
        graph.launch()?;
        graph.synchronize()?;
        let floats = [graph.x().to_vec()?, graph.y().to_vec()?, graph.s().to_vec()?].concat();
        Ok::<_, Error>(floats.into_iter().map(f32::to_bits).chain(graph.k().to_vec()?).collect())
    })();
    written.map_err(|error| error.to_string())
}

fn same_plan(one: &Everything<'_>, other: &Everything<'_>) -> TestCaseResult {
    let [plan, fresh]: [&Plan; 2] = [&one.plan, &other.plan];
    prop_assert_eq!(structural(plan, fresh), None);
    prop_assert!(plan.program == fresh.program && plan.regions == fresh.regions && plan.arena == fresh.arena);
    prop_assert!(plan.bound == fresh.bound && plan.elements == fresh.elements && plan.statics == fresh.statics);
    let bindings = one.memory.bindings(plan);
    let others = touched([plan, fresh], [&bindings, &bindings]);
    let others: Vec<_> = others.iter().map(|node| &*plan.program.node(*node).label).collect();
    // Closures are compared by how often their values were set.
    prop_assert!(others == ["host"] || others.is_empty(), "{:?}", others);
    prop_assert_eq!(one.plan().to_string(), other.plan().to_string());
    Ok(())
}

#[test]
fn another_graph_takes_the_place_of_one() {
    let device = Device::cpu();
    let mut graph = built(&device, AT_FIRST).unwrap();
    results(&mut graph).unwrap();
    let values = Values { factor: 2.0, part: 3, first: 4, ..AT_FIRST };
    let mut fresh = built(&device, values).unwrap();
    let update = graph.update_from(built(&device, values).unwrap()).unwrap();
    // Every node with a buffer has another one.
    assert!(matches!(update, Update::Updated(touched) if touched.len() > 10), "{update}");
    same_plan(&graph, &fresh).unwrap();
    assert_eq!(results(&mut graph), results(&mut fresh));
    graph.set_factor(0.5).unwrap();
    fresh.set_factor(0.5).unwrap();
    assert_eq!(graph.last_update().and_then(Update::touched), Some(8), "the setters go by the new values");
    assert_eq!(results(&mut graph), results(&mut fresh));
}

#[test]
fn a_graph_of_another_shape_takes_the_place_with_the_reason() {
    let device = Device::cpu();
    let mut graph = built(&device, AT_FIRST).unwrap();
    let values = Values { rounds: 1, ..AT_FIRST };
    let mut fresh = built(&device, values).unwrap();
    let Update::Rebuilt { reason, node } = graph.update_from(built(&device, values).unwrap()).unwrap() else {
        panic!()
    };
    assert!(reason.starts_with("the `for` at ") && reason.ends_with("makes 1 pass, and made 2"), "{reason}");
    assert_eq!(node.as_deref(), Some("round[1]"));
    assert_eq!(results(&mut graph), results(&mut fresh));
    let other = built(&Device::dry(), values).unwrap();
    let refused = graph.update_from(other).unwrap_err().to_string();
    assert!(refused.contains("cannot take the place of graph `Everything`, which is built on"), "{refused}");
    assert_eq!(results(&mut graph), results(&mut fresh), "nothing has changed");
}

#[test]
fn a_rebind_of_a_like_buffer_leaves_the_plan() {
    let device = Device::cpu();
    let mut graph = built(&device, AT_FIRST).unwrap();
    for _ in 0..2 {
        graph.rebind_x(device.zeros(LENGTH).unwrap()).unwrap();
        let Some(Update::Patched(touched)) = graph.last_update() else { panic!("{:?}", graph.last_update()) };
        assert_eq!(touched.labels().collect::<Vec<_>>(), ["scaled", "copied", "begun"]);
    }
    let mut fresh = built(&device, AT_FIRST).unwrap();
    assert_eq!(results(&mut graph), results(&mut fresh));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn setters_make_the_plan_that_a_build_makes(sets in prop::collection::vec(any_set(), 1..12)) {
        let device = Device::cpu();
        let mut values = AT_FIRST;
        let mut graph = built(&device, values).unwrap();
        for set in sets {
            let fresh = built(&device, set.wanted(values));
            match (set.apply(&mut graph, &mut values), fresh) {
                (Ok(()), Ok(mut fresh)) => {
                    same_plan(&graph, &fresh)?;
                    prop_assert_eq!(results(&mut graph), results(&mut fresh));
                }
                (Err(error), Err(refused)) => {
                    prop_assert_eq!(error.to_string(), refused.to_string());
                    let mut before = built(&device, values).unwrap();
                    same_plan(&graph, &before)?;
                    prop_assert_eq!(results(&mut graph), results(&mut before));
                }
                (set, built) => prop_assert!(false, "{:?} but {:?}", set.err(), built.err()),
            }
        }
    }
}

#[test]
fn an_update_says_what_it_has_touched() {
    let mut graph = built(&Device::cpu(), AT_FIRST).unwrap();
    assert_eq!(graph.last_update(), None);
    let text = |graph: &Everything<'_>| graph.last_update().map(ToString::to_string).unwrap_or_default();
    graph.set_top(5.0).unwrap();
    assert_eq!(text(&graph), "patched 1 node: `while`");
    graph.set_factor(0.25).unwrap();
    let Some(Update::Patched(touched)) = graph.last_update() else { panic!("{}", text(&graph)) };
    let labels = ["scaled", "added", "grown", "checked", "chosen", "other", "round[0]", "round[1]"];
    assert_eq!(touched.labels().collect::<Vec<_>>(), labels);
    graph.set_stride(2).unwrap();
    assert_eq!(text(&graph), "patched 1 node: `strided`");
    graph.set_part(5).unwrap();
    assert_eq!(text(&graph), "updated 1 node: `copied`");
    assert!(graph.set_stride(0).is_err());
    assert_eq!(text(&graph), "updated 1 node: `copied`", "nothing was changed");
}

#[test]
fn a_structural_value_is_named_with_what_it_decides() {
    let mut graph = built(&Device::cpu(), AT_FIRST).unwrap();
    let reason = |graph: &Everything<'_>| match graph.last_update() {
        Some(Update::Rebuilt { reason, .. }) => reason.clone(),
        other => panic!("{other:?}"),
    };
    graph.set_rounds(5).unwrap();
    let place = |text: &str| {
        let line = include_str!("tests.rs").lines().position(|line| line.contains(text)).unwrap() + 1;
        format!("{}:{line}:", file!())
    };
    let told = reason(&graph);
    assert!(
        told.starts_with("`rounds` is structural: the `for` at ") && told.contains(&place("for round in 0..rounds"))
    );
    assert!(told.ends_with(" makes 5 passes, and made 2"), "{told}");
    graph.set_wide(true).unwrap();
    let told = reason(&graph);
    assert!(told.starts_with("`wide` is structural: it decides by `wide` at ") && told.contains(&place("if wide {")));
    assert!(told.ends_with(" which statements there are"), "{told}");
}
