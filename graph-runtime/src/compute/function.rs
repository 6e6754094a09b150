//! Kernels in the block as Rust.

use std::sync::Arc;

use graph_ir::model::{Combine, ScalarType};

use super::{Axes, AxisRange, Elements, Reducible, reduce};

/// A kernel in the block, as the evaluator has recorded it.
#[derive(Clone)]
pub(crate) struct ComputeFunction {
    /// One to three.
    pub(crate) axes: Vec<AxisRange>,
    /// What it does.
    pub(crate) kind: ComputeKind,
}

/// Runs the indices with numbers `first..last`.
pub(crate) type RangeFunction = Arc<dyn Fn(&Elements<'_>, u64, u64) + Send + Sync>;

/// The value of one block of a reduction, as bits: see [`reduce`].
pub(crate) type BlockFunction = Arc<dyn Fn(&Elements<'_>, u64) -> u64 + Send + Sync>;

/// Combines two values, as bits.
pub(crate) type CombineFunction = fn(Combine, u64, u64) -> u64;

/// What a kernel in the block does.
#[derive(Clone)]
pub(crate) enum ComputeKind {
    /// `kernel for`
    For(RangeFunction),
    /// A reduction.
    Reduce {
        /// Of its values.
        scalar: ScalarType,
        /// By which operation.
        operator: Combine,
        /// Whether the target's old value takes part.
        accumulate: bool,
        /// One block's value.
        block: BlockFunction,
        /// The operation.
        combine: CombineFunction,
    },
}

impl ComputeFunction {
    /// How many indices.
    pub(crate) fn count(&self) -> u64 {
        self.axes.iter().map(|axis| axis.count).fold(1, u64::saturating_mul)
    }

    /// `kernel for`
    pub(crate) fn each<A: Axes>(axes: A, body: impl Fn(&Elements<'_>, A::Index) + Send + Sync + 'static) -> Self {
        let ranges = axes.ranges();
        let run = move |elements: &Elements<'_>, first, last| axes.visit(first, last, |index| body(elements, index));
        Self { axes: ranges, kind: ComputeKind::For(Arc::new(run)) }
    }

    /// A reduction.
    pub(crate) fn reduction<A: Axes, V: Reducible>(
        operator: Combine,
        accumulate: bool,
        axes: A,
        value: impl Fn(&Elements<'_>, A::Index) -> V + Send + Sync + 'static,
    ) -> Self {
        let ranges = axes.ranges();
        let count = ranges.iter().map(|axis| axis.count).fold(1, u64::saturating_mul);
        let block = move |elements: &Elements<'_>, block| {
            reduce::block(operator, count, block, &axes, |index| value(elements, index)).to_bits()
        };
        let combine = |operator, left, right| V::combine(operator, V::from_bits(left), V::from_bits(right)).to_bits();
        let kind = ComputeKind::Reduce { scalar: V::SCALAR, operator, accumulate, block: Arc::new(block), combine };
        Self { axes: ranges, kind }
    }
}
