//! CG0110, CG0210: shapes have known sizes, and a box has the dimensions of its buffer.
//!
//! Rejected:
//! ```text
//! graph G(x: &mut [f32; (h, w)], n: usize) { fill(&out x[(.., .., 0..1)], 0.0); }
//! ```
//! Accepted:
//! ```text
//! graph G(x: &mut [f32; (h, w)], h: usize, w: usize) { fill(&out x[(.., 0..1)], 0.0);  fill(&out x[0..1], 0.0); }
//! ```
//! Sound because the number of elements that is bound to a parameter gives one size only, so more than one cannot be found out from it.
//! Names and dimensions are known when the program is made, so these are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

fn dimensions(rank: usize) -> String {
    if rank == 1 { "1 dimension".to_owned() } else { format!("{rank} dimensions") }
}

/// CG0110: `name` stands in a shape, and nothing gives it a value; `bound` is the parameter whose shape it is, if it is one's.
pub fn unknown_size(name: &str, bound: Option<&str>, place: Place) -> Finding {
    let finding = Finding::error(Code::SHAPE, place, format!("nothing gives `{name}` its value"));
    let finding = match bound {
        Some(buffer) => {
            finding.note(format!("the buffer that is bound to `{buffer}` has a number of elements, but no shape"))
        }
        None => finding.note("no parameter, length or `let` above is called so"),
    };
    finding.help(format!("take it as a parameter: `{name}: usize`"))
}

/// CG0210: a box or an index of `written` dimensions into a buffer of `rank`, as in `example`.
pub fn other_rank(buffer: (&str, Place), rank: usize, written: usize, example: &str, place: Place) -> Finding {
    let message = format!("`{}` has {}, but is indexed by {written}", buffer.0, dimensions(rank));
    Finding::error(Code::RANK, place, message)
        .note_at(buffer.1, format!("`{}` is declared here", buffer.0))
        .help(format!("write `{example}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_of_dimensions_are_named() {
        let finding = other_rank(("x", Place(1)), 1, 2, "x[0..4]", Place(2));
        assert_eq!(finding.message, "`x` has 1 dimension, but is indexed by 2");
        assert_eq!(finding.help.as_deref(), Some("write `x[0..4]`"));
        assert_eq!(unknown_size("w", Some("x"), Place(0)).message, "nothing gives `w` its value");
    }
}
