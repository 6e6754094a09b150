// Graphs, docs, visibilities and lone semicolons in one block; nothing but a name in another.
use graph_runtime::prelude::*;

cuda_graph! {
    /// The first.
    pub graph First(x: &mut [f32; n]) {
        //! With a line behind.
        fill(&out x, 0.0);;
    }

    #[allow(dead_code)]
    pub(crate) graph Second() {}

    graph Third(x: &mut [f32],) {
        fill(&out x, 1.0);
        {}
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
