//! Memory of somebody else's, and when its owner is let go.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{ADD, TestGraph, build, launch, literal, writes};
use graph_runtime::__private::{Mode, Sink};
use graph_runtime::graph_ir::model::Program as Model;
use graph_runtime::graph_ir::testing::{Builder, number, update};
use graph_runtime::prelude::*;

fn nothing(_: &mut Sink) {}

/// `x[..] += 1`, three elements.
fn increment() -> Model {
    let mut block = Builder::new("Increment");
    let x = block.parameter("x", Mode::Update, number(3));
    launch(&mut block, "step", ADD, &[update(x)], &[literal("1"), literal("3")]);
    block.finish()
}

/// Memory that says when it goes, and what it held then.
struct Tensor {
    data: Vec<i32>,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Tensor {
    fn drop(&mut self) {
        self.dropped.store(usize::try_from(self.data[0]).unwrap(), Ordering::SeqCst);
    }
}

fn adopt(device: &Device, mut tensor: Tensor) -> Result<Buffer<i32>> {
    let (address, length) = (tensor.data.as_mut_ptr().expose_provenance() as u64, tensor.data.len());
    // SAFETY: the memory is the vector's, which the tensor keeps; nobody looks at it until the tensor is dropped.
    unsafe { Buffer::from_raw_parts(device, address, length, tensor) }
}

#[test]
fn the_owner_is_let_go_behind_the_last_launch() {
    let device = Device::cpu().deferred();
    let dropped = Arc::new(AtomicUsize::new(0));
    let tensor = Tensor { data: vec![5, 6, 7], dropped: Arc::clone(&dropped) };
    let x = adopt(&device, tensor).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, increment(), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [7, 8, 9]);
    graph.launch().unwrap();
    let other = device.buffer_from(&[0, 0, 0]).unwrap();
    drop(graph.rebind::<i32>(0, writes(other)).unwrap());
    assert_eq!(dropped.load(Ordering::SeqCst), 0, "a launch is in flight");
    graph.launch().unwrap();
    assert_eq!(graph.view::<i32>(0).to_vec().unwrap(), [1, 1, 1]);
    assert_eq!(dropped.load(Ordering::SeqCst), 8, "(5) + three launches");
}

#[test]
fn the_owner_of_a_buffer_that_no_launch_uses_goes_with_it() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let x = adopt(&Device::cpu(), Tensor { data: vec![3, 1, 2], dropped: Arc::clone(&dropped) }).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3, 1, 2]);
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    drop(x);
    assert_eq!(dropped.load(Ordering::SeqCst), 3);
}

#[test]
fn launches_see_and_change_the_owner_s_memory() {
    let device = Device::cpu();
    let dropped = Arc::new(AtomicUsize::new(0));
    let x = adopt(&device, Tensor { data: vec![40, 1, 2], dropped: Arc::clone(&dropped) }).unwrap();
    let mut graph: TestGraph<'_, 1> = build(&device, increment(), nothing, vec![writes(x)]).unwrap();
    graph.launch().unwrap();
    graph.launch().unwrap();
    drop(graph);
    assert_eq!(dropped.load(Ordering::SeqCst), 42, "the memory was the tensor's all the time");
}

#[test]
fn addresses_that_no_buffer_has_are_refused() {
    let device = Device::cpu();
    // SAFETY: refused before anything is looked at.
    let [null, odd, vast] = unsafe {
        [
            Buffer::<i32>::from_raw_parts(&device, 0, 4, ()),
            Buffer::<i32>::from_raw_parts(&device, 0x1002, 4, ()),
            Buffer::<i32>::from_raw_parts(&device, 0x1000, usize::MAX / 2, ()),
        ]
    };
    let text = |result: Result<Buffer<i32>>| result.unwrap_err().to_string();
    assert_eq!(text(null), "a buffer of 4 elements of `i32` cannot lie at address 0");
    assert_eq!(text(odd), "a buffer of `i32` cannot lie at 0x1002, which is no multiple of 4");
    assert!(text(vast).ends_with("is larger than the address space"));
    // SAFETY: no elements need no memory.
    assert_eq!(unsafe { Buffer::<i32>::from_raw_parts(&device, 0, 0, ()) }.unwrap().len(), 0);
}
