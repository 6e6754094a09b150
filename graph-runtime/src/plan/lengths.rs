//! Bound buffers against the lengths that their parameters declare.

use graph_ir::finding::Finding;
use graph_ir::model::{Buffer, Extent, Origin, Place, Program, Shape, SymbolOrigin};
use graph_ir::rules::length::parameter_length;

/// One finding per buffer of another length. `concrete` is `symbolic` with numbers; `bound` goes by buffer id.
pub(super) fn check(symbolic: &Program, concrete: &Program, bound: &[usize]) -> Vec<Finding> {
    let declared = symbolic.buffers.iter().zip(&concrete.buffers);
    let wrong = |((symbolic_buffer, buffer), length): ((&Buffer, &Buffer), &usize)| {
        let (value, length) = (buffer.length()?, *length as u64);
        let parameter = matches!(buffer.origin, Origin::Parameter(_));
        (parameter && length != value).then(|| {
            let text = product_text(symbolic, &symbolic_buffer.shape);
            let first = symbolic_buffer.shape.line().and_then(|length| first_with(symbolic, length));
            parameter_length(&buffer.name, length, &text, value, buffer.place, first)
        })
    };
    declared.zip(bound).filter_map(wrong).collect()
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
