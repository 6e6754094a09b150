//! Lanes and memory: who runs behind whom beyond what the block demands, and where transients lie then.
//!
//! The two go together. What runs one behind another can share memory, so where there is a budget, fewer lanes are tried until it is kept.

use std::sync::Arc;

use graph_ir::model::{BufferId, NodeId, Program, RegionId};
use graph_ir::optimize::lanes::{Given, Laid, UNKNOWN, Urgency, lay};
use graph_ir::optimize::{Overlap, Users};

use super::{Arena, How, Pass, RegionPlan, Step};
use crate::element::ElementLayout;
use crate::error::{Error, Result, size_text};

/// What has decided how many lanes there are at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum By {
    /// Nobody knows how long nodes take.
    #[default]
    Unknown,
    /// The program asks for as many.
    Asked,
    /// As many as fit into the memory that there may be.
    Budget,
    /// As many as were the best when it was measured, or estimated.
    Tuned { estimated: bool },
    /// It was measured, but the graph has another structure by now.
    Outgrown,
}

/// What was measured of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tuned {
    /// Of the structure that was measured: [`super::key::structure`].
    pub(crate) structure: String,
    /// At most; none without lanes.
    pub(crate) lanes: Option<u32>,
    /// By node id, in nanoseconds.
    pub(crate) durations: Arc<[u64]>,
    /// By a model, not by launches.
    pub(crate) estimated: bool,
}

/// What lanes and memory are made of.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) program: &'a Program,
    /// With the largest lengths that the values may have.
    pub(super) room: &'a Program,
    pub(super) steps: &'a [Option<Step>],
    pub(super) elements: &'a [ElementLayout],
    pub(super) how: &'a How,
    /// Of transients that may stay in registers.
    pub(super) users: &'a Users,
}

/// What came of them.
pub(super) struct Placed {
    pub(super) regions: Vec<Option<RegionPlan>>,
    pub(super) arena: Arena,
    pub(super) by: By,
}

