//! What follows from a program: who accesses what, who waits for whom, what is initialised where.

pub mod certain;
pub mod dependence;
pub mod effects;
pub mod initialization;
pub mod meeting;
pub(crate) mod numbers;
pub mod order;
pub(crate) mod path;
mod phases;
mod ranges;
pub(crate) mod reach;
pub mod relation;
mod rounds;
pub mod width;

pub use dependence::{Edge, Edges, HazardKind, Reason, constraints, dependences, dependences_of_all, reasons};
pub use effects::{accesses, has_effects};
pub use order::topological;
pub use relation::{Relation, relation};
pub use rounds::rounds;
pub use width::width;
