// Graphs with type parameters, and one that passes its own on.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Move<T: Element>(from: &[T; n], to: &out [T; n]) {
        copy(&from, &out to);
    }

    graph Turn<T: Element>(x: &mut [T; n]) {
        let t: [T; n];
        Move::<T> { from: &x, to: &out t };
        Move::<T> { from: &t[..n / 2], to: &out x[n - n / 2..] };
        self::Move::<T> { from: &t[n - n / 2..], to: &out x[..n / 2] };
    }

    graph Both(x: &mut [f32; n], y: &mut [u8; m]) {
        Turn::<f32> { x: &mut x };
        Turn::<u8> { x: &mut y };
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.buffer_from(&[1.0_f32, 2.0, 3.0])?, device.buffer_from(&[1_u8, 2])?);
    let mut graph = BothArgs { x: &mut x, y: &mut y }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![3.0, 2.0, 1.0], vec![2, 1]));
    Ok(())
}
