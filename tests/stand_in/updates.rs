//! Setters and rebinds: which nodes are patched, and that a change which fails changes nothing.

use graph_runtime::prelude::*;
use stand_in_driver::{Exec, Fault, StandIn, Work};
use tests::kernels::basic;

use crate::child::{child, device, lawful};
use crate::shape::{argument, calls, exec};

cuda_graph! {
    graph Scaled(x: &mut [f32; n], y: &mut [f32; n], by: f32, rounds: usize) {
        for _ in 0..rounds {
            basic::times_constant<<<n.div_ceil(256), 256>>>(&mut x, by, n as u32);
        }
        basic::add_constant<<<n.div_ceil(256), 256>>>(&mut y, by, n as u32);
        basic::times_constant<<<n.div_ceil(256), 256>>>(&mut y, 0.5, n as u32);
    }
}

cuda_graph! {
    graph Batch(x: &mut [f32; n], y: &out [f32; n], z: &mut [f32; 8], n: usize <= 600) {
        basic::times_constant<<<n.div_ceil(256), 256>>>(&mut x, 2.0, n as u32);
        copy(&x, &out y);
        basic::add_constant<<<1, 32>>>(&mut z, 1.0, 8);
    }
}

const PATCH: &str = "cuGraphExecNodeSetParams";

/// `by` of each kernel, in the order of the nodes.
fn values(exec: &Exec) -> Vec<f32> {
    let by = |work: &Work| match work {
        Work::Kernel { arguments, .. } => f32::from_ne_bytes(arguments[1].as_slice().try_into().unwrap()),
        _ => panic!("{work:?} is no kernel"),
    };
    exec.works.values().map(by).collect()
}

fn fault(function: &str, index: u64) -> Fault {
    Fault { function: Some(function.to_owned()), index, code: 2, ..Fault::default() }
}

