//! Structs of buffers and lists of them: parameters, fields, items.

use std::sync::Arc;

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::{as_usual, run};

#[derive(Buffers)]
struct Linear {
    w: Buffer<f32>,
    b: Buffer<f32>,
    scale: f32,
}

#[derive(Buffers)]
struct Layer {
    up: Linear,
    down: Linear,
    rounds: usize,
}

#[derive(Buffers)]
struct State {
    x: Buffer<f32>,
    history: Vec<Buffer<f32>>,
    passes: Buffer<u32>,
}

cuda_graph! {
    /// For each layer: `x = (x * w.scale + b)`, `rounds` times through `up`, once through `down`; the history keeps every result.
    graph Network(layers: [&Layer], state: &mut State, n: usize) {
        let h: [f32; n];
        for (i, layer) in layers.iter().enumerate() {
            for _ in 0..layer.rounds {
                basic::copy_scaled<<<1, 64>>>(&state.x, &out h, layer.up.scale, n as u32);
                basic::sum_of_two<<<1, 64>>>(&h, &layer.up.b, &out state.x, n as u32);
            }
            let down = &layers[i].down;
            basic::sum_of_two<<<1, 64>>>(&state.x, &down.w, &out h, n as u32);
            basic::copy_scaled<<<1, 64>>>(&h, &out state.x, down.scale, n as u32);
            copy(&state.x, &out state.history[i]);
            state.passes[0] += 1;
        }
    }

    /// Items of two lists side by side, then one by its index.
    graph Paired(from: [&Layer], to: [&mut State], last: usize) {
        for (i, (a, b)) in from.iter().zip(to.iter()).enumerate() {
            copy(&a.up.b, &out b.x);
            b.passes[0] = i as u32 + 10;
        }
        copy(&from[last].down.w, &out to[last].history[from[last].rounds]);
    }

    /// Works on two fields side by side, on the device until one of them says so.
    graph Fields(state: &mut State, bound: u32) {
        'rounds: while state.passes[0] < bound limit 100 {
            basic::add_constant<<<1, 64>>>(&mut state.x, 1.0, state.x.len() as u32);
            basic::times_constant<<<1, 64>>>(&mut state.history[0], 2.0, state.history[0].len() as u32);
            state.passes[0] += 2;
        }
    }

    /// A struct whose fields nothing but kernels in the block name: `y = w x + b` for each element, and the sum of `w`.
    graph Elements(layer: &Linear, x: &[f32; n], y: &out [f32; n], sum: &out [f32; 1]) {
        kernel for i in 0..n {
            y[i] = layer.w[i] * x[i] + layer.b[n - 1 - i];
        }
        sum[0] = (0..n).map(|i| layer.w[i]).sum();
    }

    /// Structs that are only passed on, one of them twice over.
    graph PassedOn(first: &Linear, second: &Linear, x: &[f32; n], y: &out [f32; n], sums: &out [f32; 2]) {
        let h: [f32; n];
        Elements { layer: &first, x: &x, y: &out h, sum: &out sums[0..1] };
        PassedAgain { layer: &second, x: &h, y: &out y, sum: &out sums[1..2] };
    }

    graph PassedAgain(layer: &Linear, x: &[f32; n], y: &out [f32; n], sum: &out [f32; 1]) {
        Elements { layer: &layer, x: &x, y: &out y, sum: &out sum };
    }

    /// A field that is only passed on.
    graph FieldPassedOn(state: &mut State, by: &[f32; n]) {
        AddTo { x: &mut state.x, by: &by };
    }

    graph AddTo(x: &mut [f32; n], by: &[f32; n]) {
        kernel for i in 0..n { x[i] += by[i]; }
    }
}

fn linear(device: &Device, n: usize, w: f32, b: f32, scale: f32) -> Result<Linear> {
    Ok(Linear { w: device.buffer_from(&vec![w; n])?, b: device.buffer_from(&vec![b; n])?, scale })
}

fn state(device: &Device, n: usize, history: usize) -> Result<State> {
    let history = (0..history).map(|_| device.buffer_from(&vec![1.0; n])).collect::<Result<_>>()?;
    Ok(State { x: device.buffer_from(&vec![1.0; n])?, history, passes: device.zeros(1)? })
}

/// Structs in a list, by reference, as items of a `for` and through a `let`.
pub fn network(device: &Device) -> Result<()> {
    let n = 64;
    let layer = |index: usize| -> Result<Layer> {
        let step = index as f32;
        let (up, down) = (linear(device, n, 0.0, step, 2.0)?, linear(device, n, step + 1.0, 0.0, 0.5)?);
        Ok(Layer { up, down, rounds: index + 1 })
    };
    let layers = (0..3).map(layer).collect::<Result<Vec<_>>>()?;
    let mut state = state(device, n, 3)?;
    let mut network = NetworkArgs { layers: &layers, state: &mut state, n }.build(device)?;
    run(&mut network)?;
    assert_eq!(network.view_of::<u32>("state.passes")?.to_vec()?, [3]);
    drop(network);
    let (mut x, mut expected) = (1.0_f32, Vec::new());
    for index in 0..3 {
        for _ in 0..=index {
            x = x * 2.0 + index as f32;
        }
        x = (x + index as f32 + 1.0) * 0.5;
        expected.push(x);
    }
    for (history, expected) in state.history.iter().zip(expected) {
        assert_eq!(history.to_vec()?, vec![expected; n]);
    }
    assert_eq!(state.x.to_vec()?, vec![x; n]);
    Ok(())
}

