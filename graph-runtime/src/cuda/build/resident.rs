//! Loops that one launch runs whole: its blocks stay on the device from the first pass to the last.

use std::collections::BTreeMap;

use graph_ir::model::{NodeId, NodeKind, RegionId};
use graph_ir::optimize::resident::Phase;

use super::arguments::Arguments;
use super::generated::Entered;
use super::region::Builder;
use super::sources::{Decision, Slot, Sources};
use super::work::{Spec, Work};
use super::writer::Writer;
use crate::compute::ComputeKind;
use crate::cuda::driver::{Attributes, Doing, Function, GraphRef};
use crate::error::{Error, NodeName, Result};
use crate::plan::{Parts, Plan, Resident, Step};
use crate::scalar::ptx::{Phases, reduce_geometry};

/// The threads of a block of most kernels that this crate writes, at most.
const THREADS: u32 = 256;

/// So many short blocks of a kernel one block runs faster, one behind another, than blocks wait for each other. Measured on an H200: a step
/// over 2048 elements takes half the time, a sum of as many, which has four, a fifth more.
const FEW: u32 = 2;

/// A loop's launch, loaded.
#[derive(Debug)]
pub(in crate::cuda) struct Whole {
    function: Function,
    /// The launches of a pass.
    phases: Vec<NodeId>,
    /// The most threads of a block.
    threads: u32,
}

/// A loop's launch, as written.
pub(super) struct Written {
    name: String,
    phases: Vec<NodeId>,
    threads: u32,
}

/// The loops of a plan that one launch can run, by node. Not every driver takes cooperative launches within bodies (rule R163).
pub(super) fn residents(plan: &Plan, parts: &Parts<'_>, within_bodies: bool) -> BTreeMap<NodeId, Resident> {
    let allowed = |resident: &Resident| within_bodies || plan.program.node(resident.node).region == RegionId::GRAPH;
    let residents = plan.residents(parts).into_iter().filter(allowed);
    residents.map(|resident| (resident.node, resident)).collect()
}

impl Writer<'_> {
    /// Puts a loop's kernels together. `None` if they are too many for one launch.
    pub(super) fn whole<'e>(
        &mut self,
        resident: &Resident,
        entered: &dyn Fn(NodeId, Slot) -> Option<&'e Entered>,
    ) -> Option<Written> {
        let name = |node, slot| Some(self.names[entered(node, slot)?.function].clone());
        let (mut pass, mut phases, mut threads) = (Vec::new(), Vec::new(), THREADS);
        for Phase { launch, waits } in &resident.phases {
            let phase = entered(*launch, Slot::Main)?;
            pass.push((self.names[phase.function].clone(), *waits));
            phases.push(*launch);
            threads = threads.max(self.threads(*launch, phase));
        }
        let (enter, again) = (name(resident.node, Slot::Main)?, name(resident.node, Slot::Again)?);
        let pass = pass.iter().map(|(name, waits)| (name.as_str(), *waits)).collect();
        self.module.name_after(&self.plan.program.node(resident.node).label);
        let name = self.module.resident(&Phases { enter: &enter, pass, again: &again }, threads)?;
        Some(Written { name, phases, threads })
    }

    /// How many threads a reduction's blocks have: where there is one block, it is a large one.
    fn threads(&self, node: NodeId, entered: &Entered) -> u32 {
        match self.plan.step(entered.last(node)) {
            Some(Step::Compute(step)) if !matches!(step.function.kind, ComputeKind::For(_)) => {
                reduce_geometry(step.function.count(), entered.lanes)[1][0]
            }
            _ => THREADS,
        }
    }
}

impl Written {
    /// Its entry's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its kernels, as nodes and which of their launches.
    pub(super) fn launches(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Slot)> {
        launches(node, &self.phases)
    }

    /// With its kernel loaded.
    pub(super) fn loaded(self, function: Function) -> Whole {
        Whole { function, phases: self.phases, threads: self.threads }
    }
}

/// The kernels of a loop in the order of their parameters: the node and which of its launches.
fn launches(node: NodeId, phases: &[NodeId]) -> impl Iterator<Item = (NodeId, Slot)> {
    let pass = phases.iter().map(|phase| (*phase, Slot::Main));
    [(node, Slot::Main)].into_iter().chain(pass).chain([(node, Slot::Again)])
}

