//! CG0501: host callbacks and events stand outside of conditional bodies.
//!
//! Rejected:
//! ```text
//! while err[0] > 0.1 { step<<<1, 1>>>(&mut err); copy(&err, &out seen); host(&seen, |seen| log(seen)); }
//! ```
//! Accepted:
//! ```text
//! while err[0] > 0.1 { step<<<1, 1>>>(&mut err); }
//! copy(&err, &out seen);
//! host(&seen, |seen| log(seen));
//! ```
//! Sound because a body runs without the host (rule R161): the driver accepts kernels, copies, fills, child graphs and conditionals
//! there, and refuses the rest without naming it. What a host `if` decides is no body.

use super::{Report, live_nodes};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Node, NodeKind, Place, Program, RegionId};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program) {
        if matches!(node.kind, NodeKind::Host(_) | NodeKind::Record(_) | NodeKind::Wait(_))
            && let Some((region, owner)) = body(program, node.region)
        {
            report.refute(finding(program, node, region, owner));
        }
    }
}

/// Where the innermost body on the device around a region is, and the word of its conditional.
pub fn body_around(program: &Program, region: RegionId) -> Option<(Place, &'static str)> {
    body(program, region).map(|(region, owner)| (program.region(region).place, owner.kind.word()))
}

/// The innermost body on the device around a region, and its conditional.
fn body(program: &Program, mut region: RegionId) -> Option<(RegionId, &Node)> {
    loop {
        let owner = program.node(program.region(region).owner?);
        if matches!(owner.kind, NodeKind::If { .. } | NodeKind::Match { .. } | NodeKind::Loop(_)) {
            return Some((region, owner));
        }
        region = owner.region;
    }
}

fn finding(program: &Program, node: &Node, region: RegionId, owner: &Node) -> Finding {
    let (word, around) = (node.kind.word(), owner.kind.word());
    let what = if word == "host" { "host callbacks" } else { "events" };
    let found =
        Finding::error(Code::CALL_IN_BODY, node.place, format!("{what} are not allowed inside a conditional body"))
            .note_at(
                program.region(region).place,
                format!("this is a body of the `{around}`, which runs without the host"),
            );
    let held = "a body holds kernels, copies, fills, captures and conditionals";
    match outermost(program, owner) {
        None => found.note(held).help(format!("move the `{word}` before or behind the `{around}`")),
        Some((outer, owner)) => {
            let outer = program.region(outer).place;
            let around = owner.kind.word();
            found
                .note_at(outer, format!("that is in a body of this `{around}`, in which the host does not come either"))
                .note(held)
                .help(format!("move the `{word}` before or behind the outer `{around}`"))
        }
    }
}

/// The outermost body around a conditional, and its conditional; `None` if it stands in no body.
fn outermost<'p>(program: &'p Program, owner: &Node) -> Option<(RegionId, &'p Node)> {
    std::iter::successors(body(program, owner.region), |(_, owner)| body(program, owner.region)).last()
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::{Call, Mode, Object, ObjectId, ObjectKind};
    use crate::testing::{Builder, Head, number, update};

    fn refused<R>(write: impl FnOnce(&mut Builder, crate::testing::Use) -> R) -> Vec<Code> {
        let mut block = Builder::new("g");
        let c = block.parameter("c", Mode::Update, number(1));
        let _ = write(&mut block, update(c));
        codes(&block.finish()).0
    }

    fn host(block: &mut Builder) {
        block.node("host", NodeKind::Host(Call::default()), &[]);
    }

    #[test]
    fn a_callback_stands_in_no_body_however_deep() {
        let found = refused(|block, c| {
            block.repeat(Head::on(&[c]).limit(number(3)), |block| {
                block.kernel("k", &[c]);
                block.host_if("wide", host, |_| ());
            });
        });
        assert_eq!(found, [Code::CALL_IN_BODY]);
    }

    #[test]
    fn an_event_stands_in_no_body_and_a_capture_may() {
        let event = |block: &mut Builder| {
            let place = block.program().regions[0].place;
            block.program().objects.push(Object { name: "e".into(), kind: ObjectKind::Event, place });
            block.node("record", NodeKind::Record(ObjectId(0)), &[]);
        };
        assert_eq!(refused(|block, c| block.when(&[c], event)), [Code::CALL_IN_BODY]);
        let capture = |block: &mut Builder| block.node("capture", NodeKind::Capture(Call::default()), &[]);
        assert_eq!(refused(|block, c| block.when(&[c], capture)), []);
    }

    #[test]
    fn a_host_if_is_no_body() {
        assert_eq!(refused(|block, _| block.host_if("wide", host, |_| ())), []);
        let reads = refused(|block, c| {
            block.when(&[c], |block| block.kernel("k", &[c]));
            host(block);
        });
        assert_eq!(reads, []);
    }
}
