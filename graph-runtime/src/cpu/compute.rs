//! A kernel in the block on the CPU: its indices in pieces, side by side.

use std::sync::PoisonError;

use graph_ir::model::NodeId;
use rayon::prelude::*;

use super::run::Run;
use crate::compute::{ComputeKind, Elements, reduce};
use crate::plan::ComputeStep;

/// Indices of a piece, at least.
const PIECE: u64 = 1024;

/// Pieces of one kernel, at most.
const MOST_PIECES: u64 = 256;

/// Runs all indices.
pub(super) fn run(run: &Run<'_>, node: NodeId, step: &ComputeStep) {
    let touched = run.touched(node);
    // SAFETY: the elements lie in their buffers, which the launch keeps and which are initialised; the plan's edges order this node with
    // every other that touches them.
    let elements = unsafe { Elements::new(&touched) };
    let count = step.function.count();
    match &step.function.kind {
        ComputeKind::For(body) => {
            // Many small pieces in random order, so that indices that are not independent show.
            let least = if run.random.is_some() { 1 } else { PIECE };
            let size = least.max(count.div_ceil(MOST_PIECES));
            each(run, count.div_ceil(size), |piece| {
                let first = piece * size;
                body(&elements, first, count.min(first.saturating_add(size)));
            });
        }
        ComputeKind::Reduce { operator, accumulate, block, combine, .. } => {
            let blocks = reduce::blocks(count);
            let one = |number| block(&elements, number);
            let values: Vec<u64> = match run.pool.filter(|_| blocks > 1) {
                Some(pool) => pool.install(|| (0..blocks).into_par_iter().map(one).collect()),
                None => (0..blocks).map(one).collect(),
            };
            let mut value = reduce::neighbours(values, |left, right| combine(*operator, left, right));
            if *accumulate {
                value = combine(*operator, run.element(node), value);
            }
            run.set_element(node, value);
        }
    }
}

/// Pieces in any order.
fn each(run: &Run<'_>, pieces: u64, body: impl Fn(u64) + Send + Sync) {
    if let Some(random) = &run.random {
        let order = random.lock().unwrap_or_else(PoisonError::into_inner).permutation(pieces);
        order.into_iter().for_each(body);
    } else if let Some(pool) = run.pool.filter(|_| pieces > 1) {
        pool.install(|| (0..pieces).into_par_iter().for_each(body));
    } else {
        (0..pieces).for_each(body);
    }
}
