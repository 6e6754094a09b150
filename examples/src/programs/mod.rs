//! Programs that people write with other tools, as one block each: samples, solvers, inference, training, servers.
//!
//! Each runs on a GPU and on the CPU, and checks its own results against something that is not ours: a closed form, or numbers that
//! `NumPy`, `SciPy` or `PyTorch` computed (`references/programs` has the scripts). The binary `programs` runs and times them.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "the numbers are small, and positive where they must be"
)]

pub mod axpy;
pub mod cg;
pub mod cholesky;
pub mod conditionals;
pub mod data_parallel;
pub mod decoder;
mod dense;
pub mod dlrm;
pub mod experts;
pub mod gcn;
pub mod heat;
pub mod images;
mod inputs;
pub mod jacobi;
pub mod memory_nodes;
pub mod nccl;
pub mod ppo;
pub mod reduce;
mod report;
pub mod server;
pub mod spectral;
pub mod speculative;
pub mod streams;

use std::error::Error;

use graph_runtime::Device;

pub use inputs::{Reference, uniform, uniform_at};
pub use report::{Check, Report, Timing};

/// What goes wrong in a program.
pub type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// One of the programs.
pub struct Program {
    /// As on the command line.
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// Runs it and reports what it checked.
    pub run: fn(&Device, &mut Report) -> Result,
}

/// All of them.
pub const ALL: &[Program] = &[
    axpy::PROGRAM,
    cg::PROGRAM,
    cholesky::PROGRAM,
    conditionals::PROGRAM,
    data_parallel::PROGRAM,
    decoder::PROGRAM,
    dlrm::PROGRAM,
    experts::PROGRAM,
    gcn::PROGRAM,
    heat::PROGRAM,
    images::PROGRAM,
    jacobi::PROGRAM,
    memory_nodes::PROGRAM,
    ppo::PROGRAM,
    reduce::PROGRAM,
    server::PROGRAM,
    spectral::PROGRAM,
    speculative::PROGRAM,
];
