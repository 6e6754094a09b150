// CG0404: both branches, every arm, a `loop`, which runs its body at least once.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Paths(flag: &[u32; 1], y: &out [f32; n], z: &out [f32; n]) {
        let a: [f32; n];
        let b: [f32; n];
        if flag[0] != 0 { fill(&out a, 1.0); } else { fill(&out a, 2.0); }
        match flag[0] {
            0 => { fill(&out b, 1.0); }
            1 => { fill(&out b, 2.0); }
            _ => { fill(&out b, 3.0); }
        }
        copy(&a, &out y);
        copy(&b, &out z);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
