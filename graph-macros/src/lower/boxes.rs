//! Shapes of buffers, and the boxes that brackets name.

use graph_ir::model::{BufferId, Extent, Footprint, Range, Shape};
use graph_ir::rules::rank;
use proc_macro2::Ident;
use syn::Expr;

use super::evaluation::{Evaluation, LengthValue};
use super::parameters::is_length_name;
use super::symbols::integer;
use super::{Lowering, text};
use crate::syntax::ast;

impl Lowering<'_> {
    /// The length or the shape in a buffer's type; `bound` is the parameter that has it, if one does.
    pub(crate) fn shape(&mut self, bound: Option<&Ident>, length: &ast::Length) -> Shape {
        let Expr::Tuple(tuple) = text::bare(&length.expression) else {
            return self.length(&length.expression).into();
        };
        let sizes: Vec<_> = tuple.elems.iter().map(|size| self.size(bound, size)).collect();
        Shape::new(&sizes)
    }

    /// A length: a number, a name or an expression.
    fn length(&mut self, length: &Expr) -> Extent {
        integer(length).map_or_else(|| self.extent(length), Extent::Known)
    }

    fn size(&mut self, bound: Option<&Ident>, size: &Expr) -> Extent {
        let unknown = text::identifier(size).filter(|name| {
            let spelled = name.to_string();
            is_length_name(&spelled) && !self.constants.contains(&spelled) && self.scopes.find(&spelled).is_none()
        });
        let Some(name) = unknown else { return self.length(size) };
        let place = self.place(name.span());
        let spelled = name.to_string();
        if self.broken.insert(spelled.clone()) {
            let bound = bound.map(Ident::to_string);
            self.report(&rank::unknown_size(&spelled, bound.as_deref(), place));
        }
        self.extent(size)
    }

    /// Tells the evaluator the shape of a buffer of several dimensions.
    pub(crate) fn evaluate_shape(&mut self, name: &Ident, shape: &Shape) {
        if shape.rank() > 1 {
            let sizes = shape.sizes().iter().map(|size| LengthValue::of(*size)).collect();
            self.evaluate(Evaluation::Shaped { name: name.clone(), sizes });
        }
    }

    /// The box that brackets name. One range of a buffer of several dimensions is one of rows.
    pub(crate) fn footprint(&mut self, name: &Ident, written: &ast::Ranges, buffer: BufferId) -> Option<Footprint> {
        let shape = self.program.buffer(buffer).shape;
        if written.tuple && written.ranges.len() != shape.rank() {
            self.refuse_rank(name, buffer, written.ranges.len(), "..");
            return None;
        }
        let mut footprint = Footprint::whole(shape);
        for (index, range) in written.ranges.iter().enumerate() {
            let Some(size) = shape.sizes().get(index) else { break };
            let range = self.range(range, *size);
            footprint.ranges_mut()[index] = range;
        }
        Some(footprint)
    }

    fn range(&mut self, range: &ast::Range, size: Extent) -> Range {
        let start = range.start.as_ref().map_or(Extent::ZERO, |start| self.extent(start));
        let end = match &range.end {
            None => size,
            Some(end) if range.inclusive => self.after(end),
            Some(end) => self.extent(end),
        };
        Range { start, end }
    }

    /// The one element that an index names: one index for each dimension.
    pub(crate) fn element_of_buffer(&mut self, name: &Ident, index: &Expr, buffer: BufferId) -> Option<Footprint> {
        let indices: Vec<&Expr> = match text::bare(index) {
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        let rank = self.program.buffer(buffer).shape.rank();
        if indices.len() != rank {
            self.refuse_rank(name, buffer, indices.len(), "0");
            return None;
        }
        let mut ranges = Vec::new();
        for index in indices {
            ranges.push(self.single_index(index)?);
        }
        Some(Footprint::new(&ranges))
    }

    fn refuse_rank(&mut self, name: &Ident, buffer: BufferId, written: usize, part: &str) {
        let declared = self.program.buffer(buffer);
        let (rank, declared) = (declared.shape.rank(), declared.place);
        let parts = vec![part; rank].join(", ");
        let example = if rank == 1 { format!("{name}[{parts}]") } else { format!("{name}[({parts})]") };
        let place = self.place(name.span());
        let finding = rank::other_rank((&name.to_string(), declared), rank, written, &example, place);
        self.report(&finding);
    }
}

impl LengthValue {
    /// As the evaluator has it.
    pub(crate) fn of(extent: Extent) -> Self {
        match extent {
            Extent::Known(value) => Self::Known(value),
            Extent::Symbol(symbol) => Self::Symbol(symbol),
        }
    }
}
