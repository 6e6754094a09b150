//! CG0303: `after` stays within its body.
//!
//! Rejected:
//! ```text
//! 'first: first<<<1, 256>>>(&mut x);
//! while err[0] > 0.1 { second<<<1, 256>>>(&mut y, &mut err) after 'first; }
//! ```
//! Accepted:
//! ```text
//! 'first: first<<<1, 256>>>(&mut x);
//! while err[0] > 0.1 { second<<<1, 256>>>(&mut y, &mut err) } after 'first;
//! ```
//! Sound because a conditional is one node of its region: what is inside has no edges to what is outside. Labels are resolved while
//! the program is made, so this is a constructor.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// Which of the two statements is inside the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// The statement that has the `after`.
    Waiting,
    /// The statement that the label names.
    Target,
    /// Both, in two bodies.
    Both,
}

/// `label`, without its `'`, at `place` names the statement at `target`, beyond the border of the `word` body (`while`) at `body`.
pub fn after_region(label: &str, place: Place, target: Place, inside: Inside, word: &str, body: Place) -> Finding {
    let message = format!("`after '{label}` crosses the border of a body");
    let finding = Finding::error(Code::AFTER_REGION, place, message);
    let (whose, help) = match inside {
        Inside::Waiting => {
            ("the statement that waits", Some(format!("put `after '{label}` behind the whole `{word}`")))
        }
        Inside::Target => (
            "the statement waited for",
            Some(format!("label the whole `{word}` and wait for it instead of `'{label}`")),
        ),
        Inside::Both => ("one of the two statements", None),
    };
    let how = if word == "for" { "which is put down once for each item" } else { "which runs as one node" };
    let finding = finding
        .note_at(target, format!("`'{label}` is here"))
        .note_at(body, format!("{whose} is in the body of this `{word}`, {how}"));
    Finding { help, ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cure_depends_on_which_side_is_inside() {
        let finding = after_region("first", Place(9), Place(1), Inside::Waiting, "while", Place(4));
        assert_eq!((finding.code, finding.place), (Code::AFTER_REGION, Place(9)));
        assert_eq!(finding.help.as_deref(), Some("put `after 'first` behind the whole `while`"));
        let finding = after_region("first", Place(9), Place(1), Inside::Both, "if", Place(4));
        assert_eq!((finding.help, finding.notes.len()), (None, 2));
    }
}
