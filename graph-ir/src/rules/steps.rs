//! How the step from one node to another is told.

use super::subject;
use crate::analysis::{Edge, HazardKind, Reason};
use crate::model::{BufferId, Place, Program};

/// ``"`b` waits for `a`: it reads `x`, which kernel `a` writes"``, and the place that shows it.
pub(super) fn step(program: &Program, edge: &Edge) -> (String, Place) {
    let asked = matches!(edge.reason, Reason::After { .. });
    let waits = if !asked && program.is_given(edge.from, edge.to) { "has to wait" } else { "waits" };
    let waits = format!("`{}` {waits} for `{}`", program.node(edge.to).label, program.node(edge.from).label);
    match edge.reason {
        Reason::Hazard { kind, buffer, to, .. } => (format!("{waits}: {}", hazard(program, kind, buffer, edge)), to),
        Reason::After { place } => (format!("{waits} because of this `after`"), place),
        Reason::Object { object } => {
            let name = &program.object(object).name;
            (format!("{waits}: both use `{name}` alone"), program.node(edge.to).place)
        }
        Reason::Fence { place } => (format!("{waits}: nothing passes this fence"), place),
        Reason::Effects => (format!("{waits}: both have effects and keep their order"), program.node(edge.to).place),
        Reason::Lane { lane } => (format!("{waits}: both are on lane {lane}"), program.node(edge.to).place),
    }
}

fn hazard(program: &Program, kind: HazardKind, buffer: BufferId, edge: &Edge) -> String {
    let (name, from) = (&program.buffer(buffer).name, subject(program.node(edge.from)));
    match kind {
        HazardKind::ReadAfterWrite => format!("it reads `{name}`, which {from} writes"),
        HazardKind::WriteAfterWrite => format!("it writes `{name}`, which {from} writes first"),
        HazardKind::WriteAfterRead => format!("it writes `{name}`, which {from} reads first"),
    }
}
