//! Copies and fills on the CPU, row by row.

use graph_ir::model::{NodeId, Strided};

use super::run::Run;

/// From access 0 to access 1.
pub(super) fn copy(run: &Run<'_>, node: NodeId) {
    let [from, to] = [0, 1].map(|index| run.access(node, index));
    let Some((source, target)) = run.plan.strided(from).together(&run.plan.strided(to)) else { return };
    let size = run.plan.element(from.buffer).size as u64;
    let (read, write) = (run.address(from.buffer), run.address(to.buffer));
    let bytes = (source.sizes[2] * size) as usize;
    for (source, target) in source.rows().zip(target.rows()) {
        let (from, to) = (read + source * size, write + target * size);
        // SAFETY: both rows lie in their buffers (a rule), which `blocks` keeps; the plan's edges order this node with every other
        // that touches them.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
    }
}

/// Every element of access 0.
pub(super) fn fill(run: &Run<'_>, node: NodeId, pattern: &[u8]) {
    let access = run.access(node, 0);
    let strided: Strided = run.plan.strided(access);
    if strided.elements() == 0 || pattern.is_empty() {
        return;
    }
    let size = run.plan.element(access.buffer).size as u64;
    for first in strided.rows() {
        let address = run.address(access.buffer) + first * size;
        // SAFETY: the row lies in its buffer (a rule), which `blocks` keeps and which is initialised; the plan's edges order this node
        // with every other that touches it.
        let row = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, (strided.sizes[2] * size) as usize) };
        if pattern.iter().all(|byte| *byte == pattern[0]) {
            row.fill(pattern[0]);
        } else {
            row.chunks_exact_mut(pattern.len()).for_each(|element| element.copy_from_slice(pattern));
        }
    }
}
