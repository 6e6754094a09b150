// Near-misses of the rules on kernels in the block.
use graph_runtime::prelude::*;

fn twice(x: f32) -> f32 {
    2.0 * x
}

cuda_graph! {
    /// Each index has elements of its own.
    graph Apart(x: &mut [f32; 2 * n], a: &mut [f32; h * w], n: usize, h: usize, w: usize) {
        kernel for i in 0..n { x[2 * i] = 1.0; x[2 * i + 1] = x[2 * i]; }
        kernel for i in 0..n { x[i] = x[i + n]; }
        kernel for i in 1..2 * n { x[i] += x[0]; }
        kernel for (i, j) in (0..h, 0..w) { a[i * w + j] = 0.0; }
        kernel for i in 0..h { for j in 0..w { a[i * w + j] += a[i * w]; } }
    }

    /// A function of the host's may be called with what the host has, and a name may be that of the index.
    graph HostSide(x: &mut [f32; n], by: f32) {
        let t: [f32; n];
        kernel for n_minus in 0..n { let i = n_minus; t[i] = twice(by) * x[i]; }
        kernel for i in 0..n { if i > 0 { x[i] = t[i - 1]; } else { x[i] = t[0]; } }
    }

    /// What the kernel writes before it reads has no old contents to need; an empty range touches nothing.
    graph Fresh(y: &out [f32; n]) {
        let t: [f32; n];
        kernel for i in 0..n { t[i] = 1.0; t[i] += 1.0; y[i] = t[i]; }
        kernel for i in 5..5 { y[i + 100] = 0.0; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut a) = (device.buffer_from(&[1.0, 2.0, 3.0, 4.0])?, device.buffer_from(&[7.0_f32; 6])?);
    let mut apart = ApartArgs { x: &mut x, a: &mut a, n: 2, h: 2, w: 3 }.build(&device)?;
    apart.launch()?;
    // [1, 1, 1, 1], then the first half takes the second's place, then the first is added to the others.
    assert_eq!(apart.x().to_vec()?, [1.0, 2.0, 2.0, 2.0]);
    assert_eq!(apart.a().to_vec()?, [0.0; 6]);
    drop(apart);
    let mut host = HostSideArgs { x: &mut x, by: 0.5 }.build(&device)?;
    host.launch()?;
    assert_eq!(host.x().to_vec()?, [1.0, 1.0, 2.0, 2.0]);
    drop(host);
    let mut fresh = FreshArgs { y: &mut x }.build(&device)?;
    fresh.launch()?;
    assert_eq!(fresh.y().to_vec()?, [2.0; 4]);
    Ok(())
}