impl Sources<'_> {
    /// How much memory a buffer may need.
    pub(super) fn bytes(&self, buffer: BufferId) -> u64 {
        let length = self.room.buffer(buffer).length().unwrap_or(0);
        length.saturating_mul(self.elements[buffer.0 as usize].size as u64)
    }

    /// Deals regions as they are written onto lanes, and gives transients their places.
    pub(super) fn place(self, regions: Vec<Option<RegionPlan>>) -> Result<Placed> {
        let (most, by, tuned) = self.most(&regions);
        let laid = most.and_then(|most| self.on(&regions, most, (tuned, Urgency::LongestPath)));
        let arena = self.arena(laid.as_deref().unwrap_or(&regions));
        match self.how.planning.budget() {
            Some(budget) if arena.device_bytes > budget => {
                self.within(budget, (&regions, arena.device_bytes), tuned, (most.unwrap_or(UNKNOWN), by))
            }
            _ => Ok(Placed { regions: laid.unwrap_or(regions), arena, by }),
        }
    }

    /// How many lanes there may be, why, and what is known of durations.
    fn most(&self, regions: &[Option<RegionPlan>]) -> (Option<u32>, By, Option<&Tuned>) {
        let How { planning, tuned } = self.how;
        if !planning.runs(Pass::Lanes) {
            return (None, By::Unknown, None);
        }
        let measured = tuned.as_deref();
        let step = |node: NodeId| self.steps.get(node.0 as usize).and_then(Option::as_ref);
        let structure = || super::key::structure(self.program, step, regions);
        let tuned = measured.filter(|tuned| tuned.structure == structure());
        match (tuned, planning.most_lanes()) {
            (Some(tuned), _) => (tuned.lanes, By::Tuned { estimated: tuned.estimated }, Some(tuned)),
            (None, Some(most)) => (Some(most), By::Asked, None),
            (None, None) if measured.is_some() => (Some(UNKNOWN), By::Outgrown, None),
            (None, None) => (Some(UNKNOWN), By::Unknown, None),
        }
    }

    /// The regions on at most so many lanes; `None` if none of them is wider.
    fn on(
        self,
        regions: &[Option<RegionPlan>],
        most: u32,
        by: (Option<&Tuned>, Urgency),
    ) -> Option<Vec<Option<RegionPlan>>> {
        let mut all: Option<Vec<Option<RegionPlan>>> = None;
        for (at, region) in regions.iter().enumerate() {
            let Some(region) = region else { continue };
            if let Some(laid) = self.laid(RegionId(at as u32), region, most, by) {
                all.get_or_insert_with(|| regions.to_vec())[at] = Some(laid);
            }
        }
        all
    }

    fn laid(
        self,
        id: RegionId,
        region: &RegionPlan,
        most: u32,
        (tuned, urgency): (Option<&Tuned>, Urgency),
    ) -> Option<RegionPlan> {
        let known = |node: NodeId| tuned.and_then(|tuned| tuned.durations.get(node.0 as usize)).copied();
        // What lies between a node and the next one, beside their work.
        let durations = |node: NodeId| known(node).map_or(1, |time| time.saturating_add(BETWEEN));
        let RegionPlan { order, edges, fusion, .. } = region;
        let given = Given { order, edges, fusion, durations: &durations, urgency };
        let Laid { order, edges, lanes } = lay(self.program, id, given, most)?;
        let (fusion, implied) = (fusion.clone(), region.implied);
        let (gates, overlap) = (Vec::new(), Overlap::default());
        Some(RegionPlan { order, edges, lanes: Some(lanes), fusion, implied, gates, overlap })
    }

    fn arena(self, regions: &[Option<RegionPlan>]) -> Arena {
        Arena::of(self.program, &|buffer| self.bytes(buffer), regions, self.how.planning.runs(Pass::Arena))
    }

    /// On as many lanes as the budget allows, then with a launch for each statement. `first`: how many bytes are needed without it.
    fn within(
        self,
        budget: u64,
        (regions, first): (&[Option<RegionPlan>], u64),
        tuned: Option<&Tuned>,
        (most, by): (u32, By),
    ) -> Result<Placed> {
        let mut least = first;
        if let Some(placed) = self.on_fewer(budget, regions, tuned, (most, by), &mut least) {
            return Ok(placed);
        }
        if regions.iter().flatten().any(|region| !region.fusion.groups.is_empty()) {
            let regions: Vec<_> = regions.iter().map(|region| Some(self.forgone(region.as_ref()?))).collect();
            let arena = self.arena(&regions);
            if arena.device_bytes <= budget {
                return Ok(Placed { regions, arena, by });
            }
            least = least.min(arena.device_bytes);
            if let Some(placed) = self.on_fewer(budget, &regions, tuned, (most, by), &mut least) {
                return Ok(placed);
            }
        }
        Err(Error::Buffer(self.too_little(budget, least, first)))
    }

    /// On as many lanes as the budget allows; if it allows none, `least` is what was found to be needed.
    fn on_fewer(
        self,
        budget: u64,
        regions: &[Option<RegionPlan>],
        tuned: Option<&Tuned>,
        (most, by): (u32, By),
        least: &mut u64,
    ) -> Option<Placed> {
        let fewer = FEWER.into_iter().filter(|lanes| *lanes < most);
        let tried = std::iter::once(most).chain(fewer).filter(|_| self.how.planning.runs(Pass::Lanes));
        for lanes in tried {
            let Some(regions) = self.on(regions, lanes, (tuned, Urgency::AsWritten)) else { continue };
            let arena = self.arena(&regions);
            if arena.device_bytes <= budget {
                let by = if lanes == most && by != By::Unknown { by } else { By::Budget };
                return Some(Placed { regions, arena, by });
            }
            *least = (*least).min(arena.device_bytes);
        }
        None
    }

    fn forgone(self, region: &RegionPlan) -> RegionPlan {
        let fusion = region.fusion.forgone(self.program, &region.order, self.users);
        RegionPlan { fusion, ..region.clone() }
    }

    fn too_little(self, budget: u64, least: u64, first: u64) -> String {
        let (name, [budget, first]) = (&self.program.name, [budget, first].map(size_text));
        let tried = if self.how.planning.runs(Pass::Lanes) {
            format!("on fewer lanes, down to one, they need at least {}", size_text(least))
        } else {
            "the pass `lanes` is off, so fewer of them were not tried to run side by side".to_owned()
        };
        format!(
            "the transients of graph `{name}` need {first} of device memory, and its memory budget is {budget}\n\
             note: {tried}\n\
             help: give it a budget of at least {least} bytes"
        )
    }
}

/// Nanoseconds on the device between the end of a kernel and the begin of the one behind it.
pub(super) const BETWEEN: u64 = 500;

/// The numbers of lanes that are tried for a budget.
const FEWER: [u32; 7] = [64, 32, 16, 8, 4, 2, 1];
