//! CG0203: a buffer has the elements that its parameter declares and that kernels touch.
//!
//! Rejected: `b` of 10 elements for
//! ```text
//! pub fn sweep(b: &[f32; n], n: u32);
//! sweep<<<1, 256>>>(&b, 12);
//! ```
//! Accepted: the same with 12 elements or more.
//!
//! Sound because the numbers are compared at every launch, after the expressions of the declaration have been evaluated on the
//! arguments. That needs the values, so these are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

use super::pieces::Passed;

fn elements(count: u64) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

/// A kernel touches more elements of `buffer` than there are. `place` is the argument, `declared` the buffer's declaration.
pub fn kernel_touches(buffer: &str, length: u64, kernel: &str, touched: u64, place: Place, declared: Place) -> Finding {
    let message = format!("`{buffer}` has {}, but kernel `{kernel}` touches {touched}", elements(length));
    Finding::error(Code::LENGTH, place, message)
        .note_at(declared, format!("`{buffer}` is declared here"))
        .note(format!("the declaration of `{kernel}` says how many elements it touches, for these arguments"))
        .help(format!("bind a buffer of at least {} to `{buffer}`", elements(touched)))
}

/// A kernel touches a larger box than the one that it is given: `given` and `touched` are their sizes.
pub fn kernel_touches_box(passed: &Passed<'_>, given: &[u64], touched: &[u64]) -> Finding {
    let text = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ");
    let (given, touched) = (text(given), text(touched));
    let message = format!("`{}` has {given} elements, but kernel `{}` touches {touched}", passed.text, passed.kernel);
    Finding::error(Code::LENGTH, passed.place, message)
        .note_at(passed.declared, format!("`{}` is declared here", passed.buffer))
        .note(format!("the declaration of `{}` says how many elements it touches, for these arguments", passed.kernel))
        .help(format!("pass a box of at least {touched} elements"))
}

/// The buffer bound to a parameter differs from its declared length, whose `text` is `n` or `n + 1`. `bound` is what gave the
/// length its value: the first buffer that has it, with its declaration.
pub fn parameter_length(
    buffer: &str,
    length: u64,
    text: &str,
    value: u64,
    place: Place,
    bound: Option<(&str, Place)>,
) -> Finding {
    let finding =
        Finding::error(Code::LENGTH, place, format!("`{buffer}` has {}, but `{text}` is {value}", elements(length)));
    let finding = match bound {
        Some((first, declared)) => finding.note_at(declared, format!("`{first}` gives the length its value")),
        None => finding,
    };
    finding.help(format!("bind a buffer of {} to `{buffer}`", elements(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_named() {
        let finding = kernel_touches("b", 10, "sweep", 12, Place(3), Place(1));
        assert_eq!(finding.message, "`b` has 10 elements, but kernel `sweep` touches 12");
        let finding = parameter_length("b", 1, "n", 12, Place(3), Some(("a", Place(1))));
        assert_eq!(finding.message, "`b` has 1 element, but `n` is 12");
        assert_eq!(finding.notes[0].place, Some(Place(1)));
    }
}
