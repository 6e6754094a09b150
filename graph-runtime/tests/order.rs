//! Order, reuse and conditionals on the CPU, against values computed by hand.

mod common;

use common::{ADD, DEVICE_ONLY, MULTIPLY, PANIC, SHIFT, TALLY, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::graph_ir::model::{HostValue, NodeKind, Program as Model};
use graph_runtime::graph_ir::testing::{Builder, Head, atomic, number, overwrite, read, update};
use graph_runtime::{Device, Exit, Label};

fn nothing(_: &mut Sink) {}

/// `x += 2; x *= 3; x *= 3;`
fn chain() -> Model {
    let mut block = Builder::new("Chain");
    let x = block.parameter("x", Mode::Update, number(1));
    launch(&mut block, "plus", ADD, &[update(x)], &[literal("2"), literal("1")]);
    launch(&mut block, "times", MULTIPLY, &[update(x)], &[literal("3"), literal("1")]);
    launch(&mut block, "again", MULTIPLY, &[update(x)], &[literal("3"), literal("1")]);
    block.finish()
}

#[test]
fn three_nodes_in_order_and_used_again() {
    for device in
        [Device::cpu(), Device::cpu().shuffled(5), Device::cpu().deferred(), Device::cpu().threads(1).unwrap()]
    {
        let mut x = device.buffer_from(&[1]).unwrap();
        let mut graph: TestGraph<'_, 1> = build(&device, chain(), nothing, vec![writes(&mut x)]).unwrap();
        graph.launch().unwrap();
        assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [27], "((1 + 2) * 3) * 3 on {device:?}");
        graph.launch().unwrap();
        assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [261]);
        graph.run_eager().unwrap();
        drop(graph);
        assert_eq!(x.to_vec().unwrap(), [2367]);
    }
}

#[test]
fn the_plan_says_who_waits_for_whom() {
    let device = Device::cpu();
    let mut x = device.buffer_from(&[1]).unwrap();
    let graph: TestGraph<'_, 1> = build(&device, chain(), nothing, vec![writes(&mut x)]).unwrap();
    let plan = graph.plan();
    assert_eq!(plan.nodes().iter().map(|node| &node.label[..]).collect::<Vec<_>>(), ["plus", "times", "again"]);
    assert_eq!(plan.width(), 1);
    assert_eq!(plan.edges()[0].reason, "it reads `x`, which `plus` writes");
    assert!(plan.to_dot().contains("n0 -> n1"));
    assert!(plan.to_mermaid().contains("flowchart"));
    assert!(plan.to_string().starts_with("graph Chain: 3 nodes, 2 edges, at most 1 side by side"));
}

/// `seed` to 64 nodes side by side, each with its own part of `parts`, and a sum of all.
fn fan_out() -> Model {
    let mut block = Builder::new("FanOut");
    let x = block.parameter("x", Mode::Read, number(1));
    let total = block.parameter("total", Mode::Overwrite, number(1));
    let seed = block.transient("seed", number(1));
    let parts = block.transient("parts", number(64));
    launch(&mut block, "seed", SHIFT, &[read(x), overwrite(seed)], &[literal("0"), literal("1")]);
    for k in 0..64 {
        let part = overwrite(parts).range(k, k + 1);
        launch(&mut block, &format!("part {k}"), SHIFT, &[read(seed), part], &[literal(&k.to_string()), literal("1")]);
    }
    block.fill("zero", overwrite(total));
    for k in 0..64 {
        let part = read(parts).range(k, k + 1);
        launch(&mut block, &format!("tally {k}"), TALLY, &[part, atomic(total)], &[literal("1")]);
    }
    block.finish()
}

#[test]
fn sixty_four_nodes_side_by_side_in_any_order() {
    let seeds = (0..25).map(|seed| Device::cpu().shuffled(seed));
    for device in seeds.chain([Device::cpu(), Device::cpu().threads(3).unwrap()]) {
        let (x, mut total) = (device.buffer_from(&[100]).unwrap(), device.zeros::<i32>(1).unwrap());
        let bindings = vec![reads(&x), writes(&mut total)];
        let mut graph: TestGraph<'_, 4> = build(&device, fan_out(), nothing, bindings).unwrap();
        assert_eq!(graph.plan().width(), 65, "the parts, and the fill beside them");
        for _ in 0..3 {
            graph.launch().unwrap();
            assert_eq!(graph.view::<i32>(1).to_vec().unwrap(), [64 * 100 + 64 * 63 / 2]);
        }
    }
}

/// `loop limit 10 every 2 { shift(&a, &out b, 1); swap(a, b); }`, unrolled.
fn ping_pong(head: Head<'_>) -> (Model, Label) {
    let mut block = Builder::new("PingPong");
    let a = block.parameter("a", Mode::Update, number(3));
    let b = block.transient("b", number(3));
    let node = block.repeat(head, |block| {
        launch(block, "there", SHIFT, &[read(a), overwrite(b)], &[literal("1"), literal("3")]);
        launch(block, "back", SHIFT, &[read(b), overwrite(a)], &[literal("1"), literal("3")]);
    });
    (block.finish(), Label::new(node.0))
}

