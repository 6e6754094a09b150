//! The CUDA back end on a stand-in for the driver's library, which records graphs and executes nothing.
//!
//! What a graph computes is not looked at here, for nothing is computed: each test looks at the calls, the graph that they built, and what
//! was given back. No call may break one of CUDA's rules.
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

mod arenas;
mod by_launches;
mod changes;
mod compared;
mod counted;
mod devices;
mod drivers;
mod early;
mod faults;
mod in_flight;
mod jacobi;
mod kept;
mod machines;
mod mailbox;
mod moved;
mod pinned;
mod pipelines;
mod plans;
mod profiler;
mod residents;
mod rules;
mod starts;
mod tickets;
mod tuning;
mod updates;

use tests::stand_in::{child, expected, shape};
