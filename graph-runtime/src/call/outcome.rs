//! What a closure of `host` or `capture` may return.

use std::fmt::Display;

/// How a call ended: an error is its text.
pub type Outcome = Result<(), String>;

/// `()` or `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "a closure of `host` or `capture` cannot return `{Self}`",
    label = "expected `()` or a `Result<(), E>` whose error can be printed"
)]
pub trait IntoOutcome {
    /// The outcome.
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome;
}

#[diagnostic::do_not_recommend]
impl IntoOutcome for () {
    fn into_outcome(self) -> Outcome {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Display> IntoOutcome for Result<(), E> {
    fn into_outcome(self) -> Outcome {
        self.map_err(|error| error.to_string())
    }
}
