//! Launches against what their declarations fix and require.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, Node, NodeId, NodeKind, Place, Program};
use graph_ir::rules::declared;
use smallvec::SmallVec;

use super::{KernelStep, Step, StepArgument};
use crate::element::ElementLayout;
use crate::error::panic_text;
use crate::kernel::{LaunchFacts, ParameterKind, Unmet};

/// Marks kernels that are declared with effects, and checks fixed blocks and requirements.
pub(super) fn check(program: &mut Program, steps: &[Option<Step>], findings: &mut Vec<Finding>) {
    for (index, step) in steps.iter().enumerate() {
        if let Some(Step::Kernel(step)) = step {
            check_one(program, NodeId(index as u32), step, findings);
        }
    }
}

/// The same for one kernel.
pub(super) fn check_one(program: &mut Program, id: NodeId, step: &KernelStep, findings: &mut Vec<Finding>) {
    let node = &mut program.nodes[id.0 as usize];
    node.effects |= step.declaration.effects;
    let found = block(node, step).or_else(|| requirement(node, step));
    findings.extend(found);
}

fn block(node: &Node, step: &KernelStep) -> Option<Finding> {
    let fixed = step.declaration.block?;
    let NodeKind::Kernel(launch) = &node.kind else { return None };
    (fixed != step.block).then(|| declared::other_block(step.declaration.name, step.block, fixed, launch.block.place))
}

/// The first requirement of the kernel's declaration that is not met.
pub(super) fn requirement(node: &Node, step: &KernelStep) -> Option<Finding> {
    let requires = step.declaration.requires?;
    let (values, Passed { lengths, lists }) = (values(step), step.passed.as_deref()?);
    // SAFETY: the values have the types of the declaration: steps are made from it.
    let facts = unsafe { LaunchFacts::new(&values, (lengths, lists), [step.grid, step.block]) };
    let name = step.declaration.name;
    match catch_unwind(AssertUnwindSafe(|| requires(&facts))) {
        Ok(None) => None,
        Ok(Some(unmet)) => {
            let known = unmet.names.iter().filter_map(|name| known(name, step, &values, (lengths, lists))).collect();
            Some(declared::unmet(name, unmet.text, known, place_of(node, &unmet)))
        }
        Err(panic) => {
            let message = format!("a requirement of kernel `{name}` panicked: {}", panic_text(panic));
            Some(Finding::error(Code::REQUIRES, node.place, message))
        }
    }
}

/// The block's place if only the block is required to be something, else the kernel's.
fn place_of(node: &Node, unmet: &Unmet) -> Place {
    match (&node.kind, unmet.names) {
        (NodeKind::Kernel(launch), ["block"]) => launch.block.place,
        (NodeKind::Kernel(launch), ["grid"]) => launch.grid.place,
        _ => node.place,
    }
}

/// The values that a kernel is given.
pub(super) fn values(step: &KernelStep) -> SmallVec<[&[u8]; 8]> {
    let mut values = SmallVec::new();
    for argument in &step.arguments {
        if let StepArgument::Value(bytes) = argument {
            values.push(&bytes[..]);
        }
    }
    values
}

/// How many elements a kernel is passed, before its declaration says how many it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    /// For each buffer.
    lengths: Vec<u64>,
    /// For each buffer of each list.
    lists: Vec<Vec<u64>>,
}

impl Passed {
    pub(super) fn of(node: &Node, arguments: &[StepArgument]) -> Self {
        let elements = |access: &Access| access.footprint.elements().unwrap_or(0);
        let mut passed = Self::default();
        for argument in arguments {
            match argument {
                StepArgument::Buffer(access) => passed.lengths.push(elements(&node.accesses[*access as usize])),
                StepArgument::List { first, count } => {
                    let accesses = node.accesses.iter().skip(*first as usize).take(*count as usize);
                    passed.lists.push(accesses.map(elements).collect());
                }
                StepArgument::Value(_) | StepArgument::Condition => {}
            }
        }
        passed
    }
}

/// ``` `n` is 10 ```
fn known(name: &str, step: &KernelStep, values: &[&[u8]], (lengths, lists): (&[u64], &[Vec<u64>])) -> Option<String> {
    match name {
        "grid" => return Some(format!("the grid is {:?}", step.grid)),
        "block" => return Some(format!("the block is {:?}", step.block)),
        _ => {}
    }
    let (mut value, mut buffer, mut list) = (0, 0, 0);
    for parameter in step.declaration.parameters {
        match &parameter.kind {
            ParameterKind::Value { layout } if parameter.name == name => {
                return number(values[value], layout()).map(|number| format!("`{name}` is {number}"));
            }
            ParameterKind::Buffer { .. } if parameter.name == name => {
                return Some(format!("`{name}` has {}", elements(lengths[buffer])));
            }
            ParameterKind::List { .. } if parameter.name == name => {
                return Some(format!("`{name}` has {}", buffers(&lists[list])));
            }
            ParameterKind::Value { .. } => value += 1,
            ParameterKind::Buffer { .. } => buffer += 1,
            ParameterKind::List { .. } => list += 1,
            ParameterKind::Condition => {}
        }
    }
    None
}

fn elements(count: u64) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

/// `3 buffers, of 4, 4 and 5 elements`
fn buffers(lengths: &[u64]) -> String {
    match lengths {
        [] => "no buffers".to_owned(),
        [one] => format!("1 buffer, of {}", elements(*one)),
        [first, rest @ ..] if rest.iter().all(|length| length == first) => {
            format!("{} buffers, of {} each", lengths.len(), elements(*first))
        }
        many => {
            let shown: Vec<String> = many.iter().take(8).map(u64::to_string).collect();
            let more = if many.len() > shown.len() { ", …" } else { "" };
            format!("{} buffers, of {}{more} elements", many.len(), shown.join(", "))
        }
    }
}

/// A number as Rust prints it.
fn number(bytes: &[u8], layout: ElementLayout) -> Option<String> {
    use graph_ir::model::ScalarType as Type;
    fn of<T: bytemuck::AnyBitPattern + ToString>(bytes: &[u8]) -> Option<String> {
        bytemuck::try_pod_read_unaligned::<T>(bytes).ok().map(|value| value.to_string())
    }
    match layout.scalar? {
        Type::Bool => Some((bytes != [0]).to_string()),
        Type::U8 => of::<u8>(bytes),
        Type::I8 => of::<i8>(bytes),
        Type::U16 => of::<u16>(bytes),
        Type::I16 => of::<i16>(bytes),
        Type::U32 => of::<u32>(bytes),
        Type::I32 => of::<i32>(bytes),
        Type::U64 => of::<u64>(bytes),
        Type::I64 => of::<i64>(bytes),
        Type::F32 => of::<f32>(bytes),
        Type::F64 => of::<f64>(bytes),
        Type::F16 => of::<half::f16>(bytes),
        Type::BF16 => of::<half::bf16>(bytes),
    }
}
