//! CG0403: somebody reads what is written before it is replaced.
//!
//! Warned of:
//! ```text
//! fill(&out x, 0.0);
//! copy(&y, &out x);
//! ```
//! Not warned of:
//! ```text
//! fill(&out x, 0.0);
//! copy(&y[..4], &out x[..4]);
//! ```
//! Nor of a statement that replaces what it wrote itself: with `every 2`, a pass that no test looks at stands in front of the same statements
//! once more, and nobody can leave one of them out.
//!
//! Sound because a copy, a fill, an assignment and a kernel in the block that is known to write a range replace all of it, whenever they
//! run; and nobody can look at a buffer between two nodes of a region but a node between them. What a launch replaces is not known here:
//! it may touch fewer elements than it is given. A statement counts if all it does is to write one buffer.

use std::collections::HashMap;

use super::{is_for_its_writes, is_mailbox, stands_for_itself, subject};
use crate::analysis::effects::{accesses, is_fence};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, BufferId, Mode, Node, NodeId, NodeKind, Place, Program, RegionId, Verdict};

/// More writes of one buffer that wait for a reader are not remembered.
const WAITING: usize = 32;

/// Writes that nobody has read yet, by buffer.
type Waiting<'p> = HashMap<BufferId, Vec<(&'p Node, &'p Access)>>;

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    for region in program.live_regions() {
        in_region(program, region, findings);
    }
}

fn in_region(program: &Program, region: RegionId, findings: &mut Vec<Finding>) {
    let mut waiting = Waiting::new();
    for id in &program.region(region).nodes {
        let node = program.node(*id);
        if is_fence(program, *id) {
            waiting.clear();
            continue;
        }
        read(program, *id, &mut waiting);
        if is_for_its_writes(node) && !node.optional {
            replace(program, node, &mut waiting, findings);
        }
        // The host may have looked at what was in a mailbox.
        if let Some(write) = only_write(node).filter(|write| !is_mailbox(program, write)) {
            let writes = waiting.entry(program.family(write.buffer)).or_default();
            if writes.len() < WAITING {
                writes.push((node, write));
            }
        }
    }
}

/// Takes out what the node may read.
fn read(program: &Program, node: NodeId, waiting: &mut Waiting<'_>) {
    if waiting.is_empty() {
        return;
    }
    for access in accesses(program, node).iter().filter(|access| access.mode.reads()) {
        if let Some(writes) = waiting.get_mut(&program.family(access.buffer)) {
            writes.retain(|(_, write)| {
                let other = program.same_buffer(write.buffer, access.buffer) == Verdict::Refuted;
                other || write.footprint.disjoint(&access.footprint) == Verdict::Proved
            });
        }
    }
}

/// Reports what the node replaces.
fn replace(program: &Program, node: &Node, waiting: &mut Waiting<'_>, findings: &mut Vec<Finding>) {
    for access in node.accesses.iter().filter(|access| access.mode == Mode::Overwrite) {
        let Some(writes) = waiting.get_mut(&program.family(access.buffer)) else { continue };
        writes.retain(|(writer, write)| {
            let again = write.place == access.place;
            let dead =
                write.buffer == access.buffer && covers(access, write) && stands_for_itself(program, write.buffer);
            if dead && !again {
                findings.push(finding(program, (writer, write), (node, access.place)));
            }
            !dead
        });
    }
}

/// Whether all elements of `inner` are certainly among those of `outer`.
fn covers(outer: &Access, inner: &Access) -> bool {
    let (outer_ranges, inner_ranges) = (outer.footprint.ranges(), inner.footprint.ranges());
    let inside = || outer_ranges.iter().zip(inner_ranges).all(|(outer, inner)| outer.covers(*inner));
    !outer.ranged || outer.footprint == inner.footprint || outer_ranges.len() == inner_ranges.len() && inside()
}

/// The one buffer that the node writes, if it does nothing else.
fn only_write(node: &Node) -> Option<&Access> {
    let alone = matches!(node.kind, NodeKind::Kernel(_)) && !node.effects || is_for_its_writes(node);
    let mut writes = node.accesses.iter().filter(|access| access.mode.writes());
    let first = writes.next().filter(|write| write.mode == Mode::Overwrite)?;
    (alone && writes.next().is_none()).then_some(first)
}

