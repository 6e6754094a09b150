// CG0002, CG0201: buffers of structs by their fields; what is `&mut` is written; plain values are the host's.
use graph_runtime::prelude::*;

#[derive(Buffers)]
pub struct Head {
    weight: Buffer<f32>,
    scale: f32,
}

#[derive(Buffers)]
pub struct Layer {
    heads: Vec<Head>,
    sum: Buffer<f32>,
    rounds: usize,
}

cuda_graph! {
    graph Fields(layer: &mut Layer, others: [&Head], y: &out [f32; n]) {
        for _ in 0..layer.rounds {
            let first = &layer.heads[0];
            copy(&first.weight, &out y);
            layer.sum[0] += first.scale;
        }
        for (head, other) in layer.heads.iter().zip(others.iter()) {
            copy(&other.weight, &out head.weight[..other.weight.len()]);
        }
        let scale = others[1].scale;
        fill(&out layer.heads[0].weight[1..], scale);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let head = |value: f32| -> Result<Head> { Ok(Head { weight: device.buffer_from(&[value; 2])?, scale: 0.5 * value }) };
    let layer = Layer { heads: vec![head(1.0)?, head(2.0)?], sum: device.zeros(1)?, rounds: 3 };
    let others = [head(6.0)?, head(8.0)?];
    let mut graph = FieldsArgs { layer, others: &others, y: device.zeros(2)? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.view_of::<f32>("y")?.to_vec()?, [1.0; 2]);
    assert_eq!(graph.view_of::<f32>("layer.sum")?.to_vec()?, [1.5]);
    assert_eq!(graph.view_of::<f32>("layer.heads[0].weight")?.to_vec()?, [6.0, 4.0]);
    assert_eq!(graph.view_of::<f32>("layer.heads[1].weight")?.to_vec()?, [8.0; 2]);
    Ok(())
}
