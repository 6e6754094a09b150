// CG0405: on every path, in parts, or by a fill that a branch overwrites.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Outs(flag: &[u32; 1], a: &out [f32; n], b: &out [f32; 8], c: &out [f32; 1]) {
        fill(&out a, 0.0);
        if flag[0] > 0 { fill(&out a, 1.0); }
        fill(&out b[0..3], 0.0);
        fill(&out b[3..8], 1.0);
        if flag[0] > 0 { c[0] = 1.0; } else { c[0] = 2.0; }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
