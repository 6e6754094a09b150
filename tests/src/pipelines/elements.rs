//! Buffers of lists and structs in kernels in the block.

use graph_runtime::prelude::*;

use crate::run::run;

#[derive(Buffers)]
struct Layer {
    gain: Buffer<f32>,
    bias: Buffer<f32>,
    scale: f32,
}

#[derive(Buffers)]
struct Model {
    layers: Vec<Layer>,
    norms: Buffer<f32>,
}

cuda_graph! {
    /// Every layer in turn: `x = x * gain * scale + bias`; what each adds up to is kept.
    graph Layers(model: &mut Model, x: &mut [f32; n], parts: [&mut [f32; n]], n: usize) {
        for (l, layer) in model.layers.iter().enumerate() {
            let scale = layer.scale;
            kernel for i in 0..n {
                x[i] = x[i] * layer.gain[i] * scale + layer.bias[i];
                parts[l][i] += 2.0 * x[i];
            }
            model.norms[l] = (0..n).map(|i| parts[l][i] * model.layers[l].gain[0]).sum();
        }
    }

    /// Whether the indices meet is seen when the graph is built.
    graph Shifted(w: [&mut [f32; n]], from: usize, to: usize) {
        kernel for i in 0..n - 1 { w[to][i] = w[from][i + 1]; }
    }
}

/// Elements of buffers in structs and lists, in kernels and reductions.
pub fn layers(device: &Device) -> Result<()> {
    let layer = |gain: f32, bias: f32, scale: f32| -> Result<Layer> {
        Ok(Layer { gain: device.buffer_from(&[gain; 3])?, bias: device.buffer_from(&[bias, 2.0 * bias, 0.0])?, scale })
    };
    let model = Model { layers: vec![layer(2.0, 1.0, 0.5)?, layer(3.0, 10.0, 1.0)?], norms: device.zeros(2)? };
    let parts = vec![device.buffer_from(&[100.0_f32; 3])?, device.zeros(3)?];
    let mut x = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
    let mut graph = LayersArgs { model, x: &mut x, parts, n: 3 }.build(device)?;
    run(&mut graph)?;
    // After the first layer [2, 4, 3], after the second [16, 32, 9].
    assert_eq!(graph.x().to_vec()?, [16.0, 32.0, 9.0]);
    assert_eq!(graph.parts(0)?.to_vec()?, [104.0, 108.0, 106.0]);
    assert_eq!(graph.parts(1)?.to_vec()?, [32.0, 64.0, 18.0]);
    assert_eq!(graph.view_of::<f32>("model.norms")?.to_vec()?, [318.0 * 2.0, 114.0 * 3.0]);
    Ok(())
}

/// Two names for one buffer would race: refused when the indices are known.
pub fn shifted(device: &Device) -> Result<()> {
    let mut w = vec![device.buffer_from(&[1.0_f32, 2.0, 3.0])?, device.zeros(3)?];
    let mut graph = ShiftedArgs { w: &mut w, from: 0, to: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.w(1)?.to_vec()?, [2.0, 3.0, 0.0]);
    let error = graph.set_to(0).unwrap_err().to_string();
    assert!(error.contains("are one buffer, `w[0]`, and it is written [CG0202]"), "{error}");
    run(&mut graph)?;
    assert_eq!(graph.w(0)?.to_vec()?, [1.0, 2.0, 3.0]);
    Ok(())
}
