//! Which nodes a change touches in the CUDA graph, and that handles stay as many.

use graph_runtime::Update;
use graph_runtime::prelude::*;
use stand_in_driver::Work;

use crate::child::{child, device, lawful, live};
use crate::shape::{calls, exec};

cuda_graph! {
    graph Fused(s: &mut [u32; 3], x: &mut [u32; n], a: u32, b: u32, rounds: usize, n: usize) {
        s[0] = s[0] + a;
        s[1] = s[0] * b;
        while s[2] < b limit 10 { s[2] += a; }
        for _ in 0..rounds { kernel for i in 0..n { x[i] += b; } }
    }
}

fn built(device: &Device, a: u32, rounds: usize) -> Fused<'static> {
    let (s, x) = (device.zeros(3).unwrap(), device.zeros(100).unwrap());
    FusedArgs { s, x, a, b: 2, rounds, n: 100 }.build(device).unwrap()
}

/// Two assignments share a launch, whose first node stands for both.
#[test]
fn a_value_reaches_the_launch_that_its_node_shares() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = built(&device, 5, 2);
        graph.launch().unwrap();
        stand_in.forget().unwrap();
        graph.set_b(77).unwrap();
        let touched = graph.last_update().and_then(Update::touched);
        assert_eq!(touched, Some(4), "{:?}: an assignment, the loop and two kernels", graph.last_update());
        let report = lawful(stand_in);
        let set: Vec<_> = report.calls.iter().filter(|call| call.function == "cuGraphExecNodeSetParams").collect();
        let works = set.iter().map(|call| &exec(&report).works[&call.about.unwrap()]);
        let has = |arguments: &[Vec<u8>]| arguments.iter().any(|bytes| bytes[..] == 77_u64.to_ne_bytes());
        let seen = |work: &Work| matches!(work, Work::Kernel { arguments, .. } if has(arguments));
        assert!(set.len() >= 4 && works.clone().all(seen), "{set:#?}");
    });
}

#[test]
fn handles_stay_as_many_over_changes() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = built(&device, 5, 2);
        let change = |graph: &mut Fused<'static>, number: u32| {
            graph.set_a(number).unwrap();
            graph.rebind_x(device.zeros(100).unwrap()).unwrap();
            graph.launch().unwrap();
            graph.synchronize().unwrap();
        };
        change(&mut graph, 1);
        let (before, held) = (live(stand_in), device.held_memory());
        (0..1000).for_each(|number| change(&mut graph, number));
        assert_eq!((live(stand_in), device.held_memory()), (before, held));
        lawful(stand_in);
    });
}

/// With the same nodes and edges it patches, else it builds anew, and says why.
#[test]
fn another_graph_takes_the_place_of_one() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut graph = built(&device, 5, 2);
        graph.launch().unwrap();
        let other = built(&device, 6, 2);
        stand_in.forget().unwrap();
        let update = graph.update_from(other).unwrap();
        assert!(matches!(update, Update::Updated(touched) if !touched.is_empty()), "{update}");
        graph.launch().unwrap();
        let report = lawful(stand_in);
        let made = calls(&report, &["cuGraphInstantiate", "cuGraphLaunch"]);
        assert_eq!(made, ["cuGraphLaunch"]);
        let other = built(&device, 6, 1);
        let Update::Rebuilt { reason, node } = graph.update_from(other).unwrap() else { panic!("it has fewer nodes") };
        assert!(reason.ends_with("makes 1 pass, and made 2"), "{reason}");
        assert!(node.is_some());
        graph.launch().unwrap();
        lawful(stand_in);
    });
}
