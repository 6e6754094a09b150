// CG0101, CG0207: lengths, lists of values and numbers of structs are the host's, in ranges, geometry and `for`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Values(x: &mut [f32; n], sizes: [usize], at: Option<usize>) {
        let (first, rest) = sizes.split_at(1);
        let m = x.len().min(first[0]);
        fill(&out x[..m], rest.len() as f32);
        for (i, size) in rest.iter().enumerate() {
            basic::add_constant<<<size.div_ceil(32), 32>>>(&mut x[i..i + size], 1.0, *size as u32);
        }
        if let Some(at) = at { x[at] = 9.0; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = ValuesArgs { x: device.zeros::<f32>(4)?, sizes: [3, 1, 2], at: Some(3) }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [3.0, 3.0, 3.0, 9.0]);
    Ok(())
}
