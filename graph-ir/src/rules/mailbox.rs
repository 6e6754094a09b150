//! CG0409: a mailbox is read and written element by element.
//!
//! Rejected:
//! ```text
//! graph G(seen: &mut mailbox [f32; 1], x: &[f32; 1]) { copy(&x, &out seen); }
//! ```
//! Accepted:
//! ```text
//! graph G(seen: &mut mailbox [f32; 1], x: &[f32; 1]) { seen[0] = x[0]; }
//! ```
//! Sound because the host looks at a mailbox while the graph runs: only assignments and tests touch each element by one instruction that
//! neither caches nor splits it. A graph inside the graph is looked at by itself, with its parameters' buffers, when it is built.

use super::{Report, is_mailbox, live_nodes, subject};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Node, NodeKind, Program};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program).filter(|node| !looks_at_elements(node)) {
        let mut named = node.accesses.iter();
        if let Some(access) = named.find(|access| is_mailbox(program, access)) {
            report.refute(finding(program, node, access));
        }
    }
}

fn looks_at_elements(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Scalar { .. }
            | NodeKind::Assert { .. }
            | NodeKind::If { .. }
            | NodeKind::Match { .. }
            | NodeKind::Loop(_)
            | NodeKind::Graph(_)
    )
}

fn finding(program: &Program, node: &Node, access: &Access) -> Finding {
    let buffer = program.buffer(access.buffer);
    let name = &buffer.name;
    let cure = if access.mode.writes() {
        format!("let it write a buffer on the device, and post an element of that: `{name}[0] = t[0];`")
    } else {
        format!("read it in a condition, or assign its element to a buffer on the device: `t[0] = {name}[0];`")
    };
    Finding::error(Code::MAILBOX, access.place, format!("{} is given `{name}`, which is a mailbox", subject(node)))
        .note_at(buffer.place, format!("`{name}` is declared with `mailbox`"))
        .note("the host reads and writes a mailbox while the graph runs, so only assignments and tests may name its elements")
        .help(cure)
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::{BufferId, Memory, Mode};
    use crate::testing::{Builder, Head, number, overwrite, read, update};

    /// The codes of what a block on a mailbox and another buffer gets.
    fn told(write: impl FnOnce(&mut Builder, BufferId, BufferId)) -> Vec<Code> {
        let mut block = Builder::new("g");
        let seen = block.parameter("seen", Mode::Update, number(2));
        block.program().buffers[seen.0 as usize].memory = Memory::Mailbox;
        let x = block.parameter("x", Mode::Update, number(2));
        write(&mut block, seen, x);
        codes(&block.finish()).0
    }

    #[test]
    fn what_takes_a_buffer_whole_is_refused_by_whatever_name() {
        assert_eq!(told(|block, seen, x| _ = block.kernel("k", &[read(seen), update(x)])), [Code::MAILBOX]);
        assert_eq!(told(|block, seen, x| _ = block.copy("c", read(x), overwrite(seen))), [Code::MAILBOX]);
        assert_eq!(told(|block, seen, _| _ = block.fill("f", overwrite(seen).range(0, 1))), [Code::MAILBOX]);
        assert_eq!(
            told(|block, seen, x| _ = block.kernel("k", &[read(seen), update(x), read(seen).range(0, 1)])).len(),
            1
        );
    }

    #[test]
    fn tests_may_read_it_and_a_loop_may_wait_for_the_host() {
        let loops = |block: &mut Builder, seen, x| {
            block.repeat(Head::on(&[read(seen).range(0, 1)]), |block| block.kernel("k", &[update(x)]));
        };
        assert_eq!(told(loops), []);
        let branches = |block: &mut Builder, seen, x| {
            block.when(&[read(seen).range(0, 1)], |block| block.kernel("k", &[update(x)]));
        };
        assert_eq!(told(branches), []);
    }
}
