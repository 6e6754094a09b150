//! CG0504: at the end of a body every name means what it meant at its start.
//!
//! Rejected:
//! ```text
//! loop limit 100 { step<<<n, 256>>>(&x, &out y);  swap(&mut x, &mut y); }
//! ```
//! Accepted:
//! ```text
//! loop limit 100 every 2 { step<<<n, 256>>>(&x, &out y);  swap(&mut x, &mut y); }
//! ```
//! Sound because `swap` makes no node: it exchanges names while the program is made, so a body that is built once and run many
//! times must end with the names that it began with. These are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// The names of a loop come back after `order` passes, which does not divide `every`. `place` is the expression behind `every`, or
/// the keyword; `swap` one of the exchanges.
pub fn names_left_exchanged(buffers: &[&str], order: u32, every: u32, place: Place, swap: Place) -> Finding {
    let passes = if every == 1 { "1 pass".to_owned() } else { format!("{every} passes") };
    let message = format!("the names {} are left exchanged after {passes}", list(buffers));
    Finding::error(Code::SWAP, place, message)
        .note_at(swap, format!("with this `swap` they come back after every {order} passes"))
        .help(format!("write `every {}`", least_multiple(order, every)))
}

/// The names are left exchanged at the end of a body that may not run: of a `word` (`if`, `match`).
pub fn swap_in_branch(buffers: &[&str], word: &str, place: Place, body: Place) -> Finding {
    let message = format!("the names {} are left exchanged at the end of this `{word}` body", list(buffers));
    Finding::error(Code::SWAP, place, message)
        .note_at(body, "whether this body runs is decided on the device, but names when the graph is built")
        .help("copy through a transient buffer instead")
}

/// `swap(&mut first, &mut second)` at `place`, but they differ in `what`: `length`, `shape`, `memory`. Each with its name, how it is
/// declared (`[f32; n]`, `host [f32; n]`) and where.
pub fn unlike(first: (&str, &str, Place), second: (&str, &str, Place), what: &str, place: Place) -> Finding {
    let declared = |(name, elements, _): (&str, &str, Place)| format!("`{name}` is declared with `{elements}`");
    Finding::error(Code::SWAP, place, format!("`{}` and `{}` differ in their {what}", first.0, second.0))
        .note_at(first.2, declared(first))
        .note_at(second.2, declared(second))
}

/// `swap(&mut x, &mut x)`.
pub fn with_itself(buffer: &str, place: Place) -> Finding {
    Finding::error(Code::SWAP, place, format!("`{buffer}` is swapped with itself")).help("swap it with another buffer")
}

/// `name` stands for a buffer that a body declares when that body ends.
pub fn ends_with_body(name: &str, buffer: (&str, Place), swap: Place) -> Finding {
    let message = format!("`{name}` is left standing for `{}`, which ends with this body", buffer.0);
    Finding::error(Code::SWAP, swap, message)
        .note_at(buffer.1, format!("`{}` is declared in the body", buffer.0))
        .help(format!("swap back before the body ends, or declare `{}` outside", buffer.0))
}

/// A `swap` of a read-only parameter. `elements` is its type without the `&`: `[f32; n]`.
pub fn read_only(buffer: &str, elements: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::SWAP, place, format!("`{buffer}` is read-only here and cannot be swapped"))
        .note_at(declared, format!("`{buffer}` is declared `&{elements}`"))
        .help(format!("declare it `{buffer}: &mut {elements}`, or swap two transient buffers"))
}

/// A `swap` of a buffer of a list or a struct that is only read.
pub fn read_only_list(buffer: &str, list: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::SWAP, place, format!("`{buffer}` is read-only here and cannot be swapped"))
        .note_at(declared, format!("`{list}` is declared with `&`"))
        .help("declare it with `&mut`, or swap two transient buffers")
}

/// Two buffers of lists that differ in `what`, each with its name, what it is like (`has 3 elements`) and where it is declared.
pub fn unlike_in_lists(first: (&str, &str, Place), second: (&str, &str, Place), what: &str, place: Place) -> Finding {
    let like = |(name, like, _): (&str, &str, Place)| format!("`{name}` {like}");
    Finding::error(Code::SWAP, place, format!("`{}` and `{}` differ in their {what}", first.0, second.0))
        .note_at(first.2, like(first))
        .note_at(second.2, like(second))
}

/// Two parameters that are left exchanged at the end of the graph.
pub fn parameters(first: &str, second: &str, place: Place) -> Finding {
    let message = format!("parameters `{first}` and `{second}` are left exchanged at the end of the graph");
    Finding::error(Code::SWAP, place, message)
        .note("the caller finds a parameter's contents in its own buffer, and two parameters cannot be copied onto each other")
        .help("swap through a transient buffer, or swap back before the graph ends")
}

/// The names are left exchanged at the end of a body that the device decides, by a `for` in it.
pub fn left_by_passes(buffers: &[&str], word: &str, body: Place, passes: Place) -> Finding {
    let message = format!("the names {} are left exchanged at the end of this `{word}` body", list(buffers));
    Finding::error(Code::SWAP, body, message)
        .note_at(passes, "each pass of this `for` exchanges names")
        .note("a body is built once, so every name must mean at its end what it meant at its start")
        .help("swap back behind the `for`, or let it make a number of passes that brings the names back")
}

/// Passes of a loop body, as many as `every` says, leave names exchanged.
pub fn left_by_every(buffers: &[&str], every: usize, place: Place, passes: Place) -> Finding {
    let message = format!("the names {} are left exchanged behind {every} passes of this body", list(buffers));
    Finding::error(Code::SWAP, place, message)
        .note_at(passes, format!("`every` is {every} here"))
        .note(
            "the body is built once with so many passes, so every name must mean at its end what it meant at its start",
        )
        .help("let `every` be a multiple of the number of passes that brings the names back")
}

fn list(buffers: &[&str]) -> String {
    let quoted: Vec<_> = buffers.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// The smallest multiple of `order` from `every` on.
fn least_multiple(order: u32, every: u32) -> u32 {
    every.max(1).div_ceil(order.max(1)).saturating_mul(order.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cure_is_the_next_multiple() {
        let finding = names_left_exchanged(&["x", "y"], 2, 1, Place(4), Place(8));
        assert_eq!(finding.message, "the names `x` and `y` are left exchanged after 1 pass");
        assert_eq!(finding.help.as_deref(), Some("write `every 2`"));
        let finding = names_left_exchanged(&["x", "y", "z"], 3, 4, Place(4), Place(8));
        assert_eq!(finding.message, "the names `x`, `y` and `z` are left exchanged after 4 passes");
        assert_eq!(finding.help.as_deref(), Some("write `every 6`"));
    }

    #[test]
    fn the_other_faults_name_both_buffers() {
        let branch = swap_in_branch(&["x", "y"], "if", Place(4), Place(2));
        let unlike = unlike(("x", "[f32; n]", Place(1)), ("y", "[f32; m]", Place(2)), "length", Place(4));
        for finding in [branch, unlike] {
            assert!(finding.code == Code::SWAP && finding.message.contains("`x` and `y`"));
        }
    }
}
