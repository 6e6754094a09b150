//! Modules that this crate writes: the last ones are kept, so that building a graph again does not compile its tests again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::Modules;
use super::cache::{Cache, Maker, Wanted};
use super::compile::{not_kept, without_compiler};
use super::load::{with_log, with_nul};
use crate::cuda::device::DeviceState;
use crate::cuda::driver::Module;
use crate::cuda::nvrtc;
use crate::error::{Error, Result};
use crate::scalar::ptx::{Library, library, with_library};

const KEPT: usize = 64;

/// Loaded modules by their text, the newest behind.
#[derive(Debug, Default)]
pub(in crate::cuda) struct GeneratedModules {
    modules: Mutex<VecDeque<(String, Arc<Module>)>>,
    /// Functions that NVRTC has compiled, by their source.
    libraries: Mutex<HashMap<String, Arc<str>>>,
}

impl GeneratedModules {
    /// The module of a text, written for `graph`.
    pub(in crate::cuda) fn load(&self, device: &DeviceState, graph: &str, text: String) -> Result<Arc<Module>> {
        let mut kept = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, module)) = kept.iter().find(|(known, _)| *known == text) {
            return Ok(Arc::clone(module));
        }
        let whole = match library(&text) {
            Some(library) => with_library(&self.library(&library, device.modules(), graph)?, &text),
            None => text.clone(),
        };
        let module = Module::load(device.context(), &with_nul(&whole)).map_err(|(failure, log)| {
            let doing = format!("loading the kernels generated for graph `{graph}`");
            Error::Module(with_log(failure.describe(doing, None).to_string(), &log))
        })?;
        let module = Arc::new(module);
        if kept.len() >= KEPT {
            // Graphs that still launch its kernels hold it too.
            kept.pop_front();
        }
        kept.push_back((text, Arc::clone(&module)));
        Ok(module)
    }

    fn library(&self, library: &Library, modules: &Modules, graph: &str) -> Result<Arc<str>> {
        let mut known = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = known.get(&library.text) {
            return Ok(Arc::clone(compiled));
        }
        let compiled: Arc<str> = compiled(library, modules.arch(), modules.cache(), graph)?.into();
        known.insert(library.text.clone(), Arc::clone(&compiled));
        Ok(compiled)
    }
}

/// Functions as PTX, by NVRTC, through the cache.
fn compiled(library: &Library, arch: u32, cache: &Cache, graph: &str) -> Result<String> {
    let device = format!("functions for compute capability {arch}");
    let options = nvrtc::FUNCTIONS.iter().map(|option| option.as_bytes());
    let wanted = Wanted::of([device.as_bytes(), library.text.as_bytes()].into_iter().chain(options));
    let text = |kept: Vec<u8>| String::from_utf8(kept).ok();
    let version = match nvrtc::version() {
        Ok(version) => version,
        Err(reason) => {
            let kept = without_compiler(cache, &wanted, &library.methods.join(", ")).and_then(text);
            return kept.ok_or_else(|| missing(library, graph, &reason, &not_kept(arch, cache)));
        }
    };
    let target = nvrtc::ptx_target(arch);
    let maker = Maker::nvrtc(version, [target.as_str()]);
    if let Some(kept) = cache.get(&wanted, &maker).and_then(text) {
        return Ok(kept);
    }
    let compiled = nvrtc::compile_functions(&library.text, &target)
        .map_err(|log| Error::Module(format!("the functions of graph `{graph}` do not compile\n{log}")))?;
    cache.put(&wanted, &maker, compiled.as_bytes());
    Ok(compiled)
}

fn missing(library: &Library, graph: &str, reason: &str, not_kept: &str) -> Error {
    let methods: Vec<String> = library.methods.iter().map(|method| format!("`{method}`")).collect();
    let methods = methods.join(", ");
    Error::Unavailable(format!(
        "graph `{graph}` calls {methods}, which PTX has no accurate instruction for, and {reason}{not_kept}\nhelp: install the CUDA toolkit or the \
         pip package `nvidia-cuda-nvrtc`; `Device::cpu()` runs the same block without it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_the_functions() {
        let library = Library { text: String::new(), methods: vec!["exp", "tanh"] };
        let error = missing(&library, "Gelu", "NVRTC was not found", "");
        let Error::Unavailable(text) = error else { panic!("another error") };
        assert!(
            text.starts_with("graph `Gelu` calls `exp`, `tanh`, which PTX has no accurate instruction for"),
            "{text}"
        );
        assert!(text.contains("NVRTC was not found\nhelp: "));
    }
}
