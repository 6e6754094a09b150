//! From the symbolic program and the values of its expressions to the plan.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use graph_ir::analysis::{Edge, dependences, topological};
use graph_ir::code::Code;
use graph_ir::concrete::{BoundBuffer, Concrete, Exchanges, FrameId, ListedBuffer, SymbolValue, Values, concretize};
use graph_ir::finding::{Finding, Level};
use graph_ir::model::{BufferId, Family, NodeId, Place, Program, RegionId, SymbolId, SymbolOrigin};
use graph_ir::optimize::{self, Fusion, Memory, Overlap, Users};
use graph_ir::rules;

use super::bounded::Largest;
use super::merged::Filled;
use super::unread::drop_unread;
use super::{
    How, Origins, Pass, Plan, RegionPlan, Step, bounded, declared, footprints, indices, lengths, placed, statics, steps,
};
use crate::buffer::Leaf;
use crate::element::ElementLayout;
use crate::error::{Error, Refusal, Result};
use crate::kernel::KernelDeclaration;
use crate::program::Sink;

/// What generated code knows of a graph beside its program.
pub(crate) struct Tables {
    /// By the index in launches.
    pub(crate) kernels: Vec<&'static KernelDeclaration>,
    /// By buffer id.
    pub(crate) elements: Vec<ElementLayout>,
}

impl Plan {
    /// Checks the program with these values and plans it.
    ///
    /// # Errors
    /// If the rules refuse it, with all findings.
    // `cargo xtask planner-cost` counts what this function executes.
    #[inline(never)]
    pub(crate) fn new(
        symbolic: &Program,
        (sink, largest): (&Sink, Option<&Sink>),
        tables: &Tables,
        how: &How,
    ) -> Result<Self> {
        bounded::check(symbolic, sink)?;
        let Concrete { mut program, instances, nodes, buffers, bound, mut findings } = concrete(symbolic, sink)?;
        if findings.iter().any(|finding| matches!(finding.code, Code::SWAP | Code::INSIDE)) {
            // What is wrong with other buffers than those that were meant, or with parts that do not fit, is not worth saying.
            program = accept(symbolic, program, std::mem::take(&mut findings))?;
        }
        let largest = largest.map(|sink| Largest::of(symbolic, sink)).transpose()?;
        let elements = elements(symbolic, sink, tables, &buffers, &bound);
        let origins = Origins { instances, nodes };
        let room = largest.as_ref().map_or(&program, |largest| &largest.program);
        findings.extend(largest.iter().flat_map(|largest| largest.check(symbolic, &program, &buffers)));
        findings.extend(lost_casts(symbolic, sink));
        let declared = lengths::Declared { symbolic, concrete: room, origins: &buffers, bound: &bound };
        findings.extend(declared.check(sink.lengths()));
        let statics = statics::all(room, sink, (&elements, &buffers, &origins), &mut findings);
        let sources = steps::Sources { program: &program, origins: &origins, sink, tables, elements: &elements };
        let mut steps = sources.steps(&mut findings);
        declared::check(&mut program, &steps, &mut findings);
        footprints::narrow(&mut program, &steps, &elements, &mut findings);
        indices::check(&mut program, &steps, &elements, &mut findings);
        findings.extend(rules::check(&program).refuted);
        let mut wide = largest.as_ref().map(|largest| largest.footprints(symbolic, &program));
        findings.extend(wide.iter().flat_map(bounded::cycles));
        let mut program = accept(symbolic, program, findings)?;
        let unread = if how.planning.runs(Pass::Unread) {
            drop_unread(&mut program, wide.as_mut(), &mut steps, (symbolic, largest.as_ref()))
        } else {
            Vec::new()
        };
        let mut regions = ordered(&program, wide.as_ref(), how)?;
        // Where numbers vary, a setter puts those of single statements in place.
        let merged = if how.planning.runs(Pass::Merging) && wide.is_none() {
            Filled { origins: &origins, sink }.merge(&mut program, &mut steps, &mut regions)
        } else {
            Vec::new()
        };
        let room = largest.as_ref().map_or(&program, |largest| &largest.program);
        let users = if how.planning.runs(Pass::Registers) { Users::of(&program) } else { Users::default() };
        let sources =
            placed::Sources { program: &program, room, steps: &steps, elements: &elements, how, users: &users };
        let mut placed = sources.place(planned(sources, regions))?;
        sources.shape(&mut placed.regions);
        Ok(Self {
            program: Arc::new(program),
            origins: Arc::new(origins),
            bound: bound.into(),
            elements: elements.into(),
            regions: placed.regions.into(),
            steps: steps.into(),
            arena: Arc::new(placed.arena),
            statics: statics.into(),
            unread: unread.into(),
            merged: merged.into(),
            planning: how.planning,
            by: placed.by,
        })
    }
}

