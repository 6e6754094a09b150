//! Parts of buffers, bound to graphs.

mod common;

use common::{ADD, MULTIPLY, SHIFT, TestGraph, build, launch, literal, reads, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::graph_ir::model::Program as Model;
use graph_runtime::graph_ir::testing::{Builder, number, overwrite, read, update};
use graph_runtime::prelude::*;

fn nothing(_: &mut Sink) {}

/// `x[..] op= by`, two elements.
fn one(kernel: u32, by: &str) -> Model {
    let mut block = Builder::new("One");
    let x = block.parameter("x", Mode::Update, number(2));
    launch(&mut block, "step", kernel, &[update(x)], &[literal(by), literal("2")]);
    block.finish()
}

/// `out = input + 10`, two elements.
fn shift() -> Model {
    let mut block = Builder::new("Shift");
    let input = block.parameter("input", Mode::Read, number(2));
    let out = block.parameter("out", Mode::Overwrite, number(2));
    launch(&mut block, "shift", SHIFT, &[read(input), overwrite(out)], &[literal("10"), literal("2")]);
    block.finish()
}

#[test]
fn halves_of_a_buffer_belong_to_two_graphs_at_once() {
    let device = Device::cpu().deferred();
    let mut x = device.buffer_from(&[1, 2, 3, 4]).unwrap();
    let (left, right) = x.split_at_mut(2).unwrap();
    let mut first: TestGraph<'_, 1> = build(&device, one(ADD, "10"), nothing, vec![writes(left)]).unwrap();
    let mut second: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "10"), nothing, vec![writes(right)]).unwrap();
    for _ in 0..2 {
        first.launch().unwrap();
        second.launch().unwrap();
    }
    assert_eq!(first.view::<i32>(0).to_vec().unwrap(), [21, 22]);
    assert_eq!(second.view::<i32>(0).to_vec().unwrap(), [300, 400]);
    second.view_mut::<i32>(0).unwrap().write_from(&[5, 6]).unwrap();
    std::mem::forget(first);
    drop(second);
    assert_eq!(x.to_vec().unwrap(), [21, 22, 5, 6]);
}

#[test]
fn parts_that_do_not_overlap_are_two_parameters() {
    let device = Device::cpu();
    let mut x = device.buffer_from(&[1, 2, 3, 4, 5, 6]).unwrap();
    let mut thirds = x.chunks_mut(2).unwrap();
    let [first, _, last] = &mut thirds[..] else { unreachable!() };
    let mut graph: TestGraph<'_, 2> = build(&device, shift(), nothing, vec![reads(&*last), writes(first)]).unwrap();
    graph.launch().unwrap();
    drop(graph);
    assert_eq!(x.to_vec().unwrap(), [15, 16, 3, 4, 5, 6]);
}

#[test]
fn views_are_cut_again() {
    let device = Device::cpu();
    let mut x = device.buffer_from(&(0..12).collect::<Vec<i32>>()).unwrap();
    assert_eq!(x.slice(2..8).unwrap().slice(1..).unwrap().to_vec().unwrap(), [3, 4, 5, 6, 7]);
    assert_eq!(x.slice(..=3).unwrap().chunks(2).unwrap()[1].to_vec().unwrap(), [2, 3]);
    let mut tail = x.slice_mut(4..).unwrap();
    let (mut left, mut right) = tail.split_at_mut(4).unwrap();
    left.slice_mut(1..3).unwrap().write_from(&[-5, -6]).unwrap();
    right.chunks_mut(2).unwrap()[1].write_from(&[-10, -11]).unwrap();
    assert_eq!(tail.slice(..).unwrap().len(), 8);
    assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 3, 4, -5, -6, 7, 8, 9, -10, -11]);
}

#[test]
fn what_is_no_part_is_refused_with_the_numbers() {
    let mut x = Device::cpu().zeros::<f32>(10).unwrap();
    let text = |error: Error| error.to_string();
    assert_eq!(text(x.slice(4..11).unwrap_err()), "there is no part 4..11 of a buffer of 10 elements");
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let backwards = x.slice(7..3);
    assert_eq!(text(backwards.unwrap_err()), "there is no part 7..3 of a buffer of 10 elements");
    assert!(x.slice(..=usize::MAX).is_err());
    assert!(x.split_at_mut(11).is_err());
    assert!(text(x.chunks_mut(4).unwrap_err()).starts_with("a buffer of 10 elements cannot be cut into parts of 4\n"));
    assert!(x.chunks_mut(0).is_err());
    assert_eq!(x.slice(10..).unwrap().len(), 0);
}

#[test]
fn an_input_is_a_view_of_another_graph() {
    let device = Device::cpu().deferred();
    let x = device.buffer_from(&[1, 2]).unwrap();
    let mut out = device.zeros(2).unwrap();
    let mut first: TestGraph<'_, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(x)]).unwrap();
    first.launch().unwrap();
    let mut second: TestGraph<'_, 2> =
        build(&device, shift(), nothing, vec![reads(first.view::<i32>(0)), writes(&mut out)]).unwrap();
    second.launch().unwrap();
    assert_eq!(second.view::<i32>(1).to_vec().unwrap(), [12, 13], "(1, 2) + 1 + 10");
}

/// A graph that is bound to a view borrows the graph whose view it is. Its launches run on when it is gone, dropped or leaked.
#[test]
fn a_graph_waits_for_those_that_were_bound_to_its_views() {
    let device = Device::cpu().deferred();
    let x = device.buffer_from(&[1, 2]).unwrap();
    let [mut copied, mut again] = [device.zeros(2).unwrap(), device.zeros(2).unwrap()];
    let mut lender: TestGraph<'_, 1> = build(&device, one(ADD, "1"), nothing, vec![writes(x)]).unwrap();
    lender.launch().unwrap();
    let view = lender.view_mut::<i32>(0).unwrap();
    let mut writer: TestGraph<'_, 1> = build(&device, one(MULTIPLY, "3"), nothing, vec![writes(view)]).unwrap();
    writer.launch().unwrap();
    std::mem::forget(writer);
    lender.launch().unwrap();
    lender.synchronize().unwrap();
    assert_eq!(lender.view::<i32>(0).to_vec().unwrap(), [7, 10], "(x + 1) * 3 + 1");
    for (out, value) in [(&mut copied, 17), (&mut again, 18)] {
        let view = lender.view::<i32>(0);
        let mut reader: TestGraph<'_, 2> =
            build(&device, shift(), nothing, vec![reads(view), writes(&mut *out)]).unwrap();
        reader.launch().unwrap();
        drop(reader);
        lender.launch().unwrap();
        lender.synchronize().unwrap();
        assert_eq!(out.to_vec().unwrap(), [value, value + 3], "it was read before the lender wrote it again");
    }
}
