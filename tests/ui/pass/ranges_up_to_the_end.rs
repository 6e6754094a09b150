// CG0205: ranges that end where the buffer ends, and empty ones.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Ranges(x: &mut [f32; 8], count: &mut [u32; 2]) {
        fill(&out x[4..8], 0.0);
        fill(&out x[8..8], 0.0);
        fill(&out x[..], 0.0);
        fill(&out x[2..=7], 0.0);
        count[1] += count[0];
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
