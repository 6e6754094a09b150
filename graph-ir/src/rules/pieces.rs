//! CG0211: a kernel finds the elements of a box where it looks for them.
//!
//! Rejected:
//! ```text
//! pub fn scale(x: &mut [f32; n], n: u32);
//! scale<<<1, 64>>>(&mut x[(.., 0..64)], h * 64);
//! ```
//! Accepted:
//! ```text
//! pub fn scale(x: &mut [f32; (h, w).pitch(p)], h: u32, w: u32, p: u32);
//! scale<<<1, 64>>>(&mut x[(.., 0..64)], h, 64, x.pitch() as u32);
//! ```
//! Sound because a kernel receives the address of the first element only: where the others lie, it knows from its own values. The
//! numbers are compared at every launch. That needs the values, so these are constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// One argument of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Passed<'a> {
    /// As written, with numbers: `x[(0..4, 64..128)]`.
    pub text: &'a str,
    /// The buffer's name.
    pub buffer: &'a str,
    /// The kernel's name.
    pub kernel: &'a str,
    /// The argument.
    pub place: Place,
    /// The buffer's declaration.
    pub declared: Place,
}

impl Passed<'_> {
    fn finding(&self, message: String) -> Finding {
        Finding::error(Code::PIECES, self.place, message)
            .note_at(self.declared, format!("`{}` is declared here", self.buffer))
    }
}

/// The kernel takes its elements side by side, and they lie in rows.
pub fn in_rows(passed: &Passed<'_>, rows: u64, row: u64, distance: u64) -> Finding {
    let Passed { text, kernel, .. } = passed;
    passed
        .finding(format!("kernel `{kernel}` takes the elements of `{text}` in one piece, but they lie in {rows} rows"))
        .note(format!("the rows have {row} elements each, and begin {distance} elements apart"))
        .help(format!(
            "declare it in `{kernel}` as `[T; (h, w).pitch(p)]` and pass it the distance, `{}.pitch()`, or copy the box to a buffer \
             of its own",
            passed.buffer
        ))
}

/// The kernel expects rows (or slices) at another distance.
pub fn other_distance(passed: &Passed<'_>, what: &str, expected: u64, found: u64) -> Finding {
    let Passed { text, kernel, .. } = passed;
    passed
        .finding(format!(
            "kernel `{kernel}` expects the {what} of `{text}` {expected} elements apart, but they are {found} apart"
        ))
        .help(format!("pass the distance of `{}` to the kernel: `{}.pitch()`", passed.buffer, passed.buffer))
}

/// The kernel takes a box of more dimensions, of which it knows the distances.
pub fn other_dimensions(passed: &Passed<'_>, expected: usize, found: usize) -> Finding {
    let Passed { text, kernel, .. } = passed;
    let dimensions = if found == 1 { "1 dimension".to_owned() } else { format!("{found} dimensions") };
    passed
        .finding(format!("kernel `{kernel}` takes a box of {expected} dimensions, but `{text}` has {dimensions}"))
        .help(format!("declare `{}` with a shape: `[T; (height, width)]`", passed.buffer))
}

/// The kernel overwrites elements that end within a row of a buffer with rows.
pub fn within_a_row(passed: &Passed<'_>, elements: u64) -> Finding {
    let Passed { text, kernel, .. } = passed;
    passed
        .finding(format!("kernel `{kernel}` overwrites {elements} elements of `{text}`, which end within a row"))
        .note("what a node writes of a buffer with a shape is a box")
        .help(format!("give it whole rows, or declare `{}` with a length instead of a shape", passed.buffer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_are_named() {
        let passed = Passed { text: "x[(0..4, 8..16)]", buffer: "x", kernel: "k", place: Place(2), declared: Place(1) };
        let finding = in_rows(&passed, 4, 8, 32);
        assert_eq!(
            finding.message,
            "kernel `k` takes the elements of `x[(0..4, 8..16)]` in one piece, but they lie in 4 rows"
        );
        assert_eq!(finding.notes[1].text, "the rows have 8 elements each, and begin 32 elements apart");
        let message = other_distance(&passed, "rows", 8, 32).message;
        assert_eq!(
            message,
            "kernel `k` expects the rows of `x[(0..4, 8..16)]` 8 elements apart, but they are 32 apart"
        );
        assert!(other_dimensions(&passed, 2, 1).message.ends_with("has 1 dimension"));
        assert_eq!(within_a_row(&passed, 3).code, Code::PIECES);
    }
}
