//! `#[early(…)]`: kernels that read before they wait begin early only where nothing in front of them writes what they read.

use stand_in_driver::{Config, Node, Work};
use tests::pipelines::launches::EarlyArgs;

use crate::child::{child, configured, lawful};
use crate::shape::{exec, graph};

/// The name of a launch of the user's, and whether it begins early: all of its edges are programmatic.
fn launch(node: &Node) -> Option<(&str, bool)> {
    let early = !node.edges.is_empty() && node.edges.iter().all(|edge| (edge.port, edge.kind) == (1, 1));
    match &node.work {
        Work::Kernel { name, .. } if name == "step" || name == "scale" => Some((name, early)),
        _ => None,
    }
}

#[test]
fn what_is_written_in_front_is_not_read_early() {
    child(|stand_in| {
        let device = configured(stand_in, &Config::default());
        let (mut x, by, mut next) = (device.zeros(100).unwrap(), device.zeros(1).unwrap(), device.zeros(1).unwrap());
        let built = EarlyArgs { x: &mut x, by: &by, next: &mut next }.build(&device).unwrap();
        let report = lawful(stand_in);
        let found: Vec<_> = graph(&report, exec(&report).graph).nodes.iter().filter_map(launch).collect();
        let wanted = [("step", false), ("scale", true), ("scale", true), ("step", true), ("scale", false)];
        assert_eq!(found, wanted);
        drop(built);
    });
}
