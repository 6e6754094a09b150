//! How pipelines run their graphs: launched, or node by node; and whether anybody looks at what comes out.

use std::cell::{Cell, RefCell};

use graph_runtime::__private::Program;
use graph_runtime::{Graph, PlanView, Result};

thread_local! {
    static EAGER: Cell<bool> = const { Cell::new(false) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// What looks at the plan of each graph that was just run.
pub type Watch = Box<dyn FnMut(&PlanView)>;

/// Runs a graph once.
pub fn run<P: Program>(graph: &mut Graph<'_, P>) -> Result<()> {
    let ran = if EAGER.get() { graph.run_eager() } else { graph.launch() };
    if ran.is_ok() {
        WATCH.with_borrow_mut(|watch| watch.iter_mut().for_each(|watch| watch(&graph.plan())));
    }
    ran
}

/// Whether a device has computed what pipelines look at.
pub fn computes() -> bool {
    WATCH.with_borrow(Option::is_none)
}

/// Runs `work` in this thread on a device that executes nothing: pipelines do not look at values, and `watch` looks at plans.
pub fn watched<R>(watch: Watch, work: impl FnOnce() -> R) -> R {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            WATCH.set(None);
        }
    }
    let _back = Back;
    WATCH.set(Some(watch));
    work()
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