impl Sources<'_> {
    /// The launch of a whole loop; nothing if one of its kernels has nothing to do or larger blocks
    /// than it was written for, and then the graph is built anew.
    pub(super) fn whole(&self, node: NodeId, whole: &Whole, arguments: &mut Arguments) -> Result<Work> {
        let Some(geometries) = self.geometries(node, whole)? else { return Ok(Work::Empty) };
        let threads: u32 = geometries.iter().map(|[_, block]| block.iter().product::<u32>()).max().unwrap_or(1);
        if threads > whole.threads {
            return Ok(Work::Empty);
        }
        let room = self.room(node, whole, threads)?;
        arguments.push_word(self.generated.scratch(node).unwrap_or_default()[1]);
        let (mut blocks, mut few) = (1, true);
        for ((inner, slot), geometry) in launches(node, &whole.phases).zip(geometries) {
            self.part(inner, slot, Decision::Handles(&[]), arguments)?;
            let grid = if self.is_for(inner) { clamped(geometry[0], room) } else { geometry[0] };
            let here = grid.iter().product::<u32>();
            blocks = blocks.max(here);
            few &= here == 1 || here <= FEW && self.is_short(inner);
            grid.iter().chain(&geometry[1]).for_each(|size| arguments.push_word(u64::from(*size)));
        }
        let geometry = [[if few { 1 } else { blocks.min(room) }, 1, 1], [threads, 1, 1]];
        let attributes = Attributes { cooperative: true, ..Attributes::default() };
        Ok(Work::Launch(Spec { function: whole.function, geometry, shared: 0, attributes }))
    }

    /// Whether each index of what a node launches does a few things, once.
    fn is_short(&self, node: NodeId) -> bool {
        let shared = self.generated.main(node).and_then(|entered| entered.shared.as_ref());
        let short = |node: NodeId| match &self.plan.program.node(node).kind {
            NodeKind::Compute(compute) => !compute.repeats(),
            _ => true,
        };
        shared.map_or_else(|| short(node), |shared| shared.members().all(short))
    }

    fn geometries(&self, node: NodeId, whole: &Whole) -> Result<Option<Vec<[[u32; 3]; 2]>>> {
        let mut scratch = Arguments::default();
        let geometry = |(inner, slot)| match self.part(inner, slot, Decision::Handles(&[]), &mut scratch)? {
            Work::Launch(spec) => Ok(Some(spec.geometry)),
            _ => Ok(None),
        };
        launches(node, &whole.phases).map(geometry).collect()
    }

    /// How many blocks are on the device at once.
    fn room(&self, node: NodeId, whole: &Whole, threads: u32) -> Result<u32> {
        let each = whole.function.resident_blocks(threads, 0);
        let name = || NodeName::of(&self.plan.program, node);
        Ok((each.at(name, "asking how many blocks run at once")? * self.generated.processors()).max(1))
    }
}

/// A grid of at most so many blocks: its kernel goes on with its stride.
fn clamped(grid: [u32; 3], room: u32) -> [u32; 3] {
    let mut left = room;
    grid.map(|blocks| {
        let blocks = blocks.clamp(1, left);
        left /= blocks;
        blocks
    })
}

impl Builder<'_> {
    /// Adds a whole loop as one launch.
    pub(super) fn whole(&mut self, graph: GraphRef, node: NodeId) -> Result<()> {
        self.arguments.clear();
        let work = self.sources.work(node, Slot::Main, Decision::Handles(&[]), &mut self.arguments)?;
        let Work::Launch(spec) = work else {
            let name = NodeName::of(&self.sources.plan.program, node);
            return Err(Error::Module(format!("internal error at {name}: a loop in one launch has nothing to launch")));
        };
        let mut params = work.params(self.arguments.all_pointers(), self.context);
        let added = self.add(graph, node, &mut params)?;
        self.placed.set_exit(node, added);
        // SAFETY: the node was added a moment ago, for a launch.
        let set = unsafe { spec.attributes.set(added) };
        set.at(|| NodeName::of(&self.sources.plan.program, node), "setting the attributes of its launch")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_fits_into_the_room_and_keeps_a_block_along_each_axis() {
        assert_eq!(clamped([4, 5, 6], 1000), [4, 5, 6]);
        assert_eq!(clamped([4, 5, 6], 100), [4, 5, 5]);
        assert_eq!(clamped([4, 50, 6], 100), [4, 25, 1]);
        assert_eq!(clamped([4096, 3, 2], 264), [264, 1, 1]);
    }
}
