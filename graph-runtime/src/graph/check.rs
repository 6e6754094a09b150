//! What a graph is bound to, against what it may be bound to.

use std::sync::Arc;

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Buffer, Origin, Program as Model};

use crate::buffer::{Binding, Exclusion};
use crate::device::Device;
use crate::element::ElementLayout;
use crate::error::{Error, Refusal, Result};

/// The parameters of a program, which are its first buffers.
pub(super) fn parameters(program: &Model) -> impl Iterator<Item = &Buffer> {
    program.buffers.iter().take_while(|buffer| matches!(buffer.origin, Origin::Parameter(_)))
}

/// Whether a graph writes a parameter.
pub(super) fn writes(buffer: &Buffer) -> bool {
    matches!(buffer.origin, Origin::Parameter(mode) if mode.writes())
}

/// Refuses buffers of other devices, of other types, and two names for one buffer.
pub(super) fn bindings(
    device: &Device,
    program: &Model,
    elements: &[ElementLayout],
    bound: &[Binding<'_>],
) -> Result<()> {
    let expected = parameters(program).count();
    if expected != bound.len() || elements.len() != program.buffers.len() {
        let message = format!("cuda_graph! internal error: {} buffers for {expected} parameters", bound.len());
        return Err(Error::Buffer(message));
    }
    for ((buffer, element), binding) in parameters(program).zip(elements).zip(bound) {
        one(device, program, buffer, *element, binding)?;
    }
    aliases(program, bound)
}

fn one(device: &Device, program: &Model, buffer: &Buffer, element: ElementLayout, binding: &Binding<'_>) -> Result<()> {
    let (graph, name) = (&program.name, &buffer.name);
    let (lies, runs) = (binding.allocation.backend().kind(), device.kind());
    if lies != runs {
        return Err(Error::Buffer(format!(
            "buffer `{name}` lies on {lies}, but graph `{graph}` is built on {runs}\n\
             help: make the buffer on the device that the graph is built on"
        )));
    }
    let exclusive = !writes(buffer) || binding.exclusion != Exclusion::Shared;
    if !exclusive || element != binding.element || buffer.memory != binding.allocation.memory() {
        return Err(Error::Buffer(format!(
            "cuda_graph! internal error: `{name}` of graph `{graph}` is bound to {binding:?}"
        )));
    }
    Ok(())
}

/// Borrowed and owned buffers cannot be named twice; this looks at what is bound, however it came to be.
fn aliases(program: &Model, bound: &[Binding<'_>]) -> Result<()> {
    let parameters: Vec<_> = parameters(program).zip(bound).collect();
    let mut findings = Vec::new();
    for (index, (later, binding)) in parameters.iter().enumerate() {
        let twin = parameters[..index].iter().find(|(earlier, other)| {
            let same = Arc::ptr_eq(&binding.allocation, &other.allocation) && binding.allocation.bytes() > 0;
            same && (writes(earlier) || writes(later))
        });
        if let Some((earlier, _)) = twin {
            let message = format!("`{}` and `{}` are bound to one buffer, and it is written", earlier.name, later.name);
            findings.push(
                Finding::error(Code::ALIAS, later.place, message).note_at(earlier.place, "the first is declared here"),
            );
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(Error::Refused(Refusal::new(program, findings))) }
}
