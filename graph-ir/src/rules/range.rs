//! CG0205: a range runs forwards and stays within its buffer.
//!
//! Rejected:
//! ```text
//! let t: [f32; 8];
//! fill(&out t[4..9], 0.0);
//! t[8] = 1.0;
//! ```
//! Accepted:
//! ```text
//! fill(&out t[4..8], 0.0);
//! fill(&out t[8..8], 0.0);
//! t[7] = 1.0;
//! ```
//! Sound because the elements that a node may touch are those of its footprint: if `start <= end <= length` they all exist. How
//! many elements of a whole buffer a kernel touches is another rule's business (CG0203).

use super::{Report, brackets, elements, fits, range_text};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Extent, Node, NodeKind, Program, Range, Verdict};

pub(super) fn check(program: &Program, node: &Node, report: &mut Report) {
    let single = matches!(node.kind, NodeKind::Scalar { .. }) || node.kind.test().is_some();
    for access in node.accesses.iter().filter(|access| access.ranged || single) {
        // An empty range of indices touches nothing, wherever it lies.
        let idle = matches!(node.kind, NodeKind::Compute(_)) && access.footprint.is_empty() == Verdict::Proved;
        if !idle {
            report.add(fits(program, access), || finding(program, node, access, single));
        }
    }
}

fn finding(program: &Program, node: &Node, access: &Access, single: bool) -> Finding {
    let buffer = program.buffer(access.buffer);
    let has = format!("`{}` has {}", buffer.name, elements(program, &buffer.shape));
    let range = format!("`{}[{}]`", buffer.name, brackets(program, &access.footprint));
    let ranges = access.footprint.ranges();
    if ranges.iter().any(|range| range.start.at_most(range.end) == Verdict::Refuted) {
        let message = format!("range {range} of `{}` runs backwards", node.label);
        let finding = Finding::error(Code::RANGE, access.place, message);
        return match ranges {
            [Range { start, end }] if !matches!(node.kind, NodeKind::Compute(_)) => {
                let turned = Range { start: *end, end: *start };
                finding.help(format!("write `{}[{}]`", buffer.name, range_text(program, turned)))
            }
            _ => finding,
        };
    }
    let one = single && ranges.iter().all(is_one);
    let starts: Vec<_> = ranges.iter().map(|range| program.extent_text(range.start)).collect();
    let element = if starts.len() == 1 { starts.concat() } else { format!("({})", starts.join(", ")) };
    let message = match (fits(program, access), one) {
        (Verdict::Refuted, true) => format!("{has}, but element {element} is used"),
        (Verdict::Refuted, false) => format!("{has}, but range {range} is used"),
        (_, true) => format!("{has}, which may be too few for element {element}"),
        (_, false) => format!("{has}, which may be too few for range {range}"),
    };
    let finding = Finding::error(Code::RANGE, access.place, message);
    let declared = format!("`{}` is declared with {}", buffer.name, elements(program, &buffer.shape));
    let finding = finding.note_at(buffer.place, declared);
    let refuted = fits(program, access) == Verdict::Refuted;
    match (one, buffer.shape.line()) {
        (true, Some(Extent::Known(length))) if length > 0 => {
            finding.note(format!("its last element is {}", length - 1))
        }
        _ if !refuted => finding,
        _ if matches!(node.kind, NodeKind::Compute(_)) => {
            finding.help("let the range of indices end earlier, or test the index with an `if` in front of it")
        }
        (false, Some(length)) if ranges[0].start.at_most(length) == Verdict::Proved => {
            let start = program.extent_text(ranges[0].start);
            finding.help(format!("let it end with the buffer: `{}[{start}..]`", buffer.name))
        }
        _ => finding,
    }
}

fn is_one(range: &Range) -> bool {
    range.numbers().is_none_or(|(start, end)| start.checked_add(1) == Some(end))
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::{Compute, Expression, Mode};
    use crate::testing::{Builder, number, overwrite};

    fn range(start: Extent, end: Extent, length: fn(&mut Builder) -> Extent) -> (Vec<Code>, Vec<Code>) {
        let mut block = Builder::new("g");
        let length = length(&mut block);
        let x = block.parameter("x", Mode::Update, length);
        block.kernel("k", &[overwrite(x).between(start, end)]);
        codes(&block.finish())
    }

    #[test]
    fn numbers_decide() {
        let eight = |_: &mut Builder| number(8);
        assert_eq!(range(number(4), number(8), eight), (vec![], vec![]));
        assert_eq!(range(number(8), number(8), eight), (vec![], vec![]));
        assert_eq!(range(number(4), number(9), eight), (vec![Code::RANGE], vec![]));
        assert_eq!(range(number(5), number(4), eight), (vec![Code::RANGE], vec![]));
    }

    #[test]
    fn expressions_do_unless_they_are_the_same() {
        assert_eq!(range(number(0), number(9), |block| block.symbol("n")), (vec![], vec![Code::RANGE]));
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let x = block.parameter("x", Mode::Update, n);
        block.kernel("k", &[overwrite(x).between(number(0), n)]);
        assert_eq!(codes(&block.finish()), (vec![], vec![]));
    }

    #[test]
    fn indices_that_are_none_touch_nothing() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let compute = Compute { axes: Vec::new(), locals: Vec::new(), body: Vec::new(), reduction: None };
        block.node("k", NodeKind::Compute(compute.into()), &[overwrite(x).range(20, 19)]);
        assert_eq!(codes(&block.finish()), (vec![], vec![]));
    }

    #[test]
    fn an_element_is_named_as_one() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        block.node("x", NodeKind::Scalar { value: Expression::Boolean(true) }, &[overwrite(x).range(8, 9)]);
        let finding = &super::super::check(&block.finish()).refuted[0];
        assert_eq!(finding.message, "`x` has 8 elements, but element 8 is used");
        assert_eq!(finding.notes[1].text, "its last element is 7");
    }
}
