//! CG0403: somebody reads a transient that is written.
//!
//! Warned of:
//! ```text
//! let seen: [f32; n];
//! copy(&x, &out seen);
//! ```
//! Not warned of:
//! ```text
//! let _seen: [f32; n];
//! copy(&x, &out _seen);
//! let workspace: [f32; n];
//! solve<<<1, 256>>>(&mut x, &out workspace);
//! ```
//! Sound because nobody outside of the graph can name a transient. What launches, captures and graphs inside the graph write may be there
//! because they want it: only buffers that nothing but copies, fills, assignments and kernels in the block write are reported.

use std::collections::HashMap;

use super::{is_for_its_writes, live_nodes, stands_for_itself};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{BufferId, Node, Origin, Place, Program};

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    let mut first_writes: HashMap<BufferId, Option<(&Node, Place)>> = HashMap::new();
    for node in live_nodes(program) {
        for access in &node.accesses {
            let write = first_writes.entry(program.family(access.buffer)).or_insert(Some((node, access.place)));
            if access.mode.reads() || !is_for_its_writes(node) {
                *write = None;
            }
        }
    }
    for buffer in program.buffer_ids() {
        if let Some(Some(write)) = first_writes.get(&buffer)
            && is_a_plain_transient(program, buffer)
        {
            findings.push(finding(program, buffer, *write));
        }
    }
}

fn is_a_plain_transient(program: &Program, buffer: BufferId) -> bool {
    let declared = program.buffer(buffer);
    let wanted = declared.origin == Origin::Transient && !declared.name.starts_with('_');
    wanted && stands_for_itself(program, buffer)
}

fn finding(program: &Program, buffer: BufferId, (writer, place): (&Node, Place)) -> Finding {
    let buffer = program.buffer(buffer);
    let name = &buffer.name;
    let finding = Finding::error(Code::UNREAD, buffer.place, format!("buffer `{name}` is written and never read"));
    let finding =
        if place == buffer.place { finding } else { finding.note_at(place, format!("`{}` writes it", writer.label)) };
    finding.help(format!("remove it, or call it `_{name}`")).warning()
}

#[cfg(test)]
mod tests {
    use super::super::advise;
    use crate::code::Code;
    use crate::finding::Level;
    use crate::model::{BufferId, Mode, Program};
    use crate::testing::{Builder, Use, number, overwrite, read, update};

    /// The lines of what is reported, of a graph with a transient in line 2.
    fn lines<R>(name: &str, write: impl FnOnce(&mut Builder, BufferId, BufferId) -> R) -> Vec<u32> {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(4));
        let t = block.transient(name, number(4));
        write(&mut block, x, t);
        told(&block.finish())
    }

    fn told(program: &Program) -> Vec<u32> {
        let found = advise(program);
        assert!(found.iter().all(|finding| finding.code == Code::UNREAD && finding.level == Level::Warning));
        let buffer = |finding: &crate::finding::Finding| finding.place == program.buffers[1].place;
        assert!(found.iter().all(buffer), "{found:?}");
        found.iter().map(|finding| finding.place.0).collect()
    }

    #[test]
    fn copies_and_fills_alone_are_for_nothing() {
        assert_eq!(lines("t", |block, x, t| block.copy("copy", read(x), overwrite(t))).len(), 1);
        assert_eq!(lines("t", |block, _, t| block.fill("fill", overwrite(t).range(0, 2))).len(), 1);
        assert_eq!(lines("_t", |block, _, t| block.fill("fill", overwrite(t))), []);
    }

    #[test]
    fn a_reader_or_a_launch_is_enough() {
        let behind = |uses: fn(BufferId, BufferId) -> Vec<Use>| {
            lines("t", |block, x, t| {
                block.fill("fill", overwrite(t));
                block.kernel("k", &uses(x, t));
            })
        };
        assert_eq!(behind(|x, _| vec![update(x)]).len(), 1);
        assert_eq!(behind(|x, t| vec![update(x), read(t)]), []);
        assert_eq!(behind(|x, t| vec![update(x), update(t)]), []);
        assert_eq!(behind(|x, t| vec![update(x), overwrite(t)]), []);
        let tested = lines("t", |block, x, t| {
            block.fill("fill", overwrite(t));
            block.when(&[read(t)], |block| block.kernel("k", &[update(x)]));
        });
        assert_eq!(tested, []);
    }
}
