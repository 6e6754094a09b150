use super::*;
use crate::testing::{Builder, Head, atomic, number, overwrite, read};

fn lacks(program: &Program) -> Vec<(u32, Lack)> {
    initialization(program).iter().map(|gap| (gap.buffer.0, gap.lack)).collect()
}

/// A transient and a condition, then what the test writes.
fn with(write: impl FnOnce(&mut Builder, BufferId, BufferId)) -> Vec<(u32, Lack)> {
    let mut block = Builder::new("g");
    let t = block.transient("t", number(8));
    let c = block.parameter("c", Mode::Read, number(1));
    write(&mut block, t, c);
    lacks(&block.finish())
}

fn not_on_every_path() -> Lack {
    Lack::Part { every_path: false, element: Some(Element::new(&[0])) }
}

#[test]
fn a_chain_of_ranges_is_a_whole() {
    let found = with(|block, t, _| {
        block.kernel("a", &[overwrite(t).range(3, 8)]);
        block.kernel("b", &[overwrite(t).range(0, 3)]);
        block.kernel("c", &[read(t)]);
    });
    assert_eq!(found, []);
    let found = with(|block, t, _| {
        block.kernel("a", &[overwrite(t).range(0, 3)]);
        block.kernel("b", &[overwrite(t).range(4, 8)]);
        block.kernel("c", &[read(t)]);
    });
    assert_eq!(found, [(0, Lack::Part { every_path: true, element: Some(Element::new(&[3])) })]);
}

#[test]
fn a_buffer_is_reported_once() {
    let found = with(|block, t, _| {
        block.kernel("a", &[atomic(t)]);
        block.kernel("b", &[read(t)]);
    });
    assert_eq!(found, [(0, Lack::Nothing)]);
}

#[test]
fn both_bodies_of_an_if_count_one_does_not() {
    let write = |t| move |block: &mut Builder| block.kernel("w", &[overwrite(t)]);
    let both = with(|block, t, c| {
        block.when_else(&[read(c)], write(t), write(t));
        block.kernel("r", &[read(t)]);
    });
    assert_eq!(both, []);
    let one = with(|block, t, c| {
        block.when(&[read(c)], write(t));
        block.kernel("r", &[read(t)]);
    });
    assert_eq!(one, [(0, not_on_every_path())]);
}

#[test]
fn a_loop_runs_once_at_least_a_while_may_not() {
    let after = |head: fn(BufferId) -> (bool, Option<u64>)| {
        with(|block, t, c| {
            let (tests_first, limit) = head(c);
            let test = [read(c)];
            let head = Head { tests_first, ..Head::on(&test) };
            let head = limit.map_or(head, |limit| head.limit(number(limit)));
            block.repeat(head, |block| block.kernel("w", &[overwrite(t)]));
            block.kernel("r", &[read(t)]);
        })
    };
    assert_eq!(after(|_| (false, None)), []);
    assert_eq!(after(|_| (false, Some(4))), []);
    assert_eq!(after(|_| (false, Some(0))), [(0, not_on_every_path())]);
    assert_eq!(after(|_| (true, None)), [(0, not_on_every_path())]);
}

#[test]
fn the_first_pass_of_a_body_sees_what_was_written_before_the_loop() {
    let found = with(|block, t, c| {
        block.repeat(Head::on(&[read(c)]), |block| {
            block.kernel("r", &[read(t)]);
            block.kernel("w", &[overwrite(t)]);
        });
    });
    assert_eq!(found, [(0, Lack::Nothing)]);
}

#[test]
fn the_test_of_a_loop_may_read_what_its_body_declares() {
    let mut block = Builder::new("g");
    let done = block.transient("done", number(1));
    block.repeat(Head::forever(Some(&[read(done)])), |block| block.kernel("w", &[overwrite(done)]));
    let mut program = block.finish();
    program.buffers[0].region = RegionId(1);
    assert_eq!(lacks(&program), []);
}

#[test]
fn outputs_are_written_on_every_path_and_lengths_may_be_open() {
    let mut block = Builder::new("g");
    let (n, m) = (block.symbol("n"), block.symbol("m"));
    let y = block.parameter("y", Mode::Overwrite, n);
    let z = block.parameter("z", Mode::Overwrite, n);
    block.parameter("unwritten", Mode::Overwrite, n);
    block.kernel("a", &[overwrite(y).between(number(0), m), overwrite(z)]);
    assert_eq!(lacks(&block.finish()), [(0, Lack::Open), (2, Lack::Nothing)]);
}
