//! A CUDA error code with everything that is known about it.

use std::fmt;

use super::NodeName;

/// What the CUDA driver answered, to which call, for which node, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverError {
    /// `CUresult` as a number.
    pub code: u32,
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`.
    pub name: String,
    /// The driver's own description.
    pub meaning: String,
    /// What was being done, as a phrase: `launching graph Canny`.
    pub doing: String,
    /// The node, if it is known.
    pub node: Option<NodeName>,
    /// One thing to do.
    pub help: String,
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}, while {}", self.name, self.code, self.meaning, self.doing)?;
        if let Some(node) = &self.node {
            write!(f, ", at {node}")?;
        }
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

impl From<DriverError> for super::Error {
    fn from(error: DriverError) -> Self {
        Self::Driver(Box::new(error))
    }
}
