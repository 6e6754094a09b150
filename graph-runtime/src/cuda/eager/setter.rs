//! Kernels that set their loop's condition: each run in a graph of its own, since only graphs have conditions.

use graph_ir::model::NodeId;

use super::Run;
use crate::cuda::build::{Decision, Slot, Work};
use crate::cuda::driver::{Conditional, Context, Doing, Exec, Failure, Graph, Handle, NodeParams};
use crate::error::{NodeName, Result};

impl Run<'_> {
    /// Runs the kernel, and remembers for its loop what it has set.
    pub(super) fn set_condition(&mut self, node: NodeId, owner: NodeId) -> Result<()> {
        let program = &self.sources.plan.program;
        let doing = format!("running graph `{}` eagerly", program.name);
        let name = || NodeName::of(program, node);
        let context = self.decision.context;
        let mut graph = Graph::new(context).at(name, &doing)?;
        // SAFETY: the graph is under construction.
        let handle = unsafe { graph.root().handle(context) }.at(name, &doing)?;
        self.arguments.clear();
        let work = self.sources.work(node, Slot::Main, Decision::Handles(&[handle]), &mut self.arguments)?;
        if work == Work::Empty {
            return Ok(());
        }
        let set = self.run_in(&mut graph, work, handle, context).at(name, &doing)?;
        self.asked.insert(owner, set);
        Ok(())
    }

    /// Runs the launch, then a conditional node whose body clears the word in pinned memory: 0 says that the condition is not.
    fn run_in(&mut self, graph: &mut Graph, work: Work, handle: Handle, context: Context) -> Result<u32, Failure> {
        let root = graph.root();
        let mut params = work.params(self.arguments.all_pointers(), context);
        // SAFETY: the graph is under construction, and the arguments live until the next change.
        let kernel = unsafe { root.add(&[], &mut params) }?;
        if let Work::Launch(spec) = work {
            // SAFETY: the node was added for a launch.
            unsafe { spec.attributes.set(kernel) }?;
        }
        let mut params = NodeParams::conditional(handle, Conditional::If, 1, context);
        // SAFETY: as above; the parameters are of one body.
        let (_, bodies) = unsafe { root.add_conditional(&[kernel], &mut params, 1) }?;
        self.arguments.clear();
        let clear = self.sources.zero(self.decision.address, size_of::<u64>() as u64, &mut self.arguments);
        let mut params = clear.params(self.arguments.all_pointers(), context);
        for body in bodies {
            // SAFETY: as above.
            unsafe { body.add(&[], &mut params) }?;
        }
        self.decision.set(1);
        let mut exec = Exec::new(graph, false, context).map_err(|failure| failure.failure)?;
        exec.launch(self.stream)?;
        self.stream.synchronize()?;
        Ok(u32::from(self.decision.get() == 0))
    }
}
