//! CG0404: what is read has been written on every path, and all of it.
//!
//! Rejected:
//! ```text
//! let t: [f32; n];
//! if flag[0] != 0 { fill(&out t, 1.0); }
//! sum<<<1, 256>>>(&t, &out total);
//! ```
//! Accepted:
//! ```text
//! let t: [f32; n];
//! if flag[0] != 0 { fill(&out t, 1.0); } else { fill(&out t, 2.0); }
//! sum<<<1, 256>>>(&t, &out total);
//! ```
//! Sound because writes are counted as definite only where every path passes them, a `while` may run no pass, and a range
//! initialises exactly its elements ([`crate::analysis::initialization`]).

use super::uninitialised::{cure, starts};
use super::{Report, subject};
use crate::analysis::initialization::{Gap, Lack};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Program, Verdict};

pub(super) fn check(program: &Program, gap: &Gap, report: &mut Report) {
    if gap.reader.is_none() {
        return;
    }
    let name = &program.buffer(gap.buffer).name;
    let (verdict, message) = match gap.lack {
        Lack::Nothing => return,
        Lack::Part { every_path: false, .. } => {
            (Verdict::Refuted, format!("buffer `{name}` is read, but only some paths write it before"))
        }
        Lack::Part { element: Some(element), .. } => {
            (Verdict::Refuted, format!("buffer `{name}` is read, but its element {element} may not have been written"))
        }
        Lack::Part { element: None, .. } => {
            (Verdict::Refuted, format!("buffer `{name}` is read, but only part of it is written before"))
        }
        Lack::Open => (Verdict::Open, format!("buffer `{name}` is read, and may not have been fully written")),
    };
    report.add(verdict, || finding(program, gap, message));
}

fn finding(program: &Program, gap: &Gap, message: String) -> Finding {
    let buffer = program.buffer(gap.buffer);
    let mut finding = Finding::error(Code::MAYBE_UNINITIALISED, gap.place, message)
        .note_at(buffer.place, starts(program, gap.buffer));
    if let Some((node, place)) = gap.write {
        let writer = subject(program.node(node));
        let why = match gap.lack {
            _ if program.node(node).optional => "but may be switched off",
            Lack::Part { every_path: false, .. } => "but not on every path",
            _ => "but maybe not all elements that are read",
        };
        finding = finding.note_at(place, format!("{writer} writes `{}`, {why}", buffer.name));
    }
    finding.help(cure(program, gap.buffer, gap.reader))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read};

    #[test]
    fn one_arm_of_an_if_is_not_every_path() {
        let mut block = Builder::new("g");
        let t = block.transient("t", number(8));
        let c = block.parameter("c", Mode::Read, number(1));
        block.when(&[read(c)], |block| block.fill("fill", overwrite(t)));
        block.kernel("k", &[read(t)]);
        let report = check(&block.finish());
        let [finding] = &report.refuted[..] else { panic!("one finding expected: {report:?}") };
        assert_eq!(finding.code, Code::MAYBE_UNINITIALISED);
        assert_eq!(finding.notes[1].text, "`fill` writes `t`, but not on every path");
    }

    #[test]
    fn a_hole_is_named() {
        let mut block = Builder::new("g");
        let t = block.transient("t", number(8));
        block.fill("fill", overwrite(t).range(0, 5));
        block.kernel("k", &[read(t).range(2, 8)]);
        let report = check(&block.finish());
        assert_eq!(report.refuted[0].message, "buffer `t` is read, but its element 5 may not have been written");
    }

    #[test]
    fn lengths_leave_it_open() {
        let mut block = Builder::new("g");
        let (n, m) = (block.symbol("n"), block.symbol("m"));
        let t = block.transient("t", n);
        block.fill("fill", overwrite(t).between(number(0), m));
        block.kernel("k", &[read(t)]);
        let report = check(&block.finish());
        assert_eq!(report.refuted, []);
        assert!(report.open.iter().any(|finding| finding.code == Code::MAYBE_UNINITIALISED));
    }
}
