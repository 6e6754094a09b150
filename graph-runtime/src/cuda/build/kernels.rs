//! The declared kernels that a plan launches, loaded.

use std::sync::Arc;

use crate::cuda::module::{Kernel, Modules};
use crate::error::Result;
use crate::kernel::KernelDeclaration;
use crate::plan::{Plan, Step};

/// By declaration, sorted by address.
#[derive(Debug, Default)]
pub(in crate::cuda) struct Kernels(Vec<(usize, Arc<Kernel>)>);

impl Kernels {
    /// Loads what the plan needs.
    pub(in crate::cuda) fn load(plan: &Plan, modules: &Modules) -> Result<Self> {
        let mut declarations: Vec<&'static KernelDeclaration> = Vec::new();
        for step in plan.steps.iter().flatten() {
            let Step::Kernel(kernel) = step else { continue };
            if declarations.last().is_none_or(|last| !std::ptr::eq(*last, kernel.declaration)) {
                declarations.push(kernel.declaration);
            }
        }
        declarations.sort_unstable_by_key(|declaration| address(declaration));
        declarations.dedup_by_key(|declaration| address(declaration));
        let load = |declaration| Ok((address(declaration), modules.kernel(declaration)?));
        declarations.into_iter().map(load).collect::<Result<_>>().map(Self)
    }

    /// The kernel of a declaration.
    pub(in crate::cuda) fn get(&self, declaration: &KernelDeclaration) -> Option<&Kernel> {
        let found = self.0.binary_search_by_key(&address(declaration), |(key, _)| *key).ok()?;
        Some(&self.0[found].1)
    }
}

fn address(declaration: &KernelDeclaration) -> usize {
    std::ptr::from_ref(declaration) as usize
}