/// One struct, by value, with a loop on the device that reads and writes its fields.
pub fn fields(device: &Device) -> Result<()> {
    let mut fields = FieldsArgs { state: state(device, 5, 2)?, bound: 7 }.build(device)?;
    run(&mut fields)?;
    assert_eq!(fields.iterations(Fields::ROUNDS)?, 4);
    assert_eq!(fields.view_of::<f32>("state.x")?.to_vec()?, [5.0; 5]);
    assert_eq!(fields.view_of::<f32>("state.history[0]")?.to_vec()?, [16.0; 5]);
    assert_eq!(fields.view_of::<f32>("state.history[1]")?.to_vec()?, [1.0; 5]);
    assert!(fields.plan().edges().is_empty() || !as_usual(device), "the loop is one node");
    assert!(fields.view_of::<u32>("state.x").and_then(|view| view.to_vec()).is_err());
    let unknown = fields.view_of::<f32>("state.y").unwrap_err().to_string();
    assert!(unknown.contains("`state.y`") && unknown.contains("state.x"), "{unknown}");
    Ok(())
}

/// Two lists are walked together; the names of the pattern belong to one each.
pub fn paired(device: &Device) -> Result<()> {
    let layer = |index: usize| -> Result<Layer> {
        let value = index as f32;
        Ok(Layer {
            up: linear(device, 3, 0.0, value, 0.0)?,
            down: linear(device, 3, value + 0.5, 0.0, 0.0)?,
            rounds: 1,
        })
    };
    let layers = [layer(0)?, layer(1)?];
    let mut states = vec![state(device, 3, 2)?, state(device, 3, 2)?];
    let mut graph = PairedArgs { from: &layers, to: &mut states, last: 1 }.build(device)?;
    run(&mut graph)?;
    drop(graph);
    assert_eq!((states[0].x.to_vec()?, states[1].x.to_vec()?), (vec![0.0; 3], vec![1.0; 3]));
    assert_eq!((states[0].passes.to_vec()?, states[1].passes.to_vec()?), (vec![10], vec![11]));
    assert_eq!(states[1].history[1].to_vec()?, [1.5; 3]);
    assert_eq!(states[1].history[0].to_vec()?, [1.0; 3]);
    Ok(())
}

/// Weights that two structs share are only read.
pub fn shared_layers(device: &Device) -> Result<()> {
    let layer = Layer { up: linear(device, 4, 0.0, 1.0, 3.0)?, down: linear(device, 4, 0.0, 0.0, 1.0)?, rounds: 1 };
    let layer = Arc::new(layer);
    let layers = vec![Arc::clone(&layer), layer];
    let mut state = state(device, 4, 2)?;
    let mut graph = NetworkArgs { layers: &layers, state: &mut state, n: 4 }.build(device)?;
    run(&mut graph)?;
    drop(graph);
    assert_eq!(state.x.to_vec()?, [13.0; 4], "(1 * 3 + 1) * 3 + 1");
    Ok(())
}

/// Structs that only kernels in the block, or graphs inside the graph, look into.
pub fn passed_on(device: &Device) -> Result<()> {
    let numbers = |values: [f32; 3]| device.buffer_from(&values);
    let first = Linear { w: numbers([1.0, 2.0, 3.0])?, b: numbers([10.0, 20.0, 30.0])?, scale: 1.0 };
    let second = Linear { w: numbers([2.0, 0.0, -1.0])?, b: numbers([0.5, 1.5, 2.5])?, scale: 1.0 };
    let (x, y, sums) = (numbers([1.0, -1.0, 2.0])?, device.zeros(3)?, device.zeros(2)?);
    let mut graph = PassedOnArgs { first: &first, second: &second, x: &x, y, sums }.build(device)?;
    run(&mut graph)?;
    // First 31, 18, 16; then twice the first and 2.5, 1.5, 0.5 less the last.
    assert_eq!(graph.view_of::<f32>("y")?.to_vec()?, [64.5, 1.5, -15.5]);
    assert_eq!(graph.view_of::<f32>("sums")?.to_vec()?, [6.0, 1.0]);
    let mut graph = FieldPassedOnArgs { state: state(device, 3, 1)?, by: &x }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.view_of::<f32>("state.x")?.to_vec()?, [2.0, 0.0, 3.0]);
    Ok(())
}
