//! CG0406: a buffer is dropped once, in the region that declares it, and not used afterwards.
//!
//! Rejected:
//! ```text
//! let t: [f32; n] = 0.0;
//! drop(t);
//! sum<<<1, 256>>>(&t, &out total);
//! ```
//! Accepted:
//! ```text
//! let t: [f32; n] = 0.0;
//! sum<<<1, 256>>>(&t, &out total);
//! drop(t);
//! ```
//! Sound because the memory of a dropped buffer may be another's. Names are resolved while the program is made, so these are
//! constructors.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// `drop(buffer)` stands at `place`, after another at `dropped`.
pub fn dropped_twice(buffer: &str, place: Place, dropped: Place) -> Finding {
    Finding::error(Code::DROPPED, place, format!("buffer `{buffer}` is dropped twice"))
        .note_at(dropped, format!("this `drop` ends `{buffer}`"))
        .help("remove the second `drop`")
}

/// `buffer` is used at `place`, after `drop` at `dropped`.
pub fn used_after_drop(buffer: &str, place: Place, dropped: Place) -> Finding {
    Finding::error(Code::DROPPED, place, format!("buffer `{buffer}` is used after it is dropped"))
        .note_at(dropped, format!("this `drop` ends `{buffer}`"))
        .help(format!("move `drop({buffer})` behind this statement"))
}

/// `drop(buffer)` at `place` stands in another region than the declaration.
pub fn dropped_elsewhere(buffer: &str, place: Place, declared: Place) -> Finding {
    Finding::error(
        Code::DROPPED,
        place,
        format!("buffer `{buffer}` is dropped in another body than the one that declares it"),
    )
    .note_at(declared, format!("`{buffer}` is declared here"))
    .help(format!("move `drop({buffer})` to the body that declares it"))
}

/// `drop(buffer)` at `place` names a parameter.
pub fn dropped_parameter(buffer: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::DROPPED, place, format!("`{buffer}` is a parameter and cannot be dropped"))
        .note_at(declared, format!("`{buffer}` belongs to the caller"))
        .help(format!("remove `drop({buffer})`"))
}

/// `drop(buffer)` at `place` names a `static`.
pub fn dropped_static(buffer: &str, place: Place, declared: Place) -> Finding {
    Finding::error(Code::DROPPED, place, format!("`{buffer}` is a `static` and cannot be dropped"))
        .note_at(declared, format!("`{buffer}` is kept from launch to launch"))
        .help(format!("remove `drop({buffer})`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_points_at_what_to_edit() {
        for finding in [
            used_after_drop("t", Place(7), Place(3)),
            dropped_twice("t", Place(7), Place(3)),
            dropped_elsewhere("t", Place(7), Place(3)),
            dropped_parameter("t", Place(7), Place(3)),
        ] {
            assert_eq!(
                (finding.code, finding.place, finding.notes[0].place),
                (Code::DROPPED, Place(7), Some(Place(3)))
            );
            assert!(finding.message.contains("`t`") && finding.help.is_some());
        }
    }
}
