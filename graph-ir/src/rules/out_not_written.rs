//! CG0405: an `&out` parameter is fully written at the end, on every path.
//!
//! Rejected:
//! ```text
//! graph G(c: &[u32; 1], y: &out [f32; n]) { if c[0] != 0 { fill(&out y, 1.0); } }
//! ```
//! Accepted:
//! ```text
//! graph G(c: &[u32; 1], y: &out [f32; n]) { fill(&out y, 0.0);  if c[0] != 0 { fill(&out y, 1.0); } }
//! ```
//! Sound because who passes a buffer as `&out` relies on all its elements afterwards; the same analysis as for reads decides
//! ([`crate::analysis::initialization`]), with the end of the graph as the reader.

use super::{Report, declared, subject};
use crate::analysis::initialization::{Gap, Lack};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Program, Verdict};

pub(super) fn check(program: &Program, gap: &Gap, report: &mut Report) {
    if gap.reader.is_some() {
        return;
    }
    let verdict = if gap.lack == Lack::Open { Verdict::Open } else { Verdict::Refuted };
    report.add(verdict, || finding(program, gap));
}

fn finding(program: &Program, gap: &Gap) -> Finding {
    let name = &program.buffer(gap.buffer).name;
    let message = match gap.lack {
        Lack::Nothing => format!("`&out` parameter `{name}` is never written"),
        Lack::Part { every_path: false, .. } => format!("`&out` parameter `{name}` is not written on every path"),
        Lack::Part { element: Some(element), .. } => {
            format!("`&out` parameter `{name}` is written without its element {element}")
        }
        Lack::Part { element: None, .. } => format!("`&out` parameter `{name}` is written only in part"),
        Lack::Open => format!("`&out` parameter `{name}` may not be fully written"),
    };
    let mut finding = Finding::error(Code::OUT_NOT_WRITTEN, gap.place, message);
    if let Some((node, place)) = gap.write {
        finding = finding.note_at(place, format!("{} writes `{name}` here", subject(program.node(node))));
    }
    let mutable = declared(program, gap.buffer).replacen("&out", "&mut", 1);
    finding.help(format!("declare it `{name}: {mutable}` to keep its old contents, or write all of it"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::{BufferId, Mode};
    use crate::testing::{Builder, number, overwrite, read};

    fn graph<R>(write: impl FnOnce(&mut Builder, BufferId, BufferId) -> R) -> (Vec<Code>, Vec<Code>) {
        let mut block = Builder::new("g");
        let c = block.parameter("c", Mode::Read, number(1));
        let y = block.parameter("y", Mode::Overwrite, number(8));
        write(&mut block, c, y);
        codes(&block.finish())
    }

    #[test]
    fn every_path_writes_all_of_it() {
        let refused = (vec![Code::OUT_NOT_WRITTEN], vec![]);
        assert_eq!(graph(|_, _, _| ()), refused);
        assert_eq!(graph(|block, c, y| block.when(&[read(c)], |block| block.fill("fill", overwrite(y)))), refused);
        assert_eq!(graph(|block, _, y| block.fill("fill", overwrite(y).range(0, 7))), refused);
        assert_eq!(graph(|block, _, y| block.fill("fill", overwrite(y))), (vec![], vec![]));
    }
}
