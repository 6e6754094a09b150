//! A graph beside the code that it replaces.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use graph_ir::model::Memory;

use super::{Graph, check};
use crate::buffer::{Allocation, Exclusion, Leaf};
use crate::call::IntoOutcome;
use crate::debug::{Compared, Contents, OldCode, Side, Tolerance};
use crate::device::Backend;
use crate::error::{Error, Result, panic_text};
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Runs old code over the graph's buffers, puts back what was in them, launches the graph, and compares what each has left in the buffers
    /// that the graph writes, within [`Tolerance::default`]. Then the buffers hold what the graph has left.
    ///
    /// The closure is given an [`OldCode`]: the buffers by name, and on a CUDA device a stream into which it puts its work. `unsafe` stands
    /// where it launches. It costs three times the bytes of the buffers in host memory. Mailboxes are not compared, and statics keep what the
    /// graph does to them.
    ///
    /// # Errors
    /// [`Error::Unlike`] with the first buffer, the index and both values; what the closure returns, and if it writes what the graph only
    /// reads. If the graph did not run, the buffers hold what was in them before.
    pub fn compare_with<R: IntoOutcome>(&mut self, old: impl FnOnce(&OldCode<'_>) -> R) -> Result<Compared> {
        self.compare_within(Tolerance::default(), old)
    }

    /// The same with another tolerance.
    ///
    /// # Errors
    /// As [`Graph::compare_with`].
    pub fn compare_within<R: IntoOutcome>(
        &mut self,
        tolerance: Tolerance,
        old: impl FnOnce(&OldCode<'_>) -> R,
    ) -> Result<Compared> {
        self.whole()?;
        let mut compared = None;
        self.in_turn_with(Beside::of, |executable, beside| {
            beside.allocations.iter().try_for_each(|allocation| allocation.wait(true))?;
            let (backend, graph) = (&beside.backend, beside.graph.as_str());
            let sides = beside.sides();
            let before = Contents::of(backend, &sides)?;
            let ran = run(graph, backend, &sides, old).and_then(|()| Contents::of(backend, &sides));
            before.restore(backend, &sides)?;
            let by_old = ran?;
            before.only_read(&by_old, graph, &sides)?;
            executable.launch()?;
            let fence = executable.fence();
            fence.wait(fence.launched())?;
            compared = Some(by_old.compare(&Contents::of(backend, &sides)?, graph, &sides, &tolerance)?);
            Ok(())
        })?;
        Ok(compared.unwrap_or_default())
    }
}

/// What both sides use.
struct Beside {
    graph: String,
    backend: Arc<dyn Backend>,
    allocations: Vec<Arc<Allocation>>,
    leaves: Vec<(Leaf, u64, bool)>,
}

impl Beside {
    fn of<P: Program>(graph: &Graph<'_, P>) -> Self {
        let (bound, program) = (graph.memory.parameters(), &graph.symbolic);
        let pairs = graph.layout.leaves().iter().zip(bound);
        let leaves = pairs.filter(|(leaf, _)| leaf.memory != Memory::Mailbox).map(|(leaf, binding)| {
            let declared = check::writes(&program.buffers[leaf.parameter as usize]);
            let writes = declared && binding.exclusion != Exclusion::Shared;
            (leaf.clone(), binding.allocation.address() + binding.offset(), writes)
        });
        Self {
            graph: program.name.clone(),
            backend: Arc::clone(graph.device.backend()),
            allocations: bound.iter().map(|binding| Arc::clone(&binding.allocation)).collect(),
            leaves: leaves.collect(),
        }
    }

    fn sides(&self) -> Vec<Side<'_>> {
        self.leaves.iter().map(|(leaf, address, writes)| Side { leaf, address: *address, writes: *writes }).collect()
    }
}

/// Runs the old code, and waits for what it has put into its stream, however it ends.
fn run<R: IntoOutcome>(
    graph: &str,
    backend: &Arc<dyn Backend>,
    sides: &[Side<'_>],
    old: impl FnOnce(&OldCode<'_>) -> R,
) -> Result<()> {
    let code = OldCode::new(graph, sides);
    #[cfg(feature = "cuda")]
    let (code, work) = {
        let (stream, work) = crate::cuda::old_stream(backend)?.unzip();
        (code.in_stream(stream), work)
    };
    #[cfg(not(feature = "cuda"))]
    let _ = backend;
    let ran = catch_unwind(AssertUnwindSafe(|| old(&code).into_outcome()));
    #[cfg(feature = "cuda")]
    work.map_or(Ok(()), |work| work.wait())?;
    match ran {
        Ok(Ok(())) => Ok(()),
        Ok(Err(text)) => Err(Error::Call(format!("the old code beside graph `{graph}` failed: {text}"))),
        Err(panic) => {
            let text = panic_text(panic);
            Err(Error::Panicked(format!("the old code beside graph `{graph}` panicked: {text}")))
        }
    }
}
