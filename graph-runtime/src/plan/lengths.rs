//! Bound buffers against the lengths that their parameters declare.

use graph_ir::finding::Finding;
use graph_ir::model::{Buffer, BufferId, Extent, Place, Program, Shape, SymbolOrigin};
use graph_ir::rules::length::parameter_length;

/// What parameters declare, and what they are bound to.
pub(super) struct Declared<'p> {
    pub(super) symbolic: &'p Program,
    /// The same with numbers.
    pub(super) concrete: &'p Program,
    /// By buffer id: what it was made of.
    pub(super) origins: &'p [(u32, BufferId)],
    /// By buffer id: the number of what is bound.
    pub(super) bound: &'p [Option<u32>],
}

impl Declared<'_> {
    /// One finding per buffer of another length. `lengths` goes by the number of what is bound.
    pub(super) fn check(&self, lengths: &[usize]) -> Vec<Finding> {
        let buffers = self.concrete.buffers.iter().zip(self.origins).zip(self.bound);
        let wrong = |((buffer, (_, origin)), leaf): ((&Buffer, &(u32, BufferId)), &Option<u32>)| {
            let length = *lengths.get((*leaf)? as usize)? as u64;
            let value = buffer.length().filter(|value| *value != length)?;
            let declared = &self.symbolic.buffer(*origin).shape;
            let text = product_text(self.symbolic, declared);
            let first = declared.line().and_then(|length| first_with(self.symbolic, length));
            Some(parameter_length(&buffer.name, length, &text, value, buffer.place, first))
        };
        buffers.filter_map(wrong).collect()
    }
}

/// `n`, `h * w`.
fn product_text(program: &Program, shape: &Shape) -> String {
    let whole = shape.rank() == 1;
    let size = |size: &Extent| {
        let text = program.extent_text(*size);
        if whole || text.chars().all(|c| c.is_alphanumeric() || c == '_') { text } else { format!("({text})") }
    };
    shape.sizes().iter().map(size).collect::<Vec<_>>().join(" * ")
}

/// The parameter whose bound buffer gives a length name its value.
fn first_with(program: &Program, length: Extent) -> Option<(&str, Place)> {
    let Extent::Symbol(symbol) = length else { return None };
    let SymbolOrigin::BoundLength(first) = program.symbol(symbol).origin else { return None };
    let first = program.buffer(first);
    Some((&first.name, first.place))
}
