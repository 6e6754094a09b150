//! Where nodes stand: among the statements of an `#[explicit]` graph, or among what declarations make.

use graph_ir::model::SectionId;
use syn::Attribute;

use super::Lowering;
use crate::syntax::is_explicit;

impl Lowering<'_> {
    /// `#[explicit]` in front of the graph.
    pub(super) fn begin_sections(&mut self, attributes: &[Attribute]) {
        if attributes.iter().any(is_explicit) {
            self.program.begin_sections(true);
        }
    }

    /// Runs `inner` with nodes that no label can name: they are ordered by what they access.
    pub(super) fn made(&mut self, inner: impl FnOnce(&mut Self)) {
        let made = self.program.around_section(self.section).unwrap_or(SectionId::MADE);
        let section = std::mem::replace(&mut self.section, made);
        inner(self);
        self.section = section;
    }

    /// The section around the passes that stand in a loop's body, if there are several.
    pub(super) fn passes_section(&mut self, every: u32) -> Option<SectionId> {
        (every > 1 && self.program.has_explicit()).then(|| self.program.add_section(self.section, false, None))
    }

    /// Begins the first of them.
    pub(super) fn begin_pass(&mut self, passes: Option<SectionId>) {
        if let Some(passes) = passes {
            let explicit = self.program.is_explicit(self.section);
            self.section = self.program.add_sections(passes, explicit, None).statements;
        }
    }
}
