//! CG0511: one kernel of each pass sets the condition of a `while |c|`.
//!
//! Rejected:
//! ```text
//! while |c| { step<<<1, 256>>>(&mut x); }
//! while |c| { step<<<1, 256>>>(&mut x, c); step<<<1, 256>>>(&mut x, c); }
//! ```
//! Accepted:
//! ```text
//! while |c| { step<<<1, 256>>>(&mut x, c); }
//! ```
//! Sound because a condition that nothing sets stays as it is, so that the loop never ends, and of two kernels the last one to run
//! would win. A kernel within an `if` on host values is counted once that is decided.

use super::{Report, live_nodes};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Argument, Node, NodeKind, Place, Program, RegionId};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program) {
        let NodeKind::Loop(head) = &node.kind else { continue };
        if !head.by_kernel {
            continue;
        }
        let setters: Vec<&Node> = setters(program, head.body).collect();
        match setters[..] {
            [] if undecided(program, head.body) => report.open.push(never(node)),
            [] => report.refute(never(node)),
            [_] => {}
            [first, second, ..] => report.refute(twice(first, second)),
        }
    }
}

/// The kernels of the body that take its loop's condition.
fn setters(program: &Program, body: RegionId) -> impl Iterator<Item = &Node> {
    let nodes = program.region(body).nodes.iter().map(|node| program.node(*node));
    nodes.filter(|node| match &node.kind {
        NodeKind::Kernel(launch) => launch.arguments.contains(&Argument::Condition),
        _ => false,
    })
}

/// Whether a host `if` of the body may hold such a kernel.
fn undecided(program: &Program, body: RegionId) -> bool {
    program.region(body).nodes.iter().any(|node| match &program.node(*node).kind {
        NodeKind::HostIf { then, otherwise, .. } => [Some(*then), *otherwise]
            .into_iter()
            .flatten()
            .any(|arm| setters(program, arm).next().is_some() || undecided(program, arm)),
        _ => false,
    })
}

fn never(node: &Node) -> Finding {
    Finding::error(Code::CONDITION, node.place, "no kernel in the body of this `while` sets its condition")
        .note("a condition that is not set stays as it is, and the loop never ends")
        .help("pass the condition to a kernel of the body that has a parameter of type `Condition`")
}

fn twice(first: &Node, second: &Node) -> Finding {
    let message = format!("kernels `{}` and `{}` both set the condition of one `while`", first.label, second.label);
    Finding::error(Code::CONDITION, second.place, message)
        .note_at(first.place, format!("`{}` sets it here", first.label))
        .note("the one that runs last would decide")
        .help("let one kernel set it: launch the other without a parameter of type `Condition`")
}

/// The condition of a loop is passed within another body.
pub fn in_another_body(name: &str, place: Place, declared: Place, word: &str) -> Finding {
    let article = if word.starts_with('i') { "an" } else { "a" };
    let message = format!("condition `{name}` is passed within the body of {article} `{word}`");
    Finding::error(Code::CONDITION, place, message)
        .note_at(declared, format!("`{name}` is the condition of this `while`, which a kernel of each pass sets"))
        .help(format!("launch the kernel that sets `{name}` in the body of its `while` itself"))
}

/// A condition behind `every`, which tests after some passes only.
pub fn with_every(place: Place) -> Finding {
    Finding::error(Code::CONDITION, place, "`every` on a `while` whose condition a kernel sets")
        .note("the kernel decides after each pass; there is no test that could be left out")
        .help("remove `every`")
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use crate::code::Code;
    use crate::model::{Argument, Mode, NodeId, NodeKind, Program};
    use crate::testing::{Builder, Head, number, update};

    fn program(kernels: usize, setters: &[u32]) -> Program {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        block.repeat(Head::by_kernel(), |block| {
            for _ in 0..kernels {
                block.kernel("step", &[update(x)]);
            }
        });
        let mut program = block.finish();
        setters.iter().for_each(|node| set(&mut program, NodeId(*node)));
        program
    }

    fn set(program: &mut Program, node: NodeId) {
        if let NodeKind::Kernel(launch) = &mut program.nodes[node.0 as usize].kind {
            launch.arguments = [Argument::Buffer(0), Argument::Condition].into();
        }
    }

    #[test]
    fn one_kernel_sets_it() {
        assert_eq!(codes(&program(1, &[1])), (vec![], vec![]));
        assert_eq!(codes(&program(3, &[2])), (vec![], vec![]));
    }

    #[test]
    fn none_or_two_are_refused() {
        assert_eq!(codes(&program(1, &[])), (vec![Code::CONDITION], vec![]));
        assert_eq!(codes(&program(2, &[1, 2])), (vec![Code::CONDITION], vec![]));
    }

    #[test]
    fn one_within_a_host_if_is_open() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        block.repeat(Head::by_kernel(), |block| {
            block.host_if("quick", |block| block.kernel("step", &[update(x)]), |_| ());
        });
        let mut program = block.finish();
        set(&mut program, NodeId(2));
        assert_eq!(codes(&program), (vec![], vec![Code::CONDITION]));
    }
}
