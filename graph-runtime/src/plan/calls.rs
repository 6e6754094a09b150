//! Closures and events of nodes.

use graph_ir::model::ObjectId;

use super::steps::{Found, Source};
use crate::call::{Event, NodeCall};

impl Source<'_> {
    pub(super) fn call(&self) -> Found<NodeCall> {
        self.sink.call(self.frame, self.id).cloned().ok_or_else(|| self.internal("a closure is missing"))
    }

    pub(super) fn event(&self, event: ObjectId) -> Found<Event> {
        self.sink.objects.event(event.0).cloned().ok_or_else(|| self.internal("an event is missing"))
    }
}
