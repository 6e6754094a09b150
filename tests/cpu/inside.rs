//! Graphs of another crate inside a graph, and what the build says of lengths.

use graph_runtime::prelude::*;
use tests::pipelines::inside::parts::{self, Affine};

cuda_graph! {
    /// `x = 6 x + 5` for the first half.
    graph FromAnotherCrate(x: &mut [f32; n]) {
        let y: [f32; n / 2];
        Affine { x: &x[..n / 2], y: &out y, by: 2.0, add: 1.0 };
        'second: parts::Affine { x: &y, y: &out x[..n / 2], by: 3.0, add: 2.0 };
    }

    graph Fixed(x: &mut [f32; 4]) {
        fill(&out x, 0.0);
    }

    graph Part(x: &mut [f32; n], to: usize) {
        Fixed { x: &mut x[..to] };
    }

    graph Pair(x: [&mut [f32]], i: usize, j: usize) {
        Sum { x: &x[i], y: &mut x[j] };
    }

    graph Sum(x: &[f32; n], y: &mut [f32; n]) {
        kernel for k in 0..n {
            y[k] += x[k];
        }
    }
}

#[test]
fn graphs_of_another_crate_are_named_by_path() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f32, 2.0, 3.0, 4.0])?;
    let mut graph = FromAnotherCrateArgs { x }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [11.0, 17.0, 3.0, 4.0]);
    let plan = graph.plan().to_string();
    for name in ["Affine/copy_scaled", "second/add"] {
        assert!(plan.contains(name), "{plan}");
    }
    Ok(())
}

#[test]
fn a_part_of_another_length_is_refused_with_both_numbers() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f32; 8])?;
    let Err(error) = (PartArgs { x, to: 3 }).build(&device) else { panic!("three are not four") };
    let text = error.to_string();
    assert!(text.contains("graph `Fixed` takes 4 elements as `x`, and is given 3 elements of `x` [CG0811]"), "{text}");
    let x = device.buffer_from(&[1.0_f32; 8])?;
    let mut graph = PartArgs { x, to: 4 }.build(&device)?;
    assert!(graph.set_to(5).is_err(), "a setter is checked too");
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    Ok(())
}

#[test]
fn one_buffer_of_a_list_for_two_parameters_is_refused() -> Result<()> {
    let device = Device::cpu();
    let mut x = vec![device.buffer_from(&[1.0_f32, 2.0])?, device.buffer_from(&[10.0_f32, 20.0])?];
    let error = PairArgs { x: &mut x, i: 1, j: 1 }.build(&device).map(drop).unwrap_err().to_string();
    assert!(error.contains("graph `Sum` is given `x[1]` twice and writes it [CG0202]"), "{error}");
    let mut graph = PairArgs { x: &mut x, i: 1, j: 0 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x(0)?.to_vec()?, [11.0, 22.0]);
    Ok(())
}
