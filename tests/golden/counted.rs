//! What the plans of all pipelines count: an edge more, a lane less or a larger arena shows here, though no result changes.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use graph_runtime::__private::{Launchable, Launcher};
use graph_runtime::{Device, PlanView, Result};
use insta::assert_snapshot;
use tests::pipelines::ALL;
use tests::run::watched;

/// The counts of what is launched, each once for a pipeline.
#[derive(Default)]
struct Counts(Mutex<Vec<String>>);

impl Counts {
    fn add(&self, plan: &PlanView) {
        let plan = plan.data();
        let (nodes, edges, width) = (plan.nodes.len(), plan.edges.len(), plan.width);
        let mut line = format!("{}: {nodes} nodes, {edges} edges, width {width}", plan.name);
        if let Some(arena) = plan.arena.filter(|arena| arena.apart > 0) {
            let (bytes, bound, apart) = (arena.device + arena.host, arena.bound, arena.apart);
            // Writing to a string cannot fail.
            let _ = write!(line, ", transients in {bytes} bytes ({bound} at once, {apart} apart)");
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }

    fn lines(&self) -> String {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Threads of a pipeline launch in any order.
        lines.sort();
        lines.join("\n  ")
    }
}

/// For what a pipeline launches itself; the others go through [`tests::run::run`].
impl Launcher for Counts {
    fn launch(&self, graph: &mut dyn Launchable) -> Result<()> {
        self.add(&graph.plan());
        graph.launch()
    }
}

#[test]
fn plans_of_all_pipelines() {
    let mut text = String::new();
    // Where nobody looks at what is computed, no callback fails.
    for (name, pipeline) in ALL.iter().filter(|(name, _)| *name != "failing_callbacks") {
        let counts = Arc::new(Counts::default());
        let (device, watching) = (Device::cpu().launching(Arc::<Counts>::clone(&counts)), Arc::clone(&counts));
        watched(Box::new(move |plan| watching.add(plan)), || pipeline(&device)).expect(name);
        writeln!(text, "{name}\n  {}", counts.lines()).expect("a string takes everything");
    }
    assert_snapshot!("counted", text);
}
