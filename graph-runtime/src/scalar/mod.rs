//! Device expressions on the GPU: types, literals, and PTX text.
//!
//! [`typing`] gives every part of a [`graph_ir::model::Expression`] its type, as rustc does; [`ptx`] turns the typed tree into entries
//! of a PTX module: assignments to single elements, setters of conditional nodes, and fills.

pub(crate) mod compute;
pub(crate) mod facts;
pub(crate) mod literal;
pub(crate) mod ptx;
mod solve;
pub(crate) mod typing;

#[cfg(test)]
mod tests;
