//! The closures of a graph's `host` and `capture` statements, as the evaluator makes them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{Call, Outcome};
use crate::error::{Error, NodeName, Result, panic_text};

/// A closure. Its host values are those of the evaluation that made it.
type Function = Arc<dyn Fn(&Call<'_>) -> Outcome + Send + Sync>;

/// The closures of one node.
#[derive(Clone)]
pub struct NodeCall {
    function: Function,
    /// What a capture does on the CPU.
    cpu: Option<Function>,
    /// It launches a function that the program has loaded itself.
    loaded: bool,
    /// What the closure depends on: equal in two plans if it would do the same.
    stamp: Arc<[u64]>,
}

impl NodeCall {
    /// A closure with what it depends on.
    pub(crate) fn new(function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static, stamp: Arc<[u64]>) -> Self {
        Self { function: Arc::new(function), cpu: None, loaded: false, stamp }
    }

    /// The same with a form for the CPU.
    pub(crate) fn on_cpu(self, function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self { cpu: Some(Arc::new(function)), ..self }
    }

    /// The same, as a launch of a loaded function.
    pub(crate) fn of_loaded(self) -> Self {
        Self { loaded: true, ..self }
    }

    /// Whether it launches a loaded function.
    pub(crate) fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// Calls the closure. What it throws becomes an error that names the node.
    pub(crate) fn run(&self, call: &Call<'_>, name: impl FnOnce() -> NodeName) -> Result<()> {
        run(&self.function, call, name)
    }

    /// Calls the form for the CPU, if there is one.
    pub(crate) fn run_on_cpu(&self, call: &Call<'_>, name: impl FnOnce() -> NodeName) -> Option<Result<()>> {
        Some(run(self.cpu.as_ref()?, call, name))
    }

    /// Whether there is a form for the CPU.
    pub(crate) fn has_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    /// Whether a capture of the one is a capture of the other, if their buffers are the same.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.stamp == other.stamp
    }
}

fn run(function: &Function, call: &Call<'_>, name: impl FnOnce() -> NodeName) -> Result<()> {
    match catch_unwind(AssertUnwindSafe(|| function(call))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(text)) => Err(Error::Call(format!("{} failed: {text}", name()))),
        Err(panic) => Err(Error::Panicked(format!("{} panicked: {}", name(), panic_text(panic)))),
    }
}

impl fmt::Debug for NodeCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeCall(cpu: {})", self.has_cpu())
    }
}
