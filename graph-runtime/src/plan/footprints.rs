//! What kernels touch, as their declarations say it.

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, Footprint, Mode, NodeId, Program};
use graph_ir::rules::length;
use graph_ir::rules::pieces::{self, Passed};

use super::build::internal_finding;
use super::declared::values;
use super::fit::{Misfit, fit};
use super::{KernelStep, Step, StepArgument};
use crate::element::ElementLayout;
use crate::kernel::length::WHOLE;
use crate::kernel::{KernelDeclaration, ParameterDeclaration, ParameterKind, Touched};

/// Narrows the footprint of each kernel argument to the elements that the declaration names; too few elements are a finding.
pub(super) fn narrow(
    program: &mut Program,
    steps: &[Option<Step>],
    elements: &[ElementLayout],
    findings: &mut Vec<Finding>,
) {
    for (index, step) in steps.iter().enumerate() {
        if let Some(Step::Kernel(step)) = step {
            narrow_one(program, NodeId(index as u32), step, elements, findings);
        }
    }
}

/// The same for one kernel.
pub(super) fn narrow_one(
    program: &mut Program,
    node: NodeId,
    step: &KernelStep,
    elements: &[ElementLayout],
    findings: &mut Vec<Finding>,
) {
    Launch { node, step, elements }.narrow(program, findings);
}

/// A buffer parameter of a kernel.
struct BufferParameter {
    name: &'static str,
    mode: Mode,
    element: ElementLayout,
}

struct Launch<'s> {
    node: NodeId,
    step: &'s KernelStep,
    elements: &'s [ElementLayout],
}

impl Launch<'_> {
    fn narrow(&self, program: &mut Program, findings: &mut Vec<Finding>) {
        let touched = match self.step.declaration.touched(&values(self.step)) {
            Ok(touched) => touched,
            Err(text) => return findings.push(self.no_length(program, &text)),
        };
        let declared = buffer_parameters(self.step.declaration);
        findings.extend(self.lists(program));
        let passed = self.step.arguments.iter().filter_map(|argument| match argument {
            StepArgument::Buffer(access) => Some(*access as usize),
            _ => None,
        });
        for ((access, parameter), touched) in passed.zip(declared).zip(touched) {
            if let Some(finding) = self.narrow_one(program, access, &parameter, &touched) {
                findings.push(finding);
            }
        }
    }

    /// The buffers of lists are passed whole; their types are compared.
    fn lists(&self, program: &Program) -> Option<Finding> {
        let accesses = &program.node(self.node).accesses;
        self.step.arguments.iter().zip(self.step.declaration.parameters).find_map(|(argument, declared)| {
            let (StepArgument::List { first, count }, &ParameterKind::List { mode, element }) =
                (argument, &declared.kind)
            else {
                return None;
            };
            let parameter = BufferParameter { name: declared.name, mode, element: element() };
            let passed = accesses.iter().skip(*first as usize).take(*count as usize);
            passed.clone().find_map(|access| self.disagreement(access, &parameter))
        })
    }

    fn narrow_one(
        &self,
        program: &mut Program,
        access: usize,
        parameter: &BufferParameter,
        touched: &Touched,
    ) -> Option<Finding> {
        let found = program.node(self.node).accesses.get(access)?;
        if let Some(finding) = self.disagreement(found, parameter) {
            return Some(finding);
        }
        if is_exact(program, found, touched) {
            return None;
        }
        let found = *found;
        let whole = Touched::new(&[found.footprint.elements()?], None);
        let touched = if touched.sizes() == [WHOLE] { &whole } else { touched };
        let shape = program.buffer(found.buffer).shape;
        match fit(touched, &found.footprint, &shape, found.mode == Mode::Overwrite) {
            Ok(narrowed) => {
                program.nodes[self.node.0 as usize].accesses[access].footprint = narrowed;
                None
            }
            Err(misfit) => Some(self.misfit(program, &found, touched, misfit)),
        }
    }

    /// rustc has checked modes and types, so this is a fault of ours.
    fn disagreement(&self, access: &Access, parameter: &BufferParameter) -> Option<Finding> {
        let element = self.elements[access.buffer.0 as usize];
        let same = access.mode == parameter.mode
            && element.size == parameter.element.size
            && element.align == parameter.element.align;
        (!same).then(|| {
            let what = format!(
                "kernel `{}` declares `{}` as `{}` of `{}`, and is given `{}` of `{}`",
                self.step.declaration.name,
                parameter.name,
                parameter.mode.sigil(),
                parameter.element.name,
                access.mode.sigil(),
                element.name
            );
            internal_finding(access.place, &what)
        })
    }

    fn misfit(&self, program: &Program, access: &Access, touched: &Touched, misfit: Misfit) -> Finding {
        let buffer = program.buffer(access.buffer);
        let text = if access.ranged {
            format!("{}[{}]", buffer.name, brackets(&access.footprint))
        } else {
            buffer.name.clone()
        };
        let (kernel, place, declared) = (self.step.declaration.name, access.place, buffer.place);
        let passed = Passed { text: &text, buffer: &buffer.name, kernel, place, declared };
        match misfit {
            Misfit::TooFew { needed, available } => {
                length::kernel_touches(&text, available, kernel, needed, place, declared)
            }
            Misfit::TooSmall => {
                let given = access.footprint.ranges().iter().map(|range| range.length().unwrap_or(0));
                length::kernel_touches_box(&passed, &given.collect::<Vec<_>>(), touched.sizes())
            }
            Misfit::Rows(rows) => {
                let [slices, height, row] = rows.sizes;
                pieces::in_rows(&passed, slices * height, row, rows.pitches[1])
            }
            Misfit::Distance { what, expected, found } => pieces::other_distance(&passed, what, expected, found),
            Misfit::Dimensions(found) => pieces::other_dimensions(&passed, touched.sizes().len(), found),
            Misfit::WithinRow(elements) => pieces::within_a_row(&passed, elements),
        }
    }

    fn no_length(&self, program: &Program, text: &str) -> Finding {
        let kernel = self.step.declaration.name;
        let message = format!("kernel `{kernel}` touches a number of elements that has no value");
        let declared = self.step.declaration.location;
        let place = format!("{}:{}:{}", declared.file, declared.line, declared.column);
        Finding::error(Code::LENGTH, program.node(self.node).place, message)
            .note(text)
            .note(format!("`{kernel}` is declared at {place}"))
    }
}

/// Whether a kernel touches exactly what it is given, in one dimension, as most do.
fn is_exact(program: &Program, access: &Access, touched: &Touched) -> bool {
    let [range] = access.footprint.ranges() else { return false };
    let line = program.buffer(access.buffer).shape.rank() == 1 && touched.is_dense();
    line && range.length().is_some_and(|length| touched.sizes() == [WHOLE] || touched.elements() == length)
}

/// `2..5`, `(0..4, 2..5)`
fn brackets(footprint: &Footprint) -> String {
    let text = |(start, end): (u64, u64)| format!("{start}..{end}");
    let ranges: Vec<_> = footprint.ranges().iter().filter_map(|range| range.numbers().map(text)).collect();
    if ranges.len() == 1 { ranges.concat() } else { format!("({})", ranges.join(", ")) }
}

fn buffer_parameters(declaration: &KernelDeclaration) -> impl Iterator<Item = BufferParameter> + use<> {
    let parameters = declaration.parameters.iter();
    let buffer = |parameter: &ParameterDeclaration| match parameter.kind {
        ParameterKind::Buffer { mode, element, .. } => {
            Some(BufferParameter { name: parameter.name, mode, element: element() })
        }
        _ => None,
    };
    parameters.filter_map(buffer)
}
