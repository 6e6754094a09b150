//! What is asked of a node's launch beside its geometry.

use serde::{Deserialize, Serialize};

use super::Place;

/// The attributes in front of a statement that launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchAttributes {
    /// `#[priority(high)]`
    pub priority: Option<Priority>,
    /// `#[cluster(2, 1, 1)]`
    pub cluster: Option<Cluster>,
    /// `#[cooperative]`: all blocks run at once. The attribute's name.
    pub cooperative: Option<Place>,
    /// `#[overlap]`: may begin before the kernels that it waits for are over. The attribute's name.
    pub overlap: Option<Place>,
}

/// Which of the nodes that are ready begins first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Priority {
    /// The highest that the device has.
    High,
    /// The lowest that the device has.
    Low,
    /// CUDA's number: lower begins first; a device takes the nearest number that it has.
    Number(i32),
}

/// How many blocks form a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// x, y, z; what was not written is 1.
    pub sizes: [u32; 3],
    /// What stands between the parentheses.
    pub place: Place,
}

impl LaunchAttributes {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
