//! `Other { a: &a, b: &mut b, n };`: a graph inside the graph. What it takes is known to rustc only, which checks it.

use graph_ir::code::Code;
use graph_ir::model::{Access, Extent, Footprint, GraphCall, Mode, NodeKind, ObjectId, ObjectKind};
use proc_macro2::Ident;
use quote::ToTokens;
use rustc_hash::FxHashSet;
use syn::spanned::Spanned;
use syn::{Expr, ExprPath};

use super::Lowering;
use super::evaluation::{BoundedField, Evaluation, FieldValue, GraphEvaluation, LengthValue};
use super::launch::check_buffer;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, Argument, BufferArgument, Statement, StatementKind};

/// What a graph is passed, as far as it was understood.
#[derive(Default)]
struct Parts {
    call: GraphCall,
    accesses: Vec<Access>,
    fields: Vec<(Ident, FieldValue)>,
    bounded: Vec<BoundedField>,
    broken: bool,
}

impl Lowering<'_> {
    pub(crate) fn graph_call(&mut self, statement: &Statement, call: &ast::GraphCall) {
        let Some(name) = call.path.path.segments.last().map(|last| last.ident.clone()) else { return };
        if self.refuse_recursion(&call.path) {
            return;
        }
        let mut parts = Parts::default();
        for field in &call.fields {
            self.graph_field(field, &mut parts);
        }
        let Parts { call: mut inner, accesses, fields, bounded, broken } = parts;
        let graph = self.graph_used(&call.path);
        inner.graph = graph;
        let effects = accesses.is_empty();
        let node = self.node(statement, name.span(), &name.to_string(), NodeKind::Graph(inner));
        let added = self.node_mut(node);
        added.accesses = accesses;
        added.effects = effects;
        if !broken {
            self.evaluate(Evaluation::Graph(GraphEvaluation {
                node,
                graph,
                name,
                braces: call.braces,
                fields,
                bounded,
            }));
        }
    }

    /// The index of a graph among those that this one names.
    fn graph_used(&mut self, path: &ExprPath) -> u32 {
        let known = self.graphs.iter().position(|known| known == path);
        let index = known.unwrap_or_else(|| {
            self.graphs.push(path.clone());
            self.graphs.len() - 1
        });
        index as u32
    }

    fn graph_field(&mut self, field: &ast::GraphField, parts: &mut Parts) {
        match &field.argument {
            Argument::Buffer(argument) => match self.scopes.object(&argument.name.to_string()) {
                Some(object) => self.object_field(field, argument, object, parts),
                None => self.buffer_field(field, argument, parts),
            },
            Argument::Value(value) if self.without_mode(field, value) => parts.broken = true,
            Argument::Value(value) => self.value_field(field, value, parts),
        }
    }

    fn buffer_field(&mut self, field: &ast::GraphField, argument: &BufferArgument, parts: &mut Parts) {
        let in_list = self.lists(&argument.name) > 0 || self.leads_on(&argument.name);
        if in_list && argument.range.is_none() {
            return self.passed_field(field, argument, parts);
        }
        let Some((access, name)) = self.access(argument) else {
            parts.broken = true;
            return;
        };
        let ranges = access.footprint.ranges().iter().map(|range| [range.start, range.end]);
        let ranges: Vec<_> = ranges.filter(|_| access.ranged).collect();
        if ranges.iter().flatten().any(|end| self.varying(*end).is_some()) || self.is_varying_buffer(&access) {
            self.refuse_varying_field(field);
        }
        let ranges = ranges.into_iter().map(|ends| ends.map(length_value)).collect();
        parts.fields.push((field.name.clone(), FieldValue::Buffer(check_buffer(argument, name), ranges)));
        parts.call.parameters.push(field.name.to_string());
        parts.accesses.push(access);
    }

    /// All of a list or a struct, or a buffer of one.
    fn passed_field(&mut self, field: &ast::GraphField, argument: &BufferArgument, parts: &mut Parts) {
        let Some(named) = self.passed(argument) else {
            parts.broken = true;
            return;
        };
        let footprint = Footprint::whole(self.program.buffer(named.buffer).shape);
        let place = self.place(argument.name.span());
        let mode = argument.mode.kind;
        parts.accesses.push(Access { buffer: named.buffer, mode, footprint, ranged: false, place, view: None });
        parts.call.parameters.push(field.name.to_string());
        parts.fields.push((field.name.clone(), FieldValue::Passing(check_buffer(argument, named.name))));
    }

    fn is_varying_buffer(&self, access: &Access) -> bool {
        self.program.buffer(access.buffer).shape.sizes().iter().any(|size| self.varying(*size).is_some())
    }

    fn object_field(
        &mut self,
        field: &ast::GraphField,
        argument: &BufferArgument,
        object: ObjectId,
        parts: &mut Parts,
    ) {
        let mode = match (self.program.object(object).kind, argument.mode.kind) {
            (ObjectKind::Shared, Mode::Read) => Some(Mode::Read),
            (ObjectKind::Exclusive, Mode::Update) => Some(Mode::Update),
            (ObjectKind::Event, Mode::Read) => None,
            (kind, _) => {
                self.refuse_object_field(argument, object, kind);
                parts.broken = true;
                return;
            }
        };
        self.held.insert(object);
        let span = argument.name.span();
        parts.fields.push((field.name.clone(), FieldValue::Object { index: object.0, mode, span }));
        parts.call.objects.push((field.name.to_string(), object));
        if mode != Some(Mode::Read) {
            parts.call.exclusive.push(object);
        }
    }

    fn refuse_object_field(&mut self, argument: &BufferArgument, object: ObjectId, kind: ObjectKind) {
        let name = &argument.name;
        let written = match kind {
            ObjectKind::Exclusive => format!("&mut {name}"),
            ObjectKind::Shared | ObjectKind::Event => format!("&{name}"),
        };
        let what = match kind {
            ObjectKind::Shared => "an object that is shared",
            ObjectKind::Exclusive => "an object that is used alone",
            ObjectKind::Event => "an event",
        };
        let declared = self.places[self.program.object(object).place.0 as usize];
        let span = argument.mode.word.unwrap_or(name.span());
        let fault = Diagnostic::error(Code::OBJECT, span, format!("`{name}` is {what}, and is passed otherwise"));
        self.diagnose(fault.note_at(declared, format!("`{name}` is declared here")).help(format!("write `{written}`")));
    }

    fn value_field(&mut self, field: &ast::GraphField, value: &Expr, parts: &mut Parts) {
        let refused = self.mentions_broken(value)
            || self.refuse_device_read(value, "pass the buffer, and let the graph read the element")
            || self.refuse_exclusive(value);
        if refused {
            parts.broken = true;
            return;
        }
        if let Some((name, _)) = self.varies(value) {
            parts.bounded.push(BoundedField { field: field.name.clone(), value: name, span: value.span() });
        }
        let value = self.checked(value);
        parts.fields.push((field.name.clone(), FieldValue::Value(value)));
    }

    fn refuse_varying_field(&mut self, field: &ast::GraphField) {
        let message = "a graph inside the graph is passed a buffer or a range whose length varies with a bounded value";
        let fault = Diagnostic::error(Code::NOT_YET, field.name.span(), message);
        self.diagnose(fault.help("pass the whole buffer, and the value to kernels that compare with it"));
    }

    /// Reports a buffer or an object that is passed by its name alone.
    fn without_mode(&mut self, field: &ast::GraphField, value: &Expr) -> bool {
        let Some(name) = super::text::identifier(value).cloned() else { return false };
        let spelled = name.to_string();
        let (buffer, object) = (self.scopes.buffer(&spelled).is_some(), self.scopes.object(&spelled).is_some());
        if !buffer && !object {
            return false;
        }
        let what = if buffer { "buffer" } else { "object" };
        let parameter = &field.name;
        let fault = Diagnostic::error(Code::SYNTAX, name.span(), format!("{what} `{name}` is passed without a mode"));
        let modes = ["&", "&mut ", "&out "].map(|mode| format!("`{parameter}: {mode}{name}`"));
        let modes = if buffer { &modes[..] } else { &modes[..2] };
        let modes = match modes {
            [first, second] => format!("{first} or {second}"),
            all => format!("{} or {}", all[..all.len() - 1].join(", "), all[all.len() - 1]),
        };
        self.diagnose(fault.help(format!("write {modes}, as the graph declares it")));
        true
    }

    /// A graph in which this one stands, however far out.
    fn refuse_recursion(&mut self, path: &ExprPath) -> bool {
        let Some(name) = local_name(path).filter(|name| self.around.contains(name)) else { return false };
        let itself = self.program.name == name;
        let message = if itself {
            format!("graph `{name}` contains itself")
        } else {
            format!("graph `{name}` contains `{}`, which contains `{name}`", self.program.name)
        };
        let fault = Diagnostic::error(Code::RECURSION, path.span(), message);
        self.diagnose(
            fault
                .note("a graph inside a graph stands there with all its nodes, so there would be no end")
                .help("repeat on the device: `loop limit n { … }`, or unroll with `for`"),
        );
        true
    }
}

