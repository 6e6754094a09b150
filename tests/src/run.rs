//! How pipelines run their graphs: launched, once or many times, or node by node; and whether anybody looks at what comes out.

use std::cell::{Cell, RefCell};

use graph_runtime::__private::Program;
use graph_runtime::{Device, Graph, PlanView, Planning, Result};

use crate::again::repeat;

thread_local! {
    static EAGER: Cell<bool> = const { Cell::new(false) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
    static LAUNCHES: Cell<u32> = const { Cell::new(1) };
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// What looks at the plan of each graph that was just run.
pub type Watch = Box<dyn FnMut(&PlanView)>;

/// Runs a graph once.
pub fn run<P: Program>(graph: &mut Graph<'_, P>) -> Result<()> {
    RUNS.set(RUNS.get() + 1);
    let ran = if EAGER.get() { graph.run_eager() } else { repeat(graph, LAUNCHES.get()) };
    if ran.is_ok() {
        WATCH.with_borrow_mut(|watch| watch.iter_mut().for_each(|watch| watch(&graph.plan())));
    }
    ran
}

/// Whether graphs of the device have the edges and the launches that plans have unless somebody says otherwise.
pub fn as_usual(device: &Device) -> bool {
    device.planning() == Planning::default()
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

/// How often `work` calls [`run`] in this thread.
pub fn runs(work: impl FnOnce()) -> u32 {
    RUNS.set(0);
    work();
    RUNS.get()
}

/// While `work` runs in this thread, each [`run`] launches so often: without a wait, but for one in front of the last launch.
pub fn repeatedly(launches: u32, work: impl FnOnce()) {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            LAUNCHES.set(1);
        }
    }
    let _back = Back;
    LAUNCHES.set(launches);
    work();
}
