//! Where the tokens of a macro's call lie, by one question to rustc for each, instead of one for its file, one for its line and one for its
//! column.
//!
//! A span says as text which bytes it covers. Nothing depends on that text: where it does not fit what rustc says about the call itself, and
//! for tokens from elsewhere, [`location`](super::location) asks for all three.

use std::fmt::Write as _;
use std::ops::Range;

use proc_macro2::Span;

use super::Location;

/// The text of a macro's call.
pub(crate) struct Lines {
    file: String,
    /// By number, among the bytes of all that rustc has read.
    bytes: Range<usize>,
    text: String,
    /// Where its lines begin in the text.
    begins: Vec<usize>,
    /// Of its first byte.
    line: u32,
    column: u32,
    /// A span's own text.
    written: String,
}

impl Lines {
    /// Of the call that is expanded; none where rustc's answers do not agree with each other, or in an editor.
    pub(crate) fn of_call() -> Option<Self> {
        if !proc_macro::is_available() {
            return None;
        }
        let call = proc_macro::Span::call_site();
        let (_, bytes) = covered(&format!("{call:?}"))?;
        let lines = Self::new(call.file(), bytes, call.source_text()?, [call.line(), call.column()])?;
        let end = call.end();
        (lines.at(lines.text.len()) == (end.line() as u32, end.column() as u32)).then_some(lines)
    }

    fn new(file: String, bytes: Range<usize>, text: String, [line, column]: [usize; 2]) -> Option<Self> {
        let begins = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let lines =
            Self { file, bytes, text, begins, line: line as u32, column: column as u32, written: String::new() };
        (lines.text.len() == lines.bytes.len()).then_some(lines)
    }

    /// The file, line and column of a token of the call that no other macro has written.
    pub(crate) fn location(&mut self, span: Span) -> Option<Location<'_>> {
        self.written.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.written, "{:?}", span.unwrap());
        let (context, bytes) = covered(&self.written)?;
        let begin = (context == "#0" && self.bytes.contains(&bytes.start)).then(|| bytes.start - self.bytes.start)?;
        let (line, column) = self.at(begin);
        Some(Location { file: self.file.as_str().into(), line, column })
    }

    /// The line and the column of a byte of the text.
    fn at(&self, byte: usize) -> (u32, u32) {
        let line = self.begins.partition_point(|begin| *begin <= byte) - 1;
        let column = self.text.get(self.begins[line]..byte).map_or(0, |before| before.chars().count()) as u32;
        (self.line + line as u32, column + if line == 0 { self.column } else { 1 })
    }
}

/// `#0 bytes(17..21)`
fn covered(span: &str) -> Option<(&str, Range<usize>)> {
    let (context, bytes) = span.strip_suffix(')')?.split_once(" bytes(")?;
    let (start, end) = bytes.split_once("..")?;
    Some((context, start.parse().ok()?..end.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_says_which_bytes_it_covers() {
        assert_eq!(covered("#0 bytes(17..21)"), Some(("#0", 17..21)));
        for other in ["", "bytes(17..21)", "#0 bytes(17..)", "#0 bytes(17)", "SpanData { range: 17..21 }"] {
            assert_eq!(covered(other), None, "{other}");
        }
    }

    #[test]
    fn lines_and_columns_are_counted_from_one_in_characters() {
        let text = "cuda_graph! {\n  größe: é x\n}";
        let lines = Lines::new("a.rs".to_owned(), 100..100 + text.len(), text.to_owned(), [7, 5]).unwrap();
        let at = |needle: &str| lines.at(text.find(needle).unwrap());
        assert_eq!(at("cuda_graph"), (7, 5));
        assert_eq!(at("! {"), (7, 15));
        assert_eq!(at("größe"), (8, 3));
        assert_eq!(at("x\n"), (8, 12));
        assert_eq!(at("}"), (9, 1));
        assert!(Lines::new("a.rs".to_owned(), 100..101, text.to_owned(), [7, 5]).is_none());
    }
}
