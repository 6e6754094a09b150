use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};

use std::cell::Cell;

use super::*;
use crate::analysis::{dependences, topological};
use crate::model::{Mode, RegionId, Shape};
use crate::optimize::{leave_out, reduce};
use crate::testing::{Builder, Use, number, overwrite, read, update};

fn ordered(program: &Program) -> (Vec<NodeId>, Vec<Edge>) {
    let edges = reduce(program, RegionId::GRAPH, &dependences(program, RegionId::GRAPH));
    (topological(&program.region(RegionId::GRAPH).nodes, &edges).unwrap(), edges)
}

fn found(program: &Program) -> Vec<Merged> {
    let (order, edges) = ordered(program);
    merging(program, &order, &edges, &|_| Some(()))
}

/// Who is merged into whom, of a graph with `x` and `y` of twelve elements.
fn merged<R>(write: impl FnOnce(&mut Builder, [BufferId; 2]) -> R) -> Vec<(NodeId, Vec<NodeId>)> {
    let mut block = Builder::new("g");
    let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(12)));
    write(&mut block, [x, y]);
    found(&block.finish()).into_iter().map(|merged| (merged.into, merged.nodes)).collect()
}

#[test]
fn neighbours_are_one_in_any_order_of_the_text() {
    let all = merged(|block, [x, _]| {
        block.fill("high", overwrite(x).range(8, 12));
        block.fill("low", overwrite(x).range(0, 4));
        block.fill("between", overwrite(x).range(4, 8));
        block.kernel("reads", &[update(x)]);
    });
    assert_eq!(all, [(NodeId(0), vec![NodeId(1), NodeId(2)])]);
    let apart = merged(|block, [x, y]| {
        block.fill("low", overwrite(x).range(0, 4));
        block.fill("high", overwrite(x).range(5, 8));
        block.fill("elsewhere", overwrite(y).range(4, 8));
    });
    assert_eq!(apart, []);
}

#[test]
fn copies_go_on_on_both_sides() {
    let copies = |second: u64| {
        merged(|block, [x, y]| {
            block.copy("low", read(x).range(0, 4), overwrite(y).range(2, 6));
            block.copy("high", read(x).range(second, second + 4), overwrite(y).range(6, 10));
        })
    };
    assert_eq!((copies(4), copies(5)), (vec![(NodeId(0), vec![NodeId(1)])], vec![]));
}

#[test]
fn nobody_waits_for_more() {
    let read_apart = merged(|block, [x, y]| {
        block.fill("low", overwrite(x).range(0, 6));
        block.fill("high", overwrite(x).range(6, 12));
        block.kernel("reads one", &[read(x).range(0, 6), update(y)]);
    });
    assert_eq!(read_apart, [], "the kernel does not wait for the second");
    let late = merged(|block, [x, y]| {
        block.kernel("k", &[update(x).range(0, 6), update(y)]);
        block.fill("behind it", overwrite(x).range(0, 6));
        block.fill("behind nothing", overwrite(x).range(6, 12));
    });
    assert_eq!(late, []);
}

#[test]
fn what_may_be_switched_off_stays_by_itself() {
    let some = merged(|block, [x, _]| {
        let low = block.fill("low", overwrite(x).range(0, 6));
        block.fill("high", overwrite(x).range(6, 12));
        block.program().nodes[low.0 as usize].optional = true;
    });
    assert_eq!(some, []);
}

#[test]
fn other_values_stay_apart() {
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(12));
    for part in 0..4 {
        block.fill("part", overwrite(x).range(3 * part, 3 * part + 3));
    }
    let program = block.finish();
    let (order, edges) = ordered(&program);
    let pairs = merging(&program, &order, &edges, &|node| Some(node.0 / 2));
    assert_eq!(pairs.iter().map(|pair| (pair.into.0, pair.nodes[0].0)).collect::<Vec<_>>(), [(0, 1), (2, 3)]);
    assert_eq!(merging(&program, &order, &edges, &|_| None::<()>), []);
}

