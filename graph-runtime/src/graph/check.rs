//! What a graph is bound to, against what it may be bound to.

use graph_ir::model::{Buffer, Memory, Origin, Program as Model};

use crate::buffer::{Binding, Exclusion, Layout, Leaf};
use crate::call::Objects;
use crate::device::Device;
use crate::element::ElementLayout;
use crate::error::{Error, NodeName, Result};
use crate::plan::Plan;

/// The parameters of a program, which are its first buffers.
pub(super) fn parameters(program: &Model) -> impl Iterator<Item = &Buffer> {
    program.parameters().map(|id| program.buffer(id))
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
    layout: &Layout,
    bound: &[Binding<'_>],
) -> Result<()> {
    let expected = parameters(program).count();
    if expected != layout.parameters() || elements.len() != program.buffers.len() {
        let message = format!("cuda_graph! internal error: {} buffers for {expected} parameters", layout.parameters());
        return Err(Error::Buffer(message));
    }
    for (leaf, binding) in layout.leaves().iter().zip(bound) {
        let element = layout.is_buffer(leaf.parameter).then(|| elements[leaf.parameter as usize]);
        one(device, program, leaf, element, binding)?;
    }
    super::alias::check(program, layout, bound)
}

/// Refuses events of other devices.
pub(super) fn objects(device: &Device, program: &Model, bound: &Objects) -> Result<()> {
    let declared = program.own_objects().len();
    if declared != bound.len() {
        let bound = bound.len();
        return Err(Error::Buffer(format!("cuda_graph! internal error: {bound} objects for {declared} parameters")));
    }
    for (index, object) in program.own_objects().iter().enumerate() {
        let Some(event) = bound.event(index as u32) else { continue };
        let (belongs, runs) = (event.device(), device.kind());
        if belongs != runs {
            let (graph, name) = (&program.name, &object.name);
            return Err(Error::Buffer(format!(
                "event `{name}` belongs to {belongs}, but graph `{graph}` is built on {runs}\n\
                 help: make the event on the device that the graph is built on"
            )));
        }
    }
    Ok(())
}

/// `element` is the one that is declared, where the macro knows it: rustc checks those of lists and structs.
fn one(
    device: &Device,
    program: &Model,
    leaf: &Leaf,
    element: Option<ElementLayout>,
    binding: &Binding<'_>,
) -> Result<()> {
    let (graph, name, buffer) = (&program.name, &leaf.name, &program.buffers[leaf.parameter as usize]);
    let (lies, runs) = (binding.allocation.backend().kind(), device.kind());
    if lies != runs {
        return Err(Error::Buffer(format!(
            "buffer `{name}` lies on {lies}, but graph `{graph}` is built on {runs}\n\
             help: make the buffer on the device that the graph is built on"
        )));
    }
    let Some(element) = element else { return Ok(()) };
    let memory = binding.allocation.memory();
    if buffer.memory != memory {
        return Err(Error::Buffer(format!("buffer `{name}` of graph `{graph}` {}", elsewhere(memory, buffer.memory))));
    }
    if element != binding.element {
        let (is, wanted) = (binding.element.name, element.name);
        return Err(Error::Buffer(format!(
            "buffer `{name}` of graph `{graph}` holds `{is}`, and must hold `{wanted}`"
        )));
    }
    if writes(buffer) && binding.exclusion == Exclusion::Shared {
        return Err(Error::Buffer(format!(
            "cuda_graph! internal error: `{name}` of graph `{graph}` is bound to {binding:?}"
        )));
    }
    Ok(())
}

/// What is said of a buffer that lies in one memory instead of another.
pub(super) fn elsewhere(is: Memory, wanted: Memory) -> String {
    let word = |memory| match memory {
        Memory::Device => "device memory",
        Memory::Host => "pinned memory of the host",
        Memory::Mailbox => "a mailbox",
    };
    format!("lies in {}, and must lie in {}", word(is), word(wanted))
}

/// Refuses writes to what an `Arc` in a struct shares with others.
pub(super) fn shared_writes(plan: &Plan, layout: &Layout, bound: &[Binding<'_>]) -> Result<()> {
    if !layout.has_structs() {
        return Ok(());
    }
    let program = &plan.program;
    for node in program.live_regions().iter().flat_map(|region| &program.region(*region).nodes) {
        for access in program.node(*node).accesses.iter().filter(|access| access.mode.writes()) {
            let Some(leaf) = plan.bound[access.buffer.0 as usize] else { continue };
            if bound[leaf as usize].exclusion == Exclusion::Shared {
                let (name, node) = (&layout.leaves()[leaf as usize].name, NodeName::of(program, *node));
                return Err(Error::Buffer(format!(
                    "{node} writes `{name}`, which is shared through an `Arc`\nhelp: let the struct own the buffer: `Buffer<T>`"
                )));
            }
        }
    }
    Ok(())
}
