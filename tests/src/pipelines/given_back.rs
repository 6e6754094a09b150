//! What `into_parts` gives back, and what a rebind does: lists, structs, parts of structs, objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use graph_runtime::prelude::*;

use crate::run::run;

#[derive(Buffers)]
struct Layer {
    w: Buffer<f32>,
    steps: Vec<Buffer<f32>>,
    by: f32,
}

#[derive(Buffers)]
struct Staged {
    input: PinnedBuffer<f32>,
}

cuda_graph! {
    /// What lies in pinned memory, in a struct.
    graph Fetched(staged: &Staged, y: &out [f32; n]) {
        copy(&staged.input, &out y);
    }

    /// `y = x + by * w + steps`, for each layer, into the list.
    graph Layers(x: &[f32; n], layers: [&mut Layer], out: [&mut [f32; n]]) {
        for (i, layer) in layers.iter().enumerate() {
            let by = layer.by;
            kernel for k in 0..n { out[i][k] = x[k] + by * layer.w[k]; }
            for step in 0..layer.steps.len() {
                kernel for k in 0..n { out[i][k] += layer.steps[step][k]; }
            }
            fill(&out layer.w, 0.0);
        }
    }

    graph One(layer: &Layer, y: &mut [f32; n]) {
        kernel for k in 0..n { y[k] = layer.w[k] * layer.by; }
    }

    graph Counted(seen: &mut host [u32; 1], count: &AtomicU32, log: &mut Vec<u32>) {
        host(&mut seen, &count, &mut log, |seen, count, log| {
            seen[0] = count.fetch_add(1, Ordering::Relaxed) + 1;
            log.push(seen[0]);
        });
    }
}

fn layer(device: &Device, w: f32, steps: &[f32], by: f32) -> Result<Layer> {
    let steps = steps.iter().map(|step| device.buffer_from(&[*step; 4])).collect::<Result<_>>()?;
    Ok(Layer { w: device.buffer_from(&[w; 4])?, steps, by })
}

/// Structs by value, a list of them, a list of buffers, objects by value and through an `Arc`.
pub fn given_back(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32; 4])?;
    let layers = vec![layer(device, 10.0, &[1.0], 2.0)?, layer(device, 20.0, &[], 0.5)?];
    let out = vec![device.zeros::<f32>(4)?, device.zeros::<f32>(4)?];
    let mut graph = LayersArgs { x: &x, layers, out }.build(device)?;
    run(&mut graph)?;
    let parts = graph.into_parts();
    let out = parts.out.into_iter().map(|one| one.into_buffer().expect("bound by value")).collect::<Vec<_>>();
    assert_eq!((out[0].to_vec()?, out[1].to_vec()?), (vec![22.0; 4], vec![11.0; 4]));
    let layers = parts.layers.into_iter().map(|one| one.into_inner().expect("bound by value")).collect::<Vec<_>>();
    assert_eq!((layers[0].w.to_vec()?, layers[0].steps[0].to_vec()?), (vec![0.0; 4], vec![1.0; 4]));
    assert_eq!((layers[1].by, layers.len()), (0.5, 2));

    let shared = Arc::new(layer(device, 3.0, &[], 2.0)?);
    let mut one = OneArgs { layer: Arc::clone(&shared), y: device.zeros::<f32>(4)? }.build(device)?;
    run(&mut one)?;
    let parts = one.into_parts();
    assert_eq!(parts.y.to_vec()?, [6.0; 4]);
    assert!(parts.layer.into_shared().is_some_and(|layer| Arc::ptr_eq(&layer, &shared)));

    let (count, log) = (Arc::new(AtomicU32::new(5)), vec![1_u32]);
    let seen = device.pinned_zeros::<u32>(1)?;
    let mut counted = CountedArgs { seen, count: Arc::clone(&count), log }.build(device)?;
    for _ in 0..3 {
        run(&mut counted)?;
    }
    let parts = counted.into_parts();
    assert_eq!(parts.log.into_inner(), Some(vec![1, 6, 7, 8]));
    assert!(parts.count.into_shared().is_some_and(|given| Arc::ptr_eq(&given, &count)));
    assert_eq!(parts.seen.into_pinned().expect("bound by value").to_vec()?, [8]);
    Ok(())
}

