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
use crate::model::{BufferId, Node, NodeId, Origin, Program};

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
    finding.help(cure(program, gap.buffer))
}

/// Why the buffer has no contents yet.
pub(super) fn starts(program: &Program, buffer: BufferId) -> String {
    let name = &program.buffer(buffer).name;
    match program.buffer(buffer).origin {
        Origin::Transient => format!("`{name}` is a transient buffer and starts uninitialised"),
        Origin::Parameter(_) => {
            format!("`{name}` is declared `{}`: its old contents are not there", declared(program, buffer))
        }
    }
}

/// How to give it contents.
pub(super) fn cure(program: &Program, buffer: BufferId) -> String {
    let name = &program.buffer(buffer).name;
    let list = declared(program, buffer);
    match program.buffer(buffer).origin {
        Origin::Transient => {
            let zero = if program.buffer(buffer).element.starts_with(['f', 'b']) { "0.0" } else { "0" };
            format!("fill it where it is declared: `let {name}: {list} = {zero};`")
        }
        Origin::Parameter(_) => format!("declare it `{name}: {}`", list.replacen("&out", "&mut", 1)),
    }
}

fn later_writer(program: &Program, buffer: BufferId, reader: NodeId) -> Option<&Node> {
    let nodes = program.live_regions().into_iter().flat_map(|region| &program.region(region).nodes);
    let writes = |node: &Node| node.accesses.iter().any(|access| access.buffer == buffer && access.mode.writes());
    let later = nodes.filter(|node| **node > reader && writes(program.node(**node))).min()?;
    Some(program.node(*later))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read, update};

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
    fn a_write_above_is_enough() {
        let mut block = Builder::new("g");
        let t = block.transient("t", number(8));
        block.fill("fill", overwrite(t));
        block.kernel("k", &[update(t)]);
        assert_eq!(check(&block.finish()), Report::default());
    }
}
