//! `static` buffers: what each is filled with when the graph is built.

use graph_ir::concrete::FrameId;
use graph_ir::finding::Finding;
use graph_ir::model::{Buffer, BufferId, HostValue, Memory, Origin, Place, Program};

use super::build::internal_finding;
use super::{Origins, literal};
use crate::element::ElementLayout;
use crate::program::{Bytes, Sink};

/// A `static` buffer of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StaticBuffer {
    /// Which of the program's buffers.
    pub(crate) buffer: BufferId,
    /// As declared.
    pub(crate) name: String,
    /// Its declaration.
    pub(crate) place: Place,
    /// Number of elements.
    pub(crate) length: u64,
    /// Its elements.
    pub(crate) element: ElementLayout,
    /// Device or pinned.
    pub(crate) memory: Memory,
    /// The bytes of one element at first.
    pub(crate) pattern: Vec<u8>,
}

/// All of a program, in order.
pub(super) fn all(
    program: &Program,
    sink: &Sink,
    (elements, buffers, origins): (&[ElementLayout], &[(u32, BufferId)], &Origins),
    findings: &mut Vec<Finding>,
) -> Vec<StaticBuffer> {
    let mut found = Vec::new();
    for ((id, buffer), element) in program.buffer_ids().zip(&program.buffers).zip(elements) {
        let Origin::Static(index) = buffer.origin else { continue };
        let pattern = match program.statics.get(index as usize) {
            Some(value) => {
                let frame = origins.instances[buffers[id.0 as usize].0 as usize].frame;
                pattern((program, buffer), value, *element, (sink, frame))
            }
            None => Err(internal_finding(buffer.place, "a `static` has no value")),
        };
        match pattern {
            Ok(pattern) => found.push(StaticBuffer {
                buffer: id,
                name: buffer.name.clone(),
                place: buffer.place,
                length: buffer.length().unwrap_or(0),
                element: *element,
                memory: buffer.memory,
                pattern,
            }),
            Err(finding) => findings.push(finding),
        }
    }
    found
}

fn pattern(
    (program, buffer): (&Program, &Buffer),
    value: &HostValue,
    element: ElementLayout,
    (sink, frame): (&Sink, FrameId),
) -> Result<Vec<u8>, Finding> {
    let symbol = match value {
        HostValue::Literal(text) => {
            let unfit = |message| Finding::error(graph_ir::code::Code::VALUE, buffer.place, message);
            return literal::bytes(text, element).map(Bytes::into_vec).map_err(unfit);
        }
        HostValue::Symbol(symbol) => *symbol,
    };
    match sink.typed(frame, symbol) {
        Some(typed) if typed.layout == element => Ok(typed.bytes.to_vec()),
        _ => {
            let text = &program.symbol(symbol).text;
            Err(internal_finding(buffer.place, &format!("`{text}` is no value for elements of `{}`", element.name)))
        }
    }
}