/// A whole list, of another length; a whole struct; one struct of a list.
pub fn rebound_whole(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32; 4])?;
    let mut layers = vec![layer(device, 10.0, &[1.0], 2.0)?, layer(device, 20.0, &[], 0.5)?];
    let mut out = vec![device.zeros::<f32>(4)?, device.zeros::<f32>(4)?];
    let mut graph = LayersArgs { x: &x, layers: &mut layers, out: &mut out }.build(device)?;
    run(&mut graph)?;
    let old = graph.rebind_layers(1, layer(device, 8.0, &[2.0, 3.0], 4.0)?)?;
    assert!(old.into_inner().is_none(), "it was borrowed");
    let old = graph.rebind_all_out(vec![device.zeros::<f32>(4)?, device.zeros::<f32>(4)?, device.zeros::<f32>(4)?])?;
    assert_eq!((old.len(), old[0].to_vec()?, old[1].to_vec()?), (2, vec![22.0; 4], vec![11.0; 4]));
    run(&mut graph)?;
    assert_eq!((graph.out(0)?.to_vec()?, graph.out(1)?.to_vec()?), (vec![2.0; 4], vec![38.0; 4]));
    let few = graph.rebind_all_out(vec![device.zeros::<f32>(4)?]).unwrap_err().to_string();
    assert!(few.contains("index 1 is out of bounds: the list `out` has 1 items"), "{few}");
    run(&mut graph)?;
    assert_eq!(graph.out(1)?.to_vec()?, [6.0; 4], "nothing has changed");
    let old = graph.rebind_all_layers(vec![layer(device, 1.0, &[], 1.0)?])?;
    assert_eq!(old.len(), 2);
    run(&mut graph)?;
    assert_eq!(graph.out(0)?.to_vec()?, [2.0; 4]);
    drop(graph);
    assert_eq!(layers[0].w.to_vec()?, [0.0; 4]);

    let first = layer(device, 3.0, &[], 2.0)?;
    let mut one = OneArgs { layer: first, y: device.zeros::<f32>(4)? }.build(device)?;
    let old = one.rebind_layer(layer(device, 5.0, &[1.0], 3.0)?)?;
    assert_eq!(old.into_inner().map(|layer| layer.by), Some(2.0));
    run(&mut one)?;
    assert_eq!(one.y().to_vec()?, [15.0; 4]);
    Ok(())
}

/// One buffer of a struct.
pub fn rebound_in_structs(device: &Device) -> Result<()> {
    let mut one = OneArgs { layer: layer(device, 3.0, &[], 2.0)?, y: device.zeros::<f32>(4)? }.build(device)?;
    assert!(one.rebind_in_layer("w", device.buffer_from(&[7.0_f32; 4])?)?.is_none(), "it comes back with the struct");
    run(&mut one)?;
    assert_eq!(one.y().to_vec()?, [14.0; 4]);
    let again = one.rebind_in_layer("w", device.buffer_from(&[9.0_f32; 4])?)?;
    assert_eq!(again.and_then(Bound::into_buffer).expect("bound by value").to_vec()?, [7.0; 4]);
    let wrong = one.rebind_in_layer("w", device.buffer_from(&[9_u32; 4])?).unwrap_err().to_string();
    assert!(wrong.contains("what is bound to `layer.w` holds `u32`, and must hold `f32`"), "{wrong}");
    let staged = Staged { input: device.pinned_from(&[6.0_f32; 4])? };
    let mut fetched = FetchedArgs { staged, y: device.zeros::<f32>(4)? }.build(device)?;
    let elsewhere = fetched.rebind_in_staged("input", device.buffer_from(&[9.0_f32; 4])?).unwrap_err().to_string();
    assert!(elsewhere.contains("lies in device memory, and must lie in pinned memory of the host"), "{elsewhere}");
    run(&mut fetched)?;
    assert_eq!(fetched.y().to_vec()?, [6.0; 4]);
    let unknown = one.rebind_in_layer("v", device.buffer_from(&[9.0_f32; 4])?).unwrap_err().to_string();
    assert!(unknown.contains("has no buffer `layer.v`"), "{unknown}");
    run(&mut one)?;
    let mut parts = one.into_parts();
    assert_eq!(parts.y.to_vec()?, [18.0; 4]);
    let replaced = parts.layer.replaced::<f32>("layer.w").and_then(Bound::into_buffer);
    assert_eq!(replaced.expect("bound by value").to_vec()?, [9.0; 4]);
    assert_eq!(parts.layer.into_inner().expect("bound by value").w.to_vec()?, [3.0; 4]);
    Ok(())
}
