//! Which passes make a plan, and what they go by.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Once};

use super::placed::Tuned;
use crate::device::Device;

const VARIABLE: &str = "CUDA_GRAPH_PASSES";

/// A pass of planning. None of them changes what a graph means, so each can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// Leaves out fills and copies that write what nobody reads.
    Unread,
    /// Drops edges that follow from others.
    Reduction,
    /// Makes one node of fills and of copies of neighbouring parts.
    Merging,
    /// Puts several statements into one launch.
    Fusion,
    /// Keeps transients in registers that one launch alone uses, each element at its own index.
    Registers,
    /// Runs a loop of nothing but generated kernels in one launch.
    ResidentLoops,
    /// Deals what is very wide onto lanes, each with one launch behind another.
    Lanes,
    /// Puts a kernel that does nothing between launches of which each waits for each of others, and in front of many that wait for nothing.
    Gates,
    /// Begins kernels before those that they wait for are over, where the device can.
    Overlap,
    /// Puts transients that are never needed at once into the same memory.
    Arena,
}

impl Pass {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 10] = [
        Self::Unread,
        Self::Reduction,
        Self::Merging,
        Self::Fusion,
        Self::Registers,
        Self::ResidentLoops,
        Self::Lanes,
        Self::Gates,
        Self::Overlap,
        Self::Arena,
    ];

    /// As `plan()` and `CUDA_GRAPH_PASSES` call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Reduction => "reduction",
            Self::Merging => "merging",
            Self::Fusion => "fusion",
            Self::Registers => "registers",
            Self::ResidentLoops => "resident loops",
            Self::Lanes => "lanes",
            Self::Gates => "gates",
            Self::Overlap => "overlap",
            Self::Arena => "arena",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let same = |pass: &Self| pass.name() == name || pass.name().split(' ').next() == Some(name);
        Self::ALL.into_iter().find(same)
    }

    fn bit(self) -> u16 {
        1 << self as u8
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How graphs are planned: by all passes, unless some are left out. [`Device::planned`] takes it.
///
/// ```
/// use graph_runtime::{Device, Pass, Planning};
///
/// let device = Device::cpu().planned(Planning::default().without(Pass::Fusion).memory_budget(64 << 20));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planning {
    /// Bits of the passes that do not run.
    left_out: u16,
    most_lanes: Option<NonZeroU32>,
    budget: Option<u64>,
}

impl Planning {
    /// By no pass: the nodes and the edges that the block demands, every transient in memory of its own.
    pub fn as_written() -> Self {
        Pass::ALL.into_iter().fold(Self::default(), Self::without)
    }

    /// With a pass.
    #[must_use]
    pub fn with(self, pass: Pass) -> Self {
        Self { left_out: self.left_out & !pass.bit(), ..self }
    }

    /// Without a pass.
    #[must_use]
    pub fn without(self, pass: Pass) -> Self {
        Self { left_out: self.left_out | pass.bit(), ..self }
    }

    /// On at most this many lanes, instead of 128. Zero counts as one. Few lanes take less of the host's time at each launch, and more of
    /// the device's where kernels are long: `tune` measures it.
    #[must_use]
    pub fn lanes(self, most: u32) -> Self {
        Self { most_lanes: NonZeroU32::new(most.max(1)), ..self }
    }

    /// Transients may take this many bytes of device memory. Where they need more, the graph is dealt onto fewer lanes, until they fit: less
    /// runs side by side, so less is needed at once. Statements share no launch then if that takes more memory. A build is refused if they
    /// do not fit on one lane, and says how much would do.
    #[must_use]
    pub fn memory_budget(self, bytes: u64) -> Self {
        Self { budget: Some(bytes), ..self }
    }

    /// Whatever memory transients need.
    pub(crate) fn without_budget(self) -> Self {
        Self { budget: None, ..self }
    }

    /// Whether a pass runs.
    pub fn runs(self, pass: Pass) -> bool {
        self.left_out & pass.bit() == 0
    }

    pub(crate) fn most_lanes(self) -> Option<u32> {
        self.most_lanes.map(NonZeroU32::get)
    }

    pub(crate) fn budget(self) -> Option<u64> {
        self.budget
    }

    /// What the environment variable makes of it. What it asks for that is none is told on standard error, once.
    fn in_environment(self) -> Self {
        static TOLD: Once = Once::new();
        let Some(text) = std::env::var_os(VARIABLE) else { return self };
        self.changed(&text.to_string_lossy()).unwrap_or_else(|error| {
            TOLD.call_once(|| eprintln!("warning: {error}"));
            self
        })
    }

    /// `-lanes`, `reduction,arena`, `none`, `all`.
    fn changed(self, text: &str) -> Result<Self, String> {
        let items: Vec<&str> = text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        let listed = items.iter().any(|item| !item.starts_with('-') && *item != "all");
        let from = if listed { Self::as_written() } else { Self::default() };
        let afresh = listed || items.contains(&"all");
        let mut planning = if afresh { Self { left_out: from.left_out, ..self } } else { self };
        for item in items.into_iter().filter(|item| !matches!(*item, "all" | "none")) {
            let pass = Pass::named(item.trim_start_matches('-')).ok_or_else(|| unknown(item))?;
            planning = if item.starts_with('-') { planning.without(pass) } else { planning.with(pass) };
        }
        Ok(planning)
    }
}

fn unknown(item: &str) -> String {
    format!(
        "{VARIABLE} asks for the pass `{item}`, and changes nothing\n\
         help: name `unread`, `reduction`, `merging`, `fusion`, `registers`, `resident`, `lanes`, `gates`, `overlap` or `arena`, with a `-` in front to leave it out, `all` or `none`"
    )
}

/// All that a plan is made by beside the program and its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct How {
    pub(crate) planning: Planning,
    /// How long nodes take and the number of lanes that was best, if that was measured.
    pub(crate) tuned: Option<Arc<Tuned>>,
}

impl How {
    /// For a graph that is built for this device now.
    pub(crate) fn of(device: &Device) -> Self {
        Self { planning: device.planning().in_environment(), tuned: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(planning: Planning) -> Vec<&'static str> {
        Pass::ALL.into_iter().filter(|pass| planning.runs(*pass)).map(Pass::name).collect()
    }

    #[test]
    fn the_variable_names_what_runs_or_what_does_not() {
        let without = Planning::default().without(Pass::Arena).memory_budget(7);
        let changed = |text: &str| runs(without.changed(text).unwrap());
        assert_eq!(
            changed(""),
            ["unread", "reduction", "merging", "fusion", "registers", "resident loops", "lanes", "gates", "overlap"]
        );
        assert_eq!(
            changed("-lanes, -resident"),
            ["unread", "reduction", "merging", "fusion", "registers", "gates", "overlap"]
        );
        assert_eq!(changed("reduction,arena"), ["reduction", "arena"]);
        assert_eq!(changed("none"), [""; 0]);
        assert_eq!(changed("all"), Pass::ALL.map(Pass::name));
        assert_eq!(
            changed("all,-fusion"),
            ["unread", "reduction", "merging", "registers", "resident loops", "lanes", "gates", "overlap", "arena"]
        );
        assert_eq!(without.changed("none").unwrap().budget(), Some(7));
    }

    #[test]
    fn anything_else_is_refused_with_what_there_is() {
        for text in ["lane", "-all", "Lanes", "reduction;arena"] {
            let error = Planning::default().changed(text).unwrap_err();
            assert!(error.starts_with(&format!("CUDA_GRAPH_PASSES asks for the pass `{text}`")), "{error}");
            assert!(error.contains("`overlap` or `arena`"), "{error}");
        }
    }
}
