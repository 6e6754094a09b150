// `after` is the only order, and it is enough.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], k: usize) {
        // What is filled where it is declared is filled before it is used.
        let t: [f32; n] = 1.0;
        'low: fill(&out x[..k], 1.0);
        'high: fill(&out x[k..], 2.0);
        'sum: basic::sum_of_two<<<n.div_ceil(64), 64>>>(&t, &x, &out y, n as u32) after 'low, 'high;
        // Two reads are free.
        'back: copy(&y, &out t) after 'sum;
    }

    /// Passes of one `for`, and those between two tests, are ordered by what they access.
    #[explicit]
    graph Passes(x: &mut [f32; n], y: &mut [f32; n], left: &mut [u32; 1], m: usize) {
        'passes: for _ in 0..m {
            'one: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            'two: copy(&x, &out y) after 'one;
        }
        'more: loop limit 4 every 2 {
            'three: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            'down: left[0] -= 1;
            if left[0] == 0 { break; }
        } after 'passes;
    }

    /// What a graph inside waits for is what is written behind it; inside, it has its own order.
    #[explicit]
    graph Outer(x: &mut [f32; n], y: &mut [f32; n], z: &mut [f32; n], k: usize) {
        'first: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        'steps: Steps { x: &mut x, y: &mut y, k } after 'first;
        'last: copy(&y, &out z) after 'steps;
    }

    graph Inferred(x: &mut [f32; n], y: &mut [f32; n], k: usize) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        Steps { x: &mut x, y: &mut y, k };
        basic::add_constant<<<1, 64>>>(&mut y, 1.0, n as u32);
    }
}

pub fn main() -> graph_runtime::Result<()> {
    let device = Device::cpu().shuffled(7);
    let mut x = device.zeros::<f32>(8)?;
    let mut y = device.zeros::<f32>(8)?;
    let mut graph = InferredArgs { x: &mut x, y: &mut y, k: 3 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 4.0, 4.0]);
    Ok(())
}
