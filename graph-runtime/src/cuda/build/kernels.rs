//! The declared kernels that a plan launches, loaded.

use std::sync::Arc;

use crate::cuda::module::{Kernel, Modules};
use crate::error::Result;
use crate::kernel::KernelDeclaration;
use crate::plan::{Plan, Step};

/// By declaration, sorted by address.
#[derive(Debug, Default)]
pub(in crate::cuda) struct Kernels {
    loaded: Vec<(usize, Arc<Kernel>)>,
    overlap: bool,
}

impl Kernels {
    /// Loads what the plan needs.
    pub(in crate::cuda) fn load(plan: &Plan, modules: &Modules) -> Result<Self> {
        let mut declarations: Vec<&'static KernelDeclaration> = Vec::new();
        for (_, step) in plan.steps.iter() {
            let Step::Kernel(kernel) = step else { continue };
            if declarations.last().is_none_or(|last| !std::ptr::eq(*last, kernel.declaration)) {
                declarations.push(kernel.declaration);
            }
        }
        declarations.sort_unstable_by_key(|declaration| address(declaration));
        declarations.dedup_by_key(|declaration| address(declaration));
        let kernels = modules.kernels(&declarations)?;
        let loaded = declarations.into_iter().map(address).zip(kernels).collect();
        Ok(Self { loaded, overlap: modules.limits().overlaps() })
    }

    /// The kernel of a declaration.
    pub(in crate::cuda) fn get(&self, declaration: &KernelDeclaration) -> Option<&Kernel> {
        let found = self.loaded.binary_search_by_key(&address(declaration), |(key, _)| *key).ok()?;
        Some(&self.loaded[found].1)
    }

    /// Whether the device lets kernels overlap.
    pub(in crate::cuda) fn overlap(&self) -> bool {
        self.overlap
    }
}

fn address(declaration: &KernelDeclaration) -> usize {
    std::ptr::from_ref(declaration) as usize
}
