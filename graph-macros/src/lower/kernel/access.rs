//! What a body does with its buffers: one use for each index, from which the node's accesses are made.

use graph_ir::code::Code;
use graph_ir::model::{Access, BufferId, Extent, Footprint, Mode, Place, Range, Shape, Verdict};
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::Expr;

use super::Body;
use super::polynomial::{Polynomial, of_host};
use super::span::{Interval, Span as Elements, span};
use crate::diagnostic::Diagnostic;
use crate::lower::member::Named;

/// All that a body does with a buffer at one index.
#[expect(clippy::struct_excessive_bools, reason = "facts that hold or not, whatever the others are")]
pub(super) struct Use {
    pub(super) buffer: BufferId,
    /// The buffer's name, as written.
    pub(super) name: String,
    /// `x[i + 1]`
    pub(super) text: String,
    pub(super) span: Span,
    place: Place,
    /// `None` for what depends on the device's data.
    pub(super) coordinates: Vec<Option<Polynomial>>,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Something is read that the same index has not written before.
    needs_old: bool,
    /// Each index writes it, whatever happens.
    surely_written: bool,
    /// Each index touches it, unless a loop around it has no pass.
    surely: bool,
    /// It is the element that a reduction writes.
    target: bool,
}

impl Use {
    /// Whether it is what a reduction writes, behind all indices.
    pub(super) fn is_target(&self) -> bool {
        self.target
    }

    /// Whether the dimensions run independently of each other.
    fn is_a_box(&self) -> bool {
        let mut all: Vec<usize> = self.coordinates.iter().flatten().flat_map(Polynomial::iterations).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        all.len() == count
    }
}

/// A use at a place in the text.
pub(super) struct NewUse<'a> {
    pub(super) buffer: BufferId,
    pub(super) name: &'a Ident,
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) coordinates: Vec<Option<Polynomial>>,
}

impl Body<'_, '_> {
    /// The use that this is part of.
    pub(super) fn used(&mut self, new: NewUse<'_>) -> usize {
        let known = new.coordinates.iter().all(Option::is_some);
        let same = |used: &Use| {
            let equal = used.coordinates == new.coordinates && (known || used.text == new.text);
            used.buffer == new.buffer && equal && !used.target
        };
        if let Some(at) = self.uses.iter().position(same) {
            return at;
        }
        let place = self.lowering.place(new.name.span());
        self.uses.push(Use {
            buffer: new.buffer,
            name: new.name.to_string(),
            text: new.text,
            span: new.span,
            place,
            coordinates: new.coordinates,
            reads: false,
            writes: false,
            needs_old: false,
            surely_written: false,
            surely: false,
            target: false,
        });
        self.uses.len() - 1
    }

