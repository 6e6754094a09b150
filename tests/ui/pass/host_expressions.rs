// A closure, a loop and a block within a host expression leave nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Hosts(x: &mut [f32; n], steps: Vec<f32>, name: String) {
        let total: f32 = steps.iter().map(|step| step * 2.0).sum();
        let parsed = (|| -> Option<f32> { name.parse::<f32>().ok()?.into() })().unwrap_or(1.0);
        let blocks = loop { break n.div_ceil(64).max(1); };
        basic::times_constant<<<blocks, 64>>>(&mut x, total * parsed, n as u32);
        if name.is_empty() { fill(&out x, total); }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