/// Runs `test` with a graph that has been launched once with 2, and the buffers `x` and `y` that it is bound to.
fn with_graph(stand_in: &StandIn, test: impl FnOnce(&mut Scaled<'_>, &Device)) {
    let device = device(stand_in, 13000);
    let (mut x, mut y) = (device.zeros::<f32>(600).unwrap(), device.zeros::<f32>(600).unwrap());
    let mut graph = ScaledArgs { x: &mut x, y: &mut y, by: 2.0, rounds: 3 }.build(&device).unwrap();
    graph.launch().unwrap();
    assert_eq!(values(exec(&lawful(stand_in))), [2.0, 2.0, 2.0, 2.0, 0.5]);
    stand_in.forget().unwrap();
    test(&mut graph, &device);
}

#[test]
fn a_setter_patches_the_nodes_that_have_the_value_and_nothing_else() {
    child(|stand_in| {
        with_graph(stand_in, |graph, _| {
            graph.set_by(7.0).unwrap();
            let report = lawful(stand_in);
            assert_eq!(values(exec(&report)), [7.0, 7.0, 7.0, 7.0, 0.5]);
            assert_eq!(calls(&report, &["cuGraph", "cuMem", "cuModule"]), [PATCH; 4]);
            stand_in.forget().unwrap();
            graph.set_by(7.0).unwrap();
            assert_eq!(calls(&lawful(stand_in), &["cuGraph"]), [""; 0], "it has that value");
        });
    });
}

#[test]
fn a_rebind_patches_the_nodes_that_use_the_buffer() {
    child(|stand_in| {
        with_graph(stand_in, |graph, device| {
            let addresses = |exec: &Exec| exec.works.values().map(|work| argument(work, 0)).collect::<Vec<_>>();
            let before = addresses(exec(&lawful(stand_in)));
            graph.rebind_y(device.zeros::<f32>(600).unwrap()).unwrap();
            graph.launch().unwrap();
            let report = lawful(stand_in);
            let after = addresses(exec(&report));
            assert_eq!(after[..3], before[..3]);
            assert!(after[3] == after[4] && after[3] != before[3], "{after:?}");
            assert_eq!(calls(&report, &["cuGraph"]), [PATCH, PATCH, "cuGraphLaunch"]);
        });
    });
}

#[test]
fn another_structure_is_another_graph_and_the_old_one_goes() {
    child(|stand_in| {
        with_graph(stand_in, |graph, _| {
            graph.set_rounds(1).unwrap();
            let report = lawful(stand_in);
            assert_eq!(values(exec(&report)), [2.0, 2.0, 0.5]);
            let made = ["cuGraphCreate", "cuGraphAddNode_v2", "cuGraphAddNode_v2", "cuGraphAddNode_v2"];
            let swapped = ["cuGraphInstantiateWithParams", "cuGraphUpload", "cuGraphExecDestroy", "cuGraphDestroy"];
            assert_eq!(calls(&report, &["cuGraph"]), [made, swapped].concat());
        });
    });
}

#[test]
fn a_node_that_cannot_be_patched_is_a_graph_that_is_built_anew() {
    child(|stand_in| {
        with_graph(stand_in, |graph, _| {
            stand_in.fail(&[fault(PATCH, 2)]).unwrap();
            graph.set_by(7.0).unwrap();
            graph.launch().unwrap();
            let report = lawful(stand_in);
            assert_eq!((exec(&report).launches, values(exec(&report))), (1, vec![7.0, 7.0, 7.0, 7.0, 0.5]));
        });
    });
}

/// The nodes that were patched before get their old values back.
#[test]
fn a_change_that_fails_changes_nothing() {
    child(|stand_in| {
        with_graph(stand_in, |graph, device| {
            for patched in 0..4 {
                stand_in.fail(&[fault(PATCH, patched), fault("cuGraphInstantiateWithParams", 0)]).unwrap();
                let told = graph.set_by(7.0).unwrap_err().to_string();
                assert!(told.contains("instantiating graph `Scaled`") && told.contains("out of memory"), "{told}");
                assert!(
                    told.contains(" are free\n") && told.contains("\nnote: graph `Scaled` of 5 nodes asks for"),
                    "{told}"
                );
                stand_in.fail(&[]).unwrap();
                graph.launch().unwrap();
                let report = lawful(stand_in);
                assert_eq!(values(exec(&report)), [2.0, 2.0, 2.0, 2.0, 0.5], "{patched} patched");
                assert_eq!(exec(&report).launches, 2 + patched, "the same exec");
            }
            let before = argument(exec(&lawful(stand_in)).works.values().next().unwrap(), 0);
            stand_in.fail(&[fault(PATCH, 1), fault("cuGraphInstantiateWithParams", 0)]).unwrap();
            assert!(graph.rebind_x(device.zeros::<f32>(600).unwrap()).is_err());
            stand_in.fail(&[]).unwrap();
            graph.launch().unwrap();
            let report = lawful(stand_in);
            assert!(exec(&report).works.values().take(3).all(|work| argument(work, 0) == before));
        });
    });
}

/// Where the old values cannot be put back either, the next launch builds the graph with them.
#[test]
fn what_cannot_be_taken_back_is_built_before_the_next_launch() {
    child(|stand_in| {
        with_graph(stand_in, |graph, _| {
            let patches = [fault(PATCH, 2), fault(PATCH, 3), fault("cuGraphInstantiateWithParams", 0)];
            stand_in.fail(&patches).unwrap();
            assert!(graph.set_by(7.0).is_err());
            stand_in.fail(&[]).unwrap();
            graph.launch().unwrap();
            let report = lawful(stand_in);
            assert_eq!((exec(&report).launches, values(exec(&report))), (1, vec![2.0, 2.0, 2.0, 2.0, 0.5]));
            graph.set_by(7.0).unwrap();
            assert_eq!(values(exec(&lawful(stand_in))), [7.0, 7.0, 7.0, 7.0, 0.5]);
        });
    });
}

/// Whichever call fails, in a change of values or of structure.
#[test]
fn every_call_of_a_change_fails() {
    child(|stand_in| {
        with_graph(stand_in, |graph, _| {
            let (mut by, mut rounds, mut tried) = (2.0, 3, 0);
            for index in 0..200 {
                stand_in.forget().unwrap();
                stand_in.fail(&[Fault { function: None, index: index / 2, code: 1, ..Fault::default() }]).unwrap();
                if index % 2 == 0 && graph.set_by(by + 1.0).is_ok() {
                    by += 1.0;
                }
                if index % 2 == 1 && graph.set_rounds(5 - rounds).is_ok() {
                    rounds = 5 - rounds;
                }
                stand_in.fail(&[]).unwrap();
                graph.launch().unwrap();
                let report = lawful(stand_in);
                let all = [vec![by; rounds + 1], vec![0.5]].concat();
                assert_eq!(values(exec(&report)), all, "{index}: {:#?}", report.calls);
                tried += usize::from(report.calls.iter().any(|call| call.injected));
            }
            println!("{tried} faults");
            assert!(tried > 20, "{tried}");
        });
    });
}

#[test]
fn a_value_with_a_bound_patches_the_nodes_that_go_by_it_and_nothing_else() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let [mut x, mut y, mut z] = [600, 600, 8].map(|length| device.zeros::<f32>(length).unwrap());
        let mut graph = BatchArgs { x: &mut x, y: &mut y, z: &mut z, n: 600 }.build(&device).unwrap();
        for n in [300_u32, 1, 600] {
            stand_in.forget().unwrap();
            graph.set_n(n as usize).unwrap();
            let report = lawful(stand_in);
            assert_eq!(calls(&report, &["cuGraph", "cuMem", "cuModule"]), [PATCH; 2], "{n}");
            let blocks = u64::from(n.div_ceil(256));
            let patched = exec(&report).works.values().filter(|work| match work {
                Work::Kernel { grid, arguments, .. } => {
                    *grid == [blocks as u32, 1, 1] && arguments[2] == n.to_ne_bytes()
                }
                Work::Copy { sizes, .. } => *sizes == [4 * u64::from(n), 1, 1],
                _ => false,
            });
            assert_eq!(patched.count(), 2, "{n}");
        }
        stand_in.forget().unwrap();
        assert!(
            graph.set_n(0).unwrap_err().to_string().contains("the grid of kernel `times_constant` has size 0 in x")
        );
        assert!(graph.set_n(601).is_err());
        assert_eq!(calls(&lawful(stand_in), &["cuGraph", "cuMem", "cuModule"]), [""; 0], "nothing has changed");
    });
}