    /// The target of a reduction, which is the first use, as the evaluator calls it.
    pub(super) fn target(&mut self, target: &crate::syntax::ast::BufferPlace, accumulate: bool) -> Option<Ident> {
        let Named { buffer, name: evaluated } = self.lowering.target(target)?;
        self.lowering.element_of_buffer(&target.name, &target.index, buffer)?;
        let indices: Vec<&Expr> = match crate::lower::text::bare(&target.index) {
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        let coordinates = indices.into_iter().map(|index| Some(self.host_polynomial(index))).collect();
        let text = format!("{}[{}]", self.lowering.program.buffer(buffer).name, crate::lower::text::of(&target.index));
        let (name, span) = (&target.name, target.name.span());
        let at = self.used(NewUse { buffer, name, text, span, coordinates });
        let used = &mut self.uses[at];
        (used.writes, used.surely_written, used.surely, used.target) = (true, true, true, true);
        (used.reads, used.needs_old) = (accumulate, accumulate);
        Some(evaluated)
    }

    /// An element that the host chooses is there, whether or not the body gets to it.
    pub(super) fn note_fixed(&mut self, at: usize) {
        self.uses[at].surely = true;
    }

    pub(super) fn note_load(&mut self, at: usize) {
        let old = !self.written.contains(&at);
        let surely = self.conditions == 0;
        let used = &mut self.uses[at];
        used.reads = true;
        used.needs_old |= old;
        used.surely |= surely;
    }

    pub(super) fn note_store(&mut self, at: usize) {
        let surely = self.conditions == 0;
        let used = &mut self.uses[at];
        used.writes = true;
        used.surely |= surely;
        let each = |used: &Use| {
            let occurs = |iteration| used.coordinates.iter().flatten().any(|c| c.iterations().contains(iteration));
            self.around.iter().all(occurs)
        };
        used.surely_written |= surely && each(used);
        self.written.insert(at);
    }

    /// The node's accesses, each with whether its footprint is what the indices touch.
    pub(super) fn accesses(&mut self) -> Vec<(Access, bool)> {
        let uses = std::mem::take(&mut self.uses);
        let accesses = if self.failed {
            uses.iter().map(|used| (self.whole(used), false)).collect()
        } else {
            uses.iter().map(|used| self.access(used)).collect()
        };
        self.uses = uses;
        accesses
    }

    /// Of a body with a fault nothing more is said.
    fn whole(&self, used: &Use) -> Access {
        let footprint = Footprint::whole(self.lowering.program.buffer(used.buffer).shape);
        let mode = if used.writes { Mode::Update } else { Mode::Read };
        Access { buffer: used.buffer, mode, footprint, ranged: false, place: used.place, view: None }
    }

    fn access(&mut self, used: &Use) -> (Access, bool) {
        let Use { buffer, place, .. } = *used;
        let touched = self.touched(used);
        let exact = touched.as_ref().is_some_and(|touched| touched.iter().all(|one| one.exact)) && used.is_a_box();
        let mode = match (used.writes, exact && used.surely_written && !used.needs_old) {
            (false, _) => Mode::Read,
            (true, true) => Mode::Overwrite,
            (true, false) => Mode::Update,
        };
        let footprint = touched.and_then(|touched| {
            let footprint = self.footprint(used, &touched)?;
            let inside = used.surely || self.fits(buffer, &touched, &footprint);
            inside.then_some(footprint)
        });
        let mode = if footprint.is_none() && mode == Mode::Overwrite { Mode::Update } else { mode };
        let whole = Footprint::whole(self.lowering.program.buffer(buffer).shape);
        let proved = footprint.is_some();
        (Access { buffer, mode, footprint: footprint.unwrap_or(whole), ranged: proved, place, view: None }, proved)
    }

    pub(super) fn intervals(&self) -> Vec<Interval> {
        self.iterations.iter().map(|iteration| iteration.interval.clone()).collect()
    }

    /// What a use touches along each dimension.
    fn touched(&self, used: &Use) -> Option<Vec<Elements>> {
        let intervals = self.intervals();
        used.coordinates.iter().map(|index| span(index.as_ref()?, &intervals)).collect()
    }

    fn footprint(&mut self, used: &Use, touched: &[Elements]) -> Option<Footprint> {
        let starts = touched.iter().filter_map(|touched| touched.start.as_constant());
        if let Some(start) = starts.min().filter(|start| *start < 0) {
            if used.surely && !self.never_runs() {
                self.refuse_before_start(used, start);
            }
            return None;
        }
        let iterations: Vec<usize> = used.coordinates.iter().flatten().flat_map(Polynomial::iterations).collect();
        let ranges: Vec<Range> = touched.iter().map(|touched| self.range(touched, &iterations)).collect();
        Some(Footprint::new(&ranges))
    }

    fn range(&mut self, touched: &Elements, iterations: &[usize]) -> Range {
        let (start, end) = (self.extent(&touched.start, iterations), self.extent(&touched.end, iterations));
        match (start, end) {
            (Extent::Known(start), Extent::Known(end)) if end < start => Range::known(0, 0),
            _ => Range { start, end },
        }
    }

    /// Whether the literals of an axis leave it without an index.
    fn never_runs(&self) -> bool {
        let axes = self.iterations.iter().take(self.axes);
        axes.filter_map(|axis| axis.interval.extent()?.as_constant()).any(|extent| extent <= 0)
    }

    fn refuse_before_start(&mut self, used: &Use, start: i128) {
        let message = format!("`{}` is used in front of the first element of `{}`", used.text, used.name);
        let diagnostic = Diagnostic::error(Code::RANGE, used.span, message)
            .note(format!("the first index makes it element {start}"))
            .help("begin the range later, or test the index with an `if` in front of it");
        self.refuse(diagnostic);
    }

    /// Whether a footprint is surely within its buffer.
    fn fits(&mut self, buffer: BufferId, touched: &[Elements], footprint: &Footprint) -> bool {
        let shape: Shape = self.lowering.program.buffer(buffer).shape;
        let dimensions = touched.iter().zip(footprint.ranges()).zip(shape.sizes());
        let mut each = dimensions.map(|((touched, range), size)| (touched, *range, *size));
        each.all(|(touched, range, size)| self.range_fits(touched, range, size))
    }

    fn range_fits(&mut self, touched: &Elements, range: Range, size: Extent) -> bool {
        if !touched.start.surely_not_negative() {
            return false;
        }
        let rest = |size: Polynomial| size.subtract(&touched.end).is_some_and(|rest| rest.surely_not_negative());
        range.end.at_most(size) == Verdict::Proved || self.length_polynomial(size).is_some_and(rest)
    }

    /// A length in the terms of the body, if its text means here what it meant where it was declared.
    fn length_polynomial(&mut self, length: Extent) -> Option<Polynomial> {
        let Extent::Symbol(symbol) = length else {
            return length.known().map(|known| Polynomial::constant(i128::from(known)));
        };
        let text = self.lowering.program.symbol(symbol).text.clone();
        let expression: Expr = syn::parse_str(&text).ok()?;
        (self.lowering.known_extent(&expression) == Some(length)).then(|| of_host(&expression, &mut self.atoms))?
    }

    /// An amount, computed from the atoms of a polynomial; zero if a range that it depends on is empty.
    fn extent(&mut self, amount: &Polynomial, iterations: &[usize]) -> Extent {
        if let Some(number) = amount.as_constant() {
            return Extent::Known(u64::try_from(number).unwrap_or(0));
        }
        if let Some(written) = self.as_written(amount) {
            return self.lowering.extent(&written);
        }
        let value = amount.tokens(&self.atoms);
        // An empty range only takes elements away, so it does not matter that it may change at each launch.
        let origin = self.lowering.origin(&Expr::Verbatim(value.clone()));
        let axes = 0..self.axes;
        let relevant = axes.chain(iterations.iter().copied().filter(|at| *at >= self.axes));
        let runs = relevant.filter_map(|at| {
            let extent = self.iterations[at].interval.extent()?;
            let tokens = extent.tokens(&self.atoms);
            extent.as_constant().is_none().then(|| quote!(#tokens > 0i128))
        });
        let runs: Vec<_> = runs.collect();
        let guarded = if runs.is_empty() { value } else { quote!(if #(#runs)&&* { #value } else { 0i128 }) };
        let symbol = self.lowering.named_symbol(Expr::Verbatim(guarded), origin, amount.text());
        Extent::Symbol(symbol)
    }

    /// The expression of the user's that an amount is.
    fn as_written(&self, amount: &Polynomial) -> Option<Expr> {
        if let Some(host) = amount.as_host() {
            return self.atoms.get(host).cloned();
        }
        let bounds = self.iterations.iter().flat_map(|iteration| &iteration.written);
        bounds.into_iter().find(|bound| of_host(bound, &mut self.atoms.clone()).as_ref() == Some(amount)).cloned()
    }
}
