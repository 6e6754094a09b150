//! What the macro says about a block: collected while it is compiled, printed by rustc at the token to edit.

mod lines;
pub(crate) mod lint;
mod location;
mod render;
#[cfg(test)]
mod tests;

use graph_ir::code::Code;
use graph_ir::finding::{Finding, Level};
use graph_ir::model::Place;
use proc_macro2::{Span, TokenStream};

pub(crate) use lines::Lines;
pub(crate) use location::{Location, location};

/// One fault: the fact, the reasons with their places, one cure.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// Absent for what `syn` says about plain Rust syntax.
    pub(crate) code: Option<Code>,
    /// The token to edit.
    pub(crate) span: Span,
    /// The headline.
    pub(crate) message: String,
    /// Reasons, each with the place that shows it.
    pub(crate) notes: Vec<(String, Option<Span>)>,
    /// One concrete edit.
    pub(crate) help: Option<String>,
    /// Whether the block is compiled all the same.
    pub(crate) warning: bool,
}

impl Diagnostic {
    /// An error with a page of its own.
    pub(crate) fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code: Some(code), ..Self::plain(span, message) }
    }

    /// An error without a code: plain Rust syntax.
    pub(crate) fn plain(span: Span, message: impl Into<String>) -> Self {
        Self { code: None, span, message: message.into(), notes: Vec::new(), help: None, warning: false }
    }

    /// Adds a reason.
    #[must_use]
    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push((text.into(), None));
        self
    }

    /// Adds a reason and the place that shows it.
    #[must_use]
    pub(crate) fn note_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((text.into(), Some(span)));
        self
    }

    /// Sets the cure.
    #[must_use]
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The same as an error, because of an attribute that names it.
    #[must_use]
    pub(crate) fn denied(mut self, name: &str, span: Span) -> Self {
        self.warning = false;
        self.note_at(span, format!("`#[deny({name})]` makes it an error"))
    }

    /// The name under which rustc reports this warning, and that `#[allow]`, `#[warn]` and `#[deny]` know.
    pub(crate) fn lint(&self) -> &'static str {
        lint::name(self.code)
    }
}

impl From<syn::Error> for Diagnostic {
    /// The first of the error's messages.
    fn from(error: syn::Error) -> Self {
        let message = error.to_string();
        // The span says where the input ends.
        Self::plain(error.span(), message.strip_prefix("unexpected end of input, ").unwrap_or(&message))
    }
}

/// A rule's finding, with its places looked up in `places`.
pub(crate) fn from_finding(finding: &Finding, places: &[Span]) -> Diagnostic {
    let span = |place: Place| places.get(place.0 as usize).copied();
    Diagnostic {
        code: Some(finding.code),
        span: span(finding.place).unwrap_or_else(Span::call_site),
        message: finding.message.clone(),
        notes: finding.notes.iter().map(|note| (note.text.clone(), note.place.and_then(span))).collect(),
        help: finding.help.clone(),
        warning: finding.level == Level::Warning,
    }
}

/// Everything said about one block, in the order in which it was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds one.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether anything refuses the block.
    pub(crate) fn has_error(&self) -> bool {
        self.list.iter().any(|diagnostic| !diagnostic.warning)
    }

    /// In the order in which they were found.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Items that make rustc print everything: `compile_error!`s for errors, uses of deprecated items for warnings.
    pub(crate) fn into_tokens(self) -> TokenStream {
        render::items(self.list)
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        self.list.extend(diagnostics);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { list: vec![diagnostic] }
    }
}

impl From<syn::Error> for Diagnostics {
    fn from(error: syn::Error) -> Self {
        Self { list: error.into_iter().map(Diagnostic::from).collect() }
    }
}
