//! Modules that this crate writes: the last ones are kept, so that building a graph again does not compile its tests again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

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
            Some(library) => with_library(&self.library(&library, device.modules().arch(), graph)?, &text),
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

    fn library(&self, library: &Library, arch: u32, graph: &str) -> Result<Arc<str>> {
        let mut known = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = known.get(&library.text) {
            return Ok(Arc::clone(compiled));
        }
        nvrtc::version().map_err(|reason| missing(library, graph, &reason))?;
        let compiled = nvrtc::compile_functions(&library.text, arch)
            .map_err(|log| Error::Module(format!("the functions of graph `{graph}` do not compile\n{log}")))?;
        let compiled: Arc<str> = compiled.into();
        known.insert(library.text.clone(), Arc::clone(&compiled));
        Ok(compiled)
    }
}

fn missing(library: &Library, graph: &str, reason: &str) -> Error {
    let methods: Vec<String> = library.methods.iter().map(|method| format!("`{method}`")).collect();
    let methods = methods.join(", ");
    Error::Unavailable(format!(
        "graph `{graph}` calls {methods}, which PTX has no accurate instruction for, and {reason}\nhelp: install the CUDA toolkit or the \
         pip package `nvidia-cuda-nvrtc`; `Device::cpu()` runs the same block without it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_the_functions() {
        let library = Library { text: String::new(), methods: vec!["exp", "tanh"] };
        let Error::Unavailable(text) = missing(&library, "Gelu", "NVRTC was not found") else {
            panic!("another error")
        };
        assert!(
            text.starts_with("graph `Gelu` calls `exp`, `tanh`, which PTX has no accurate instruction for"),
            "{text}"
        );
        assert!(text.contains("NVRTC was not found\nhelp: "));
    }
}
