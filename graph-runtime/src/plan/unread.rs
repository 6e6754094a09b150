//! Which fills and copies a plan leaves out, since nobody reads what they write.

use graph_ir::model::{NodeId, NodeKind, Program};
use graph_ir::optimize::{leave_out, unread};

use super::Step;
use super::bounded::Largest;

/// Takes them out of the program, of the one with the footprints for every value, and of the steps. `largest`: what the values may come to.
pub(super) fn drop_unread(
    program: &mut Program,
    wide: Option<&mut Program>,
    steps: &mut [Option<Step>],
    (symbolic, largest): (&Program, Option<&Largest>),
) -> Vec<NodeId> {
    let surely = |node: NodeId, access: usize| match (steps.get(node.0 as usize), largest) {
        (Some(Some(Step::Compute(step))), None) => step.function.count() > 0,
        (_, None) => true,
        // Where another value makes it write less, it is not counted on; of a kernel in the block the axes may be others.
        (_, Some(largest)) => {
            let is_compute = matches!(program.node(node).kind, NodeKind::Compute(_));
            !is_compute && !largest.varies(symbolic, program.node(node), (node, access))
        }
    };
    let found = unread(program, wide.as_deref().unwrap_or(program), &surely);
    for node in &found {
        steps[node.0 as usize] = None;
    }
    leave_out(program, &found);
    if let Some(wide) = wide {
        leave_out(wide, &found);
    }
    found
}
