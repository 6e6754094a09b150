// CG0203, CG0205, CG0811, `tests/ui/crates`: graphs, structs and macros of another crate, and what a build says of lengths that do not fit.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Layers(layer: &library::Affine, x: &mut [f32; n], seen: &out [f32; n], progress: &library::Progress, c: &mut [u32; 1]) {
        let _weight = &layer.weight;
        let t: [f32; n];
        'first: library::Scale { x: &x, y: &out t, by: 2.0 };
        'second: library::Accumulate { x: &t, total: &mut x } after 'first;
        while c[0] > 0 limit 8 {
            library::Apply { layer: &layer, x: &mut x };
            c[0] -= 1;
        }
        library::Scale { x: &x, y: &out seen, by: 10.0 };
        library::Exchange::<f32> { a: &mut x, b: &mut t };
        library::TellTwice { x: &x, progress: &progress };
    }

    graph Lengths(x: &mut [f32; n], table: &[f32; m], from: usize, times: usize) {
        library::Repeat { x: &mut x, table: &table[from..], times };
    }
}

tests::doubling!(Doubled, x, y, library::Accumulate { x: &x, total: &mut y };);

fn layers(device: &Device) -> Result<()> {
    let layer = library::Affine { weight: device.buffer_from(&[2.0, 3.0])?, bias: device.buffer_from(&[1.0, 0.0])? };
    let progress = std::sync::Arc::new(library::Progress::default());
    let (mut x, mut seen) = (device.buffer_from(&[1.0_f32, 2.0])?, device.zeros(2)?);
    let mut c = device.buffer_from(&[2_u32])?;
    let arguments = LayersArgs { layer: &layer, x: &mut x, seen: &mut seen, progress: progress.clone(), c: &mut c };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    // 3, 6; then 2 x + 1 and 3 x twice: 15, 54. The transient, which is twice what `x` was, ends in `x`.
    assert_eq!(graph.seen().to_vec()?, [150.0, 540.0]);
    assert_eq!(graph.x().to_vec()?, [2.0, 4.0]);
    drop(graph);
    assert_eq!(progress.seen(), [2.0, 2.0]);
    Ok(())
}

fn lengths(device: &Device) -> Result<()> {
    let says = |x: &mut Buffer<f32>, table: usize, from| {
        let table = device.zeros(table)?;
        let refused = LengthsArgs { x, table: &table, from, times: 2 }.build(device);
        Ok::<_, Error>(refused.map(drop).err().map(|error| error.to_string()).unwrap_or_default())
    };
    let mut four = device.zeros(4)?;
    assert_eq!(says(&mut four, 10, 2)?, "");
    let message = says(&mut four, 10, 3)?;
    let text = "graph `Repeat` takes 8 elements as `table`, and is given 7 elements of `table` [CG0811]";
    assert!(message.contains(text) && message.contains("graphs_of_another_crate.rs:21"), "{message}");
    assert_eq!(message.matches("error: ").count(), 1, "{message}");
    let message = says(&mut device.zeros(3)?, 8, 0)?;
    assert!(message.contains("[CG0205]") && message.contains("library.rs"), "{message}");
    Ok(())
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    layers(&device)?;
    lengths(&device)?;
    let x = device.buffer_from(&[1.0_f32, 2.0])?;
    let mut graph = DoubledArgs { x: &x, y: device.zeros(2)? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [3.0, 6.0]);
    Ok(())
}
