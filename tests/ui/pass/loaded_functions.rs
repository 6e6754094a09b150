// A loaded function with all that a launch of one has; it is a value or an object.
use graph_runtime::cudarc::driver::CudaFunction;
use graph_runtime::prelude::*;

cuda_graph! {
    graph Loaded(x: &mut [f32; n], y: &out [f32; n], s: &mut [u32; 1], f: &CudaFunction, g: CudaFunction, by: f32) {
        unsafe f<<<n.div_ceil(64), 64>>>(&x, &out y, by, n as u32);
        while s[0] > 0 limit 4 {
            'step: unsafe g<<<(1, 2), (32, 2), 4 * n as u32>>>(&mut x[..n / 2], &atomic s, 0.5_f32 * by);
            s[0] -= 1 after 'step;
        }
    }
}

pub fn main() -> Result<()> {
    let outline = Loaded::outline().to_dot();
    assert!(outline.contains("step"), "{outline}");
    Ok(())
}
