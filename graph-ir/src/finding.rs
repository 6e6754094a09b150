//! What a rule says: a code, a headline, reasons with places, one cure.

use crate::code::Code;
use crate::model::Place;

/// Whether a finding stops the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Refused.
    Error,
    /// The user should act, but the graph is built.
    Warning,
}

/// A reason, with the place that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// A sentence without a full stop.
    pub text: String,
    /// Printed behind the text: `(src/main.rs:14:9)`.
    pub place: Option<Place>,
}

/// One fault, worded as in the style guide: the fact, why we think so, one edit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// Names the error page.
    pub code: Code,
    /// Error or warning.
    pub level: Level,
    /// The token to edit.
    pub place: Place,
    /// The fact: lower case, no full stop, names in backticks.
    pub message: String,
    /// Why, one place per note.
    pub notes: Vec<Note>,
    /// One concrete edit, imperative.
    pub help: Option<String>,
}

impl Finding {
    /// An error at `place`.
    pub fn error(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self { code, level: Level::Error, place, message: message.into(), notes: Vec::new(), help: None }
    }

    /// Adds a reason without a place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), place: None });
        self
    }

    /// Adds a reason and the place that shows it.
    #[must_use]
    pub fn note_at(mut self, place: Place, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), place: Some(place) });
        self
    }

    /// Sets the cure.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
