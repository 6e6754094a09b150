//! The head of a graph: host values, buffers and the lengths that name each other.

use graph_ir::model::{Buffer, BufferId, Extent, Family, Memory, Mode, ObjectKind, Origin, Shape, SymbolOrigin};
use graph_ir::rules::{names, swap};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Type, parse_quote};

use super::scope::{Binding, BindingId, BindingKind, BufferName};
use super::{Lowering, text};
use crate::syntax::ast;

/// A buffer of the graph, about to be declared.
pub(crate) struct NewBuffer<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) element: &'a Type,
    pub(crate) shape: Shape,
    pub(crate) memory: Memory,
    pub(crate) origin: Origin,
    /// How many lists are around it.
    pub(crate) lists: usize,
    /// It is a struct of buffers.
    pub(crate) structure: bool,
}

impl Lowering<'_> {
    /// Declares everything that a graph's head names: first values, then lengths, then what is computed from them.
    pub(crate) fn parameters(&mut self, graph: &ast::Graph) {
        for parameter in &graph.parameters {
            match parameter.kind {
                ast::ParameterKind::Value(ref ty) => {
                    let id = self.declare_host(&parameter.name);
                    self.value_ids.push(id);
                    self.know_type(&parameter.name, (**ty).clone());
                }
                ast::ParameterKind::Reference { mutable, .. } => {
                    let kind = if mutable { ObjectKind::Exclusive } else { ObjectKind::Shared };
                    self.object_parameter(&parameter.name, kind);
                }
                ast::ParameterKind::Event(_) => self.object_parameter(&parameter.name, ObjectKind::Event),
                ast::ParameterKind::Buffer { .. } => {}
            }
        }
        self.declare_bounds(graph);
        self.constants = graph.generics.const_params().map(|constant| constant.ident.to_string()).collect();
        let buffers = graph.parameters.iter().filter(|p| matches!(p.kind, ast::ParameterKind::Buffer { .. }));
        for (index, parameter) in buffers.clone().enumerate() {
            self.bind_length_name(parameter, index as u32);
        }
        for (index, parameter) in buffers.enumerate() {
            self.buffer_parameter(parameter, index as u32);
        }
    }

    /// Declares a host value's name.
    pub(crate) fn declare_host(&mut self, name: &Ident) -> BindingId {
        let id = self.scopes.fresh();
        self.declare(name, id, BindingKind::Host);
        id
    }

    pub(crate) fn declare(&mut self, name: &Ident, id: BindingId, kind: BindingKind) {
        let place = self.place(name.span());
        let buffer = matches!(kind, BindingKind::Buffer(_));
        let hidden = self.scopes.declare(name, Binding { id, place, kind });
        if let Some(hidden) = hidden
            && (buffer || matches!(hidden.kind, BindingKind::Buffer(_)))
        {
            self.report(&names::duplicate_name(&name.to_string(), place, hidden.place));
        }
    }

    /// `x: &[T; n]` binds `n` if nothing else is called so.
    fn bind_length_name(&mut self, parameter: &ast::Parameter, index: u32) {
        let ast::ParameterKind::Buffer { length: Some(length), .. } = &parameter.kind else { return };
        let Some(name) = text::identifier(&length.expression) else { return };
        let spelled = name.to_string();
        let constant = self.constants.contains(&spelled) || !is_length_name(&spelled);
        if constant || self.scopes.find(&spelled).is_some() {
            return;
        }
        let id = self.declare_host(name);
        self.length_ids.insert(id);
        self.know_type(name, parse_quote!(usize));
        let origin = SymbolOrigin::BoundLength(BufferId(index));
        let symbol = self.new_symbol(spelled, name.span(), origin);
        self.alias(text::bare(&length.expression), Extent::Symbol(symbol));
        self.lengths.push((name.clone(), index));
    }

    fn buffer_parameter(&mut self, parameter: &ast::Parameter, index: u32) {
        let ast::ParameterKind::Buffer { mode, memory: word, element, length } = &parameter.kind else { return };
        let name = &parameter.name;
        let shape = if let Some(length) = length {
            self.shape(Some(name), length)
        } else {
            let origin = match parameter.lists {
                0 if !parameter.structure => SymbolOrigin::BoundLength(BufferId(index)),
                _ => SymbolOrigin::EachLength,
            };
            let text = format!("{name}{}.len()", "[..]".repeat(parameter.lists));
            Extent::Symbol(self.new_symbol(text, name.span(), origin)).into()
        };
        let mode = if mode.kind == Mode::Atomic { Mode::Update } else { mode.kind };
        self.declare_buffer(&NewBuffer {
            name,
            element,
            shape,
            memory: memory(word.as_ref()),
            origin: Origin::Parameter(mode),
            lists: parameter.lists,
            structure: parameter.structure,
        });
        if parameter.lists == 0 {
            self.evaluate_shape(name, &shape);
        }
    }

    /// Adds a buffer to the graph and its name to the innermost block.
    pub(crate) fn declare_buffer(&mut self, new: &NewBuffer<'_>) -> BufferId {
        let id = BufferId(self.program.buffers.len() as u32);
        let place = self.place(new.name.span());
        let region = self.region();
        self.program.buffers.push(Buffer {
            name: new.name.to_string(),
            element: text::of(&new.element.to_token_stream()),
            shape: new.shape,
            memory: new.memory,
            origin: new.origin,
            region,
            place,
            family: if new.lists > 0 || new.structure { Family::List } else { Family::Single },
        });
        // The elements in a struct are known when the graph is built.
        self.elements.push(if new.structure { parse_quote!(u8) } else { new.element.clone() });
        if new.structure {
            self.structs.insert(id);
        }
        let binding = self.scopes.fresh();
        let buffer =
            BufferName { current: id, declared: id, region, dropped: None, lists: new.lists, structure: new.structure };
        self.declare(new.name, binding, BindingKind::Buffer(buffer));
        if let (Some(line), 0, false) = (new.shape.line(), new.lists, new.structure) {
            let name = new.name;
            self.alias(&parse_quote!(#name.len()), line);
        }
        self.inherit_sizes(new.name, &new.shape, new.origin);
        id
    }

    /// Where a buffer's contents lie at the end of the graph is where its owner looks for them: what `swap` left elsewhere is copied.
    pub(crate) fn restore_parameters(&mut self) {
        let state = self.scopes.buffer_state();
        for (name, declared, current) in state {
            let kept = self.program.buffer(declared).origin.outlives_a_launch();
            if !kept || declared == current {
                continue;
            }
            if self.program.buffer(current).origin.outlives_a_launch() {
                let place = self.last_swap.unwrap_or(self.program.buffer(declared).place);
                let other = self.program.buffer(current).name.clone();
                return self.report(&swap::parameters(&name, &other, place));
            }
            self.copy_back(current, declared);
        }
    }
}

/// Whether a name in a length may be bound by a buffer: constants are in capitals.
pub(crate) fn is_length_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_lowercase() || first == '_')
}

/// Device memory unless `host` or `mailbox` is written.
pub(crate) fn memory(word: Option<&Ident>) -> Memory {
    match word {
        None => Memory::Device,
        Some(word) if word == "mailbox" => Memory::Mailbox,
        Some(_) => Memory::Host,
    }
}
