//! Modules of a device, loaded once and kept for the device's life.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Kernel;
use super::cache::Cache;
use super::compile::{Source, compile, place};
use super::geometry::Limits;
use crate::cuda::driver::{Context, Failure, Module};
use crate::error::{Error, Result};
use crate::kernel::{KernelDeclaration, ModuleCode, ModuleSource};

/// What a device has loaded. Declarations are statics, so their addresses name them.
#[derive(Debug)]
pub(in crate::cuda) struct Modules {
    context: Context,
    arch: u32,
    limits: Limits,
    cache: Cache,
    loaded: Mutex<Loaded>,
}

#[derive(Debug, Default)]
struct Loaded {
    modules: HashMap<usize, Arc<Module>>,
    kernels: HashMap<usize, Arc<Kernel>>,
}

impl Modules {
    /// The device's compute capability (90 for 9.0).
    pub(in crate::cuda) fn arch(&self) -> u32 {
        self.arch
    }

    /// None yet, for a device of compute capability `arch` (90 for 9.0).
    pub(in crate::cuda) fn new(context: Context, arch: u32, limits: Limits) -> Self {
        Self { context, arch, limits, cache: Cache::from_environment(), loaded: Mutex::default() }
    }

    /// The kernel of a declaration; compiles and loads its file the first time.
    pub(in crate::cuda) fn kernel(&self, declaration: &'static KernelDeclaration) -> Result<Arc<Kernel>> {
        let key = std::ptr::from_ref(declaration) as usize;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = loaded.kernels.get(&key) {
            return Ok(Arc::clone(kernel));
        }
        let module = self.module(&mut loaded, declaration.module)?;
        let kernel = Arc::new(Kernel::find(&module, declaration, self.limits)?);
        loaded.kernels.insert(key, Arc::clone(&kernel));
        Ok(kernel)
    }

    fn module(&self, loaded: &mut Loaded, source: &'static ModuleSource) -> Result<Arc<Module>> {
        let key = std::ptr::from_ref(source) as usize;
        if let Some(module) = loaded.modules.get(&key) {
            return Ok(Arc::clone(module));
        }
        let module = Arc::new(self.load(source)?);
        loaded.modules.insert(key, Arc::clone(&module));
        Ok(module)
    }

    fn load(&self, source: &'static ModuleSource) -> Result<Module> {
        let image = match source.code {
            ModuleCode::Source { text, headers, options } => {
                compile(source, Source { text, headers, options }, self.arch, &self.cache)?
            }
            ModuleCode::Ptx(text) => with_nul(text),
            ModuleCode::Cubin(image) => image.to_vec(),
        };
        Module::load(self.context, &image).map_err(|(failure, log)| refused(source, failure, &log))
    }
}

/// PTX as the driver wants it.
pub(super) fn with_nul(text: &str) -> Vec<u8> {
    let mut image = Vec::with_capacity(text.len() + 1);
    image.extend_from_slice(text.as_bytes());
    image.push(0);
    image
}

fn refused(source: &ModuleSource, failure: Failure, log: &str) -> Error {
    let doing = format!("loading kernel file `{}` (module `{}`, {})", source.path, source.name, place(source));
    Error::Module(with_log(failure.describe(doing, None).to_string(), log))
}

/// An error with the JIT compiler's log, if it wrote one.
pub(super) fn with_log(mut text: String, log: &str) -> String {
    if !log.is_empty() {
        text.push_str("\nlog: ");
        text.push_str(log);
    }
    text
}
