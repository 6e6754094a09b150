//! CG0206 and CG0208: values with a bound stay below it, and decide nothing that is fixed when the graph is built.
//!
//! Rejected:
//! ```text
//! graph G(n: u32 <= 64, x: &mut [f32; n]) { if n > 8 { scale<<<1, 64>>>(&mut x, n); } }
//! ```
//! Accepted:
//! ```text
//! graph G(n: u32 <= 64, x: &mut [f32; n]) { if n.bound() > 8 { scale<<<1, 64>>>(&mut x, n); } }
//! ```
//! Sound because such a value may change at each launch without another shape: nodes, edges and memory are those of the bound. What is
//! decided from it on the host while the graph is built could not change with it. The macro knows which expressions name such a value,
//! the build which numbers there are, so these are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Bound, Buffer, Place};

/// `what` (`` this `if` ``) is decided when the graph is built, by an expression that names `value`.
pub fn decides_shape(value: &str, what: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::BOUNDED, place, format!("{what} is decided by `{value}`, which may change at each launch"))
        .note_at(declared, format!("`{value}` is declared with a bound: nodes and edges are those of the bound"))
        .help(format!("use `{value}.bound()`, or decide on the device, by an element that `{value}` is written to"))
}

/// The bound of one value names another one.
pub fn bound_varies(value: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::BOUNDED, place, format!("a bound is computed from `{value}`, which may change at each launch"))
        .note_at(declared, format!("`{value}` is declared with a bound itself"))
        .help(format!("use `{value}.bound()`"))
}

/// The value is larger than its bound.
pub fn beyond(bound: &Bound, value: &str, largest: &str) -> Finding {
    let Bound { name, text, place } = bound;
    let is = if text == largest { format!("`{largest}`") } else { format!("`{text}` is {largest}") };
    let than = if text == largest { "more than" } else { "but" };
    let message = format!("`{name}` is {value}, {than} its bound {is}");
    Finding::error(Code::VALUE, *place, message)
        .note("memory and order are those of the bound")
        .help(format!("pass at most {largest}, or build the graph with a larger bound"))
}

/// A buffer has more elements for the values than for the bounds, where its length is what is `written`.
pub fn larger(buffer: &Buffer, written: &str, [is, most]: [u64; 2]) -> Finding {
    let name = &buffer.name;
    let message = format!("`{name}` has {is} elements, and {most} where every value is its bound");
    Finding::error(Code::VALUE, buffer.place, message)
        .note(format!("memory is that of the bounds, and `{written}` is more for smaller values"))
        .help("declare the largest length, and use `[..]` of as much as is needed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_named() {
        let mut bound = Bound { name: "n".to_owned(), text: "capacity".to_owned(), place: Place(4) };
        let finding = beyond(&bound, "70", "64");
        assert_eq!(finding.message, "`n` is 70, but its bound `capacity` is 64");
        bound.text = "64".to_owned();
        assert_eq!(beyond(&bound, "70", "64").message, "`n` is 70, more than its bound `64`");
    }
}
