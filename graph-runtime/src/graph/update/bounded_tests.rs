//! Setters of values with a bound against graphs that are built with the values: the same plan, the same results, the same refusals.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::Update;
use crate::graph::Graph;
use crate::plan::{structural, touched};
use crate::prelude::*;
use crate::program::Program;

const MOST: usize = 16;
const SIZE: usize = 40;

#[cuda_module("src/errors/kernels.cu")]
unsafe mod kernels {
    #[requires(n != 13)]
    pub fn scale(x: &mut [f32; n], by: f32, n: u32) {
        let _ = n;
        x.iter_mut().for_each(|x| *x *= by);
    }

    pub fn add(a: &[f32; n], b: &[f32; n], mut sum: Out<[f32; n]>, n: u32) {
        let _ = n;
        sum.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum = a + b);
    }
}

cuda_graph! {
    /// All that can go by a value with a bound.
    graph Sizes(
        x: &mut [f32; n],
        y: &out [f32; SIZE],
        z: &mut [f32; SIZE],
        rows: &mut [u32; (n, 3)],
        s: &mut [f32; 4],
        n: usize <= MOST,
        m: u32 <= 6,
        by: f32,
        at: usize,
    ) {
        let t: [f32; n];
        let sums: [f32; 2 * n];
        let table: [u32; (4, n)];
        'taken: copy(&x, &out t);
        'scaled: kernels::scale<<<n.div_ceil(4) + 1, 4>>>(&mut x, by, n as u32);
        'added: kernels::add<<<1, 64>>>(&x, &t, &out sums[n..], n as u32);
        'low: fill(&out sums[..n], 0.5);
        'high: fill(&out y[n..], by);
        'under: fill(&out y[..n], 2.0);
        'named: kernel for (i, j) in (0..n, 0..3) { rows[(i, j)] += 10 * m + j; }
        'table: kernel for (i, j) in (0..4, 0..n) { table[(i, j)] = i + j as u32; }
        'total: s[0] = (0..2 * n).map(|i| sums[i]).sum();
        'moved: copy(&sums[n..], &out z[at..at + n]);
        'rest: kernel for i in 0..SIZE - n { z[i + n] += 1.0; }
        for pass in 0..2 { 'pass: kernel for i in 0..n { z[i + pass] = z[i + pass] + table[(pass, i)] as f32; } }
        s[1] = 0.0;
        'counted: while s[1] < 100.0 limit n { s[1] += 1.0; }
        'known: s[2] = m as f32;
        if s[1] > 3.0 { 'some: kernels::scale<<<m + 1, 8>>>(&mut z[..m], 0.5, m); }
        'checked: assert!(s[1] < 100.0, "{n} of {m}");
    }

    /// What is only right for some values: `m` within `n`, and two pieces that do not meet.
    graph Narrow(x: &mut [f32; SIZE], y: &out [f32; SIZE], n: usize <= MOST, m: usize <= MOST, gap: usize) {
        let t: [f32; MOST];
        fill(&out y, 0.0);
        'begun: fill(&out t[..n], 1.5);
        'ended: fill(&out t[m + 2..], 2.5);
        'read: copy(&t[..m], &out y[..m]);
        'apart: copy(&x[..n], &out x[gap..gap + n]);
        'launched: kernels::scale<<<n, 32>>>(&mut x[..n], 3.0, m as u32);
        'shifted: kernel for i in 0..n { x[i + gap] = x[i]; }
    }
}

/// Poisons what is written, runs, and returns everything as bits.
fn sizes_run(graph: &mut Sizes<'_>) -> std::result::Result<Vec<u32>, String> {
    let numbers = |count: usize| (0..count as u16).map(f32::from).collect::<Vec<f32>>();
    let ran = (|| {
        graph.x_mut()?.write_from(&numbers(MOST))?;
        graph.y_mut()?.write_from(&[f32::NAN; SIZE])?;
        graph.z_mut()?.write_from(&numbers(SIZE))?;
        graph.s_mut()?.write_from(&[f32::NAN; 4])?;
        graph.rows_mut()?.write_from(&[7; 3 * MOST])?;
        graph.launch()?;
        graph.synchronize()?;
        let floats = [graph.x().to_vec()?, graph.y().to_vec()?, graph.z().to_vec()?, graph.s().to_vec()?].concat();
        let rows = graph.rows().to_vec()?;
        Ok::<_, Error>(floats.into_iter().map(f32::to_bits).chain(rows).collect())
    })();
    ran.map_err(|error| error.to_string())
}

fn sizes([n, m, by, at]: [usize; 4]) -> Result<Sizes<'static>> {
    let device = Device::cpu();
    let (x, y, z) = (device.zeros(MOST)?, device.zeros(SIZE)?, device.zeros(SIZE)?);
    let (rows, s) = (device.zeros(3 * MOST)?, device.zeros(4)?);
    SizesArgs { x, y, z, rows, s, n, m: m as u32, by: by as f32, at }.build(&device)
}

fn narrow([n, m, gap]: [usize; 3]) -> Result<Narrow<'static>> {
    let device = Device::cpu();
    NarrowArgs { x: device.zeros(SIZE)?, y: device.zeros(SIZE)?, n, m, gap }.build(&device)
}

