//! A graph beside old code on a stream of its own.

use graph_runtime::prelude::*;
use graph_runtime::{Compared, OldCode};
use stand_in_driver::Work;
use tests::kernels::basic;

use crate::child::{child, device, lawful};
use crate::shape::{argument, calls, exec};

cuda_graph! {
    graph Scaled(x: &[f32; n], y: &mut [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&x, &out y, 2.0, n as u32);
    }
}

/// What the old code is given is what the graph's kernel is; it is over before the graph is launched. Nothing is computed, so both are equal.
#[test]
fn old_code_is_given_the_graphs_buffers_and_waited_for() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let (x, mut y) = (device.zeros::<f32>(60).unwrap(), device.zeros::<f32>(60).unwrap());
        let mut graph = ScaledArgs { x: &x, y: &mut y }.build(&device).unwrap();
        stand_in.forget().unwrap();
        let mut given = [0; 2];
        let old = |old: &OldCode<'_>| -> Result<()> {
            let (from, to) = (old.view::<f32>("x")?, old.view_mut::<f32>("y")?);
            assert_eq!((from.len(), to.len(), old.stream()?.ordinal()), (60, 60, 0));
            assert!(!old.stream()?.raw().is_null());
            given = [from.address(), to.address()];
            Ok(())
        };
        assert_eq!(graph.compare_with(old).unwrap(), Compared { buffers: 1, elements: 60 });
        let report = lawful(stand_in);
        let kernel = exec(&report).works.values().find(|work| matches!(work, Work::Kernel { .. })).unwrap();
        assert_eq!([argument(kernel, 0), argument(kernel, 1)], given);
        let order = calls(&report, &["cuStreamCreate", "cuStreamSynchronize", "cuGraphLaunch"]);
        let at = |name: &str| order.iter().position(|call| *call == name).unwrap();
        let waited = order[at("cuStreamCreate")..].iter().position(|call| *call == "cuStreamSynchronize");
        assert!(waited.is_some_and(|waited| at("cuStreamCreate") + waited < at("cuGraphLaunch")), "{order:?}");
        let told = graph.compare_with(|old| old.slice::<f32>("x").map(drop)).unwrap_err().to_string();
        assert!(
            told.contains("on a CUDA device, whose memory has no slices\nhelp: ask the old code for `view`"),
            "{told}"
        );
    });
}
