//! Lowered graphs to Rust: one file per emitted thing. Nothing here can fail.

mod arguments;
mod calls;
mod check;
mod evaluate;
mod generics;
mod graph;
mod inside;
mod kernel;
mod labels;
mod listed;
mod names;
mod once;
mod parameters;
mod parts;
mod program;
mod put;
mod revalue;
mod split;

use graph_ir::model::{Memory, ObjectId};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::lower::{Lowered, memory};
use crate::syntax::ast;
use generics::GraphGenerics;
pub(crate) use kernel::neutral;

/// A graph and what was made of it, with the names of everything that is generated for it.
pub(crate) struct Emission<'a> {
    graph: &'a ast::Graph,
    lowered: &'a Lowered,
    generics: GraphGenerics,
    names: Names,
}

/// The names of the generated items.
struct Names {
    arguments: Ident,
    parts: Ident,
    call: Ident,
    program: Ident,
    values: Ident,
}

/// All items of one graph.
pub(crate) fn emit(graph: &ast::Graph, lowered: &Lowered) -> TokenStream {
    let emission = Emission::of(graph, lowered);
    let items =
        [emission.arguments(), emission.graph_type(), emission.parts(), emission.call_type(), emission.program()];
    items.into_iter().collect()
}

impl Names {
    fn of(name: &Ident) -> Self {
        // Generated items resolve where the user's do, but must not share the name's place: an editor shows every item at a place.
        let at = name.span().resolved_at(Span::call_site());
        let hidden = |suffix: &str| format_ident!("__{}{suffix}", name, span = at);
        Self {
            arguments: format_ident!("{}Args", name, span = name.span()),
            parts: format_ident!("{}Parts", name, span = name.span()),
            call: format_ident!("{}Call", name, span = at),
            program: hidden("Program"),
            values: hidden("Values"),
        }
    }
}

impl<'a> Emission<'a> {
    fn of(graph: &'a ast::Graph, lowered: &'a Lowered) -> Self {
        Self { graph, lowered, generics: GraphGenerics::of(graph), names: Names::of(&graph.name) }
    }

    /// Host parameters: name and type.
    fn values(&self) -> impl Iterator<Item = (&Ident, &syn::Type)> {
        self.graph.parameters.iter().filter_map(|parameter| match &parameter.kind {
            ast::ParameterKind::Value(ty) => Some((&parameter.name, &**ty)),
            _ => None,
        })
    }

    /// Objects and events in order.
    fn objects(&self) -> impl Iterator<Item = ObjectParameter<'_>> {
        let objects = self.graph.parameters.iter().filter_map(|parameter| match &parameter.kind {
            ast::ParameterKind::Reference { mutable, ty } => Some((&parameter.name, ty, Some(*mutable))),
            ast::ParameterKind::Event(ty) => Some((&parameter.name, ty, None)),
            _ => None,
        });
        objects.zip(0..).map(|((name, ty, mutable), index)| ObjectParameter {
            name,
            ty,
            mutable,
            held: self.lowered.held.contains(&ObjectId(index)),
            index,
        })
    }

    /// Whether a parameter is a list of buffers.
    fn has_lists(&self) -> bool {
        self.graph.parameters.iter().any(|parameter| parameter.lists > 0 || parameter.structure)
    }

    /// Buffer parameters in order.
    fn buffers(&self) -> impl Iterator<Item = BufferParameter<'_>> {
        self.graph.parameters.iter().filter_map(|parameter| match &parameter.kind {
            ast::ParameterKind::Buffer { mode, memory: word, element, .. } => Some(BufferParameter {
                name: &parameter.name,
                writes: mode.kind.writes(),
                memory: memory(word.as_ref()),
                element,
                lists: parameter.lists,
                structure: parameter.structure,
            }),
            _ => None,
        })
    }
}

/// A host object or an event, as the generated code sees it.
struct ObjectParameter<'a> {
    name: &'a Ident,
    ty: &'a syn::Type,
    /// `None` for events.
    mutable: Option<bool>,
    /// Launches use it, so it cannot be borrowed.
    held: bool,
    index: u32,
}

