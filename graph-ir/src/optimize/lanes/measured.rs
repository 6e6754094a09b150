//! The model beside what an NVIDIA H200 with driver 580 took: graphs of one-block kernels on so many lanes, microseconds from the call until
//! all is over, read off before there were gates (medians of `cuGraphLaunch`, raw driver API).

use super::tests::Case;
use super::*;

/// What lies between a kernel and the next one on its lane.
const BETWEEN: u64 = 500;

/// Lanes, and what was measured.
type Measured<'m> = &'m [(u32, u32)];

/// In microseconds.
fn estimated(case: &Case, lanes: u32, costs: Costs) -> f64 {
    let laid = case.lay(lanes);
    let (order, edges) = laid.as_ref().map_or((&case.order, &case.edges), |laid| (&laid.order, &laid.edges));
    let durations = |node: NodeId| case.durations[node.0 as usize];
    let given = Given { order, edges, fusion: &case.fusion, durations: &durations, urgency: Urgency::LongestPath };
    let nanoseconds = estimate(&case.program, given, costs).unwrap();
    f64::from(u32::try_from(nanoseconds).unwrap()) / 1000.0
}

/// Each estimate is near what was measured, and the lanes with the shortest one took little longer than the best.
fn check(name: &str, case: Case, duration: u64, measured: Measured<'_>, off: f64) {
    check_at(Costs::GRAPH, name, case, duration, measured, off);
}

fn check_at(costs: Costs, name: &str, mut case: Case, duration: u64, measured: Measured<'_>, off: f64) {
    case.durations.fill(duration + BETWEEN);
    let estimates: Vec<_> = measured.iter().map(|(lanes, _)| estimated(&case, *lanes, costs)).collect();
    for ((lanes, took), estimate) in measured.iter().zip(&estimates) {
        let ratio = estimate / f64::from(*took);
        assert!((1.0 / off..off).contains(&ratio), "{name}, {lanes} lanes: {estimate:.0} for {took}");
    }
    let chosen = (0..measured.len()).min_by(|one, other| estimates[*one].total_cmp(&estimates[*other])).unwrap();
    let best = measured.iter().map(|(_, took)| *took).min().unwrap();
    let took = measured[chosen].1;
    assert!(
        f64::from(took) <= 1.1 * f64::from(best),
        "{name}: {took} on {} lanes, and {best} is best",
        measured[chosen].0
    );
}

#[test]
fn nodes_that_wait_for_nothing() {
    let independent = |count| Case::kernels(count, &[]);
    let of = |count, micros: u64, measured: Measured<'_>| {
        check(&format!("{count} of {micros} µs"), independent(count), micros * 1000, measured, 1.35);
    };
    of(100, 0, &[(4, 26), (8, 26), (16, 27), (32, 39), (64, 72), (100, 107)]);
    of(1000, 0, &[(4, 204), (8, 181), (16, 179), (32, 179), (64, 180), (128, 179), (1000, 1083)]);
    of(100, 5, &[(1, 557), (4, 148), (8, 82), (16, 57), (32, 56), (64, 71), (100, 111)]);
    of(1000, 5, &[(8, 704), (16, 370), (32, 221), (64, 212), (128, 206), (1000, 1135)]);
    of(100, 20, &[(1, 2056), (4, 523), (8, 277), (16, 155), (32, 101), (64, 89), (100, 124)]);
    of(1000, 20, &[(4, 5134), (8, 2577), (16, 1309), (32, 684), (64, 381), (128, 286), (1000, 1190)]);
}

#[test]
fn nodes_behind_a_gate_at_the_start() {
    let of = |count, micros: u64, measured: Measured<'_>| {
        let name = format!("{count} of {micros} µs behind a gate");
        check_at(Costs::STARTED, &name, Case::kernels(count, &[]), micros * 1000, measured, 1.35);
    };
    of(100, 0, &[(32, 28), (100, 31)]);
    of(100, 3, &[(32, 33), (100, 34)]);
    of(100, 60, &[(32, 258), (100, 92)]);
    of(1000, 0, &[(32, 182), (128, 188), (1000, 308)]);
    of(1000, 3, &[(32, 193), (128, 196), (1000, 331)]);
    of(1000, 10, &[(32, 362), (128, 207), (1000, 372)]);
}

/// Each waits for its neighbours in the row before.
fn stencil(wide: u32, rows: u32) -> Case {
    let near = |at: u32| at.saturating_sub(1)..(at + 2).min(wide);
    let row =
        |row: u32| (0..wide).flat_map(move |at| near(at).map(move |near| ((row - 1) * wide + near, row * wide + at)));
    Case::kernels(wide * rows, &(1..rows).flat_map(row).collect::<Vec<_>>())
}

#[test]
fn a_stencil() {
    let of = |micros: u64, measured: Measured<'_>| {
        check(&format!("stencil of {micros} µs"), stencil(64, 32), micros * 1000, measured, 1.35);
    };
    of(0, &[(4, 548), (8, 410), (16, 431), (32, 477), (64, 630)]);
    of(3, &[(4, 2002), (8, 1044), (16, 582), (32, 513), (64, 669)]);
    of(10, &[(4, 5584), (8, 2825), (16, 1453), (32, 779), (64, 703)]);
}

/// A decomposition in tiles: which tile a node changes and which it reads, the last change of each decides.
fn cholesky(tiles: usize) -> Case {
    let (mut last, mut pairs, mut count) = (vec![None; tiles * tiles], Vec::new(), 0);
    let mut node = |own: usize, reads: &[usize]| {
        pairs.extend(reads.iter().chain([&own]).filter_map(|tile| Some((last[*tile]?, count))));
        last[own] = Some(count);
        count += 1;
    };
    for k in 0..tiles {
        let tile = |row: usize, column: usize| row * tiles + column;
        node(tile(k, k), &[]);
        (k + 1..tiles).for_each(|i| node(tile(i, k), &[tile(k, k)]));
        for i in k + 1..tiles {
            node(tile(i, i), &[tile(i, k)]);
            (k + 1..i).for_each(|j| node(tile(i, j), &[tile(i, k), tile(j, k)]));
        }
    }
    pairs.sort_unstable();
    Case::kernels(count, &pairs)
}

#[test]
fn a_cholesky_decomposition() {
    let of = |micros: u64, measured: Measured<'_>| {
        check(&format!("Cholesky of {micros} µs"), cholesky(20), micros * 1000, measured, 1.35);
    };
    of(0, &[(4, 315), (8, 273), (16, 285), (32, 289), (64, 318), (190, 350)]);
    of(3, &[(4, 1419), (8, 744), (16, 435), (32, 356), (64, 423), (190, 508)]);
    of(10, &[(4, 4138), (8, 2136), (16, 1172), (32, 755), (64, 793), (190, 931)]);
}
