// CG0002: each name is an item of one list, also where two lists are gone through side by side, and where a name is used again.
use graph_runtime::prelude::*;

#[derive(Buffers)]
pub struct Layer {
    weight: Buffer<f32>,
}

cuda_graph! {
    graph Moved(from: [&Layer], to: [&mut Layer], last: &out [f32; n]) {
        for (a, b) in from.iter().zip(to.iter()) { copy(&a.weight, &out b.weight); }
        for layer in from.iter().rev().take(1) { copy(&layer.weight, &out last); }
        for layer in to.iter() { kernel for i in 0..n { layer.weight[i] += 1.0; } }
        let layer = &from[0];
        copy(&layer.weight, &out to[to.len() - 1].weight);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let layers = |values: [f32; 2]| -> Result<Vec<Layer>> {
        values.iter().map(|value| Ok(Layer { weight: device.buffer_from(&[*value; 3])? })).collect()
    };
    let (from, mut to) = (layers([1.0, 2.0])?, layers([0.0, 0.0])?);
    let mut last = device.zeros(3)?;
    let mut graph = MovedArgs { from: &from, to: &mut to, last: &mut last }.build(&device)?;
    graph.launch()?;
    drop(graph);
    assert_eq!((to[0].weight.to_vec()?, to[1].weight.to_vec()?, last.to_vec()?), (vec![2.0; 3], vec![1.0; 3], vec![2.0; 3]));
    Ok(())
}
