//! One graph with a loop, from the first call to the last.

use graph_runtime::prelude::*;
use stand_in_driver::Work;
use tests::kernels::basic;

use crate::child::{child, device, lawful, live, settle};
use crate::shape::{argument, calls, edges, exec, graph, words};

cuda_graph! {
    graph Jacobi(b: &[f64; n], x: &mut [f64; n], tolerance: u64) {
        let next: [f64; n];
        let error: [u64; 1];
        'solve: loop limit 1000 every 2 {
            basic::sweep<<<n.div_ceil(256), 256>>>(&b, &x, &out next, n as u32);
            error[0] = 0;
            basic::distance<<<n.div_ceil(256), 256>>>(&x, &next, &atomic error, n as u32);
            swap(&mut x, &mut next);
            if error[0] <= tolerance { break; }
        }
    }
}

/// The sweep's arguments `x` and `next` change places from pass to pass; its distance is taken before the next sweep overwrites `x`.
#[test]
fn a_loop_is_built_node_by_node() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let b = device.zeros::<f64>(1000).unwrap();
        let mut x = device.zeros::<f64>(1000).unwrap();
        let mut solver = JacobiArgs { b: &b, x: &mut x, tolerance: 5 }.build(&device).unwrap();
        solver.launch().unwrap();
        solver.launch().unwrap();
        let report = lawful(stand_in);
        let exec = exec(&report);
        assert_eq!(exec.launches, 2);
        let root = graph(&report, exec.graph);
        assert_eq!((words(root), edges(root)), (vec!["Jacobi_solve_enter_0", "while"], vec![(0, 1)]));
        let Work::Conditional { handle, bodies, .. } = &root.nodes[1].work else { panic!("{root:#?}") };
        let body = graph(&report, bodies[0]);
        let (clear, again) = ("Jacobi_error_0_assign_2", "Jacobi_solve_again_1");
        assert_eq!(words(body), ["sweep", clear, "distance", "sweep", clear, "distance", again]);
        assert_eq!(edges(body), [(0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6)]);
        let work = |node: usize| &exec.works[&body.nodes[node].handle];
        let [first, second] = [work(0), work(3)].map(|sweep| [0, 1, 2].map(|index| argument(sweep, index)));
        let [b, x, next] = first;
        assert_eq!(second, [b, next, x]);
        assert_eq!([argument(&root.nodes[0].work, 0), argument(work(6), 0)], [*handle; 2]);
        assert_eq!(argument(work(6), 5), 5, "the tolerance");
        let Work::Kernel { grid, block, .. } = work(0) else { panic!("no kernel") };
        assert_eq!((*grid, *block), ([4, 1, 1], [256, 1, 1]));
    });
}

#[test]
fn a_setter_patches_the_one_node_that_has_the_value() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let b = device.zeros::<f64>(1000).unwrap();
        let mut x = device.zeros::<f64>(1000).unwrap();
        let mut solver = JacobiArgs { b: &b, x: &mut x, tolerance: 5 }.build(&device).unwrap();
        solver.launch().unwrap();
        stand_in.forget().unwrap();
        solver.set_tolerance(77).unwrap();
        solver.launch().unwrap();
        let report = lawful(stand_in);
        assert_eq!(calls(&report, &["cuGraph", "cuModule", "cuMem"]), ["cuGraphExecNodeSetParams", "cuGraphLaunch"]);
        let patched = report.calls.iter().find(|call| call.function == "cuGraphExecNodeSetParams").unwrap();
        assert_eq!(argument(&exec(&report).works[&patched.about.unwrap()], 5), 77);
    });
}

#[test]
fn all_is_given_back_behind_the_last_launch() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let b = device.zeros::<f64>(1000).unwrap();
        let mut x = device.zeros::<f64>(1000).unwrap();
        let mut solver = JacobiArgs { b: &b, x: &mut x, tolerance: 5 }.build(&device).unwrap();
        solver.launch().unwrap();
        stand_in.forget().unwrap();
        drop(solver);
        drop((b, x));
        let order = ["cuGraphExecDestroy", "cuGraphDestroy", "cuMemFree", "cuStreamSynchronize", "cuCtxSynchronize"];
        let given_back = lawful(stand_in);
        // The launch may still run: nobody has waited for it, and nobody does.
        let frees = ["cuMemFreeAsync"; 4];
        let expected: Vec<&str> = ["cuGraphExecDestroy", "cuGraphDestroy"].into_iter().chain(frees).collect();
        assert_eq!(calls(&given_back, &order), expected);
        settle(&device);
        assert_eq!(live(stand_in), ["context", "module", "module", "stream", "stream"]);
    });
}