fn narrow_run(graph: &mut Narrow<'_>) -> Result<Vec<f32>> {
    graph.x_mut()?.write_from(&(0..SIZE as u16).map(f32::from).collect::<Vec<_>>())?;
    graph.y_mut()?.write_from(&[f32::NAN; SIZE])?;
    graph.launch()?;
    graph.synchronize()?;
    Ok([graph.x().to_vec()?, graph.y().to_vec()?].concat())
}

fn same_plan<P: Program>(one: &Graph<'_, P>, other: &Graph<'_, P>) -> TestCaseResult {
    let [plan, fresh] = [&*one.plan, &*other.plan];
    prop_assert_eq!(structural(plan, fresh), None);
    for (is, wanted) in plan.program.nodes.iter().zip(&fresh.program.nodes) {
        prop_assert_eq!(is, wanted);
    }
    prop_assert!(plan.program == fresh.program && plan.regions == fresh.regions && plan.arena == fresh.arena);
    prop_assert!(plan.bound == fresh.bound && plan.elements == fresh.elements && plan.statics == fresh.statics);
    let bindings = one.memory.bindings(plan);
    prop_assert_eq!(touched([plan, fresh], [&bindings, &bindings]), []);
    prop_assert_eq!(one.plan().to_string(), other.plan().to_string());
    Ok(())
}

