//! How pipelines run their graphs: launched, or node by node.

use std::cell::Cell;

use graph_runtime::__private::Program;
use graph_runtime::{Graph, Result};

thread_local! {
    static EAGER: Cell<bool> = const { Cell::new(false) };
}

/// Runs a graph once.
pub fn run<P: Program>(graph: &mut Graph<'_, P>) -> Result<()> {
    if EAGER.get() { graph.run_eager() } else { graph.launch() }
}

/// While `work` runs in this thread, [`run`] runs node by node.
pub fn eagerly(work: impl FnOnce()) {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            EAGER.set(false);
        }
    }
    let _back = Back;
    EAGER.set(true);
    work();
}
