//! Plans that a driver cannot take as one graph.

use std::fmt;

use crate::error::NodeName;

/// Why a plan is run by single launches, with conditions that the host decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByLaunches {
    /// The first node that the driver has no kind for.
    pub(crate) node: NodeName,
    /// The CUDA version that has it: `12.4`.
    pub(crate) needs: String,
    /// What the driver supports: `12.3`.
    pub(crate) driver: String,
}

impl fmt::Display for ByLaunches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, needs, driver } = self;
        write!(
            f,
            "single launches, with conditions decided on the host: {node} needs CUDA {needs}, and the driver supports CUDA {driver}"
        )
    }
}
