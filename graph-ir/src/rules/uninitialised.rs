//! CG0401: what is read has been written.
//!
//! Rejected:
//! ```text
//! let t: [f32; n];
//! sum<<<1, 256>>>(&t, &out total);
//! ```
//! Accepted:
//! ```text
//! let t: [f32; n] = 0.0;
//! sum<<<1, 256>>>(&t, &out total);
//! ```
//! Sound because a transient and an `&out` parameter start undefined, and this rule fires only if no write above the read, on any
//! path, may reach one of its elements ([`crate::analysis::initialization`]). Each buffer is reported at its first such read only.

use super::{Report, declared, subject};
use crate::analysis::initialization::{Gap, Lack};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{BufferId, Family, Mode, Node, NodeId, NodeKind, Origin, Program, RegionKind};

pub(super) fn check(program: &Program, gap: &Gap, report: &mut Report) {
    if let (Lack::Nothing, Some(reader)) = (gap.lack, gap.reader) {
        report.refute(finding(program, gap, reader));
    }
}

fn finding(program: &Program, gap: &Gap, reader: NodeId) -> Finding {
    let buffer = program.buffer(gap.buffer);
    let name = &buffer.name;
    let message = match gap.write {
        None => format!("buffer `{name}` is read before any node writes it"),
        Some(_) => format!("buffer `{name}` is read where no node has written it"),
    };
    let mut finding =
        Finding::error(Code::UNINITIALISED, gap.place, message).note_at(buffer.place, starts(program, gap.buffer));
    if let Some((node, place)) = gap.write {
        let writer = subject(program.node(node));
        finding = finding.note_at(place, format!("{writer} writes `{name}`, but none of the elements that are read"));
    } else if let Some(writer) = later_writer(program, gap.buffer, reader) {
        let text = format!("{} writes `{name}`, but only behind this read", subject(writer));
        finding = finding.note_at(writer.place, text);
    }
    if let Some(mode) = updates(program.node(reader), gap) {
        finding = finding.note(format!("`{} {name}` updates the old contents, and there are none", mode.sigil()));
    }
    finding.help(cure(program, gap.buffer, Some(reader)))
}

/// How the read updates the buffer, if it is no plain read.
fn updates(reader: &Node, gap: &Gap) -> Option<Mode> {
    let access = reader.accesses.iter().find(|access| access.place == gap.place)?;
    let called = matches!(reader.kind, NodeKind::Kernel(_) | NodeKind::Host(_) | NodeKind::Capture(_));
    (access.mode.writes() && called).then_some(access.mode)
}

/// Why the buffer has no contents yet.
pub(super) fn starts(program: &Program, buffer: BufferId) -> String {
    let name = &program.buffer(buffer).name;
    match program.buffer(buffer).origin {
        Origin::Transient | Origin::Static(_) => {
            format!("`{name}` is a transient buffer and starts uninitialised")
        }
        Origin::Parameter(_) => {
            format!("`{name}` is declared `{}`: its old contents are not there", declared(program, buffer))
        }
    }
}

/// How to give it contents: at its declaration, or anew on each pass if it is read in a loop's body and declared outside.
pub(super) fn cure(program: &Program, buffer: BufferId, reader: Option<NodeId>) -> String {
    let name = &program.buffer(buffer).name;
    let list = declared(program, buffer);
    let zero = if program.buffer(buffer).element.starts_with(['f', 'b']) { "0.0" } else { "0" };
    match (program.buffer(buffer).origin, reader) {
        (Origin::Transient, Some(reader)) if repeats(program, buffer, reader) => {
            let write = match program.buffer(buffer).length() {
                Some(1) if program.buffer(buffer).shape.rank() == 1 => format!("{name}[0] = {zero};"),
                _ => format!("fill(&out {name}, {zero});"),
            };
            format!("write it before on each pass: `{write}`")
        }
        (Origin::Transient, _) if program.buffer(buffer).family == Family::List => {
            format!("write the buffers of the list before, each for itself: `fill(&out {name}[i], {zero});`")
        }
        (Origin::Transient | Origin::Static(_), _) => {
            format!("fill it where it is declared: `let {name}: {list} = {zero};`")
        }
        (Origin::Parameter(_), _) => format!("declare it `{name}: {}`", list.replacen("&out", "&mut", 1)),
    }
}

/// Whether the read is in the body of a loop around which the buffer lives.
fn repeats(program: &Program, buffer: BufferId, reader: NodeId) -> bool {
    let mut region = program.node(reader).region;
    while region != program.buffer(buffer).region {
        if program.region(region).kind == RegionKind::Body {
            return true;
        }
        let Some(owner) = program.region(region).owner else { return false };
        region = program.node(owner).region;
    }
    false
}

fn later_writer(program: &Program, buffer: BufferId, reader: NodeId) -> Option<&Node> {
    let nodes = program.live_regions().into_iter().flat_map(|region| &program.region(region).nodes);
    let writes = |node: &Node| node.accesses.iter().any(|access| access.buffer == buffer && access.mode.writes());
    // A copy of the reader in a later unrolled pass has its place.
    let place = program.node(reader).place;
    let later =
        nodes.filter(|node| **node > reader && writes(program.node(**node)) && program.node(**node).place != place);
    let later = later.min()?;
    Some(program.node(*later))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::testing::{Builder, Head, atomic, number, overwrite, read, update};

    #[test]
    fn the_first_read_is_reported_and_only_it() {
        let mut block = Builder::new("g");
        let t = block.transient("resid", number(8));
        let first = block.kernel("norm", &[read(t)]);
        block.kernel("again", &[update(t)]);
        let program = block.finish();
        let report = check(&program);
        let [finding] = &report.refuted[..] else { panic!("one finding expected: {report:?}") };
        assert_eq!(finding.place, program.node(first).accesses[0].place);
        assert_eq!(finding.message, "buffer `resid` is read before any node writes it");
        assert_eq!(finding.help.as_deref(), Some("fill it where it is declared: `let resid: [f32; 8] = 0.0;`"));
    }

    #[test]
    fn an_out_parameter_has_no_old_contents() {
        let mut block = Builder::new("g");
        let y = block.parameter("y", Mode::Overwrite, number(8));
        block.kernel("k", &[update(y)]);
        let report = check(&block.finish());
        assert_eq!(report.refuted.len(), 1);
        assert_eq!(report.refuted[0].help.as_deref(), Some("declare it `y: &mut [f32; 8]`"));
    }

    #[test]
    fn in_a_loop_the_cure_is_in_the_loop() {
        let mut block = Builder::new("g");
        let t = block.transient("t", number(1));
        block.repeat(Head::forever(None).limit(number(4)).every(2), |block| {
            block.kernel("count", &[atomic(t)]);
            block.kernel("count", &[atomic(t)]);
        });
        let report = check(&block.finish());
        assert_eq!(report.refuted[0].help.as_deref(), Some("write it before on each pass: `t[0] = 0.0;`"));
        let last = report.refuted[0].notes.last().map(|note| note.text.as_str());
        assert_eq!(last, Some("`&atomic t` updates the old contents, and there are none"));
    }

    #[test]
    fn a_write_above_is_enough() {
        let mut block = Builder::new("g");
        let t = block.transient("t", number(8));
        block.fill("fill", overwrite(t));
        block.kernel("k", &[update(t)]);
        assert_eq!(check(&block.finish()), Report::default());
    }
}
