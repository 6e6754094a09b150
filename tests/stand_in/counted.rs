//! Loops that a kernel ends: where a pass is counted.

use graph_runtime::prelude::*;
use stand_in_driver::Work;
use tests::pipelines::conditions::setting;

use crate::child::{child, device, lawful};
use crate::shape::{edges, exec, graph, words};

/// A step and the kernel that decides, with a head and what stands in the body.
macro_rules! decided {
    ($name:ident($x:ident, $n:ident) [$($head:tt)*] {$($first:tt)*}) => {
        cuda_graph! {
            graph $name($x: &mut [f32; $n], passes: &mut [u32; 1], bound: f32) {
                'halve: while |again| $($head)* {
                    $($first)*
                    setting::halve<<<1>>>(&mut $x, &mut passes, bound, again, $n as u32);
                }
            }
        }
    };
}

decided!(Behind(x, n) [] { kernel for i in 0..n { x[i] = x[i] + 1.0; } });
decided!(BehindCopy(x, n) [] { copy(&x[..1], &out x[1..2]); });
decided!(Limited(x, n) [limit 100] { kernel for i in 0..n { x[i] = x[i] + 1.0; } });
decided!(Alone(x, n) [] {});

/// The edges of the body's nodes, and where the one is that counts.
macro_rules! has_edges {
    ($arguments:ident, $expected:expr, $counts:expr) => {
        child(|stand_in| {
            let device = device(stand_in, 13000);
            let (mut x, mut passes) = (device.zeros::<f32>(8).unwrap(), device.zeros::<u32>(1).unwrap());
            let mut built = $arguments { x: &mut x, passes: &mut passes, bound: 1.0 }.build(&device).unwrap();
            built.launch().unwrap();
            let report = lawful(stand_in);
            let root = graph(&report, exec(&report).graph);
            let Work::Conditional { bodies, .. } = &root.nodes[1].work else { panic!("{root:#?}") };
            let body = graph(&report, bodies[0]);
            assert!(words(body)[$counts].contains("halve_counted"), "{:?}", words(body));
            assert_eq!(edges(body), $expected, "{:?}", words(body));
        })
    };
}

#[test]
fn a_pass_is_counted_while_it_runs() {
    // It is added first: then the device begins it first.
    has_edges!(BehindArgs, [(1, 2)], 0);
}

/// The driver wants a launch in front of what decides, or behind it.
#[test]
fn a_pass_is_counted_behind_a_kernel_that_has_no_launch_in_front_of_it() {
    has_edges!(AloneArgs, [(0, 1)], 1);
}

#[test]
fn a_copy_is_no_launch() {
    has_edges!(BehindCopyArgs, [(0, 1), (1, 2)], 2);
}

#[test]
fn a_limit_overrules_the_kernel_behind_it() {
    has_edges!(LimitedArgs, [(0, 1), (1, 2)], 2);
}