/// What `as` in host expressions would lose.
fn lost_casts(symbolic: &Program, sink: &Sink) -> impl Iterator<Item = Finding> {
    sink.lost_casts().iter().map(|lost| {
        let text = symbolic.cast(Place(lost.place)).map_or("as", |cast| &cast.text);
        let message = format!("`{text}` loses its value: {} does not fit `{}`", lost.value, lost.target);
        Finding::error(Code::VALUE, Place(lost.place), message)
            .help("convert to a type that holds it, or say what is meant, such as `.min(…)` or `.wrapping_…(…)`")
    })
}

/// By buffer id: those of lists are as they are bound, which rustc has checked.
fn elements(
    symbolic: &Program,
    sink: &Sink,
    tables: &Tables,
    buffers: &[(u32, BufferId)],
    bound: &[Option<u32>],
) -> Vec<ElementLayout> {
    let leaves = sink.layout().leaves();
    let element = |((_, buffer), leaf): (&(u32, BufferId), &Option<u32>)| match leaf.map(|leaf| leaf as usize) {
        Some(leaf) if symbolic.buffer(*buffer).family == Family::List => leaves[leaf].element,
        _ => tables.elements[buffer.0 as usize],
    };
    buffers.iter().zip(bound).map(element).collect()
}

/// Refuses the errors among the findings, tells the warnings.
fn accept(symbolic: &Program, program: Program, mut findings: Vec<Finding>) -> Result<Program> {
    findings.sort_by_key(|finding| (finding.place, finding.code));
    let (errors, warnings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.level == Level::Error);
    for warning in warnings {
        tracing::warn!("{}", warning.render(&program));
    }
    if errors.is_empty() {
        return Ok(program);
    }
    let errors = errors.into_iter().map(|error| rules::as_written(symbolic, &program, error)).collect();
    Err(Error::Refused(Refusal::new(&program, errors)))
}

/// The values of a graph whose amounts may be negative.
pub(super) struct Evaluated<'s> {
    pub(super) symbolic: &'s Program,
    pub(super) sink: &'s Sink,
    /// Known to be negative, and taken as zero.
    pub(super) negative: BTreeMap<(FrameId, SymbolId), Finding>,
}

impl<'s> Evaluated<'s> {
    pub(super) fn new(symbolic: &'s Program, sink: &'s Sink) -> Self {
        Self { symbolic, sink, negative: BTreeMap::new() }
    }
}

impl Values for Evaluated<'_> {
    fn value(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        if self.negative.contains_key(&(frame, symbol)) {
            return Some(SymbolValue::Extent(0));
        }
        let bound = || match self.symbolic.symbol(symbol).origin {
            SymbolOrigin::BoundLength(buffer) => Some(self.sink.bound_length(frame, buffer)),
            SymbolOrigin::Evaluated | SymbolOrigin::EachLength | SymbolOrigin::Bounded | SymbolOrigin::Varying => None,
        };
        self.sink.symbol(frame, symbol).or_else(|| bound().map(|length| SymbolValue::Extent(length as u64)))
    }

    fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        self.sink.passes(frame, node)
    }

    fn bound(&self) -> Vec<BoundBuffer> {
        let bound = |leaf: &Leaf| BoundBuffer {
            parameter: BufferId(leaf.parameter),
            name: leaf.name.clone(),
            length: leaf.length as u64,
            memory: leaf.memory,
        };
        self.sink.layout().leaves().iter().map(bound).collect()
    }

    fn listed(&self, frame: FrameId, list: BufferId) -> Option<(u32, u32)> {
        self.sink.listed(frame, list)
    }

    fn scattered(&self, frame: FrameId, symbol: SymbolId) -> Vec<ListedBuffer> {
        self.sink.scattered(frame, symbol).to_vec()
    }

    fn exchanges(&self) -> Exchanges {
        self.sink.exchanges().clone()
    }

    fn given_back(&self, frame: FrameId) -> Vec<(ListedBuffer, ListedBuffer)> {
        self.sink.given_back(frame).to_vec()
    }
}

