//! CG0505: every arm of a `match` has a value of its own.
//!
//! Rejected:
//! ```text
//! match s[0] { 0..8 => {…} 3 | 5 => {…} _ => {…} }
//! ```
//! Accepted:
//! ```text
//! match s[0] { 0..8 => {…} 7..9 => {…} _ => {…} }
//! ```
//! Sound because the first arm that fits runs: if earlier arms fit all of an arm's values, it never does. An arm that a guard may leave
//! out fits nothing for sure.

use super::{Report, live_nodes};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Arm, NodeKind, Pattern, Place, Program};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program) {
        let NodeKind::Match { arms, .. } = &node.kind else { continue };
        let mut earlier: Vec<(Pattern, Place)> = Vec::new();
        for Arm { patterns, body, each } in arms {
            let place = program.region(*body).place;
            // Without patterns the host says which values there are.
            let fitted = |pattern: &Pattern| covered(earlier.iter().map(|(pattern, _)| *pattern), *pattern);
            if !patterns.is_empty() && patterns.iter().all(fitted) {
                report.refute(finding(place, &earlier, patterns));
            }
            if each.is_some_and(|each| each.value.is_none()) {
                continue;
            }
            earlier.extend(patterns.iter().map(|pattern| (*pattern, place)));
            earlier.sort_by_key(|(pattern, _)| pattern.first);
        }
    }
}

/// Whether earlier arms fit all values of these patterns.
pub(crate) fn never_runs(earlier: &[Arm], patterns: &[Pattern]) -> bool {
    let mut sorted: Vec<Pattern> = earlier.iter().flat_map(|arm| arm.patterns.iter().copied()).collect();
    sorted.sort_by_key(|pattern| pattern.first);
    patterns.iter().all(|pattern| covered(sorted.iter().copied(), *pattern))
}

/// Whether patterns, sorted by their first value, fit all values of another.
fn covered(sorted: impl Iterator<Item = Pattern>, wanted: Pattern) -> bool {
    let mut next = wanted.first;
    for pattern in sorted {
        if pattern.first > next || next > wanted.last {
            break;
        }
        if pattern.last >= wanted.last {
            return true;
        }
        next = next.max(pattern.last.saturating_add(1));
    }
    next > wanted.last
}

fn finding(place: Place, earlier: &[(Pattern, Place)], patterns: &[Pattern]) -> Finding {
    let meets = |known: &Pattern| patterns.iter().any(|own| known.first <= own.last && own.first <= known.last);
    let finding = Finding::error(Code::MATCH, place, "this arm never runs: earlier arms fit all its values");
    match earlier.iter().find(|(pattern, _)| meets(pattern)) {
        Some((pattern, place)) => finding.note_at(*place, format!("this arm fits {}", text(*pattern))),
        None => finding,
    }
    .help("remove the arm, or put it in front")
}

fn text(pattern: Pattern) -> String {
    if pattern.first == pattern.last {
        pattern.first.to_string()
    } else {
        format!("{}..={}", pattern.first, pattern.last)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::refuted;
    use super::*;
    use crate::model::{Mode, RegionId};
    use crate::testing::{Builder, number, read};

    fn arms(patterns: &[&[(i128, i128)]]) -> Vec<usize> {
        let mut block = Builder::new("g");
        let s = block.parameter("s", Mode::Read, number(1));
        block.choose(&[read(s)], patterns, true, |_, _| ());
        let program = block.finish();
        let place = |arm: usize| program.region(RegionId(arm as u32 + 1)).place.0;
        let found = refuted(&program);
        (0..patterns.len()).filter(|arm| found.contains(&(Code::MATCH, place(*arm)))).collect()
    }

    #[test]
    fn an_arm_within_the_union_of_earlier_ones_never_runs() {
        assert_eq!(arms(&[&[(0, 7)], &[(3, 3), (5, 5)]]), [1]);
        assert_eq!(arms(&[&[(4, 7)], &[(0, 3)], &[(2, 6)]]), [2]);
        assert_eq!(arms(&[&[(0, i128::MAX)], &[(i128::MAX, i128::MAX)]]), [1]);
    }

    #[test]
    fn one_value_of_its_own_is_enough() {
        assert_eq!(arms(&[&[(0, 7)], &[(7, 8)]]), []);
        assert_eq!(arms(&[&[(0, 2), (4, 6)], &[(0, 6)]]), []);
    }
}