#[test]
fn tiles_make_up_a_matrix_and_rows_in_another_order_do_not() {
    let mut block = Builder::new("g");
    let matrix = || Shape::new(&[number(4), number(6)]);
    let [a, b] = ["a", "b"].map(|name| block.parameter(name, Mode::Update, matrix()));
    let tile =
        |used: Use, [i, j]: [u64; 2]| used.ranges(&[Range::known(2 * i, 2 * i + 2), Range::known(3 * j, 3 * j + 3)]);
    for at in [[1, 1], [0, 0], [0, 1], [1, 0]] {
        block.copy("tile", tile(read(a), at), tile(overwrite(b), at));
    }
    let program = block.finish();
    let [all] = &found(&program)[..] else { panic!("one") };
    assert_eq!((all.into, all.nodes.len(), all.footprints[1]), (NodeId(0), 3, Footprint::whole(matrix())));

    let mut block = Builder::new("g");
    let line = block.parameter("line", Mode::Read, number(12));
    let m = block.parameter("m", Mode::Update, matrix());
    for j in 0..2 {
        block.copy("columns", read(line).range(6 * j, 6 * j + 6), tile(overwrite(m), [0, j]));
    }
    assert_eq!(found(&block.finish()), [], "in the line the tiles come one behind the other, in the matrix row by row");
}

/// A box of a matrix of 4 by 6, or of a line of 24.
#[derive(Clone, Copy, Debug)]
struct Part {
    rows: (u64, u64),
    columns: (u64, u64),
}

#[derive(Clone, Copy, Debug)]
enum Statement {
    Fill(usize, Part),
    Copy([usize; 2], [Part; 2]),
    Kernel(usize, Part),
}

fn part() -> impl Strategy<Value = Part> {
    let rows = select(vec![(0, 2), (2, 4), (0, 4), (0, 1), (1, 2)]);
    let columns = select(vec![(0, 3), (3, 6), (0, 6), (0, 2), (2, 4)]);
    (rows, columns).prop_map(|(rows, columns)| Part { rows, columns })
}

fn statement() -> impl Strategy<Value = Statement> {
    let moved = |part: Part, by: u64| Part { rows: (part.rows.0 + by, part.rows.1 + by), ..part };
    prop_oneof![
        4 => (0..2_usize, part()).prop_map(|(buffer, part)| Statement::Fill(buffer, part)),
        4 => (0..2_usize, 0..2_usize, part(), 0..2_u64).prop_map(move |(from, to, part, by)| {
            let by = by.min(4 - part.rows.1);
            Statement::Copy([from, to + 2], [part, moved(part, by)])
        }),
        1 => (0..4_usize, part()).prop_map(|(buffer, part)| Statement::Kernel(buffer, part)),
    ]
}

/// A statement, or its two halves along a dimension.
fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let halved = |(statement, by_rows, halves): (Statement, bool, bool)| {
        if !halves || matches!(statement, Statement::Kernel(..)) {
            return vec![statement];
        }
        [0, 1].map(|half| halves_of(statement, by_rows, half)).to_vec()
    };
    let some = (statement(), any::<bool>(), any::<bool>()).prop_map(halved);
    proptest::collection::vec(some, 1..6).prop_map(|all| all.concat())
}

fn halves_of(statement: Statement, by_rows: bool, half: u64) -> Statement {
    let cut = |(start, end): (u64, u64)| {
        let middle = start.midpoint(end);
        if half == 0 { (start, middle) } else { (middle, end) }
    };
    let cut = |part: Part| {
        if by_rows { Part { rows: cut(part.rows), ..part } } else { Part { columns: cut(part.columns), ..part } }
    };
    match statement {
        Statement::Fill(at, part) => Statement::Fill(at, cut(part)),
        Statement::Copy(at, parts) => Statement::Copy(at, parts.map(cut)),
        Statement::Kernel(at, part) => Statement::Kernel(at, part),
    }
}

/// Buffers 0 and 2 are matrices, 1 and 3 lines: there a part is what its rows take, if it has whole ones, else its first row.
fn used(used: Use, buffer: usize, part: Part) -> Use {
    if buffer.is_multiple_of(2) {
        return used.ranges(&[Range::known(part.rows.0, part.rows.1), Range::known(part.columns.0, part.columns.1)]);
    }
    let count = (part.rows.1 - part.rows.0) * (part.columns.1 - part.columns.0);
    let start = if part.columns == (0, 6) { 6 * part.rows.0 } else { part.columns.0 * (part.rows.1 - part.rows.0) };
    used.range(start, start + count)
}

