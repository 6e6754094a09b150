//! The same values from what older drivers want: two IFs for one with `else`, rows of IFs for SWITCH, kernels in empty bodies.

use graph_runtime::Result;
use graph_runtime::prelude::*;
use tests::kernels::basic;
use tests::pipelines::ALL;

/// Every pipeline on a device that is used as a driver of this version must be.
fn all_as_if(version: u32) {
    let Some(turn) = crate::device() else { return };
    let device = turn.clone().as_if_driver(version);
    for (name, pipeline) in ALL {
        if let Err(error) = pipeline(&device) {
            panic!("{name}, as if the driver were {version}: {error}");
        }
    }
}

#[test]
fn every_pipeline_as_if_on_12_4() {
    all_as_if(12_040);
}

#[test]
fn every_pipeline_as_if_on_12_8() {
    all_as_if(12_080);
}

cuda_graph! {
    graph Plain(x: &mut [u32; 4]) {
        x[0] += 1;
        x[3] = x[0] * 2;
    }

    graph Decides(x: &mut [u32; 4]) {
        if x[0] > 0 { x[1] = 7; }
    }
}

/// By single launches, and what nothing but a graph can do is refused by its code.
#[test]
fn every_pipeline_as_if_on_12_3() {
    let Some(turn) = crate::device() else { return };
    let device = turn.clone().as_if_driver(12_030);
    let mut refused = Vec::new();
    for (name, pipeline) in ALL {
        match pipeline(&device) {
            Ok(()) => {}
            Err(error) if error.to_string().contains(" is ended by a kernel, which needs CUDA 12.4 [CG0512]") => {
                refused.push(*name);
            }
            Err(error) => panic!("{name}, as if the driver were 12.3: {error}"),
        }
    }
    assert!(refused.contains(&"set_by_a_kernel") && refused.len() < 8, "{refused:?}");
}

#[test]
fn without_conditional_nodes_the_host_decides_unless_a_graph_is_required() -> Result<()> {
    let Some(turn) = crate::device() else { return Ok(()) };
    let device = turn.clone().as_if_driver(12_030);
    let mut x = device.buffer_from(&[4_u32, 0, 0, 0])?;
    let required = device.clone().require_graphs();
    let text = DecidesArgs { x: &mut x }.build(&required).map(drop).unwrap_err().to_string();
    assert!(text.contains("decides on the device, which needs CUDA 12.4 [CG0512]"), "{text}");
    let mut graph = PlainArgs { x: &mut x }.build(&required)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [5, 0, 0, 10]);
    drop(graph);
    let mut graph = DecidesArgs { x: &mut x }.build(&device)?;
    assert!(graph.plan().by_launches().is_some_and(|why| why.ends_with("the driver supports CUDA 12.3")));
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [5, 7, 0, 10]);
    graph.x_mut()?.write_from(&[0, 1, 2, 3])?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [0, 1, 2, 3]);
    Ok(())
}

cuda_graph! {
    graph Together(x: &mut [f32; n], go: &[u32; 1]) {
        if go[0] > 0 {
            #[cooperative]
            'all: basic::add_constant<<<1, 32>>>(&mut x, 1.0, n as u32);
        }
    }
}

#[test]
fn a_cooperative_launch_in_a_body_names_its_node_and_what_it_needs() -> Result<()> {
    let Some(turn) = crate::device() else { return Ok(()) };
    let (mut x, go) = (turn.buffer_from(&[1.0_f32; 4])?, turn.buffer_from(&[1_u32])?);
    let old = turn.clone().as_if_driver(12_040);
    let text = TogetherArgs { x: &mut x, go: &go }.build(&old).map(drop).unwrap_err().to_string();
    for part in ["node `all` (", "gpu/lowering.rs:", "a cooperative launch in a body, which needs CUDA 12.8", "help: "]
    {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    Ok(())
}
