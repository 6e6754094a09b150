//! The closures of `host` and `capture`, each with what it depends on.

use std::sync::Arc;

use graph_ir::concrete::FrameId;
use graph_ir::model::NodeId;

use super::Sink;
use crate::call::{Call, NodeCall, Outcome};

impl Sink {
    /// Records the closure of a `host` that depends on these value parameters.
    pub fn host(&mut self, node: u32, values: &[u32], function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static) {
        let stamp = self.stamp(values);
        let node = self.node_id(node).0;
        self.frames.now().calls.put(node, NodeCall::new(function, stamp));
    }

    /// Records the closure of a `capture` that depends on these value parameters.
    pub fn capture(
        &mut self,
        node: u32,
        values: &[u32],
        function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static,
    ) {
        self.host(node, values, function);
    }

    /// What a closure depends on, with these value parameters.
    fn stamp(&self, values: &[u32]) -> Arc<[u64]> {
        let version = |index: usize| self.versions.get(index).copied().unwrap_or(0);
        let any = values.first().map(|_| version(0));
        // What a graph inside the graph is passed may depend on any value.
        let inside = self.passed.is_some();
        let all = self.versions.iter().copied().filter(|_| inside && any.is_some());
        let own = values.iter().map(|value| version(*value as usize + 1)).filter(|_| !inside);
        let versions = any.into_iter().chain(all).chain(own);
        versions.chain(self.lengths.iter().map(|length| *length as u64)).collect()
    }

    /// Records the closure of a launch of a loaded function.
    pub fn launch_loaded(
        &mut self,
        node: u32,
        values: &[u32],
        function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static,
    ) {
        self.capture(node, values, function);
        let frame = self.frames.now();
        if let Some(call) = frame.calls.get(node).cloned() {
            frame.calls.put(node, call.of_loaded());
        }
    }

    /// Records what a capture does on the CPU.
    pub fn capture_on_cpu(&mut self, node: u32, function: impl Fn(&Call<'_>) -> Outcome + Send + Sync + 'static) {
        let node = self.node_id(node).0;
        let frame = self.frames.now();
        if let Some(call) = frame.calls.get(node).cloned() {
            frame.calls.put(node, call.on_cpu(function));
        }
    }

    /// The closures of a node.
    pub(crate) fn call(&self, frame: FrameId, node: NodeId) -> Option<&NodeCall> {
        let node = self.frames.original(node);
        self.frames.find(frame, |frame| frame.calls.get(node.0))
    }
}
