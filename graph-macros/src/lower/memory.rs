//! Transients, copies, fills, `swap` and `drop`.

use graph_ir::model::{
    Access, Buffer, BufferId, Extent, Footprint, HostValue, Memory, Mode, Node, NodeId, NodeKind, Origin, Shape,
    Verdict,
};
use graph_ir::rules::{dropped, swap};
use proc_macro2::Ident;
use syn::Expr;

use super::evaluation::{Check, CheckBuffer, Evaluation, LengthValue};
use super::launch::{check_buffer, literal};
use super::parameters::{NewBuffer, memory};
use super::symbols::SymbolUse;
use super::{Lowering, text};
use crate::syntax::ast::{self, BufferArgument, Statement, Transient};

impl Lowering<'_> {
    /// `let t: [T; n] = value;`
    pub(crate) fn transient(&mut self, statement: &Statement, transient: &Transient) {
        let shape = self.shape(None, &transient.length);
        let buffer = self.declare_buffer(&NewBuffer {
            name: &transient.name,
            element: &transient.element,
            shape,
            memory: memory(transient.host.as_ref()),
            origin: Origin::Transient,
            lists: usize::from(transient.count.is_some()),
            structure: false,
        });
        let count = transient.count.as_ref().map(|count| LengthValue::of(self.extent(count)));
        self.name_buffer(transient, buffer, &shape, count);
        if let Some(value) = &transient.value {
            self.made(|this| this.first_fill(statement, transient, buffer, value));
        }
    }

    /// The fill of a declaration with a value.
    fn first_fill(&mut self, statement: &Statement, transient: &Transient, buffer: BufferId, value: &Expr) {
        if transient.count.is_some() {
            self.fill_list(statement, &transient.name, value);
        } else {
            let shape = self.program.buffer(buffer).shape;
            let place = self.program.buffer(buffer).place;
            let footprint = Footprint::whole(shape);
            let access = Access { buffer, mode: Mode::Overwrite, footprint, ranged: false, place, view: None };
            let target = check_buffer(&whole(&transient.name), transient.name.clone());
            let label = format!("fill {}", transient.name);
            self.fill_node(statement, (&transient.name, &label), (&transient.name, target), access, value);
        }
    }

    /// Gives the evaluator a buffer's name, for lengths and type checks.
    pub(crate) fn name_buffer(
        &mut self,
        named: &Transient,
        buffer: BufferId,
        shape: &Shape,
        count: Option<LengthValue>,
    ) {
        self.evaluate(Evaluation::Transient {
            buffer: buffer.0,
            count,
            name: named.name.clone(),
            element: named.element.clone(),
            length: LengthValue::of(shape.line().unwrap_or(Extent::ZERO)),
        });
        if named.count.is_none() {
            self.evaluate_shape(&named.name, shape);
        }
    }

    /// `fill(&out x, value);`
    pub(crate) fn fill(&mut self, statement: &Statement, word: &Ident, target: &BufferArgument, value: &Expr) {
        if let Some((access, name)) = self.access(target) {
            let label = format!("fill {}", self.program.buffer(access.buffer).name);
            let label = if target.path.is_empty() { format!("fill {}", target.name) } else { label };
            self.fill_node(statement, (word, &label), (&target.name, check_buffer(target, name)), access, value);
        }
    }

    pub(super) fn fill_node(
        &mut self,
        statement: &Statement,
        (at, label): (&Ident, &str),
        target: (&Ident, CheckBuffer),
        access: Access,
        value: &Expr,
    ) {
        let value = self.fill_value(target, value);
        let node = self.node(statement, at.span(), label, NodeKind::Fill { value });
        self.node_mut(node).accesses = vec![access];
    }

    pub(crate) fn fill_value(&mut self, (written, target): (&Ident, CheckBuffer), value: &Expr) -> HostValue {
        let bare = literal(value).map(HostValue::Literal).or_else(|| {
            let _ = text::identifier(value)?;
            let symbol = self.symbol(value, SymbolUse::Value, |symbol, value| Evaluation::Value { symbol, value });
            Some(HostValue::Symbol(symbol))
        });
        if let Some(bare) = bare {
            self.evaluate(Evaluation::Check(Check::Fill { target, value: value.clone() }));
            return bare;
        }
        let Some(binding) = self.scopes.find(&written.to_string()).map(|binding| binding.id) else {
            return HostValue::Literal("0".to_owned());
        };
        let usage = SymbolUse::Element(binding);
        HostValue::Symbol(self.symbol(value, usage, |symbol, value| Evaluation::Element {
            symbol,
            target: target.name,
            value,
        }))
    }

    /// `copy(&a, &out b);`
    pub(crate) fn copy(&mut self, statement: &Statement, word: &Ident, from: &BufferArgument, to: &BufferArgument) {
        let (source, target) = (self.access(from), self.access(to));
        let (Some((source, source_name)), Some((target, target_name))) = (source, target) else { return };
        let (source_check, target_check) = (check_buffer(from, source_name), check_buffer(to, target_name));
        self.evaluate(Evaluation::Check(Check::Copy { from: source_check, to: target_check }));
        let name =
            if to.path.is_empty() { to.name.to_string() } else { self.program.buffer(target.buffer).name.clone() };
        let name = format!("copy {name}");
        let node = self.node(statement, word.span(), &name, NodeKind::Copy);
        self.node_mut(node).accesses = vec![source, target];
    }

    /// Copies what `swap` left in `current` to the parameter `declared`, at the end of the graph.
    pub(crate) fn copy_back(&mut self, current: BufferId, declared: BufferId) {
        let id = NodeId(self.program.nodes.len() as u32);
        let region = self.region();
        let node = Node::copy_back(self.program.buffer(declared), current, declared);
        self.program.nodes.push(node);
        self.program.restores.push(id);
        self.program.regions[region.0 as usize].nodes.push(id);
    }

    /// `swap(&mut a, &mut b);` exchanges what two names stand for.
    pub(crate) fn swap(&mut self, word: &Ident, left: &BufferArgument, right: &BufferArgument) {
        if [left, right].into_iter().any(|side| self.is_in_list(side)) {
            return self.swap_listed(word, left, right);
        }
        let (Some(a), Some(b)) = (self.buffer_named(&left.name), self.buffer_named(&right.name)) else { return };
        let (left_check, right_check) =
            (check_buffer(left, left.name.clone()), check_buffer(right, right.name.clone()));
        self.evaluate(Evaluation::Check(Check::Swap { left: left_check, right: right_check }));
        let place = self.place(word.span());
        self.last_swap = Some(place);
        if a == b {
            return self.report(&swap::with_itself(&left.name.to_string(), place));
        }
        let (first, second) = (self.program.buffer(a).clone(), self.program.buffer(b).clone());
        let names = (left.name.to_string(), right.name.to_string());
        for (name, buffer) in [(&names.0, &first), (&names.1, &second)] {
            if buffer.origin == Origin::Parameter(Mode::Read) {
                let finding = swap::read_only(name, &self.elements_text(buffer), place, buffer.place);
                return self.report(&finding);
            }
        }
        let what = match (same_shape(&first.shape, &second.shape), first.memory == second.memory) {
            (true, true) => None,
            (_, false) => Some("memory"),
            _ if first.shape.rank() == 1 && second.shape.rank() == 1 => Some("length"),
            _ => Some("shape"),
        };
        if let Some(what) = what {
            let (one, two) = (self.elements_text(&first), self.elements_text(&second));
            let one = (names.0.as_str(), one.as_str(), first.place);
            let two = (names.1.as_str(), two.as_str(), second.place);
            return self.report(&swap::unlike(one, two, what, place));
        }
        if let Some(buffer) = self.scopes.buffer_mut(&left.name.to_string()) {
            buffer.current = b;
        }
        if let Some(buffer) = self.scopes.buffer_mut(&right.name.to_string()) {
            buffer.current = a;
        }
    }

    /// `[f32; n]`, `host [f32; n]`
    pub(super) fn elements_text(&self, buffer: &Buffer) -> String {
        let word = match buffer.memory {
            Memory::Device => "",
            Memory::Host => "host ",
            Memory::Mailbox => "mailbox ",
        };
        format!("{word}[{}; {}]", buffer.element, self.program.shape_text(&buffer.shape))
    }

    /// `drop(t);` ends a name's life, in the region that declares it.
    pub(crate) fn drop_buffer(&mut self, name: &Ident) {
        let spelled = name.to_string();
        let place = self.place(name.span());
        if let Some(dropped) = self.scopes.buffer(&spelled).and_then(|buffer| buffer.dropped) {
            return self.report(&dropped::dropped_twice(&spelled, place, dropped));
        }
        if self.buffer_named(name).is_none() {
            return;
        }
        let region = self.region();
        let Some(buffer) = self.scopes.buffer(&spelled) else { return };
        let declared = self.program.buffer(buffer.declared);
        let kept = match declared.origin {
            Origin::Parameter(_) => Some(dropped::dropped_parameter(&spelled, place, declared.place)),
            Origin::Static(_) => Some(dropped::dropped_static(&spelled, place, declared.place)),
            Origin::Transient => None,
        };
        if let Some(finding) = kept {
            return self.report(&finding);
        }
        if buffer.region != region {
            let finding = dropped::dropped_elsewhere(&spelled, place, declared.place);
            return self.report(&finding);
        }
        if let Some(buffer) = self.scopes.buffer_mut(&spelled) {
            buffer.dropped = Some(place);
        }
    }
}

/// Whether two shapes are proved to be the same.
fn same_shape(one: &Shape, two: &Shape) -> bool {
    let mut pairs = one.sizes().iter().zip(two.sizes());
    one.rank() == two.rank() && pairs.all(|(one, two)| one.equals(*two) == Verdict::Proved)
}

/// `&out x`, where a declaration's value is written.
pub(crate) fn whole(name: &Ident) -> BufferArgument {
    let mode = ast::Mode { kind: Mode::Overwrite, ampersand: name.span(), word: None };
    BufferArgument { mode, name: name.clone(), path: Vec::new(), range: None }
}
