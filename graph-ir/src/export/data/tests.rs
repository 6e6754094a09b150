//! The data against what the graphs are known to be.

use super::{AccessData, Amount, GraphData, PassTimes, TimeData, describe, measure};
use crate::analysis::dependences_of_all;
use crate::model::Mode;
use crate::testing::{Builder, Head, number, overwrite, read, update};

fn data_of(block: Builder) -> GraphData {
    let program = block.finish();
    describe(&program, &dependences_of_all(&program)).data
}

#[test]
fn nodes_of_bodies_stand_behind_their_conditional() {
    let program = crate::export::tests::nested();
    let data = describe(&program, &dependences_of_all(&program)).data;
    let nodes: Vec<_> =
        data.nodes.iter().map(|node| (&*node.label, &*node.kind, node.body, &node.bodies[..])).collect();
    assert_eq!(
        nodes,
        [
            ("say \"hi\" <T>", "kernel", 0, &[][..]),
            ("while", "while", 0, &[1]),
            ("match", "match", 1, &[2, 3]),
            ("step", "kernel", 2, &[]),
            ("step", "kernel", 3, &[]),
        ]
    );
    let bodies: Vec<_> = data.bodies.iter().map(|body| (&*body.title, body.owner, &body.nodes[..])).collect();
    assert_eq!(
        bodies,
        [
            ("G", None, &[0, 1][..]),
            ("body, 2 passes", Some(1), &[2]),
            ("0 | 2..=5", Some(2), &[3]),
            ("_", Some(2), &[4]),
        ]
    );
    assert_eq!((&data.nodes[1].limit, data.nodes[1].every), (&Some(Amount::Known(4)), Some(2)));
    assert_eq!(data.longest_path, [0, 1, 2, 3]);
    let edges: Vec<_> = data.edges.iter().map(|edge| (edge.from, edge.to, &*edge.reasons[0].kind)).collect();
    assert_eq!(edges, [(0, 1, "RAW")]);
    assert_eq!(data.edges[0].reasons[0].text, "it reads `x`, which `say \"hi\" <T>` writes");
}

#[test]
fn the_longest_chain_leads_through_the_longest_body() {
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(4));
    let y = block.parameter("y", Mode::Update, number(4));
    let c = block.parameter("c", Mode::Read, number(1));
    for _ in 0..3 {
        block.kernel("beside", &[update(y)]);
    }
    block.when_else(
        &[read(c)],
        |block| block.kernel("short", &[update(x)]),
        |block| [(); 4].map(|()| block.kernel("long", &[update(x)])),
    );
    let data = data_of(block);
    let labels: Vec<_> = data.longest_path.iter().map(|node| &*data.nodes[*node as usize].label).collect();
    assert_eq!(labels, ["if", "long", "long", "long", "long"]);
    assert_eq!(data.width, 2, "the chain on `y` beside the `if`");
}

#[test]
fn a_buffer_lives_from_its_first_use_to_its_last_and_through_loops_that_it_outlives() {
    let mut block = Builder::new("g");
    let c = block.parameter("c", Mode::Update, number(1));
    let early = block.transient("early", number(4));
    let kept = block.transient("kept", number(4));
    block.kernel("first", &[overwrite(early)]);
    block.kernel("second", &[read(early), overwrite(kept)]);
    block.repeat(Head::on(&[read(c)]), |block| {
        let inner = block.transient("inner", number(4));
        block.kernel("a", &[overwrite(inner)]);
        block.kernel("b", &[read(inner), read(kept)]);
        block.kernel("c", &[update(c)]);
    });
    block.kernel("last", &[update(c)]);
    let data = data_of(block);
    let live: Vec<_> = data.buffers.iter().map(|buffer| (&*buffer.name, buffer.live)).collect();
    assert_eq!(live, [("c", Some([2, 6])), ("early", Some([0, 1])), ("kept", Some([1, 5])), ("inner", Some([3, 4])),]);
    let kept = &data.buffers[2];
    assert_eq!((&kept.readers[..], &kept.writers[..]), (&[4][..], &[1][..]));
    assert_eq!((&*kept.origin, &*kept.ty), ("transient", "[f32; 4]"));
}

