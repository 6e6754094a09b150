//! CG0101, CG0102, CG0103: every name means one thing.
//!
//! Rejected:
//! ```text
//! let residual: [f32; n] = 0.0;
//! norm<<<1, 256>>>(&resdual, &out err) after 'fil;
//! ```
//! Accepted:
//! ```text
//! 'fill: fill(&out residual, 0.0);
//! norm<<<1, 256>>>(&residual, &out err) after 'fill;
//! ```
//! Names are resolved while the program is made, so these are constructors. A name close to one that exists is pointed out.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// How alike two names are at least to be mentioned: 1 is equal.
const ALIKE: f64 = 0.7;

/// Names listed in a message.
const LISTED: usize = 8;

/// The known name that is most like `name`; of equals the first.
fn nearest<'k>(name: &str, known: &[(&'k str, Place)]) -> Option<(&'k str, Place)> {
    let alike = |candidate: &str| {
        strsim::normalized_damerau_levenshtein(name, candidate).max(strsim::jaro_winkler(name, candidate) - 0.2)
    };
    let mut best: Option<(f64, &str, Place)> = None;
    for &(candidate, place) in known {
        let score = alike(candidate);
        if score >= ALIKE && best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, candidate, place));
        }
    }
    best.map(|(_, candidate, place)| (candidate, place))
}

/// `` `x`, `y` ``, and how many more there are.
fn list(known: &[(&str, Place)]) -> String {
    let mut names: Vec<_> = known.iter().take(LISTED).map(|(name, _)| format!("`{name}`")).collect();
    if known.len() > LISTED {
        names.push(format!("and {} more", known.len() - LISTED));
    }
    names.join(", ")
}

/// CG0101: `name` at `place` is no buffer; `known` are the buffers in scope with their declarations.
pub fn unknown_buffer(name: &str, place: Place, known: &[(&str, Place)]) -> Finding {
    let finding = Finding::error(Code::UNKNOWN_BUFFER, place, format!("no buffer named `{name}` in this graph"));
    match nearest(name, known) {
        Some((near, declared)) => finding
            .note_at(declared, format!("a buffer with a similar name exists: `{near}`"))
            .help(format!("write `{near}`")),
        None if known.is_empty() => finding.note("the graph has no buffer at this place"),
        None => finding.note(format!("the buffers at this place: {}", list(known))),
    }
}

/// CG0102: `label`, without its `'`, names no statement of the region; `known` are the labels of the region.
pub fn unknown_label(label: &str, place: Place, known: &[(&str, Place)]) -> Finding {
    let message = format!("no statement of this body is labelled `'{label}`");
    let finding = Finding::error(Code::UNKNOWN_LABEL, place, message);
    match nearest(label, known) {
        Some((near, declared)) => finding
            .note_at(declared, format!("a statement with a similar label exists: `'{near}`"))
            .help(format!("write `after '{near}`")),
        None => finding.help(format!("put `'{label}:` in front of the statement to wait for")),
    }
}

/// CG0103: `name`, as written (a label with its `'`), is declared a second time at `place`.
pub fn duplicate_name(name: &str, place: Place, first: Place) -> Finding {
    Finding::error(Code::DUPLICATE_NAME, place, format!("`{name}` is declared twice"))
        .note_at(first, format!("`{name}` is first declared here"))
        .help("rename one of them")
}

/// A host value where a buffer is expected.
pub fn not_a_buffer(name: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::UNKNOWN_BUFFER, place, format!("`{name}` is a host value, not a buffer"))
        .note_at(declared, format!("`{name}` is declared here"))
        .help(format!("pass it by value: `{name}`"))
}

/// `name` is no event of the graph. `known` are those that are.
pub fn unknown_event(name: &str, place: Place, known: &[(&str, Place)]) -> Finding {
    let finding = Finding::error(Code::UNKNOWN_BUFFER, place, format!("no event named `{name}` in this graph"));
    match nearest(name, known) {
        Some((near, declared)) => finding
            .note_at(declared, format!("an event with a similar name exists: `{near}`"))
            .help(format!("write `{near}`")),
        None => finding.help(format!("take it as a parameter: `{name}: &Event`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similar_name_is_pointed_out_with_its_place() {
        let known = [("x", Place(1)), ("residual", Place(2)), ("rest", Place(3))];
        let finding = unknown_buffer("resdual", Place(9), &known);
        assert_eq!(finding.message, "no buffer named `resdual` in this graph");
        assert_eq!(finding.notes[0].place, Some(Place(2)));
        assert_eq!(finding.help.as_deref(), Some("write `residual`"));
        let label = unknown_label("fil", Place(9), &[("sweep", Place(1)), ("fill", Place(2))]);
        assert_eq!(label.help.as_deref(), Some("write `after 'fill`"));
    }

    #[test]
    fn an_unlike_name_is_not() {
        let finding = unknown_buffer("weights", Place(9), &[("x", Place(1)), ("residual", Place(2))]);
        assert_eq!((finding.notes[0].place, finding.help), (None, None));
        assert_eq!(finding.notes[0].text, "the buffers at this place: `x`, `residual`");
        assert_eq!(unknown_buffer("y", Place(9), &[]).notes[0].text, "the graph has no buffer at this place");
    }

    #[test]
    fn both_places_of_a_duplicate_are_named() {
        let finding = duplicate_name("'a", Place(5), Place(2));
        assert_eq!(
            (finding.code, finding.place, finding.notes[0].place),
            (Code::DUPLICATE_NAME, Place(5), Some(Place(2)))
        );
    }
}