impl ObjectParameter<'_> {
    /// The generic parameter for how it is bound.
    fn binder(&self) -> Ident {
        format_ident!("__Bind_{}", self.name, span = Span::mixed_site())
    }

    /// Whether host expressions may use it.
    fn is_shared(&self) -> bool {
        self.mutable == Some(false)
    }

    /// The trait that says what may be bound. rustc marks it when something else is bound: at the parameter, not at the whole block.
    fn bind_trait(&self) -> TokenStream {
        let (ty, at) = (self.ty, Span::mixed_site().located_at(self.name.span()));
        match (self.mutable, self.held) {
            (Some(false), false) => quote_spanned!(at=> ::graph_runtime::BindObject<'g, #ty>),
            (Some(true), false) => quote_spanned!(at=> ::graph_runtime::BindObjectMut<'g, #ty>),
            (Some(false), true) => quote_spanned!(at=> ::graph_runtime::BindHeld<#ty>),
            (Some(true), true) => quote_spanned!(at=> ::graph_runtime::BindHeldMut<#ty>),
            (None, _) => quote_spanned!(at=> ::graph_runtime::BindEvent<#ty>),
        }
    }
}

/// A buffer parameter, as the generated code sees it.
struct BufferParameter<'a> {
    name: &'a Ident,
    writes: bool,
    memory: Memory,
    element: &'a syn::Type,
    /// How many lists are around it.
    lists: usize,
    /// The element is a struct of buffers.
    structure: bool,
}

impl BufferParameter<'_> {
    /// The generic parameter for how it is bound.
    fn binder(&self) -> Ident {
        format_ident!("__Bind_{}", self.name, span = Span::mixed_site())
    }

    /// What it is, as a type: `ListOf<Read<f32>>`.
    fn kind(&self) -> TokenStream {
        let element = self.element;
        // rustc says here what is no struct of buffers.
        let at = Span::mixed_site().located_at(element.span());
        let buffer = match (self.memory, self.writes) {
            (_, false) if self.structure => quote_spanned!(at=> ::graph_runtime::__private::StructRead<#element>),
            (_, true) if self.structure => quote_spanned!(at=> ::graph_runtime::__private::StructWrite<#element>),
            (Memory::Device, false) => quote!(::graph_runtime::__private::Read<#element>),
            (Memory::Device, true) => quote!(::graph_runtime::__private::Write<#element>),
            (Memory::Host, false) => quote!(::graph_runtime::__private::HostRead<#element>),
            (Memory::Host, true) => quote!(::graph_runtime::__private::HostWrite<#element>),
            (Memory::Mailbox, _) => quote_spanned!(at=> ::graph_runtime::__private::InMailbox<#element>),
        };
        (0..self.lists).fold(buffer, |kind, _| quote_spanned!(at=> ::graph_runtime::__private::ListOf<#kind>))
    }

    /// The trait that says what may be bound, for a parameter that may be a list.
    fn bound(&self) -> TokenStream {
        if self.lists == 0 && !self.structure {
            return self.bind_trait();
        }
        let (kind, at) = (self.kind(), Span::mixed_site().located_at(self.name.span()));
        quote_spanned!(at=> ::graph_runtime::__private::Bind<'g, #kind>)
    }

    /// The trait that says what may be bound.
    fn bind_trait(&self) -> TokenStream {
        let (element, at) = (self.element, Span::mixed_site().located_at(self.name.span()));
        match (self.memory, self.writes) {
            (_, false) if self.structure => quote_spanned!(at=> ::graph_runtime::BindStruct<'g, #element>),
            (_, true) if self.structure => quote_spanned!(at=> ::graph_runtime::BindStructMut<'g, #element>),
            (Memory::Device, false) => quote_spanned!(at=> ::graph_runtime::BindRead<'g, #element>),
            (Memory::Device, true) => quote_spanned!(at=> ::graph_runtime::BindMut<'g, #element>),
            (Memory::Host, false) => quote_spanned!(at=> ::graph_runtime::BindHostRead<'g, #element>),
            (Memory::Host, true) => quote_spanned!(at=> ::graph_runtime::BindHostMut<'g, #element>),
            (Memory::Mailbox, _) => quote_spanned!(at=> ::graph_runtime::BindMailbox<'g, #element>),
        }
    }
}
