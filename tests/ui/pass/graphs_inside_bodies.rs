// CG0501, CG0812: what runs without the host may stand in a body, and graphs contain each other in one direction.
use graph_runtime::prelude::*;

mod steps {
    use graph_runtime::prelude::*;

    cuda_graph! {
        /// A captured call needs no host when the graph runs.
        pub graph Captured(x: &mut [f32; n]) {
            capture(&mut x, |stream, _x| stream.leave_empty(), cpu = |x| x.iter_mut().for_each(|x| *x += 1.0));
        }

        /// A callback behind a loop, not in it.
        pub graph Told(x: &mut [f32; n], h: &mut host [f32; 1]) {
            while x[0] < 4.0 limit 9 { Captured { x: &mut x }; }
            copy(&x[..1], &out h);
            host(&mut h, |h| h[0] += 0.5);
        }
    }
}

cuda_graph! {
    graph Outer(x: &mut [f32; n], h: &mut host [f32; 1], twice: bool) {
        'grow: while x[0] < 2.0 limit 9 { steps::Captured { x: &mut x }; }
        // A host `if` is no body.
        if twice { steps::Told { x: &mut x, h: &mut h }; }
        match x[0] as u32 { 4 => { steps::Captured { x: &mut x }; } _ => {} }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut h) = (device.zeros::<f32>(1)?, device.pinned_zeros::<f32>(1)?);
    let mut graph = OuterArgs { x: &mut x, h: &mut h, twice: true }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.x().to_vec()?, graph.h().to_vec()?), (vec![5.0], vec![4.5]));
    assert_eq!(graph.iterations(Outer::GROW)?, 2);
    Ok(())
}
