// A ticket outlives its graph and borrows nothing; replicas have their own buffers.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Square(x: &mut [f32; n]) {
        kernel for i in 0..n { x[i] *= x[i]; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = SquareArgs { x: device.buffer_from(&[3.0_f32])? }.build(&device)?;
    graph.launch()?;
    let done = graph.ticket();
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [81.0]);
    drop(graph);
    std::thread::spawn(move || done.wait()).join().unwrap()?;
    let mut replicas = Replicas::build(2, |k| SquareArgs { x: device.buffer_from(&[2.0 + k as f32])? }.build(&device))?;
    for _ in 0..3 {
        let (_, graph) = replicas.turn();
        graph.launch()?;
    }
    assert_eq!((replicas[0].x().to_vec()?, replicas[1].x().to_vec()?), (vec![16.0], vec![9.0]));
    Ok(())
}
