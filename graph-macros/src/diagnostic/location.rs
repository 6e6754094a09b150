//! Where a span lies, for printing only: an editor may answer line 1 for everything.

use std::borrow::Cow;

use proc_macro2::Span;

/// Where a span starts.
pub(crate) struct Location<'a> {
    pub(crate) file: Cow<'a, str>,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The file, line and column at which a span starts.
pub(crate) fn location(span: Span) -> Location<'static> {
    if !proc_macro::is_available() {
        return outside(span);
    }
    // Of a span, rustc says where it starts.
    let span = span.unwrap();
    Location { file: span.file().into(), line: span.line() as u32, column: span.column() as u32 }
}

/// Not in a macro, so in one of this crate's tests.
#[cfg(test)]
fn outside(span: Span) -> Location<'static> {
    let start = span.start();
    Location { file: "unknown".into(), line: start.line as u32, column: start.column as u32 + 1 }
}

#[cfg(not(test))]
fn outside(_span: Span) -> Location<'static> {
    Location { file: "unknown".into(), line: 1, column: 1 }
}
