//! What a rule says: a code, a headline, reasons with places, one cure.

use crate::code::Code;
use crate::model::{Place, Program};

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

impl Finding {
    /// The text for a reader without the compiler at hand: headline, place, notes, cure.
    pub fn render(&self, program: &Program) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        format!("{level}: {}", self.text(program))
    }

    /// The same without `error` or `warning` in front.
    pub fn text(&self, program: &Program) -> String {
        let at = |place: Place| program.location(place);
        let mut lines = vec![format!("{} [{}]", self.message, self.code)];
        lines.extend(at(self.place).map(|location| format!("  --> {location}")));
        for note in &self.notes {
            let location = note.place.and_then(at).map_or_else(String::new, |location| format!(" ({location})"));
            lines.push(format!("  note: {}{location}", note.text));
        }
        lines.extend(self.help.iter().map(|help| format!("  help: {help}")));
        lines.join("\n")
    }

    /// A warning instead of an error.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.level = Level::Warning;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Spot;

    #[test]
    fn a_rendered_finding_names_every_place() {
        let mut program = Program::default();
        for line in [3, 7] {
            program.place(Spot { file: "src/main.rs", line, column: 9 });
        }
        let finding = Finding::error(Code::READ_ONLY, Place(1), "kernel `k` writes `x`")
            .note_at(Place(0), "`x` is declared `&[f32]`")
            .note("no place")
            .help("declare it `&mut [f32]`");
        let expected = "error: kernel `k` writes `x` [CG0201]\n  --> src/main.rs:7:9\n  note: `x` is declared `&[f32]` \
                        (src/main.rs:3:9)\n  note: no place\n  help: declare it `&mut [f32]`";
        assert_eq!(finding.render(&program), expected);
        assert!(finding.warning().render(&program).starts_with("warning: kernel"));
    }
}
