//! Modules of a device, loaded once and kept for the device's life.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Kernel;
use super::cache::Cache;
use super::compile::{Source, compile, place};
use super::geometry::Limits;
use crate::cuda::driver::{Context, Failure, Module};
use crate::cuda::nvrtc::Compiled;
use crate::error::{Error, Result};
use crate::kernel::{KernelDeclaration, KernelSymbol, ModuleCode, ModuleSource};

/// What a device has loaded.
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
    /// By the address of the source, which is a static.
    files: HashMap<usize, File>,
    /// By the address of the declaration, which is a static.
    kernels: HashMap<usize, Arc<Kernel>>,
}

/// A kernel file.
#[derive(Debug)]
struct File {
    /// What its first load has brought.
    module: Arc<Module>,
    /// Kernels with C++ names: where each is, and what it is called there.
    instances: HashMap<String, (Arc<Module>, String)>,
}

/// A declaration whose kernel is not loaded yet.
struct Wanted {
    declaration: &'static KernelDeclaration,
    /// Its C++ name, if its module knows it by that.
    expression: Option<String>,
}

impl Modules {
    /// The device's compute capability (90 for 9.0).
    pub(in crate::cuda) fn arch(&self) -> u32 {
        self.arch
    }

    /// Images on disk.
    pub(super) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The device's multiprocessors.
    pub(in crate::cuda) fn processors(&self) -> u32 {
        self.limits.processors
    }

    /// None yet, for a device of compute capability `arch` (90 for 9.0).
    pub(in crate::cuda) fn new(context: Context, arch: u32, limits: Limits) -> Self {
        Self { context, arch, limits, cache: Cache::from_environment(), loaded: Mutex::default() }
    }

    /// What the device allows.
    pub(in crate::cuda) fn limits(&self) -> Limits {
        self.limits
    }

    /// The kernels of declarations, in order. A file is compiled and loaded the first time, with all instances that are wanted of it; later
    /// only for instances that it lacks.
    pub(in crate::cuda) fn kernels(&self, declarations: &[&'static KernelDeclaration]) -> Result<Vec<Arc<Kernel>>> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = declarations.iter().filter(|declaration| !loaded.kernels.contains_key(&address(**declaration)));
        let missing: Vec<Wanted> = missing.map(|declaration| Wanted::of(declaration)).collect::<Result<_>>()?;
        self.load_files(&mut loaded, &missing)?;
        for wanted in missing {
            let kernel = self.find(&loaded, &wanted)?;
            loaded.kernels.insert(address(wanted.declaration), Arc::new(kernel));
        }
        let kernel = |declaration: &&'static KernelDeclaration| loaded.kernels.get(&address(*declaration)).cloned();
        Ok(declarations.iter().filter_map(kernel).collect())
    }

    fn find(&self, loaded: &Loaded, wanted: &Wanted) -> Result<Kernel> {
        let declaration = wanted.declaration;
        let file = loaded.files.get(&address(declaration.module));
        let file = file.ok_or_else(|| Error::Module("internal error: a kernel file was not loaded".to_owned()))?;
        match (&wanted.expression, declaration.symbol) {
            (Some(expression), _) => {
                let (module, name) = file
                    .instances
                    .get(expression)
                    .ok_or_else(|| Error::Module(format!("internal error: `{expression}` was not instantiated")))?;
                Kernel::find(module, name, declaration, self.limits)
            }
            (None, KernelSymbol::Name(name)) => Kernel::find(&file.module, name, declaration, self.limits),
            (None, KernelSymbol::Expression(_)) => {
                Err(Error::Module("internal error: a kernel has no name".to_owned()))
            }
        }
    }

    fn load_files(&self, loaded: &mut Loaded, missing: &[Wanted]) -> Result<()> {
        let mut sources: Vec<&'static ModuleSource> = missing.iter().map(|wanted| wanted.declaration.module).collect();
        sources.sort_unstable_by_key(|source| address(*source));
        sources.dedup_by_key(|source| address(*source));
        for source in sources {
            let of_source = missing.iter().filter(|wanted| std::ptr::eq(wanted.declaration.module, source));
            let mut names: Vec<String> = of_source.filter_map(|wanted| wanted.expression.clone()).collect();
            if let Some(file) = loaded.files.get(&address(source)) {
                names.retain(|name| !file.instances.contains_key(name));
            }
            names.sort_unstable();
            names.dedup();
            self.load_file(loaded, source, names)?;
        }
        Ok(())
    }

    /// Loads a file unless it is loaded with all these instances.
    fn load_file(&self, loaded: &mut Loaded, source: &'static ModuleSource, names: Vec<String>) -> Result<()> {
        let known = loaded.files.contains_key(&address(source));
        if known && names.is_empty() {
            return Ok(());
        }
        let (module, lowered) = self.load(source, &names)?;
        let module = Arc::new(module);
        let file = loaded
            .files
            .entry(address(source))
            .or_insert_with(|| File { module: Arc::clone(&module), instances: HashMap::new() });
        let instances = names.into_iter().zip(lowered).map(|(name, lowered)| (name, (Arc::clone(&module), lowered)));
        file.instances.extend(instances);
        Ok(())
    }

    fn load(&self, source: &'static ModuleSource, names: &[String]) -> Result<(Module, Vec<String>)> {
        let Compiled { image, lowered } = match source.code {
            ModuleCode::Source { text, headers, options } => {
                compile(source, Source { text, headers, options }, names, self.arch, &self.cache)?
            }
            ModuleCode::Ptx(text) => Compiled { image: with_nul(text), lowered: Vec::new() },
            ModuleCode::Cubin(image) => Compiled { image: image.to_vec(), lowered: Vec::new() },
        };
        let module = Module::load(self.context, &image).map_err(|(failure, log)| refused(source, failure, &log))?;
        Ok((module, lowered))
    }
}

impl Wanted {
    fn of(declaration: &'static KernelDeclaration) -> Result<Self> {
        let expression = match declaration.symbol {
            KernelSymbol::Name(_) => None,
            KernelSymbol::Expression(name) => Some(name().map_err(|reason| nameless(declaration, &reason))?),
        };
        Ok(Self { declaration, expression })
    }
}

fn nameless(declaration: &KernelDeclaration, reason: &str) -> Error {
    let (name, module) = (declaration.name, declaration.module);
    Error::Module(format!(
        "kernel `{name}` of `{}` cannot be instantiated: {reason}\nnote: numbers go by CUDA's names, `half::f16` as `__half`, structs by \
         their own\nhelp: launch it with such a type",
        module.path
    ))
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
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
