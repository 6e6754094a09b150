//! Closures and events of nodes.

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, ObjectId, Strided};

use super::steps::{Found, Source};
use crate::call::{Event, NodeCall};

impl Source<'_> {
    /// The closures of a node, whose buffers are given to it each in one piece.
    pub(super) fn call(&self) -> Found<NodeCall> {
        if let Some(finding) = self.node.accesses.iter().find_map(|access| self.in_pieces(access)) {
            return Err(Box::new(finding));
        }
        self.sink.call(self.frame, self.id).cloned().ok_or_else(|| self.internal("a closure is missing"))
    }

    fn in_pieces(&self, access: &Access) -> Option<Finding> {
        let buffer = self.program.buffer(access.buffer);
        let strided = Strided::of(&access.footprint, &buffer.shape).filter(|strided| !strided.is_contiguous())?;
        let (name, rows) = (&buffer.name, strided.sizes[0] * strided.sizes[1]);
        let message = format!("a closure is given a box of `{name}` in one piece, but its elements lie in {rows} rows");
        let finding = Finding::error(Code::PIECES, access.place, message);
        let finding = finding.note_at(buffer.place, format!("`{name}` is declared here"));
        Some(finding.help("copy the box to a buffer of its own, or pass whole rows"))
    }

    pub(super) fn event(&self, event: ObjectId) -> Found<Event> {
        self.sink.objects.event(event.0).cloned().ok_or_else(|| self.internal("an event is missing"))
    }
}