/// Sets one of the values by its number.
fn set_size(graph: &mut Sizes<'_>, which: usize, value: usize) -> Result<()> {
    match which {
        0 => graph.set_n(value),
        1 => graph.set_m(value as u32),
        2 => graph.set_by(value as f32),
        _ => graph.set_at(value),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sizes_are_those_of_a_build(
        sets in prop::collection::vec(
            prop_oneof![
                6 => (Just(0_usize), 0..=MOST + 1),
                3 => (Just(1_usize), 0_usize..8),
                1 => (Just(2_usize), 1_usize..4),
                1 => (Just(3_usize), 0_usize..30),
            ],
            1..14,
        ),
    ) {
        let mut values = [8, 3, 2, 4];
        let mut graph = sizes(values).unwrap();
        for (which, value) in sets {
            let mut wanted = values;
            wanted[which] = value;
            match (set_size(&mut graph, which, value), sizes(wanted)) {
                (Ok(()), Ok(mut fresh)) => {
                    values = wanted;
                    same_plan(&graph, &fresh)?;
                    prop_assert_eq!(sizes_run(&mut graph), sizes_run(&mut fresh));
                }
                (Err(error), Err(refused)) => {
                    prop_assert_eq!(error.to_string(), refused.to_string());
                    let mut before = sizes(values).unwrap();
                    same_plan(&graph, &before)?;
                    prop_assert_eq!(sizes_run(&mut graph), sizes_run(&mut before));
                }
                (set, built) => prop_assert!(false, "{:?} but {:?}", set.err(), built.err()),
            }
        }
    }

    #[test]
    fn what_some_values_break_is_refused_as_a_build_refuses_it(
        sets in prop::collection::vec((0_usize..3, 0..=MOST + 8), 1..14),
    ) {
        let mut values = [8, 7, 20];
        let mut graph = narrow(values).unwrap();
        for (which, value) in sets {
            let mut wanted = values;
            wanted[which] = value;
            let set = match which {
                0 => graph.set_n(value),
                1 => graph.set_m(value),
                _ => graph.set_gap(value),
            };
            match (set, narrow(wanted)) {
                (Ok(()), Ok(mut fresh)) => {
                    values = wanted;
                    same_plan(&graph, &fresh)?;
                    prop_assert_eq!(narrow_run(&mut graph).unwrap(), narrow_run(&mut fresh).unwrap());
                }
                (Err(error), Err(refused)) => {
                    prop_assert_eq!(error.to_string(), refused.to_string());
                    same_plan(&graph, &narrow(values).unwrap())?;
                }
                (set, built) => prop_assert!(false, "{:?} but {:?}", set.err(), built.err()),
            }
        }
    }
}

#[test]
fn a_value_within_its_bound_patches_who_goes_by_it() {
    let mut graph = sizes([8, 3, 2, 4]).unwrap();
    let labels = |graph: &Sizes<'_>| match graph.last_update() {
        Some(Update::Patched(touched)) => touched.labels().map(str::to_owned).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    for n in [9, 12, 5] {
        graph.set_n(n).unwrap();
        let all = ["taken", "scaled", "added", "low", "high", "under", "named", "table", "total", "moved", "rest"];
        assert_eq!(labels(&graph), [&all[..], &["counted", "checked", "pass[0]", "pass[1]"]].concat());
    }
    graph.set_m(2).unwrap();
    assert_eq!(labels(&graph), ["named", "known", "some", "checked"]);
    graph.set_n(5).unwrap();
    assert_eq!(labels(&graph), Vec::<String>::new());
    same_plan(&graph, &sizes([5, 2, 2, 4]).unwrap()).unwrap();
    // `z[..m]` ends with what `pass` begins with only while `m` is less than `at`.
    graph.set_m(4).unwrap();
    assert!(matches!(graph.last_update(), Some(Update::Updated(_))), "{:?}", graph.last_update());
    let refused = graph.set_n(13).unwrap_err().to_string();
    assert!(refused.contains("`scale` requires `n!= 13`"), "{refused}");
    same_plan(&graph, &sizes([5, 4, 2, 4]).unwrap()).unwrap();
}

#[test]
fn a_plan_that_somebody_looks_at_stays_as_it_is() {
    let mut graph = sizes([8, 3, 2, 4]).unwrap();
    let views: Vec<_> = (6..12)
        .map(|n| {
            graph.set_n(n).unwrap();
            (n, graph.plan())
        })
        .collect();
    for (n, view) in views {
        assert_eq!(view.to_string(), sizes([n, 3, 2, 4]).unwrap().plan().to_string());
    }
}

cuda_graph! {
    /// The less `n` is, the more there is of `t` and `x`.
    graph Shrinks(n: usize <= 64, m: usize <= 64, x: &mut [f32; 100 - m], y: &mut [f32; 64]) {
        let t: [f32; 100 - n] = 1.0;
        copy(&t[..10], &out y[..10]);
        fill(&out x, 2.0);
    }
}

#[test]
fn a_buffer_that_is_larger_for_a_smaller_value_is_refused() {
    let device = Device::cpu();
    let built = |n, m| ShrinksArgs { n, m, x: device.zeros(36).unwrap(), y: device.zeros(64).unwrap() }.build(&device);
    let mut graph = built(64, 64).unwrap();
    let large = graph.set_n(2).unwrap_err().to_string();
    assert!(large.contains("`t` has 98 elements, and 36 where every value is its bound [CG0206]"), "{large}");
    assert!(large.contains("memory is that of the bounds, and `100 - n` is more for smaller values"), "{large}");
    assert_eq!(built(2, 64).unwrap_err().to_string(), large);
    let large = graph.set_m(63).unwrap_err().to_string();
    assert!(large.contains("`x` has 37 elements, and 36 where every value is its bound [CG0206]"), "{large}");
    graph.set_n(64).unwrap();
    graph.launch().unwrap();
    graph.synchronize().unwrap();
    assert_eq!(graph.y().to_vec().unwrap()[..11], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
}
