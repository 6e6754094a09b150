//! A declared kernel of a loaded module, checked against its declaration.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use graph_ir::model::LaunchAttributes;

use super::compile::place;
use super::geometry::{KernelLimits, Limits, Unfit};
use super::parameters;
use crate::cuda::driver::{Attributes, Doing, Function, Module};
use crate::error::{Error, Result};
use crate::kernel::KernelDeclaration;
use crate::plan::KernelStep;

/// A kernel that may be launched as declared.
#[derive(Debug)]
pub(in crate::cuda) struct Kernel {
    function: Function,
    own: KernelLimits,
    device: Limits,
    /// Dynamic shared memory that launches may ask for now.
    dynamic: AtomicU32,
    raising: Mutex<()>,
}

impl Kernel {
    /// Finds a kernel in its loaded module and compares its parameters with the declaration's.
    pub(super) fn find(module: &Module, symbol: &str, declaration: &KernelDeclaration, device: Limits) -> Result<Self> {
        let name = declaration.name;
        let doing = || format!("looking at kernel `{name}` of `{}`", declaration.module.path);
        let function = module.function(symbol).doing(doing)?.ok_or_else(|| no_such_kernel(declaration))?;
        if let Some(loaded) = function.parameters().doing(doing)? {
            parameters::compare(declaration, &loaded).map_err(Error::Module)?;
        }
        let own = KernelLimits {
            threads: function.threads_limit().doing(doing)?,
            shared: function.static_shared().doing(doing)?,
        };
        let dynamic = AtomicU32::new(function.dynamic_shared_limit().doing(doing)?);
        Ok(Self { function, own, device, dynamic, raising: Mutex::new(()) })
    }

    /// The driver's handle.
    pub(in crate::cuda) fn function(&self) -> Function {
        self.function
    }

    /// Checks a launch's geometry and attributes, and asks for the shared memory that it needs. Returns the attributes in the device's
    /// numbers.
    pub(in crate::cuda) fn admit(
        &self,
        step: &KernelStep,
        asked: Option<&LaunchAttributes>,
    ) -> Result<Attributes, Unfit> {
        self.device.check(self.own, step)?;
        if step.shared > self.dynamic.load(Ordering::Acquire) {
            self.raise(step.shared)?;
        }
        let Some(asked) = asked else { return Ok(Attributes::default()) };
        let attributes = self.device.attributes(asked);
        if !step.grid.contains(&0) {
            self.device.check_attributes(self.function, attributes, step)?;
        }
        Ok(attributes)
    }

    /// The limit only grows: other graphs may launch the same kernel.
    fn raise(&self, bytes: u32) -> Result<(), String> {
        let _one_at_a_time = self.raising.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > self.dynamic.load(Ordering::Acquire) {
            self.function.allow_dynamic_shared(bytes).map_err(|failure| {
                failure.describe(format!("asking for {bytes} bytes of shared memory"), None).to_string()
            })?;
            self.dynamic.store(bytes, Ordering::Release);
        }
        Ok(())
    }
}

fn no_such_kernel(declaration: &KernelDeclaration) -> Error {
    let module = declaration.module;
    Error::Module(format!(
        "kernel file `{}` has no kernel `{}` (declared in module `{}`, {})\nhelp: declare it `extern \"C\" __global__` in the file, or \
         correct the name in `#[cuda_module]`",
        module.path,
        declaration.name,
        module.name,
        place(module),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelSymbol, ModuleCode, ModuleSource, SourceLocation};

    const HERE: SourceLocation = SourceLocation { file: "src/main.rs", line: 3, column: 1 };
    static MODULE: ModuleSource =
        ModuleSource { name: "m", path: "k/m.ptx", code: ModuleCode::Ptx(""), location: HERE };
    static SWEEP: KernelDeclaration = KernelDeclaration {
        name: "sweep",
        symbol: KernelSymbol::Name("sweep"),
        module: &MODULE,
        parameters: &[],
        lengths: |_| Ok(Vec::new()),
        block: None,
        requires: None,
        waits: false,
        waits_first: false,
        early: &[],
        effects: false,
        cpu: None,
        location: HERE,
    };

    #[test]
    fn a_missing_kernel_names_kernel_module_and_path() {
        let text = no_such_kernel(&SWEEP).to_string();
        assert!(
            text.starts_with("kernel file `k/m.ptx` has no kernel `sweep` (declared in module `m`, src/main.rs:3:1)"),
            "{text}"
        );
    }
}
