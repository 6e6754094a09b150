//! Graphs inside functions, modules and `const` blocks; visibilities; several graphs with one kernel; graphs without anything.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;

mod outer {
    use graph_runtime::prelude::*;

    pub(super) mod inner {
        use super::super::odd::increment;
        use graph_runtime::prelude::*;

        cuda_graph! {}

        cuda_graph! {
            /// Seen by the parent's parent.
            pub(in super::super) graph Within(x: &mut [u32; n]) {
                increment<<<1, 64>>>(&mut x, n as u32);
                super::super::super::kernels::odd::count<<<1, 64>>>(&mut x, n as u32);
            }

            pub(super) graph Parent(x: &mut [u32; n]) {
                increment<<<1, 64>>>(&mut x, n as u32);
            }
        }
    }

    cuda_graph! {
        pub(crate) graph Crate(x: &mut [u32; n]) {
            super::odd::count<<<1, 64>>>(&mut x, n as u32);
        }
    }

    pub(super) fn parent(device: &Device) -> Result<Vec<u32>> {
        let mut graph = inner::ParentArgs { x: device.zeros::<u32>(1)? }.build(device)?;
        graph.launch()?;
        graph.x().to_vec()
    }
}

cuda_graph! {
    /// Has nothing.
    graph Nothing() {}

    #[allow(unused_parameter, reason = "has no node")]
    graph OnlyBuffers(x: &mut [u32; n], y: &[u32]) { }

    graph OnlyValues(n: u32, text: String) {
        ;;
        odd::nothing<<<1, 1>>>(n);
        'second: odd::nothing<<<1, text.len()>>>(text.len() as u32);
        { }
        { ; }
        let unused = text.len();
    }

    graph EmptyBodies(x: &mut [u32; 1], yes: bool) {
        if yes { } else { }
        if x[0] > 0 { } else if x[0] < 5 { } else { }
        if x[0] > 3 { ; }
        match x[0] { 0 => {} 1 | 2 => {}, _ => {} }
        loop limit 3 { }
        'here: loop limit 2 every 2 {};
    }
}

#[test]
fn within_modules() {
    on_each(|device| {
        let mut within = outer::inner::WithinArgs { x: device.zeros::<u32>(1)? }.build(device)?;
        within.launch()?;
        assert_eq!(within.x().to_vec()?, [11]);
        let mut graph = outer::CrateArgs { x: device.zeros::<u32>(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [1]);
        assert_eq!(outer::parent(device)?, [10]);
        Ok(())
    });
}

#[test]
fn within_functions() {
    on_each(|device| {
        use crate::kernels::odd as strange;
        use crate::kernels::odd::increment;
        cuda_graph! {
            graph Local(x: &mut [u32; n]) {
                increment<<<1, 64>>>(&mut x, n as u32);
                strange::count<<<1, 64>>>(&mut x, n as u32);
                self::odd::count<<<1, 64>>>(&mut x, n as u32);
            }
        }
        let mut graph = LocalArgs { x: device.zeros::<u32>(2)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [12; 2]);
        {
            cuda_graph! {
                graph Local(x: &mut [u32; n]) { odd::count<<<1, 64>>>(&mut x, n as u32); }
            }
            let mut graph = LocalArgs { x: device.zeros::<u32>(2)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.x().to_vec()?, [1; 2]);
        }
        Ok(())
    });
}

#[test]
fn graphs_without_anything() {
    on_each(|device| {
        let mut graph = NothingArgs {}.build(device)?;
        graph.launch()?;
        graph.launch()?;
        graph.run_eager()?;
        graph.synchronize()?;
        assert!(graph.plan().nodes().is_empty());
        let _parts = graph.into_parts();
        let y = device.buffer_from(&[1_u32])?;
        let mut graph = OnlyBuffersArgs { x: device.zeros(3)?, y: &y }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [0; 3]);
        assert_eq!(graph.into_parts().x.into_buffer().map(|x| x.len()), Some(3));
        let mut graph = OnlyValuesArgs { n: 1, text: "abc".to_owned() }.build(device)?;
        assert_eq!(graph.plan().nodes().len(), 2);
        graph.launch()?;
        graph.set_text("longer".to_owned())?;
        graph.launch()?;
        graph.synchronize()?;
        let mut graph = EmptyBodiesArgs { x: device.buffer_from(&[4_u32])?, yes: true }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.iterations(EmptyBodies::HERE)?, 2);
        assert_eq!(graph.x().to_vec()?, [4]);
        Ok(())
    });
}
