// CG0505: arms that overlap but have a value of their own; no rest.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[i32; 1], y: &mut [u32; 1]) {
        match s[0] {
            0..8 => { y[0] = 1; }
            7..9 => { y[0] = 2; }
            -3 | 4..=12 => { y[0] = 3; }
            _ => { y[0] = 4; }
        }
        match s[0] { 1 => { y[0] = 1; } 2 => { y[0] = 2; } }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
