// CG0701, CG0702: labels of loops, an `if` in the place of `return`, names of the body's own for host values, `match`, gathers.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Search(x: &[i32; (n, 4)], y: &mut [u32; n], n: usize, scale: u32) {
        kernel for i in 0..n {
            let mut scale = scale;
            'rows: for k in 0..4 {
                for l in 0..k {
                    if x[(i, l)] == x[(i, k)] { continue 'rows; }
                }
                if x[(i, k)] < 0 { break 'rows; }
                scale += 1;
            }
            let first = x[(i, 0)];
            let second = x[(i, 1)];
            if first < 100 {
                match second { 0 => { y[i] = 0; } 1..=9 => { y[i] = scale; } other => { y[i] = other as u32; } }
            }
        }
        kernel for i in 0..n { y[n - 1 - i] += 10 * i as u32; }
    }

    graph Gathered(x: &[f32; n], at: &[u32; m], y: &out [f32; m]) {
        kernel for i in 0..m { let k = at[i] as usize; y[i] = x[k] + x[(k + 1) % x.len()]; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1_i32, 2, 1, 3, 5, 77, -1, 6, 100, 0, 0, 0])?;
    let mut graph = SearchArgs { x: &x, y: device.zeros::<u32>(3)?, n: 3, scale: 40 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [43 + 20, 77 + 10, 0]);
    let (x, at) = (device.buffer_from(&[1.0_f32, 2.0, 4.0])?, device.buffer_from(&[2_u32, 0])?);
    let mut graph = GatheredArgs { x: &x, at: &at, y: device.zeros::<f32>(2)? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [5.0, 3.0]);
    Ok(())
}
