//! Launches that a test makes more of: programs launch their graphs as they always do.

use super::Graph;
use super::contents::Contents;
use crate::error::Result;
use crate::plan::PlanView;
use crate::program::Program;

/// Stands between a program that launches and the graph that is launched; see [`Device::launching`](crate::Device::launching).
pub trait Launcher: Send + Sync {
    /// Launches the graph once or several times, and looks at what it likes.
    ///
    /// # Errors
    /// Those of the launches.
    fn launch(&self, graph: &mut dyn Launchable) -> Result<()>;
}

/// A graph, whatever its program.
pub trait Launchable {
    /// Launches it once, past the launcher.
    ///
    /// # Errors
    /// As [`Graph::launch`].
    fn launch(&mut self) -> Result<()>;

    /// What is launched.
    fn plan(&self) -> PlanView;

    /// What the buffers that it writes hold, once the launches so far are over.
    ///
    /// # Errors
    /// Of the launches, and of reading.
    fn contents(&self) -> Result<Contents>;

    /// Makes the buffers what they were.
    ///
    /// # Errors
    /// Of writing, and if the contents are another graph's.
    fn put_contents(&mut self, contents: &Contents) -> Result<()>;
}

impl<P: Program> Launchable for Graph<'_, P> {
    fn launch(&mut self) -> Result<()> {
        self.launch_once()
    }

    fn plan(&self) -> PlanView {
        Self::plan(self)
    }

    fn contents(&self) -> Result<Contents> {
        Self::contents(self)
    }

    fn put_contents(&mut self, contents: &Contents) -> Result<()> {
        Self::put_contents(self, contents)
    }
}
