//! CG0502: something can end a loop.
//!
//! Rejected:
//! ```text
//! while err[0] > 0.1 { step<<<1, 256>>>(&mut x); }
//! loop { step<<<1, 256>>>(&mut x); }
//! ```
//! Accepted:
//! ```text
//! while err[0] > 0.1 { step<<<1, 256>>>(&mut x, &mut err); }
//! loop limit 10 { step<<<1, 256>>>(&mut x); }
//! ```
//! Sound because a test that reads only what no pass writes gives the same answer after each. With a `limit` the loop ends, but
//! its test is idle: a warning.

use super::{Report, fits, is_mailbox, live_nodes};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, LoopHead, Node, NodeKind, Program, RegionId, Verdict};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program) {
        if let NodeKind::Loop(head) = &node.kind {
            match &head.test {
                None if head.limit.is_none() && !head.by_kernel => report.refute(without_test(node)),
                None => {}
                // An element that is not there is reported as that only.
                Some(_) if node.accesses.iter().any(|read| fits(program, read) == Verdict::Refuted) => {}
                // The host may write it meanwhile.
                Some(_) if node.accesses.iter().any(|read| is_mailbox(program, read)) => {}
                Some(_) => {
                    let changes = changes(program, &node.accesses, head.body);
                    report.add(changes, || idle_test(program, node, head, changes));
                }
            }
        }
    }
}

/// Whether the body writes what the test reads. What the host decides is open.
fn changes(program: &Program, reads: &[Access], body: RegionId) -> Verdict {
    let mut answer = Verdict::Refuted;
    for node in &program.region(body).nodes {
        let node = program.node(*node);
        let own = node.accesses.iter().filter(|access| access.mode.writes()).map(|write| hits(program, reads, write));
        let bodies = node.kind.bodies().into_iter().map(|body| match (&node.kind, changes(program, reads, body)) {
            (NodeKind::HostIf { .. } | NodeKind::HostMatch { .. } | NodeKind::For { .. }, Verdict::Proved) => {
                Verdict::Open
            }
            (_, inside) => inside,
        });
        for found in own.chain(bodies) {
            match found {
                Verdict::Proved => return Verdict::Proved,
                Verdict::Open => answer = Verdict::Open,
                Verdict::Refuted => {}
            }
        }
    }
    answer
}

/// Whether a write reaches an element that is read.
fn hits(program: &Program, reads: &[Access], write: &Access) -> Verdict {
    let mut answer = Verdict::Refuted;
    for read in reads {
        match program.same_buffer(read.buffer, write.buffer) {
            Verdict::Proved => {}
            Verdict::Open => {
                answer = Verdict::Open;
                continue;
            }
            Verdict::Refuted => continue,
        }
        let same = read.footprint == write.footprint || (!read.ranged && !write.ranged);
        match read.footprint.disjoint(&write.footprint) {
            Verdict::Refuted => return Verdict::Proved,
            _ if same => return Verdict::Proved,
            Verdict::Open => answer = Verdict::Open,
            Verdict::Proved => {}
        }
    }
    answer
}

fn without_test(node: &Node) -> Finding {
    Finding::error(Code::ENDLESS, node.place, "this `loop` has neither a `break` nor a `limit`")
        .help("write `loop limit 1000 { … }`, or end the body with `if … { break; }`")
}

fn idle_test(program: &Program, node: &Node, head: &LoopHead, changes: Verdict) -> Finding {
    let word = node.kind.word();
    let mut names: Vec<_> =
        node.accesses.iter().map(|access| format!("`{}`", program.buffer(access.buffer).name)).collect();
    names.dedup();
    let names = names.join(" or ");
    let message = match changes {
        Verdict::Open => format!("the body of this `{word}` may not write the part of {names} that its test reads"),
        _ if names.is_empty() => format!("the test of this `{word}` reads no buffer"),
        _ => format!("nothing in the body of this `{word}` writes {names}, which its test reads"),
    };
    let place = head.test.as_ref().map_or(node.place, |test| test.place);
    let finding =
        Finding::error(Code::ENDLESS, place, message).note("then the test gives the same answer after every pass");
    if head.limit.is_some() {
        return finding.warning();
    }
    let cure =
        if names.is_empty() { "test an element that the body writes" } else { "write what the test reads in the body" };
    finding.help(format!("{cure}, or end the `{word}` with a `limit`"))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::finding::Level;
    use crate::model::{BufferId, Mode};
    use crate::testing::{Builder, Head, Use, number, overwrite, read, update};

    fn levels(
        head: impl FnOnce(Head<'_>) -> Head<'_>,
        body: impl FnOnce(BufferId, BufferId) -> Vec<Use>,
    ) -> Vec<Level> {
        let mut block = Builder::new("g");
        let c = block.parameter("c", Mode::Update, number(2));
        let x = block.parameter("x", Mode::Update, number(4));
        let uses = body(c, x);
        let test = [read(c).range(0, 1)];
        block.repeat(head(Head::on(&test)), |block| block.kernel("step", &uses));
        let refuted = check(&block.finish()).refuted;
        assert!(refuted.iter().all(|finding| finding.code == Code::ENDLESS));
        refuted.iter().map(|finding| finding.level).collect()
    }

    #[test]
    fn a_body_must_write_what_the_test_reads() {
        assert_eq!(levels(|head| head, |_, x| vec![update(x)]), [Level::Error]);
        assert_eq!(levels(|head| head, |c, _| vec![update(c).range(1, 2)]), [Level::Error]);
        assert_eq!(levels(|head| head, |c, _| vec![update(c)]), []);
    }

    #[test]
    fn a_limit_makes_it_a_warning() {
        assert_eq!(levels(|head| head.limit(number(9)), |_, x| vec![update(x)]), [Level::Warning]);
    }

    #[test]
    fn a_loop_needs_a_break_or_a_limit() {
        assert_eq!(levels(|_| Head::forever(None), |_, x| vec![update(x)]), [Level::Error]);
        assert_eq!(levels(|_| Head::forever(None).limit(number(3)), |_, x| vec![update(x)]), []);
    }

    #[test]
    fn a_write_that_the_host_decides_on_leaves_it_open() {
        let mut block = Builder::new("g");
        let c = block.parameter("c", Mode::Update, number(1));
        block.repeat(Head::on(&[read(c)]), |block| {
            block.host_if("debug", |block| block.kernel("step", &[update(c)]), |_| ());
        });
        let report = check(&block.finish());
        assert_eq!((report.refuted.len(), report.open.len()), (0, 1));
    }

    #[test]
    fn a_transient_of_the_body_may_end_it() {
        let mut block = Builder::new("g");
        let done = block.transient("done", number(1));
        block.repeat(Head::forever(Some(&[read(done)])), |block| block.kernel("w", &[overwrite(done)]));
        let mut program = block.finish();
        program.buffers[0].region = RegionId(1);
        assert_eq!(check(&program), Report::default());
    }
}
