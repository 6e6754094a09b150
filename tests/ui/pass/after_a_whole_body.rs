// CG0303: a conditional is one node, with a label and an `after` of its own.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(x: &mut [f32; n], y: &mut [f32; n], count: &mut [u32; 1]) {
        'clear: fill(&out x, 0.0);
        'down: while count[0] > 0 {
            'one: count[0] -= 1;
            fill(&out y, 1.0) after 'one;
        } after 'clear;
        fill(&out x, 2.0) after 'down;
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
