//! From the symbolic program and the values of its expressions to the plan.

use std::collections::BTreeMap;

use graph_ir::analysis::{dependences, topological};
use graph_ir::code::Code;
use graph_ir::concrete::{SymbolValue, concretize};
use graph_ir::finding::{Finding, Level};
use graph_ir::model::{Place, Program, RegionId, SymbolId, SymbolOrigin};
use graph_ir::{optimize, rules};

use super::{Arena, Plan, RegionPlan, footprints, lengths, steps};
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
    pub(crate) fn new(symbolic: &Program, sink: &Sink, tables: &Tables) -> Result<Self> {
        let mut program = concrete(symbolic, sink)?;
        let mut findings = lengths::check(symbolic, &program, sink.lengths());
        let steps = steps::all(&program, sink, tables, &mut findings);
        footprints::narrow(&mut program, &steps, &tables.elements, &mut findings);
        findings.extend(rules::check(&program).refuted);
        let program = accept(program, findings)?;
        let regions = regions(&program)?;
        let arena = Arena::of(&program, &tables.elements);
        Ok(Self { program, elements: tables.elements.clone(), regions, steps, arena })
    }
}

/// Refuses the errors among the findings, tells the warnings.
fn accept(program: Program, mut findings: Vec<Finding>) -> Result<Program> {
    findings.sort_by_key(|finding| (finding.place, finding.code));
    let (errors, warnings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.level == Level::Error);
    for warning in warnings {
        tracing::warn!("{}", warning.render(&program));
    }
    if errors.is_empty() { Ok(program) } else { Err(Error::Refused(Refusal::new(&program, errors))) }
}

/// The program with numbers. Amounts that came out negative are refused where the graph needs them.
fn concrete(symbolic: &Program, sink: &Sink) -> Result<Program> {
    let mut negative: BTreeMap<SymbolId, Finding> = BTreeMap::new();
    loop {
        let value = |symbol: SymbolId| match symbolic.symbol(symbol).origin {
            _ if negative.contains_key(&symbol) => Some(SymbolValue::Extent(0)),
            SymbolOrigin::BoundLength(buffer) if sink.symbol(symbol).is_none() => {
                sink.lengths().get(buffer.0 as usize).map(|length| SymbolValue::Extent(*length as u64))
            }
            _ => sink.symbol(symbol),
        };
        match concretize(symbolic, &value) {
            Ok(program) if negative.is_empty() => return Ok(program),
            Ok(program) => return Err(Error::Refused(Refusal::new(&program, negative.into_values().collect()))),
            Err(missing) if sink.negative().contains(&missing.symbol) => {
                let place = symbolic.symbol(missing.symbol).place;
                let message = format!("`{}` is negative, and used as {}", missing.text, missing.wanted);
                negative.insert(missing.symbol, Finding::error(Code::VALUE, place, message));
            }
            Err(missing) => {
                return Err(internal(symbolic, symbolic.symbol(missing.symbol).place, &missing.to_string()));
            }
        }
    }
}

/// The order and the edges of each live region.
fn regions(program: &Program) -> Result<Vec<Option<RegionPlan>>> {
    let mut regions = vec![None; program.regions.len()];
    for region in program.live_regions() {
        regions[region.0 as usize] = Some(region_plan(program, region)?);
    }
    Ok(regions)
}

fn region_plan(program: &Program, region: RegionId) -> Result<RegionPlan> {
    let nodes = &program.region(region).nodes;
    let mut edges = optimize::reduce(program, region, &dependences(program, region));
    edges.sort_by_key(|edge| (edge.to, edge.from));
    let cyclic =
        |error: graph_ir::analysis::order::Cyclic| internal(program, program.region(region).place, &error.to_string());
    let order = topological(nodes, &edges).map_err(cyclic)?;
    Ok(RegionPlan { order, edges })
}

/// A fault of ours, worded for a report.
pub(super) fn internal_finding(place: Place, what: &str) -> Finding {
    Finding::error(Code::INTERNAL, place, format!("cuda_graph! internal error: {what}"))
}

fn internal(program: &Program, place: Place, what: &str) -> Error {
    Error::Refused(Refusal::new(program, vec![internal_finding(place, what)]))
}
