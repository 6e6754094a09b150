//! Ranges as they are written, beside the numbers that a build has made of them.

use std::collections::{BTreeMap, BTreeSet};

use super::elements_text;
use crate::finding::Finding;
use crate::model::{Node, Place, Program};

/// A finding about a concrete program, with a note for each range that it is about and whose text in the block was another: `x[0..3]` is
/// written `x[0..k]`. What is the same in both programs has the same places.
#[must_use]
pub fn as_written(symbolic: &Program, concrete: &Program, finding: Finding) -> Finding {
    let places: BTreeSet<Place> = finding.notes.iter().filter_map(|note| note.place).chain([finding.place]).collect();
    let is_about = |node: &&Node| {
        places.contains(&node.place) || node.accesses.iter().any(|access| places.contains(&access.place))
    };
    let about = concrete.nodes.iter().filter(is_about).flat_map(|node| &node.accesses);
    // Each pass of a `for` has the access of the others, with numbers of its own.
    let mut ranges: BTreeMap<Place, BTreeSet<(String, String)>> = BTreeMap::new();
    for access in about {
        let mut all = symbolic.nodes.iter().flat_map(|node| &node.accesses);
        let Some(written) = all.find(|written| written.place == access.place && written.ranged) else { continue };
        let (number, text) = (elements_text(concrete, access), elements_text(symbolic, written));
        if number != text {
            ranges.entry(access.place).or_default().insert((number, text));
        }
    }
    let words = words(&finding);
    ranges.into_iter().fold(finding, |finding, (place, ranges)| {
        let only = ranges.len() == 1 && places.contains(&place);
        let said = ranges.into_iter().filter(|(number, _)| only || words.contains(&format!("`{number}`")));
        said.fold(finding, |finding, (number, text)| finding.note_at(place, format!("`{number}` is written `{text}`")))
    })
}

fn words(finding: &Finding) -> String {
    let notes = finding.notes.iter().map(|note| note.text.as_str());
    let words = [finding.message.as_str()].into_iter().chain(notes).chain(finding.help.as_deref());
    words.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::model::{Extent, Mode};
    use crate::testing::{Builder, number, overwrite};

    /// A launch that writes `x[0..k]`, where `k` may have got a number.
    fn program(value: Option<u64>) -> Program {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let end = block.symbol("k");
        block.kernel("k", &[overwrite(x).between(number(0), value.map_or(end, Extent::Known))]);
        block.finish()
    }

    #[test]
    fn numbers_are_told_with_the_text() {
        let (symbolic, concrete) = (program(None), program(Some(9)));
        let place = concrete.nodes[0].accesses[0].place;
        let finding = |words: &str| Finding::error(Code::RANGE, place, words);
        let told = as_written(&symbolic, &concrete, finding("`x` has 8 elements, but range `x[0..9]` is used"));
        assert_eq!(told.notes.len(), 1);
        assert_eq!((told.notes[0].text.as_str(), told.notes[0].place), ("`x[0..9]` is written `x[0..k]`", Some(place)));
        let elsewhere = Finding::error(Code::RANGE, concrete.nodes[0].place, "`x` is short");
        assert_eq!(as_written(&symbolic, &concrete, elsewhere.clone()), elsewhere);
        let same = finding("range `x[0..9]`");
        assert_eq!(as_written(&concrete, &concrete, same.clone()), same, "the block says the number");
    }
}
