//! Attributes of launches, seen from the device; instances and files that a build script makes.

use graph_runtime::prelude::*;
use tests::kernels::basic;
use tests::pipelines::launches::overlapping;
use tests::pipelines::modules::templates;

/// Written by `build.rs`.
#[cuda_module(out_dir = "made.ptx")]
unsafe mod made {
    pub fn triple(x: &[f32; n], y: Out<[f32; n]>, n: u32);
}

cuda_graph! {
    graph Clusters(sizes: &out [u32; 8]) {
        #[cluster(4)]
        overlapping::cluster_sizes<<<8>>>(&out sizes);
    }

    graph LargeClusters(sizes: &out [u32; 16]) {
        #[cluster(16)]
        overlapping::cluster_sizes<<<16>>>(&out sizes);
    }

    /// In a body of a conditional.
    graph Nested(sizes: &mut [u32; 8], again: &mut [u32; 1]) {
        while again[0] > 0 {
            again[0] -= 1;
            #[cluster(2)]
            #[priority(high)]
            overlapping::cluster_sizes<<<8>>>(&out sizes);
        }
    }

    graph Together(x: &mut [u32; n], blocks: u32) {
        #[cooperative]
        basic::increment<<<blocks, 64>>>(&mut x, n as u32);
    }

    graph Instance<T: Element + DeviceValue>(x: &[T; n], y: &mut [T; n], a: T)
    where
        T: std::ops::AddAssign + std::ops::Mul<Output = T>,
    {
        templates::axpy::<T, 2><<<n.div_ceil(64), 32>>>(&mut y, &x, a, n as u32);
    }

    graph Triple(x: &[f32; n], y: &out [f32; n]) {
        made::triple<<<n.div_ceil(64), 64>>>(&x, &out y, n as u32);
    }
}

/// Whether the device has clusters; the error of one that has none says so.
fn has_clusters(device: &Device) -> Result<bool> {
    let mut sizes = device.zeros::<u32>(8)?;
    match (ClustersArgs { sizes: &mut sizes }.build(device)) {
        Ok(_) => Ok(true),
        Err(error) => {
            assert!(error.to_string().contains("clusters need compute capability 9.0"), "{error}");
            Ok(false)
        }
    }
}

#[test]
fn blocks_see_their_cluster() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    if !has_clusters(&device)? {
        return Ok(());
    }
    let mut sizes = device.zeros::<u32>(8)?;
    let mut graph = ClustersArgs { sizes: &mut sizes }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.sizes().to_vec()?, [4; 8]);
    graph.sizes_mut()?.write_from(&[0; 8])?;
    graph.run_eager()?;
    assert_eq!(graph.sizes().to_vec()?, [4; 8], "eagerly");
    drop(graph);
    let mut again = device.buffer_from(&[2_u32])?;
    let mut graph = NestedArgs { sizes: &mut sizes, again: &mut again }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.sizes().to_vec()?, [2; 8], "in a body");
    Ok(())
}

#[test]
fn a_cluster_of_sixteen_runs_or_is_explained() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    if !has_clusters(&device)? {
        return Ok(());
    }
    let mut sizes = device.zeros::<u32>(16)?;
    match (LargeClustersArgs { sizes: &mut sizes }.build(&device)) {
        Ok(mut graph) => {
            graph.launch()?;
            assert_eq!(graph.sizes().to_vec()?, [16; 16]);
        }
        Err(error) => assert!(error.to_string().contains("cluster"), "{error}"),
    }
    Ok(())
}

#[test]
fn a_cooperative_launch_fits_on_the_device_or_is_refused_with_numbers() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(64)?;
    let mut graph = TogetherArgs { x: &mut x, blocks: 1 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1; 64]);
    let error = graph.set_blocks(1_000_000).unwrap_err().to_string();
    assert!(error.contains("runs all its 1000000 blocks at once, and this device runs"), "{error}");
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [2; 64], "nothing has changed");
    Ok(())
}

#[test]
fn instances_that_later_graphs_need_are_loaded_beside_the_file() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    for _ in 0..2 {
        let (x, mut y) = (device.buffer_from(&[2.0_f32; 70])?, device.zeros::<f32>(70)?);
        let mut graph = InstanceArgs { x: &x, y: &mut y, a: 4.0 }.build(&device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [8.0; 70]);
    }
    let (x, mut y) = (device.buffer_from(&[3_i64; 70])?, device.zeros::<i64>(70)?);
    let mut graph = InstanceArgs { x: &x, y: &mut y, a: -5 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [-15; 70]);
    Ok(())
}

#[test]
fn a_file_of_a_build_script() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.buffer_from(&[1.0_f32, -2.0])?;
    let mut y = device.zeros::<f32>(2)?;
    let mut graph = TripleArgs { x: &x, y: &mut y }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [3.0, -6.0]);
    Ok(())
}
