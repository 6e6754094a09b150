//! Two names for one buffer. Borrowed and owned buffers cannot be named twice; this looks at what is bound, however it came to be.

use std::collections::HashMap;
use std::sync::Arc;

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::Program as Model;

use super::check::writes;
use crate::buffer::{Binding, Exclusion, Layout};
use crate::error::{Error, Refusal, Result};

/// Refuses parts that overlap and are written.
pub(super) fn check(program: &Model, layout: &Layout, bound: &[Binding<'_>]) -> Result<()> {
    let names = Names { program, layout, bound };
    let mut shared: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, binding) in bound.iter().enumerate() {
        if !binding.bytes().is_empty() {
            shared.entry(Arc::as_ptr(&binding.allocation).addr()).or_default().push(index);
        }
    }
    let mut findings: Vec<_> =
        shared.values().filter(|group| names.conflict(group)).flat_map(|group| names.findings(group)).collect();
    findings.sort_by_key(|finding| finding.place);
    if findings.is_empty() { Ok(()) } else { Err(Error::Refused(Refusal::new(program, findings))) }
}

/// What is bound, and how it is used.
struct Names<'a> {
    program: &'a Model,
    layout: &'a Layout,
    bound: &'a [Binding<'a>],
}

impl Names<'_> {
    fn writes(&self, leaf: usize) -> bool {
        // What is shared by an `Arc` in a struct is only read: a write is refused elsewhere.
        let exclusive = self.bound[leaf].exclusion != Exclusion::Shared;
        exclusive && writes(&self.program.buffers[self.layout.leaves()[leaf].parameter as usize])
    }

    /// Whether parts of one allocation overlap, one of them written. Sorted by start, a part conflicts with one before it if that, or a
    /// written one among them, reaches into it.
    fn conflict(&self, group: &[usize]) -> bool {
        let mut sorted = group.to_vec();
        sorted.sort_by_key(|leaf| self.bound[*leaf].bytes().start);
        let (mut end, mut written_end) = (0, 0);
        sorted.into_iter().any(|leaf| {
            let bytes = self.bound[leaf].bytes();
            let writes = self.writes(leaf);
            let conflict = bytes.start < written_end || (writes && bytes.start < end);
            end = end.max(bytes.end);
            if writes {
                written_end = written_end.max(bytes.end);
            }
            conflict
        })
    }

    /// One finding for each part that conflicts with an earlier one.
    fn findings(&self, group: &[usize]) -> Vec<Finding> {
        let twin = |index: usize| {
            let later = group[index];
            let earlier = group[..index].iter().find(|earlier| self.pair(**earlier, later))?;
            Some(self.finding(*earlier, later))
        };
        (0..group.len()).filter_map(twin).take(20).collect()
    }

    fn pair(&self, earlier: usize, later: usize) -> bool {
        let (a, b) = (self.bound[earlier].bytes(), self.bound[later].bytes());
        a.start < b.end && b.start < a.end && (self.writes(earlier) || self.writes(later))
    }

    fn finding(&self, earlier: usize, later: usize) -> Finding {
        let [earlier, later] = [earlier, later].map(|leaf| &self.layout.leaves()[leaf]);
        let same = self.program.buffers[later.parameter as usize].place;
        let message = format!("`{}` and `{}` are bound to one buffer, and it is written", earlier.name, later.name);
        let finding = Finding::error(Code::ALIAS, same, message);
        if earlier.parameter == later.parameter {
            return finding;
        }
        finding.note_at(self.program.buffers[earlier.parameter as usize].place, "the first is declared here")
    }
}
