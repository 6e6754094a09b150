//! CG0811: a graph inside a graph is given buffers of the lengths and shapes that its parameters declare.
//!
//! Rejected: `y` of 8 elements for
//! ```text
//! graph Scale(x: &mut [f32; 10]) { … }
//! Scale { x: &mut y };
//! ```
//! Accepted:
//! ```text
//! let y: [f32; 20];
//! Scale { x: &mut y[5..15] };
//! ```
//! Sound because the numbers are compared each time that the graph is put in its place. Whatever its nodes touch must lie in what it
//! was given, and be a box of that buffer, so that who waits for whom is exact. That needs the values, so these are constructors.

use super::brackets_of;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Buffer, Footprint, Place, Shape};

fn count(elements: u64) -> String {
    if elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") }
}

/// A parameter is given another number of elements than it declares.
pub fn other_length(
    (given, place): (&str, Place),
    has: u64,
    (graph, parameter): (&str, &Buffer),
    (text, wants): (&str, u64),
) -> Finding {
    let is = if text == wants.to_string() { String::new() } else { format!("`{text}` is {wants}: ") };
    let name = &parameter.name;
    let message =
        format!("graph `{graph}` takes {} as `{name}`, and is given {} of `{given}`", count(wants), count(has));
    Finding::error(Code::INSIDE, place, message)
        .note_at(parameter.place, format!("{is}`{name}` is declared here"))
        .help(format!("pass {} of `{given}`, or another buffer", count(wants)))
}

/// A node of the graph touches what it was not given.
pub fn outside((name, declared): (&str, Place), shape: &Shape, touched: &Footprint, place: Place) -> Finding {
    let sizes: Vec<_> = shape.sizes().iter().filter_map(|size| size.known()).map(|size| size.to_string()).collect();
    let has = sizes.join(" × ");
    let elements = if has == "1" { "element" } else { "elements" };
    let range = brackets_of(touched);
    let message = format!("`{name}` has {has} {elements}, but range `{name}[{range}]` is used");
    Finding::error(Code::RANGE, place, message).note_at(declared, format!("`{name}` is declared here"))
}

/// A node of the graph touches elements that are no box of the buffer that it was given.
pub fn other_shape((name, declared): (&str, Place), given: &str, place: Place) -> Finding {
    let message = format!("these elements of `{name}` are no box of `{given}`, which it is given");
    Finding::error(Code::INSIDE, place, message)
        .note_at(declared, format!("`{name}` is declared here, with other dimensions than `{given}`"))
        .help(format!("declare `{given}` with the dimensions of `{name}`, or copy to a buffer that has them"))
}

/// A kernel in the block of the graph counts the elements of a parameter, which lie in rows that are apart.
pub fn in_rows((name, declared): (&str, Place), place: Place) -> Finding {
    let message = format!("a kernel in the block counts the elements of `{name}`, which is given rows that are apart");
    Finding::error(Code::INSIDE, place, message)
        .note_at(declared, format!("`{name}` is declared here"))
        .help("pass whole rows, or copy the box to a buffer of its own")
}
