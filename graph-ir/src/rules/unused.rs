//! CG0106 and CG0408: something uses each parameter, and each buffer that a graph declares.
//!
//! Warned of:
//! ```text
//! graph Scale(x: &mut [f32; n], y: &[f32; n], by: f32) { let t: [f32; n];  scale<<<1, 256>>>(&mut x, by); }
//! ```
//! Not warned of: names that begin with `_`; a `y` whose length is the only one that says what `n` is.
//!
//! Whether a name is used is seen in the tokens, by who calls this: one that is mentioned nowhere else cannot be.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// A parameter that nothing mentions.
pub fn parameter(name: &str, place: Place) -> Finding {
    Finding::error(Code::UNUSED_PARAMETER, place, format!("nothing in the graph uses the parameter `{name}`"))
        .help(format!("remove it, or call it `_{name}`"))
        .warning()
}

/// A transient without a value, or a `static`, that nothing mentions.
pub fn buffer(name: &str, place: Place) -> Finding {
    Finding::error(Code::UNUSED_BUFFER, place, format!("nothing uses the buffer `{name}`"))
        .help(format!("remove it, or call it `_{name}`"))
        .warning()
}