fn finding(program: &Program, (writer, write): (&Node, &Access), (node, place): (&Node, Place)) -> Finding {
    let name = &program.buffer(write.buffer).name;
    let message = format!("what {} writes to `{name}` is never read", subject(writer));
    let initial = write.place == program.buffer(write.buffer).place;
    let cure = if initial { format!("declare `{name}` without a value") } else { "remove it".to_owned() };
    Finding::error(Code::UNREAD, write.place, message)
        .note_at(place, format!("{} replaces all of it", subject(node)))
        .help(cure)
        .warning()
}

#[cfg(test)]
mod tests {
    use super::super::advise;
    use crate::finding::Level;
    use crate::model::{BufferId, Extent, Mode};
    use crate::testing::{Builder, atomic, number, overwrite, read, update};

    /// The labels of what is reported; the graph ends with a read of everything.
    fn told(write: impl FnOnce(&mut Builder, BufferId, BufferId)) -> Vec<String> {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let y = block.parameter("y", Mode::Update, number(8));
        write(&mut block, x, y);
        let found = advise(&block.finish());
        assert!(found.iter().all(|finding| finding.level == Level::Warning));
        let label = |message: &str| message.split('`').nth(1).unwrap_or_default().to_owned();
        found.iter().map(|finding| label(&finding.message)).collect()
    }

    #[test]
    fn what_is_replaced_unread_is_told() {
        assert_eq!(
            told(|block, x, y| {
                block.fill("a", overwrite(x));
                block.kernel("between", &[update(y)]);
                block.copy("b", read(y), overwrite(x));
            }),
            ["a"]
        );
        assert_eq!(
            told(|block, x, _| {
                block.kernel("a", &[overwrite(x).range(2, 4)]);
                block.fill("b", overwrite(x).range(1, 4));
                block.fill("c", overwrite(x));
            }),
            ["a", "b"]
        );
    }

    #[test]
    fn what_the_same_statement_replaces_in_the_next_pass_is_not() {
        for same in [true, false] {
            let found = told(|block, x, _| {
                let [first, second] = ["a", "b"].map(|label| block.fill(label, overwrite(x)).0 as usize);
                let nodes = &mut block.program().nodes;
                if same {
                    nodes[second].accesses[0].place = nodes[first].accesses[0].place;
                }
            });
            assert_eq!(found, if same { vec![] } else { vec!["a"] });
        }
    }

    #[test]
    fn what_may_be_read_or_stay_is_not() {
        for uses in [vec![], vec![1], vec![2], vec![3], vec![4]] {
            let found = told(|block, x, y| {
                block.fill("a", overwrite(x));
                match uses.first() {
                    Some(1) => drop(block.kernel("k", &[read(x).range(7, 8)])),
                    Some(2) => drop(block.when(&[read(y)], |block| block.kernel("k", &[read(x)]))),
                    Some(3) => drop(block.kernel("k", &[atomic(x)])),
                    Some(4) => drop(block.when(&[read(x)], |block| block.kernel("k", &[update(y)]))),
                    _ => {}
                }
                if !uses.is_empty() {
                    block.fill("b", overwrite(x));
                }
            });
            assert_eq!(found, [""; 0], "{uses:?}");
        }
        assert_eq!(
            told(|block, x, _| {
                block.fill("a", overwrite(x));
                block.fill("b", overwrite(x).range(0, 7));
                block.kernel("c", &[overwrite(x)]);
            }),
            [""; 0],
            "one element stays, and a launch may touch fewer than it is given"
        );
        assert_eq!(
            told(|block, x, y| {
                block.kernel("a", &[overwrite(x), update(y)]);
                block.fill("b", overwrite(x));
                block.when(&[read(y)], |block| block.fill("c", overwrite(x)));
            }),
            [""; 0],
            "it writes something else too, and a body may not run"
        );
    }

    #[test]
    fn equal_expressions_are_one_range() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let k = block.symbol("k");
        let x = block.parameter("x", Mode::Update, n);
        block.fill("a", overwrite(x).between(Extent::ZERO, k));
        block.fill("b", overwrite(x).between(k, n));
        block.fill("c", overwrite(x).between(Extent::ZERO, k));
        let found = advise(&block.finish());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "what `a` writes to `x` is never read");
        assert_eq!(found[0].notes[0].text, "`c` replaces all of it");
    }
}