#[test]
fn parts_and_expressions_are_shown_as_written() {
    let mut block = Builder::new("g");
    let n = block.symbol("n");
    let x = block.parameter("x", Mode::Update, n);
    block.kernel("k", &[read(x).between(number(0), n), update(x).range(2, 4)]);
    let data = data_of(block);
    let access = |mode: &str, elements: Option<&str>| AccessData {
        buffer: 0,
        mode: mode.to_owned(),
        elements: elements.map(str::to_owned),
    };
    assert_eq!(data.nodes[0].accesses, [access("&", None), access("&mut", Some("2..4"))]);
    assert_eq!(data.buffers[0].ty, "[f32; n]");
}

fn took(total_ns: u64) -> TimeData {
    TimeData { runs: 1, total_ns, longest_ns: total_ns, ..TimeData::default() }
}

#[test]
fn the_critical_path_is_the_chain_that_takes_longest() {
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(4));
    let y = block.parameter("y", Mode::Update, number(4));
    for _ in 0..3 {
        block.kernel("many", &[update(x)]);
    }
    block.kernel("slow", &[update(y)]);
    block.kernel("both", &[update(x), update(y)]);
    let mut data = data_of(block);
    measure(
        &mut data,
        "a device".to_owned(),
        [10, 10, 10, 31, 5].into_iter().map(took).enumerate().map(|(at, time)| (at as u32, time)),
    );
    assert_eq!(data.longest_path.len(), 4, "of nodes");
    let measured = data.measured.as_ref().unwrap();
    let labels: Vec<_> = measured.critical_path.iter().map(|node| &*data.nodes[*node as usize].label).collect();
    assert_eq!((measured.total_ns, measured.critical_ns, labels), (66, 36, vec!["slow", "both"]));
}

/// Both bodies of an `if` in a loop have run; a body that did not is on no path.
#[test]
fn a_conditional_has_the_time_of_its_tests_and_of_what_it_chose() {
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(4));
    let c = block.parameter("c", Mode::Update, number(1));
    block.repeat(Head::on(&[read(c)]), |block| {
        let then = |block: &mut Builder| block.kernel("then", &[update(x)]);
        block.when_else(&[read(c)], then, |block| block.kernel("else", &[update(x)]));
        block.kernel("count", &[update(c)]);
    });
    block.when(&[read(c)], |block| block.kernel("never", &[update(x)]));
    let mut data = data_of(block);
    let labels: Vec<_> = data.nodes.iter().map(|node| node.label.clone()).collect();
    assert_eq!(labels, ["while", "if", "then", "else", "count", "if", "never"]);
    let passes = PassTimes { count: 4, total_ns: 190, shortest_ns: 40, longest_ns: 60 };
    let head = TimeData { passes: Some(passes), ..took(7) };
    let times = [(0, head), (1, took(8)), (2, took(100)), (3, took(50)), (4, took(30)), (5, took(1))];
    measure(&mut data, "a device".to_owned(), times);
    let total = |node: usize| data.nodes[node].time.map(|time| (time.total_ns, time.tests_ns));
    assert_eq!(total(0), Some((7 + 158 + 30, Some(7))));
    assert_eq!((total(1), total(2), total(6)), (Some((158, Some(8))), Some((100, None)), None));
    let measured = data.measured.as_ref().unwrap();
    assert_eq!((&measured.critical_path[..], measured.critical_ns), (&[0, 1, 2, 3, 4, 5][..], 196));
    assert_eq!(data.nodes[0].time.unwrap().passes, Some(passes));
    let text = crate::export::text(&data);
    assert!(text.contains("measured on a device: 196 ns, each node alone\ncritical path, 196 ns: while -> if -> then -> else -> count -> if\n"), "{text}");
    let line = |label: &str| text.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
    assert!(line("then (").ends_with(": 100 ns") && line("never (").ends_with(')'), "{text}");
    let layout = crate::export::layout::layout(&data);
    assert_eq!(layout.titles[1], "body · ran 4 × 47 ns = 190 ns");
    assert!(layout.captions[2].starts_with("51 % · 100 ns"), "{}", layout.captions[2]);
}
