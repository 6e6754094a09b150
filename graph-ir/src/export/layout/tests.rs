//! What every drawing must be, on random graphs and on a large one.

use proptest::prelude::*;

use super::{Layout, Rectangle, layout};
use crate::analysis::dependences_of_all;
use crate::export::data::GraphData;
use crate::export::describe;
use crate::model::{BufferId, Mode};
use crate::testing::{Builder, Head, number, overwrite, read, update};

/// What one statement of a random block is.
#[derive(Clone, Debug)]
enum Drawn {
    Kernel(Vec<(usize, bool)>),
    If(Vec<Drawn>, Vec<Drawn>),
    While(Vec<Drawn>),
}

fn kernel() -> impl Strategy<Value = Drawn> {
    prop::collection::vec((0..6_usize, any::<bool>()), 1..4).prop_map(Drawn::Kernel)
}

fn statements() -> impl Strategy<Value = Vec<Drawn>> {
    let one = kernel().prop_recursive(3, 60, 12, |inner| {
        let body = || prop::collection::vec(inner.clone(), 0..6);
        prop_oneof![
            8 => kernel(),
            1 => (body(), body()).prop_map(|(then, otherwise)| Drawn::If(then, otherwise)),
            1 => body().prop_map(Drawn::While),
        ]
    });
    prop::collection::vec(one, 0..30)
}

fn write(block: &mut Builder, buffers: &[BufferId], statements: &[Drawn]) {
    for statement in statements {
        match statement {
            Drawn::Kernel(uses) => {
                let of = |(buffer, writes): &(usize, bool)| {
                    let buffer = buffers[*buffer];
                    if *writes { update(buffer) } else { read(buffer) }
                };
                block.kernel("a kernel", &uses.iter().map(of).collect::<Vec<_>>());
            }
            Drawn::If(then, otherwise) => {
                let then = |block: &mut Builder| write(block, buffers, then);
                block.when_else(&[read(buffers[0])], then, |block| write(block, buffers, otherwise));
            }
            Drawn::While(body) => {
                let test = [read(buffers[0])];
                block.repeat(Head::on(&test).limit(number(3)), |block| write(block, buffers, body));
            }
        }
    }
}

fn data_of(block: Builder) -> GraphData {
    let program = block.finish();
    describe(&program, &dependences_of_all(&program)).data
}

fn apart(one: Rectangle, other: Rectangle) -> bool {
    let ([x, y, width, height], [left, top, w, h]) = (one, other);
    x + width <= left || left + w <= x || y + height <= top || top + h <= y
}

fn within(inner: Rectangle, outer: Rectangle) -> bool {
    let ([x, y, width, height], [left, top, w, h]) = (inner, outer);
    x >= left && y >= top && x + width <= left + w && y + height <= top + h
}

/// Boxes of one body are apart and inside it; edges lead down, from the box of one node to that of the other.
fn is_drawn(data: &GraphData, layout: &Layout) {
    for (body, drawn) in data.bodies.iter().zip(&layout.bodies) {
        for (at, node) in body.nodes.iter().enumerate() {
            let rectangle = layout.nodes[*node as usize];
            assert!(within(rectangle, *drawn), "{node}: {rectangle:?} leaves {drawn:?}");
            for other in &body.nodes[at + 1..] {
                let other_rectangle = layout.nodes[*other as usize];
                assert!(apart(rectangle, other_rectangle), "{node} and {other}: {rectangle:?} {other_rectangle:?}");
            }
        }
    }
    for (at, node) in data.nodes.iter().enumerate() {
        let drawn: Vec<_> = node.bodies.iter().map(|body| layout.bodies[*body as usize]).collect();
        assert!(drawn.iter().all(|body| within(*body, layout.nodes[at])));
        assert!(drawn.iter().enumerate().all(|(at, body)| drawn[at + 1..].iter().all(|other| apart(*body, *other))));
    }
    for (edge, points) in data.edges.iter().zip(&layout.edges) {
        let ([left, top, width, height], end) = (layout.nodes[edge.from as usize], layout.nodes[edge.to as usize]);
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!((left..=left + width).contains(&first[0]) && (first[1] - top - height).abs() <= 1);
        assert!((end[0]..=end[0] + end[2]).contains(&last[0]) && (last[1] - end[1]).abs() <= 1);
        assert!(points.windows(2).all(|pair| pair[0][1] <= pair[1][1]), "upwards: {points:?}");
    }
}

/// The straight parts of edges pass no box.
fn lines_pass_boxes(data: &GraphData, layout: &Layout) {
    for (edge, points) in data.edges.iter().zip(&layout.edges) {
        let body = &data.bodies[data.nodes[edge.from as usize].body as usize];
        for pair in points.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
            let line = [pair[0][0], pair[0][1], 0, pair[1][1] - pair[0][1]];
            let others = body.nodes.iter().filter(|node| **node != edge.from && **node != edge.to);
            for node in others {
                let [left, top, width, height] = layout.nodes[*node as usize];
                let inner = [left + 1, top + 1, width - 2, height - 2];
                assert!(apart(line, inner), "{edge:?} passes through {node}: {line:?} {inner:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn boxes_are_apart_and_edges_lead_down(statements in statements()) {
        let mut block = Builder::new("g");
        let buffers: Vec<_> = (0..6).map(|at| block.parameter(&format!("x{at}"), Mode::Update, number(8))).collect();
        write(&mut block, &buffers, &statements);
        let data = data_of(block);
        let layout = layout(&data);
        is_drawn(&data, &layout);
        lines_pass_boxes(&data, &layout);
    }
}

#[test]
fn independent_nodes_stand_in_several_rows() {
    let mut block = Builder::new("g");
    for at in 0..900 {
        let buffer = block.parameter(&format!("x{at}"), Mode::Overwrite, number(8));
        block.kernel("fill", &[overwrite(buffer)]);
    }
    let data = data_of(block);
    let layout = layout(&data);
    is_drawn(&data, &layout);
    let mut tops: Vec<i64> = layout.nodes.iter().map(|node| node[1]).collect();
    tops.dedup();
    assert_eq!(tops.len(), 30, "30 rows of 30");
}

#[test]
fn a_chain_is_straight() {
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(8));
    for _ in 0..50 {
        block.kernel("next", &[update(x)]);
    }
    let data = data_of(block);
    let layout = layout(&data);
    assert!(layout.nodes.iter().all(|node| node[0] == 0), "{:?}", layout.nodes);
    assert!(layout.edges.iter().all(|points| points.iter().all(|point| point[0] == points[0][0])));
}

#[test]
fn edges_from_one_node_share_a_line() {
    // `first` is read by each of a chain: its edges leave one line.
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(8));
    let y = block.parameter("y", Mode::Update, number(8));
    block.kernel("first", &[overwrite(x)]);
    for _ in 0..6 {
        block.kernel("next", &[read(x), update(y)]);
    }
    let data = data_of(block);
    let layout = layout(&data);
    let long: Vec<_> = data.edges.iter().zip(&layout.edges).filter(|(edge, _)| edge.from == 0).collect();
    assert_eq!(long.len(), 6);
    let longest = long.iter().map(|(_, points)| points).max_by_key(|points| points.len()).unwrap();
    for (_, points) in &long {
        assert_eq!(points[..points.len() - 1], longest[..points.len() - 1]);
    }
}
