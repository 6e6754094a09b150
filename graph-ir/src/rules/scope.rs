//! CG0402: a buffer is used in the block that declares it, or further inside.
//!
//! Rejected:
//! ```text
//! if flag[0] != 0 { let tmp: [f32; n] = 0.0; }
//! sum<<<1, 256>>>(&tmp, &out total);
//! ```
//! Accepted:
//! ```text
//! let tmp: [f32; n] = 0.0;
//! if flag[0] != 0 { sum<<<1, 256>>>(&tmp, &out total); }
//! ```
//! Sound because a transient's memory is its own only until its block ends. Names are resolved while the program is made, so this
//! is a constructor.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// `buffer` is used at `place`, but declared at `declared` inside a `block` (`if`, `while`, `{ … }`) that has ended.
pub fn out_of_scope(buffer: &str, place: Place, declared: Place, block: &str) -> Finding {
    Finding::error(Code::SCOPE, place, format!("buffer `{buffer}` is used after its scope ends"))
        .note_at(declared, format!("`{buffer}` is declared inside this `{block}` body and ends with it"))
        .help(format!("declare `{buffer}` outside the `{block}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_named() {
        let finding = out_of_scope("tmp", Place(7), Place(3), "if");
        assert_eq!((finding.code, finding.place, finding.notes[0].place), (Code::SCOPE, Place(7), Some(Place(3))));
        assert_eq!(finding.help.as_deref(), Some("declare `tmp` outside the `if`"));
    }
}