fn length_value(extent: Extent) -> LengthValue {
    match extent {
        Extent::Known(value) => LengthValue::Known(value),
        Extent::Symbol(symbol) => LengthValue::Symbol(symbol),
    }
}

/// The name of a graph that may be one of the same block: `Other`, `self::Other`.
fn local_name(path: &ExprPath) -> Option<String> {
    let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &segments[..] {
        [name] => Some(name.clone()),
        [first, name] if first == "self" => Some(name.clone()),
        _ => None,
    }
}

/// The graphs of the block that contain this one and do not stand behind it, itself among them.
pub(super) fn around(graph: &ast::Graph, block: &ast::Block) -> Vec<String> {
    let written: Vec<String> = block.graphs.iter().map(|graph| graph.name.to_string()).collect();
    let mut around = vec![graph.name.to_string()];
    let named: Vec<(String, FxHashSet<String>)> =
        block.graphs.iter().map(|graph| (graph.name.to_string(), names(&graph.body))).collect();
    let mut next = 0;
    while next < around.len() {
        let containing = named.iter().filter(|(_, names)| names.contains(&around[next]));
        let found: Vec<_> = containing.map(|(name, _)| name.clone()).filter(|name| !around.contains(name)).collect();
        around.extend(found);
        next += 1;
    }
    // A cycle is reported once, where it leads back.
    let own = written.iter().position(|name| graph.name == name);
    around.retain(|name| written.iter().position(|known| known == name) <= own);
    around
}

/// The graphs that a body names.
fn names(body: &[Statement]) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for statement in body {
        if let StatementKind::Graph(call) = &statement.kind {
            found.extend(local_name(&call.path));
        }
        statement.kind.bodies().into_iter().for_each(|(inner, _)| found.extend(names(inner)));
    }
    found
}

/// The names of type and const parameters that occur in a path.
pub(crate) fn named_in(path: &ExprPath) -> Vec<String> {
    super::text::identifiers(&path.to_token_stream())
}
