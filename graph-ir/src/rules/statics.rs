//! CG0407: a `static` belongs to the graph: it stands in the graph's own body, and its length stays what it was built with.
//!
//! Rejected:
//! ```text
//! while go[0] != 0 { static passes: [u32; 1] = 0;  passes[0] += 1; }
//! ```
//! Accepted:
//! ```text
//! static passes: [u32; 1] = 0;
//! while go[0] != 0 { passes[0] += 1; }
//! ```
//! Sound because a body may run many times or not at all and is repeated by `every`, so that it would be unclear how many such buffers
//! there are; and because contents of another length are other contents. Where the statement stands is known to the macro, what the
//! length was to the built graph, so these are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// `static` in the body of an `if`, `while`, …, whose keyword and place are `around`, or in a block.
pub fn static_in_body(name: &str, place: Place, around: Option<(&str, Place)>) -> Finding {
    let finding = Finding::error(Code::STATIC, place, format!("`static {name}` is declared in an inner block"));
    let finding = match around {
        Some((word, around)) => {
            finding.note_at(around, format!("the body of this `{word}` may run many times, or not at all"))
        }
        None => finding.note("a `static` belongs to the graph, whose own body is around this block"),
    };
    finding.help(format!("declare `{name}` in the graph's own body"))
}

/// A setter or a rebind would give the buffer another length.
pub fn length_changes(name: &str, place: Place, built: u64, now: u64) -> Finding {
    let message = format!("`static {name}` was built with {built} elements and would have {now}");
    Finding::error(Code::STATIC, place, message)
        .note("its contents are kept from launch to launch")
        .help("build the graph anew with these values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_are_named() {
        let finding = length_changes("seen", Place(3), 4, 8);
        assert_eq!(finding.message, "`static seen` was built with 4 elements and would have 8");
        let finding = static_in_body("seen", Place(3), Some(("while", Place(1))));
        assert_eq!(finding.notes[0].place, Some(Place(1)));
        assert_eq!(finding.help.as_deref(), Some("declare `seen` in the graph's own body"));
    }
}
