//! Modules that this crate writes: the last ones are kept, so that building a graph again does not compile its tests again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::load::{with_log, with_nul};
use crate::cuda::driver::{Context, Module};
use crate::error::{Error, Result};

const KEPT: usize = 64;

/// Loaded modules by their text, the newest behind.
#[derive(Debug, Default)]
pub(in crate::cuda) struct GeneratedModules(Mutex<VecDeque<(String, Arc<Module>)>>);

impl GeneratedModules {
    /// The module of a text, written for `graph`.
    pub(in crate::cuda) fn load(&self, context: Context, graph: &str, text: String) -> Result<Arc<Module>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, module)) = kept.iter().find(|(known, _)| *known == text) {
            return Ok(Arc::clone(module));
        }
        let module = Module::load(context, &with_nul(&text)).map_err(|(failure, log)| {
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
}
