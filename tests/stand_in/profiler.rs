//! What a profiler is told by NVTX: the stand-in is injected as one.

use graph_runtime::prelude::*;
use tests::kernels::basic;

use crate::child::{child, device, lawful};

cuda_graph! {
    graph Grown(x: &mut [f32; n], by: f32, rounds: usize) {
        for _ in 0..rounds {
            basic::times_constant<<<n.div_ceil(256), 256>>>(&mut x, by, n as u32);
        }
    }
}

#[test]
fn builds_launches_and_changes_are_ranges_with_the_graphs_name() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let mut x = device.zeros::<f32>(600).unwrap();
        stand_in.forget().unwrap();
        let mut graph = GrownArgs { x: &mut x, by: 2.0, rounds: 1 }.build(&device).unwrap();
        let report = lawful(stand_in);
        let built = report.ranges.iter().position(|range| range.starts_with("building graph `Grown`")).unwrap();
        assert!(report.ranges[built..].contains(&"  instantiate Grown".to_owned()), "{:?}", report.ranges);
        assert!(
            report.ranges[..built].iter().any(|range| range.starts_with("planning graph `Grown`")),
            "{:?}",
            report.ranges
        );
        assert_eq!(report.stream_names, ["graph `Grown`"]);
        stand_in.forget().unwrap();
        graph.launch().unwrap();
        graph.set_by(3.0).unwrap();
        graph.launch().unwrap();
        assert_eq!(lawful(stand_in).ranges, ["launch Grown", "update Grown", "launch Grown"]);
        stand_in.forget().unwrap();
        graph.set_rounds(2).unwrap();
        let ranges = lawful(stand_in).ranges;
        assert_eq!(ranges[0], "evaluating the host expressions of graph `Grown`");
        assert!(ranges.contains(&"  instantiate Grown".to_owned()), "{ranges:?}");
        assert!(ranges.iter().all(|range| !range.contains("nobody")), "{ranges:?}");
    });
}
