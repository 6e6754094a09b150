//! A kernel launch on the CPU: one call of the declaration's body.

use graph_ir::model::{Access, NodeId};

use super::run::Run;
use crate::error::{Error, NodeName, Result};
use crate::kernel::{CpuArgument, CpuLaunch, KernelDeclaration, ParameterKind, Touched};
use crate::plan::{KernelStep, Plan, Step, StepArgument};

/// The kernels that the plan launches and that have no CPU body, as a phrase: ``kernel `a` (src/a.rs:1:5) has``.
pub(super) fn missing_bodies(plan: &Plan) -> String {
    let mut kernels: Vec<&KernelDeclaration> = Vec::new();
    for (_, step) in plan.steps.iter() {
        let Step::Kernel(step) = step else { continue };
        let known = kernels.iter().any(|known| std::ptr::eq(*known, step.declaration));
        if step.declaration.cpu.is_none() && !known {
            kernels.push(step.declaration);
        }
    }
    let mut missing: Vec<String> = Vec::new();
    for KernelDeclaration { name, location: place, .. } in kernels {
        let text = format!("`{name}` ({}:{}:{})", place.file, place.line, place.column);
        if !missing.contains(&text) {
            missing.push(text);
        }
    }
    match &missing[..] {
        [] => String::new(),
        [one] => format!("kernel {one} has"),
        many => format!("kernels {} have", many.join(", ")),
    }
}

/// Runs the body over the whole grid.
pub(super) fn run(run: &Run<'_>, node: NodeId, step: &KernelStep) -> Result<()> {
    let Some(body) = step.declaration.cpu else {
        let name = NodeName::of(&run.plan.program, node);
        return Err(Error::Unavailable(format!("{name} has no CPU body")));
    };
    let (boxes, lists) = (boxes(step), lists(run, node, step));
    let argument = |index: usize| match &step.arguments[index] {
        &StepArgument::Buffer(access) => {
            let (address, elements) = elements(run, run.access(node, access));
            match boxes.iter().find(|(parameter, _)| *parameter == index) {
                Some((_, rows)) => rows.argument(address),
                None => CpuArgument::Buffer { address, elements },
            }
        }
        StepArgument::List { .. } => {
            let list = lists.iter().find(|(parameter, _)| *parameter == index);
            CpuArgument::List(list.map_or(&[][..], |(_, buffers)| buffers))
        }
        StepArgument::Value(bytes) => CpuArgument::Value(bytes),
        StepArgument::Condition => CpuArgument::Condition(run.condition_of(node)),
    };
    let arguments: Vec<_> = (0..step.arguments.len()).map(argument).collect();
    // SAFETY: the plan was built against this declaration: one argument per parameter, of its kind, element type and mode, values of its
    // size. Footprints lie in their buffers (rule CG0205), which the launch keeps, whose bytes are initialised and aligned to 256. Within
    // the launch rule CG0202 excludes conflicting arguments; other nodes that conflict are ordered by the plan's edges; other graphs and
    // the host are ordered by the allocations' uses.
    let launch = unsafe { CpuLaunch::new(&arguments) };
    body(&launch);
    Ok(())
}

/// The first element of an access, and how many there are.
fn elements(run: &Run<'_>, access: &Access) -> (*mut u8, usize) {
    let (address, bytes) = run.bytes(access);
    let element = run.plan.element(access.buffer);
    // A slice's address is never null, but where nothing is there may be no arena.
    let address = if bytes == 0 { element.align as u64 } else { address } as *mut u8;
    (address, bytes.checked_div(element.size).unwrap_or(0))
}

/// A table: addresses and numbers of elements.
type Table = Vec<(*mut u8, usize)>;

/// The lists among the arguments, by parameter.
fn lists(run: &Run<'_>, node: NodeId, step: &KernelStep) -> Vec<(usize, Table)> {
    let list = |(index, argument): (usize, &StepArgument)| match *argument {
        StepArgument::List { first, count } => {
            let buffers = (first..first + count).map(|access| elements(run, run.access(node, access)));
            Some((index, buffers.collect()))
        }
        _ => None,
    };
    step.arguments.iter().enumerate().filter_map(list).collect()
}

/// The boxes among the arguments, by parameter: most kernels have none.
fn boxes(step: &KernelStep) -> Vec<(usize, Touched)> {
    let parameters = step.declaration.parameters.iter().enumerate();
    let buffers = parameters.filter_map(|(index, parameter)| match parameter.kind {
        ParameterKind::Buffer { dimensions, .. } => Some((index, dimensions > 1)),
        _ => None,
    });
    let buffers: Vec<_> = buffers.collect();
    if !buffers.iter().any(|(_, shaped)| *shaped) {
        return Vec::new();
    }
    let values: Vec<&[u8]> = step.arguments.iter().filter_map(value).collect();
    // The plan has evaluated the same lengths.
    let touched = step.declaration.touched(&values).into_iter().flatten();
    buffers.into_iter().zip(touched).filter(|((_, shaped), _)| *shaped).map(|((index, _), one)| (index, one)).collect()
}

fn value(argument: &StepArgument) -> Option<&[u8]> {
    match argument {
        StepArgument::Value(bytes) => Some(bytes),
        _ => None,
    }
}
