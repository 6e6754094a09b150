use graph_runtime::prelude::*;

/// CUDA C++ on a GPU; the bodies here run on the CPU.
#[cuda_module("kernels/jacobi.cu")]
unsafe mod jacobi {
    pub fn sweep(b: &[f32; n], x: &[f32; n], next: Out<[f32; n]>, n: u32) {
        for i in 0..n as usize {
            let left = if i == 0 { 0.0 } else { x[i - 1] };
            let right = x.get(i + 1).copied().unwrap_or(0.0);
            next[i] = (b[i] + left + right) / 2.0;
        }
    }

    pub fn count_moved(x: &[f32; n], next: &[f32; n], moved: Atomic<[u32; 1]>, tolerance: f32, n: u32) {
        let differ = |i: &usize| (x[*i] - next[*i]).abs() > tolerance;
        moved.fetch_add(0, (0..n as usize).filter(differ).count() as u32);
    }
}

cuda_graph! {
    /// Solves `2 x[i] - x[i - 1] - x[i + 1] = b[i]` by Jacobi's method.
    pub graph Jacobi(b: &[f32; n], x: &mut [f32; n], tolerance: f32) {
        let next: [f32; n];                         // memory of the graph's own
        let moved: [u32; 1];
        let blocks = n.div_ceil(256);
        'solve: loop limit 100_000 every 2 {        // runs on the device
            jacobi::sweep<<<blocks, 256>>>(&b, &x, &out next, n as u32);
            jacobi::count_moved<<<blocks, 256>>>(&x, &next, &atomic moved, tolerance, n as u32);
            swap(&mut x, &mut next);                // exchanges the names; no node
            if moved[0] == 0 { break; }
        }
    }
}

fn main() -> Result<()> {
    let device = Device::best()?;                   // a CUDA device if there is one, else the CPU
    let b = device.buffer_from(&[2.0 / 1024.0; 31])?;
    let mut x = device.zeros(31)?;
    let mut solver = JacobiArgs { b: &b, x: &mut x, tolerance: 1e-6 }.build(&device)?;
    solver.launch()?;                               // one call, asynchronous
    println!("{} passes, x[15] = {}", solver.iterations(Jacobi::SOLVE)?, solver.x().to_vec()?[15]);
    solver.set_tolerance(1e-7)?;                    // from the next launch on
    solver.launch()
}