fn program(statements: &[Statement]) -> Program {
    let mut block = Builder::new("g");
    let buffers: Vec<BufferId> = (0..4)
        .map(|at| {
            let shape = if at % 2 == 0 { Shape::new(&[number(4), number(6)]) } else { Shape::from(number(24)) };
            block.parameter("b", Mode::Update, shape)
        })
        .collect();
    for statement in statements {
        match *statement {
            Statement::Fill(at, part) => drop(block.fill("fill", used(overwrite(buffers[at]), at, part))),
            Statement::Copy([from, to], parts) => {
                let (source, target) =
                    (used(read(buffers[from]), from, parts[0]), used(overwrite(buffers[to]), to, parts[1]));
                block.copy("copy", source, target);
            }
            Statement::Kernel(at, part) => drop(block.kernel("kernel", &[used(update(buffers[at]), at, part)])),
        }
    }
    block.finish()
}

/// The elements of an access, in order.
fn elements(program: &Program, access: &Access) -> Vec<u64> {
    let shape = program.buffer(access.buffer).shape;
    let width = shape.sizes().get(1).and_then(|size| size.known()).unwrap_or(1);
    let range = |axis: usize| access.footprint.ranges().get(axis).and_then(|range| range.numbers()).unwrap_or((0, 1));
    let (rows, columns) = (range(0), range(1));
    (rows.0..rows.1).flat_map(|row| (columns.0..columns.1).map(move |column| row * width + column)).collect()
}

/// From where to where each element goes; of a fill, to where.
fn pairs(program: &Program, node: NodeId) -> Vec<(u64, u64)> {
    let sides: Vec<Vec<u64>> = program.node(node).accesses.iter().map(|access| elements(program, access)).collect();
    sides[0].iter().copied().zip(sides[sides.len() - 1].iter().copied()).collect()
}

/// Who comes before whom, by any way.
fn closure(edges: &[Edge], nodes: usize) -> FxHashSet<(u32, u32)> {
    let mut all: FxHashSet<(u32, u32)> = edges.iter().map(|edge| (edge.from.0, edge.to.0)).collect();
    for middle in 0..nodes as u32 {
        for from in 0..nodes as u32 {
            for to in 0..nodes as u32 {
                if all.contains(&(from, middle)) && all.contains(&(middle, to)) {
                    all.insert((from, to));
                }
            }
        }
    }
    all
}

/// The same elements go to the same places, and the order of all others is what it was.
#[test]
fn what_is_merged_does_the_same_in_the_same_order() {
    let config = ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    };
    let count = Cell::new(0);
    let result = TestRunner::new(config).run(&statements(), |statements| {
        count.set(count.get() + does_the_same(&statements)?);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    assert!(count.get() > 500, "{count:?} were merged");
}

/// Says how many nodes others do.
fn does_the_same(statements: &[Statement]) -> Result<usize, TestCaseError> {
    let before = program(statements);
    let (mut order, edges) = ordered(&before);
    // Fills that stand far apart write different values.
    let alike =
        |node: NodeId| Some(if matches!(before.node(node).kind, NodeKind::Fill { .. }) { node.0 / 4 } else { 99 });
    let merged = merging(&before, &order, &edges, &alike);
    let mut after = before.clone();
    let mut left = edges.clone();
    Merged::drop_from(&merged, &mut order, &mut left);
    for one in &merged {
        one.widen(&mut after);
        let mut expected: Vec<_> = [one.into].iter().chain(&one.nodes).flat_map(|node| pairs(&before, *node)).collect();
        let mut is = pairs(&after, one.into);
        expected.sort_unstable();
        is.sort_unstable();
        prop_assert_eq!(is, expected);
        prop_assert!(one.nodes.iter().all(|node| alike(*node) == alike(one.into)));
    }
    let mut gone: Vec<NodeId> = merged.iter().flat_map(|merged| merged.nodes.clone()).collect();
    gone.sort_unstable();
    leave_out(&mut after, &gone);
    let kept = |pairs: FxHashSet<(u32, u32)>| -> FxHashSet<(u32, u32)> {
        pairs.into_iter().filter(|(from, to)| ![from, to].iter().any(|node| gone.contains(&NodeId(**node)))).collect()
    };
    let count = statements.len();
    let (all, fewer) = (kept(closure(&edges, count)), closure(&left, count));
    prop_assert_eq!(&all, &fewer, "of those that stay");
    prop_assert_eq!(&closure(&dependences(&after, RegionId::GRAPH), count), &fewer, "as the block would say it");
    prop_assert_eq!(order.len() + gone.len(), count);
    Ok(gone.len())
}
