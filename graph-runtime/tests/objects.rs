//! Host objects in flight: callbacks of launches that are still to run use them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use graph_runtime::prelude::*;

cuda_graph! {
    /// Writes down what it is given.
    graph Logged(seen: &mut host [u32; 1], log: &mut Vec<u32>) {
        host(&mut seen, &mut log, |seen, log| {
            log.push(seen[0]);
            seen[0] += 1;
        });
    }

    /// Has something that tells when it is dropped.
    graph Kept(seen: &mut host [u32; 1], token: &Token) {
        host(&mut seen, |seen| seen[0] += token.value);
    }

    /// A value that a callback and a node use.
    graph Valued(x: &mut [u32; 1], seen: &mut host [u32; 1], log: &mut Vec<u32>, by: u32) {
        host(&mut seen, &mut log, |seen, log| { log.push(by); seen[0] += by; });
        x[0] += by;
    }

    graph Breaks(seen: &mut host [u32; 1], log: &mut Vec<u32>, at: u32) {
        host(&mut seen, &mut log, |seen, log| {
            seen[0] += 1;
            log.push(seen[0]);
            assert!(seen[0] != at, "no {at}");
        });
    }
}

struct Token {
    value: u32,
    dropped: Arc<AtomicU32>,
}

impl Drop for Token {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::AcqRel);
    }
}

fn late() -> Device {
    Device::cpu().deferred()
}

#[test]
fn an_object_comes_back_behind_the_launches_of_the_graph_that_had_it_before() {
    let device = late();
    let logged = |first: u32, log| LoggedArgs { seen: device.pinned_from(&[first]).unwrap(), log }.build(&device);
    let mut graph = logged(1, vec![]).unwrap();
    graph.launch().unwrap();
    let mut other = logged(10, vec![9]).unwrap();
    other.launch().unwrap();
    graph.update_from(other).unwrap();
    let mut third = logged(20, vec![19]).unwrap();
    third.launch().unwrap();
    third.launch().unwrap();
    third.update_from(graph).unwrap();
    let parts = third.into_parts();
    assert_eq!(parts.log.into_inner().unwrap(), [9, 10], "the other's launch was over before its log came back");
    assert_eq!(parts.seen.to_vec().unwrap(), [11]);
}

#[test]
fn an_object_lives_until_the_last_launch_that_uses_it_is_over() {
    let (device, dropped) = (late(), Arc::new(AtomicU32::new(0)));
    let mut seen = device.pinned_from(&[1_u32]).unwrap();
    let token = Token { value: 5, dropped: Arc::clone(&dropped) };
    let mut graph = KeptArgs { seen: &mut seen, token }.build(&device).unwrap();
    graph.launch().unwrap();
    drop(graph);
    assert_eq!(dropped.load(Ordering::Acquire), 0, "the launch has not run");
    assert_eq!(seen.as_slice().unwrap(), [6]);
    drop(seen);
    assert_eq!(dropped.load(Ordering::Acquire), 1);
}

/// Each launch has the values that it was made with, whenever it runs.
#[test]
fn a_setter_in_flight_reaches_later_callbacks_only() {
    let device = late();
    let (x, seen) = (device.zeros::<u32>(1).unwrap(), device.pinned_zeros::<u32>(1).unwrap());
    let mut graph = ValuedArgs { x, seen, log: Vec::new(), by: 1 }.build(&device).unwrap();
    for by in [10, 100] {
        graph.launch().unwrap();
        graph.set_by(by).unwrap();
    }
    graph.launch().unwrap();
    let parts = graph.into_parts();
    assert_eq!(parts.log.into_inner().unwrap(), [1, 10, 100]);
    assert_eq!((parts.seen.to_vec().unwrap(), parts.x.to_vec().unwrap()), (vec![111], vec![111]));
}

#[test]
fn what_a_callback_throws_is_told_once_and_the_graph_goes_on() {
    for device in [Device::cpu(), late()] {
        let seen = device.pinned_from(&[0_u32]).unwrap();
        let mut graph = BreaksArgs { seen, log: Vec::new(), at: 2 }.build(&device).unwrap();
        graph.launch().and_then(|()| graph.synchronize()).unwrap();
        let text = graph.launch().and_then(|()| graph.synchronize()).unwrap_err().to_string();
        assert!(text.contains("panicked: no 2") && text.contains("objects.rs"), "{text}");
        graph.synchronize().unwrap();
        graph.launch().and_then(|()| graph.synchronize()).unwrap();
        let parts = graph.into_parts();
        assert_eq!((parts.log.into_inner().unwrap(), parts.seen.to_vec().unwrap()), (vec![1, 2, 3], vec![3]));
    }
}