#[test]
fn a_ping_pong_ends_at_its_limit() {
    let device = Device::cpu();
    let (model, label) = ping_pong(Head::forever(None).limit(number(10)).every(2));
    let mut a = device.buffer_from(&[0, 5, -5]).unwrap();
    let mut graph: TestGraph<'_, 2> = build(&device, model, nothing, vec![writes(&mut a)]).unwrap();
    assert_eq!((graph.iterations(label).unwrap(), graph.exit(label).unwrap()), (0, Exit::NotRun));
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [10, 15, 5]);
    assert_eq!((graph.iterations(label).unwrap(), graph.exit(label).unwrap()), (10, Exit::Limit));
    let error = graph.iterations(Label::new(1)).unwrap_err().to_string();
    assert!(error.contains("`there`") && error.contains("is no loop"), "{error}");
}

#[test]
fn a_while_tests_first_and_behind_every_second_pass() {
    let device = Device::cpu();
    let mut block = Builder::new("While");
    let a = block.parameter("a", Mode::Update, number(1));
    let head = [read(a)];
    let node = block.repeat(Head::on(&head).limit(number(100)).every(2), |block| {
        launch(block, "one", ADD, &[update(a)], &[literal("1"), literal("1")]);
        launch(block, "two", ADD, &[update(a)], &[literal("1"), literal("1")]);
    });
    let (model, label) = (block.finish(), Label::new(node.0));
    let below_seven = move |sink: &mut Sink| sink.scalar(node.0, |elements| elements.get::<i32>(0) < 7);
    for (start, end, passes, exit) in
        [(0, 8, 8, Exit::Condition), (7, 7, 0, Exit::Condition), (-200, -100, 100, Exit::Limit)]
    {
        let mut buffer = device.buffer_from(&[start]).unwrap();
        let mut graph: TestGraph<'_, 1> =
            build(&device, model.clone(), below_seven, vec![writes(&mut buffer)]).unwrap();
        graph.launch().unwrap();
        assert_eq!((graph.iterations(label).unwrap(), graph.exit(label).unwrap()), (passes, exit), "from {start}");
        assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [end]);
    }
}

#[test]
fn loops_ifs_and_matches_nest() {
    // loop limit 12 { match i[0] % 4 { 0 => even += 1, 1..=2 => if i[0] > 5 { odd += 10 } else { odd += 1 }, _ => while … limit 2 { even += 100 } } i += 1 }
    let mut block = Builder::new("Nested");
    let i = block.parameter("i", Mode::Update, number(1));
    let even = block.parameter("even", Mode::Update, number(1));
    let odd = block.parameter("odd", Mode::Update, number(1));
    let one = |block: &mut Builder, label: &str, x, by: &str| {
        launch(block, label, ADD, &[update(x)], &[literal(by), literal("1")])
    };
    let (mut choice, mut question, mut inner) = (None, None, None);
    let outer = block.repeat(Head::forever(None).limit(number(12)), |block| {
        choice = Some(block.choose(&[read(i)], &[&[(0, 0)], &[(1, 2)]], true, |block, arm| match arm {
            0 => drop(one(block, "even", even, "1")),
            1 => {
                let node = block.when_else(
                    &[read(i)],
                    |block| one(block, "late", odd, "10"),
                    |block| one(block, "early", odd, "1"),
                );
                question = Some(node);
            }
            _ => {
                inner = Some(
                    block.repeat(Head::forever(None).limit(number(2)), |block| one(block, "hundred", even, "100")),
                );
            }
        }));
        one(block, "next", i, "1");
    });
    let model = block.finish();
    let (choice, question, inner) = (choice.unwrap(), question.unwrap(), inner.unwrap());
    let evaluate = move |sink: &mut Sink| {
        sink.scalar(choice.0, |elements| elements.get::<i32>(0) % 4);
        sink.scalar(question.0, |elements| elements.get::<i32>(0) > 5);
    };
    let device = Device::cpu().shuffled(3);
    let (mut x, mut y, mut z) = (device.zeros(1).unwrap(), device.zeros(1).unwrap(), device.zeros(1).unwrap());
    let bindings = vec![writes(&mut x), writes(&mut y), writes(&mut z)];
    let mut graph: TestGraph<'_, 3> = build(&device, model, evaluate, bindings).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(1).to_vec().unwrap(), [3 + 3 * 200], "i = 0, 4, 8 and i = 3, 7, 11");
    assert_eq!(graph.view::<i32>(2).to_vec().unwrap(), [3 + 3 * 10], "i = 1, 2, 5 and i = 6, 9, 10");
    assert_eq!(graph.iterations(Label::new(outer.0)).unwrap(), 12);
    assert_eq!(graph.iterations(Label::new(inner.0)).unwrap(), 2);
}

