//! What was measured of a graph, to be kept in a file.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, size_text};

/// The version of the file.
const SCHEMA: u32 = 1;

/// What [`Graph::tune`](crate::Graph::tune) has measured and kept, or [`Graph::tune_by`](crate::Graph::tune_by) estimated. Prints as a
/// table.
///
/// It belongs to one graph with its lengths, one kind of device and one driver, all of which it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuning {
    schema: u32,
    /// What it belongs to.
    pub(super) key: Key,
    /// Why nothing was measured, if nothing was.
    nothing: Option<String>,
    /// At most so many lanes; none if the graph without lanes was the fastest.
    pub(super) lanes: Option<u32>,
    pub(super) candidates: Vec<Candidate>,
    /// By node of the graph's program, in nanoseconds.
    pub(super) durations: Vec<u64>,
    /// Nothing was launched: times are what the planner's model makes of the durations.
    #[serde(default)]
    pub(super) estimated: bool,
}

/// What decides how fast a plan is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) graph: String,
    /// Nodes and edges.
    pub(super) structure: String,
    /// Geometry and lengths.
    pub(super) sizes: String,
    /// The device, its compute capability and its driver.
    pub(super) machine: String,
}

/// A number of lanes that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// At most so many; none for the graph without lanes.
    pub lanes: Option<u32>,
    /// The shortest launch, from the call until everything was over, or the estimate of it; none if there was no time left to measure it.
    pub time: Option<Duration>,
    /// Edges of the plan.
    pub edges: usize,
    /// Bytes of device memory that its transients need.
    pub transients: u64,
}

impl Tuning {
    /// Before anything was tried.
    pub(super) fn new(key: Key, durations: Vec<u64>) -> Self {
        let candidates = Vec::new();
        Self { schema: SCHEMA, key, nothing: None, lanes: None, candidates, durations, estimated: false }
    }

    /// The same, to be estimated.
    pub(super) fn estimated(key: Key, durations: Vec<u64>) -> Self {
        Self { estimated: true, ..Self::new(key, durations) }
    }

    pub(super) fn nothing(key: Key, why: String) -> Self {
        Self { nothing: Some(why), ..Self::new(key, Vec::new()) }
    }

    /// Why nothing was measured: on the CPU, where nothing is wide, where the pass is off.
    pub fn nothing_to_tune(&self) -> Option<&str> {
        self.nothing.as_deref()
    }

    /// How many lanes there may be; none if the graph without lanes was the fastest, or if nothing was measured.
    pub fn lanes(&self) -> Option<u32> {
        self.lanes
    }

    /// Whether the times are estimates, of [`Graph::tune_by`](crate::Graph::tune_by).
    pub fn is_estimated(&self) -> bool {
        self.estimated
    }

    /// What was tried: the graph without lanes first.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Writes it to a file, as JSON.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let failed = |error: &dyn fmt::Display| {
            Error::Tuning(format!("what was tuned cannot be written to `{}`: {error}", path.display()))
        };
        let text = serde_json::to_string(self).map_err(|error| failed(&error))?;
        std::fs::write(path, text + "\n").map_err(|error| failed(&error))
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is none that [`Tuning::save`] of this version wrote.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::Tuning(format!("what was tuned cannot be read from `{shown}`: {error}")))?;
        let read: Result<Self, _> = serde_json::from_str(&text);
        let again = "help: tune the graph and save it again";
        let tuning = read.map_err(|error| {
            Error::Tuning(format!("`{shown}` does not hold what was tuned\nnote: {error}\n{again}"))
        })?;
        if tuning.schema == SCHEMA {
            return Ok(tuning);
        }
        let schema = tuning.schema;
        Err(Error::Tuning(format!("`{shown}` is of version {schema}, and {SCHEMA} can be read\n{again}")))
    }
}

impl Key {
    /// Why what was tuned for this does not belong to the other.
    pub(super) fn differs(&self, other: &Self) -> Option<String> {
        let Self { graph, structure, sizes, machine } = self;
        let what = if *graph != other.graph {
            format!("it is of graph `{graph}`, and this is graph `{}`", other.graph)
        } else if *machine != other.machine {
            format!("it was measured on {machine}, and this is {}", other.machine)
        } else if *structure != other.structure {
            format!("the nodes or edges of graph `{graph}` are others than those that were measured")
        } else if *sizes != other.sizes {
            format!("graph `{graph}` has other lengths or launches than those that were measured")
        } else {
            return None;
        };
        Some(what)
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { graph, machine, .. } = &self.key;
        if let Some(why) = &self.nothing {
            return write!(f, "graph {graph} on {machine}: nothing to tune, {why}");
        }
        writeln!(f, "graph {graph} on {machine}")?;
        let launch = if self.estimated { "estimate" } else { "launch" };
        writeln!(f, "{:>8} {launch:>12} {:>8} {:>12}", "lanes", "edges", "transients")?;
        for Candidate { lanes, time, edges, transients } in &self.candidates {
            let count = lanes.map_or_else(|| "none".to_owned(), |lanes| lanes.to_string());
            let time = time.map_or_else(|| "no time left".to_owned(), |time| format!("{time:.1?}"));
            let kept = if *lanes == self.lanes { "  kept" } else { "" };
            writeln!(f, "{count:>8} {time:>12} {edges:>8} {:>12}{kept}", size_text(*transients))?;
        }
        Ok(())
    }
}
