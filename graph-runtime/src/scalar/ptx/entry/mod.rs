//! The kinds of entries, one file each.

mod assertion;
mod assignment;
mod branch;
mod choice;
mod compute;
mod decision;
mod fill;
mod fill_any;
mod fill_rows;
mod pass;

use std::collections::BTreeSet;

pub(super) use choice::{Ranges, ranges};
use graph_ir::model::{ScalarType, SymbolId};

use super::parameter::{PERIODIC, Parameter, Target};
use crate::scalar::compute::TypedCompute;
use crate::scalar::typing::Typed;

/// One of several assignments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Assigned {
    /// The access whose element is assigned.
    pub(super) target: u32,
    /// What it is stored as.
    pub(super) storage: ScalarType,
    pub(super) value: Typed,
    /// The accesses of the same element.
    pub(super) same: Vec<u32>,
    /// The accesses of what may be the same element.
    pub(super) others: Vec<u32>,
    /// The target is in a mailbox.
    pub(super) mailbox: bool,
}

/// What an entry does; equal keys are one entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// What the target's element is stored as, and the value.
    Assignment(ScalarType, Typed),
    Assignments(Vec<Assigned>),
    Assert(Typed),
    Branch(Target, Typed),
    Choice {
        target: Target,
        value: Typed,
        arms: Vec<Ranges>,
        otherwise: bool,
    },
    Enter(Target, Option<Typed>),
    /// Assignments, and then the test.
    Again(Target, Vec<Assigned>, Option<Typed>),
    Counted(Target),
    Fill,
    FillAny(u32),
    Compute(Box<TypedCompute>),
    FillRows(u32),
    Gate,
}

impl Key {
    /// The start of the entry's name.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Assignment(..) | Self::Assignments(_) => "assign",
            Self::Assert(_) => "assert",
            Self::Branch(..) => "if",
            Self::Choice { .. } => "match",
            Self::Enter(..) => "enter",
            Self::Again(..) => "again",
            Self::Counted(_) => "counted",
            Self::Fill => "fill",
            Self::FillAny(_) => "fill_any",
            Self::Compute(compute) if compute.reduction.is_some() => "reduce",
            Self::Compute(_) => "each",
            Self::FillRows(_) => "fill_rows",
            Self::Gate => "gate",
        }
    }

    /// What it is launched with; host values are numbered from 0.
    pub(super) fn parameters(&self, hosts: usize) -> Vec<Parameter> {
        let mut parameters = self.own_parameters();
        let values = self.assigned().iter().map(|assigned| &assigned.value).chain(self.expression());
        let named = values.flat_map(Typed::accesses);
        let accesses: BTreeSet<u32> = named.chain(self.assigned().iter().map(|assigned| assigned.target)).collect();
        parameters.extend(accesses.into_iter().map(Parameter::Access));
        if matches!(self, Self::Assignment(..)) && !parameters.contains(&Parameter::Access(0)) {
            parameters.insert(0, Parameter::Access(0));
        }
        parameters.extend((0..hosts as u32).map(|slot| Parameter::Host(SymbolId(slot))));
        parameters
    }

    /// The lines between the braces.
    pub(super) fn text(&self, parameters: &[Parameter]) -> String {
        match self {
            Self::Assignment(storage, value) => assignment::text(*storage, value),
            Self::Assignments(assignments) => assignment::several(assignments),
            Self::Assert(test) => assertion::text(test),
            Self::Branch(target, test) => branch::text(*target, test),
            Self::Choice { target, value, arms, .. } => choice::text(*target, value, arms, handles(parameters)),
            Self::Enter(target, test) => pass::enter(*target, test.as_ref()),
            Self::Again(target, assignments, test) => pass::again(*target, assignments, test.as_ref()),
            Self::Counted(target) => pass::counted(*target),
            Self::Fill => fill::TEXT.to_owned(),
            Self::FillAny(_) => fill_any::TEXT.to_owned(),
            Self::Compute(compute) => compute::text(compute),
            Self::FillRows(_) => fill_rows::TEXT.to_owned(),
            Self::Gate => "\tret;\n".to_owned(),
        }
    }

    fn own_parameters(&self) -> Vec<Parameter> {
        match self {
            Self::Assignment(..) | Self::Assignments(_) | Self::Gate => Vec::new(),
            Self::Compute(compute) => compute::parameters(compute),
            Self::Assert(_) => vec![Parameter::Fault, Parameter::Site],
            Self::Branch(target, _) => decided(*target, 2),
            Self::Choice { target, arms, otherwise, .. } => decided(*target, arms.len() as u32 + u32::from(*otherwise)),
            Self::Enter(target, _) => [decided(*target, 1), vec![Parameter::State, Parameter::Limit]].concat(),
            Self::Again(target, ..) | Self::Counted(target) => {
                [decided(*target, 1), vec![Parameter::State, Parameter::Limit, Parameter::Every]].concat()
            }
            Self::Fill => vec![Parameter::Access(0), Parameter::Bytes, Parameter::Pattern(PERIODIC)],
            Self::FillAny(capacity) => {
                vec![Parameter::Access(0), Parameter::Bytes, Parameter::Size, Parameter::Pattern(*capacity)]
            }
            Self::FillRows(capacity) => vec![
                Parameter::Access(0),
                Parameter::Bytes,
                Parameter::Size,
                Parameter::Rows,
                Parameter::Height,
                Parameter::Pitch,
                Parameter::Slice,
                Parameter::Pattern(*capacity),
            ],
        }
    }

    /// What the assembler is told beside the lines.
    pub(super) fn directive(&self) -> String {
        match self {
            Self::Compute(compute) => format!(".maxntid {}, 1, 1\n", compute::threads(compute)),
            _ => String::new(),
        }
    }

    /// How many indices a thread of a kernel in the block takes at a time.
    pub(super) fn lanes(&self) -> u32 {
        match self {
            Self::Compute(compute) => compute::lanes(compute),
            _ => 1,
        }
    }

    /// Whether it numbers elements in 32 bits.
    pub(super) fn narrow(&self) -> bool {
        matches!(self, Self::Compute(compute) if compute.narrow)
    }

    fn assigned(&self) -> &[Assigned] {
        match self {
            Self::Assignments(assignments) | Self::Again(_, assignments, _) => assignments,
            _ => &[],
        }
    }

    fn expression(&self) -> Option<&Typed> {
        match self {
            Self::Assignment(_, value) | Self::Assert(value) | Self::Branch(_, value) | Self::Choice { value, .. } => {
                Some(value)
            }
            Self::Enter(_, test) | Self::Again(.., test) => test.as_ref(),
            Self::Counted(_)
            | Self::Fill
            | Self::FillAny(_)
            | Self::FillRows(_)
            | Self::Gate
            | Self::Compute(_)
            | Self::Assignments(_) => None,
        }
    }
}

/// Where a decision among `bodies` goes.
fn decided(target: Target, bodies: u32) -> Vec<Parameter> {
    match target {
        Target::Node => vec![Parameter::Handle(0)],
        Target::Row => (0..bodies).map(Parameter::Handle).collect(),
        Target::Memory => vec![Parameter::Value],
        Target::Register => Vec::new(),
    }
}

fn handles(parameters: &[Parameter]) -> u32 {
    parameters.iter().filter(|parameter| matches!(parameter, Parameter::Handle(_))).count() as u32
}