#[test]
fn negative_values_choose_their_arm() {
    let mut block = Builder::new("Sign");
    let x = block.parameter("x", Mode::Update, number(1));
    let choice = block.choose(&[read(x)], &[&[(-5, -1)], &[(0, 0)]], false, |block, arm| {
        launch(block, "arm", ADD, &[update(x)], &[literal(if arm == 0 { "1000" } else { "1" }), literal("1")]);
    });
    let model = block.finish();
    let device = Device::cpu();
    for (start, end) in [(-3, 997), (0, 1), (7, 7), (-6, -6)] {
        let mut buffer = device.buffer_from(&[start]).unwrap();
        let evaluate = move |sink: &mut Sink| sink.scalar(choice.0, |elements| elements.get::<i32>(0));
        let mut graph: TestGraph<'_, 1> = build(&device, model.clone(), evaluate, vec![writes(&mut buffer)]).unwrap();
        graph.launch().unwrap();
        assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [end]);
    }
}

#[test]
fn the_first_launch_differs_from_later_ones() {
    // if first[0] == 0 { x = 40 } else { x += 1 } first = 1
    let mut block = Builder::new("First");
    let first = block.parameter("first", Mode::Update, number(1));
    let x = block.parameter("x", Mode::Update, number(1));
    let question = block.when_else(
        &[read(first)],
        |block| block.fill("start", overwrite(x)),
        |block| launch(block, "more", ADD, &[update(x)], &[literal("1"), literal("1")]),
    );
    let mark = block.fill("mark", overwrite(first));
    for (node, value) in [(mark.0, "1"), (question.0 + 1, "40")] {
        block.program().nodes[node as usize].kind = NodeKind::Fill { value: literal(value) };
    }
    let evaluate = move |sink: &mut Sink| sink.scalar(question.0, |elements| elements.get::<i32>(0) == 0);
    let device = Device::cpu();
    let (mut a, mut b) = (device.zeros(1).unwrap(), device.zeros(1).unwrap());
    let mut graph: TestGraph<'_, 2> =
        build(&device, block.finish(), evaluate, vec![writes(&mut a), writes(&mut b)]).unwrap();
    for expected in [40, 41, 42] {
        graph.launch().unwrap();
        assert_eq!(graph.view::<i32>(1).to_vec().unwrap(), [expected]);
    }
}

#[test]
fn values_come_from_symbols_and_can_be_set() {
    let mut block = Builder::new("Values");
    let x = block.parameter("x", Mode::Update, number(2));
    let by = HostValue::Symbol(block.symbol_id("by"));
    launch(&mut block, "plus", ADD, &[update(x)], &[by, literal("2")]);
    let device = Device::cpu();
    let mut buffer = device.buffer_from(&[1, 10]).unwrap();
    let by = |by: i32| move |sink: &mut Sink| sink.value(0, by);
    let mut graph: TestGraph<'_, 1> = build(&device, block.finish(), by(5), vec![writes(&mut buffer)]).unwrap();
    graph.launch().unwrap();
    graph.set_values("value", |values| *values = std::sync::Arc::new(by(-20))).unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [-14, -5]);
    let unset = graph.set_values("value", |values| *values = std::sync::Arc::new(nothing)).unwrap_err();
    assert!(unset.to_string().contains("`by` has no value"), "{unset}");
    let panics = graph
        .set_values("value", |values| *values = std::sync::Arc::new(|_: &mut Sink| panic!("no value")))
        .unwrap_err();
    assert_eq!(panics.to_string(), "a host expression of graph `Values` panicked: no value");
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [-34, -25], "a setter that fails changes nothing");
}

#[test]
fn a_body_that_panics_or_is_missing_is_named() {
    let device = Device::cpu();
    let mut buffer = device.zeros(1).unwrap();
    let of = |kernel| {
        let mut block = Builder::new("Faulty");
        let x = block.parameter("x", Mode::Update, number(1));
        launch(&mut block, "step", kernel, &[update(x)], &[literal("1")]);
        block.finish()
    };
    let mut graph: TestGraph<'_, 1> = build(&device, of(PANIC), nothing, vec![writes(&mut buffer)]).unwrap();
    let error = graph.launch().unwrap_err().to_string();
    assert!(error.starts_with("node `step` (test.rs:") && error.ends_with("panicked: out of cheese"), "{error}");
    drop(graph);
    let missing = build::<1>(&device, of(DEVICE_ONLY), nothing, vec![writes(&mut buffer)]).unwrap_err().to_string();
    assert!(
        missing
            .starts_with("graph `Faulty` cannot run on the CPU: kernel `device_only` (kernels.rs:1:1) has no CPU body"),
        "{missing}"
    );
}
