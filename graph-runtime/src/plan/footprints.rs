//! What kernels touch, as their declarations say it.

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, Extent, Mode, NodeId, Program, Range};
use graph_ir::rules::length;

use super::build::internal_finding;
use super::{KernelStep, Step, StepArgument};
use crate::element::ElementLayout;
use crate::kernel::{KernelDeclaration, ParameterDeclaration, ParameterKind};

/// Narrows the footprint of each kernel argument to the elements that the declaration names; too few elements are a finding.
pub(super) fn narrow(
    program: &mut Program,
    steps: &[Option<Step>],
    elements: &[ElementLayout],
    findings: &mut Vec<Finding>,
) {
    for (index, step) in steps.iter().enumerate() {
        if let Some(Step::Kernel(step)) = step {
            Launch { node: NodeId(index as u32), step, elements }.narrow(program, findings);
        }
    }
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
        let needed = match (self.step.declaration.lengths)(&self.values()) {
            Ok(needed) => needed,
            Err(text) => return findings.push(self.no_length(program, &text)),
        };
        let declared = buffer_parameters(self.step.declaration);
        let passed = self.step.arguments.iter().filter_map(|argument| match argument {
            StepArgument::Buffer(access) => Some(*access as usize),
            StepArgument::Value(_) => None,
        });
        for ((access, parameter), needed) in passed.zip(declared).zip(needed) {
            if let Some(finding) = self.narrow_one(program, access, &parameter, needed) {
                findings.push(finding);
            }
        }
    }

    fn values(&self) -> Vec<&[u8]> {
        let value = |argument| match argument {
            &StepArgument::Buffer(_) => None,
            StepArgument::Value(bytes) => Some(&bytes[..]),
        };
        self.step.arguments.iter().filter_map(value).collect()
    }

    fn narrow_one(
        &self,
        program: &mut Program,
        access: usize,
        parameter: &BufferParameter,
        needed: u64,
    ) -> Option<Finding> {
        let found = *program.node(self.node).accesses.get(access)?;
        if let Some(finding) = self.disagreement(&found, parameter) {
            return Some(finding);
        }
        let available = found.footprint.elements()?;
        if needed > available {
            return Some(self.too_short(program, &found, needed, available));
        }
        if let [range] = program.nodes[self.node.0 as usize].accesses[access].footprint.ranges_mut() {
            range.end = Extent::Known(range.start.known()? + needed);
        }
        None
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

    fn too_short(&self, program: &Program, access: &Access, needed: u64, available: u64) -> Finding {
        let buffer = program.buffer(access.buffer);
        let name = match (access.ranged, access.footprint.ranges()) {
            (true, [range]) => format!("{}[{}]", buffer.name, range_text(*range)),
            _ => buffer.name.clone(),
        };
        let kernel = self.step.declaration.name;
        length::kernel_touches(&name, available, kernel, needed, access.place, buffer.place)
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

/// `2..5`
fn range_text(range: Range) -> String {
    range.numbers().map_or_else(String::new, |(start, end)| format!("{start}..{end}"))
}

fn buffer_parameters(declaration: &KernelDeclaration) -> Vec<BufferParameter> {
    let parameters = declaration.parameters.iter();
    let buffer = |parameter: &ParameterDeclaration| match parameter.kind {
        ParameterKind::Buffer { mode, element, .. } => {
            Some(BufferParameter { name: parameter.name, mode, element: element() })
        }
        ParameterKind::Value { .. } => None,
    };
    parameters.filter_map(buffer).collect()
}