/// The program with numbers. Amounts that came out negative are refused where the graph needs them.
pub(super) fn concrete(symbolic: &Program, sink: &Sink) -> Result<Concrete> {
    if let Some(node) = sink.endless() {
        let message = "this `for` makes more passes than a graph can have nodes";
        let finding = Finding::error(Code::VALUE, symbolic.node(node).place, message)
            .help("end the iterator, such as with `.take(n)`, or loop on the device: `loop limit n { … }`");
        return Err(Error::Refused(Refusal::new(symbolic, vec![finding])));
    }
    let mut values = Evaluated::new(symbolic, sink);
    loop {
        match concretize(symbolic, &values) {
            Ok(concrete) if values.negative.is_empty() => return Ok(concrete),
            Ok(concrete) => {
                let mut said = HashSet::new();
                let findings = values.negative.into_values().filter(|finding| said.insert(finding.clone()));
                return Err(Error::Refused(Refusal::new(&concrete.program, findings.collect())));
            }
            Err(missing) if sink.is_negative(missing.frame, missing.symbol) => {
                let place = symbolic.symbol(missing.symbol).place;
                let message = format!("`{}` is negative, and used as {}", missing.text, missing.wanted);
                let finding = Finding::error(Code::VALUE, place, message);
                values.negative.insert((missing.frame, missing.symbol), finding);
            }
            Err(missing) => {
                return Err(internal(symbolic, symbolic.symbol(missing.symbol).place, &missing.to_string()));
            }
        }
    }
}

/// Who waits for whom in a region.
pub(super) struct Ordered {
    /// A topological order: in text order among those that are ready.
    pub(super) order: Vec<NodeId>,
    /// After transitive reduction, sorted by (to, from).
    pub(super) edges: Vec<Edge>,
    implied: usize,
}

/// The order and the edges of each live region. `wide` has the footprints for every value up to the bounds.
fn ordered(program: &Program, wide: Option<&Program>, how: &How) -> Result<Vec<Option<Ordered>>> {
    let mut regions: Vec<Option<Ordered>> = program.regions.iter().map(|_| None).collect();
    for region in program.live_regions() {
        let mut edges = dependences(program, region);
        if let Some(wide) = wide {
            edges = bounded::united(edges, dependences(wide, region));
        }
        let cyclic = |error: graph_ir::analysis::order::Cyclic| {
            internal(program, program.region(region).place, &error.to_string())
        };
        // Reduction leaves the order as it is.
        let order = topological(&program.region(region).nodes, &edges).map_err(cyclic)?;
        let before = edges.len();
        if how.planning.runs(Pass::Reduction) {
            edges = optimize::reduce_in(&order, &edges);
        }
        let implied = before - edges.len();
        edges.sort_by_key(|edge| (edge.to, edge.from));
        regions[region.0 as usize] = Some(Ordered { order, edges, implied });
    }
    Ok(regions)
}

/// Who shares launches in regions that are ordered.
fn planned(sources: placed::Sources<'_>, regions: Vec<Option<Ordered>>) -> Vec<Option<RegionPlan>> {
    let plan = |(region, ordered): (u32, Option<Ordered>)| Some(region_plan(sources, RegionId(region), ordered?));
    (0..).zip(regions).map(plan).collect()
}

fn region_plan(sources: placed::Sources<'_>, region: RegionId, ordered: Ordered) -> RegionPlan {
    let placed::Sources { program, steps, how, users, .. } = sources;
    let Ordered { order, edges, implied } = ordered;
    let domains = |node: NodeId| match steps.get(node.0 as usize) {
        Some(Some(Step::Compute(step))) => Some(&step.function.axes),
        _ => None,
    };
    let bytes = |buffer| sources.bytes(buffer);
    let free = if how.planning.budget().is_some() { 0 } else { FREE };
    let memory = how.planning.runs(Pass::Arena).then_some(Memory { bytes: &bytes, users, free });
    let fusion = if how.planning.runs(Pass::Fusion) {
        optimize::fuse(program, region, &order, &edges, &domains, memory)
    } else {
        Fusion::default()
    };
    let fusion = fusion.in_registers(program, &order, users);
    RegionPlan { order, edges, implied, fusion, lanes: None, gates: Vec::new(), overlap: Overlap::default() }
}

/// So many bytes more may be needed at once for launches that are shared: the driver gives memory in pieces of this size.
const FREE: u64 = 2 << 20;

/// A fault of ours, worded for a report.
pub(super) fn internal_finding(place: Place, what: &str) -> Finding {
    Finding::error(Code::INTERNAL, place, format!("cuda_graph! internal error: {what}"))
}

pub(super) fn internal(program: &Program, place: Place, what: &str) -> Error {
    Error::Refused(Refusal::new(program, vec![internal_finding(place, what)]))
}
