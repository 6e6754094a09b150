//! Graphs inside a graph: what each graph takes when it stands in another, and how one is called.

use graph_ir::model::{Mode, Node, NodeKind};
use graph_ir::rules::body_around;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, PathArguments, Type};

use super::check::{buffer_argument, located};
use super::program::internal;
use super::put;
use super::{BufferParameter, Emission};
use crate::lower::{BoundedField, FieldValue, GraphEvaluation, named_in};
use crate::syntax::ast;

impl Emission<'_> {
    /// `OtherCall { a, b, n }`: rustc compares what is passed with it.
    pub(super) fn call_type(&self) -> TokenStream {
        let (visibility, name) = (&self.graph.visibility, &self.names.call);
        let declared = self.generics.of_call(&self.call_identifiers());
        let fields = self.graph.parameters.iter().map(|parameter| {
            let (field, ty) = (&parameter.name, self.field_type(parameter));
            quote!(pub #field: #ty)
        });
        let doc = format!("What [`{}`] takes inside another graph, by name.", self.graph.name);
        quote! {
            #[doc = #doc]
            #[doc(hidden)]
            #[allow(missing_docs, dead_code)]
            #visibility struct #name<#(#declared),*> {
                #(#fields),*
            }
        }
    }

    /// Every identifier in the types of parameters.
    fn call_identifiers(&self) -> Vec<String> {
        let types = self.graph.parameters.iter().map(|parameter| self.field_type(parameter));
        types.flat_map(|ty| crate::lower::identifiers(&ty)).collect()
    }

    fn field_type(&self, parameter: &ast::Parameter) -> TokenStream {
        match &parameter.kind {
            ast::ParameterKind::Value(ty) => ty.to_token_stream(),
            ast::ParameterKind::Buffer { mode, element, .. } => {
                let buffer = match mode.kind {
                    Mode::Read => "Reads",
                    Mode::Update | Mode::Atomic => "Updates",
                    Mode::Overwrite => "Overwrites",
                };
                if parameter.lists == 0 && !parameter.structure {
                    let name = Ident::new(buffer, Span::mixed_site());
                    return quote!(::graph_runtime::__private::#name<[#element]>);
                }
                // One place for what is no struct of buffers.
                let at = Span::mixed_site().located_at(element.span());
                let name = Ident::new(&format!("{buffer}All"), at);
                let kind = self.buffers().find(|buffer| buffer.name == &parameter.name).map(|buffer| buffer.kind());
                quote_spanned!(at=> ::graph_runtime::__private::#name<<#kind as ::graph_runtime::__private::Kind>::Ghost>)
            }
            ast::ParameterKind::Reference { mutable: false, ty } => {
                quote!(::graph_runtime::__private::SharedObject<#ty>)
            }
            ast::ParameterKind::Reference { mutable: true, ty } => {
                quote!(::graph_runtime::__private::ExclusiveObject<#ty>)
            }
            ast::ParameterKind::Event(ty) => quote!(::graph_runtime::__private::EventObject<#ty>),
        }
    }

    /// `impl GraphInside for Other`, in the block that has the names of the graphs inside it.
    pub(super) fn inside_impl(&self) -> TokenStream {
        let (graph, program, call, values) =
            (&self.graph.name, &self.names.program, &self.names.call, &self.names.values);
        let (declared, used) = (self.generics.declared(), self.generics.used());
        let (predicates, of_call) = (self.generics.predicates(), self.generics.of_call_used(&self.call_identifiers()));
        let summary = self.summary();
        let taken = self.graph.parameters.iter().map(taken);
        let (passed, sink, node) = (internal("__passed"), internal("__sink"), internal("__node"));
        let buffers = self.buffers().map(|buffer| pass_buffer(&buffer));
        let objects = self.objects().map(|object| {
            let name = object.name;
            quote!(#passed.object(#name.index());)
        });
        let fields = self.values().map(|(name, _)| name);
        let bounded = self.graph.parameters.iter().filter(|parameter| parameter.bound.is_some());
        let bounded = bounded.map(|parameter| parameter.name.to_string());
        quote! {
            impl<'g, #declared> ::graph_runtime::__private::GraphInside for #graph<'g, #used> where #predicates {
                type Call = #call<#(#of_call),*>;
                type Program = #program<#used>;
                const SUMMARY: ::graph_runtime::__private::Summary = #summary;
                const BOUNDED: &'static [&'static str] = &[#(#bounded),*];

                #[allow(clippy::used_underscore_binding)]
                fn call(
                    #call { #(#taken),* }: Self::Call,
                    #sink: &mut ::graph_runtime::__private::Sink,
                    #node: u32,
                ) {
                    let mut #passed = ::graph_runtime::__private::Passed::new();
                    #(#buffers)*
                    #(#objects)*
                    let __values = #values::<#used> { #(#fields,)* __types: ::core::marker::PhantomData };
                    #sink.inside::<#program<#used>>(#node, #passed, &__values);
                }
            }
        }
    }

    fn summary(&self) -> TokenStream {
        let nodes = &self.lowered.program.nodes;
        let host = nodes.iter().any(|node| matches!(node.kind, NodeKind::Host(_)));
        let event = nodes.iter().any(|node| node.kind.event().is_some());
        let inner = (0..self.lowered.graphs.len() as u32).map(|graph| {
            let graph = self.graph_alias(graph);
            quote!(.and(<#graph as ::graph_runtime::__private::GraphInside>::SUMMARY))
        });
        quote!(::graph_runtime::__private::Summary::new(#host, #event) #(#inner)*)
    }

    /// `type Graph = path::Other<'static, T>;`, once for each graph inside this one: an unknown one is reported once.
    pub(super) fn graph_aliases(&self) -> TokenStream {
        let aliases = self.lowered.graphs.iter().enumerate().map(|(index, path)| {
            let (graph, call) = (graph_name(index as u32), call_name(index as u32));
            let declared = self.generics.of_call(&named_in(path));
            let used = self.generics.of_call_used(&named_in(path));
            let path = with_lifetime(path);
            quote! {
                #[allow(type_alias_bounds, non_camel_case_types)]
                type #graph<#(#declared),*> = #path;
                #[allow(type_alias_bounds, non_camel_case_types)]
                type #call<#(#declared),*> = <#graph<#(#used),*> as ::graph_runtime::__private::GraphInside>::Call;
            }
        });
        quote!(#(#aliases)*)
    }

    fn graph_alias(&self, graph: u32) -> TokenStream {
        let used = self.alias_generics(graph);
        let name = graph_name(graph);
        quote!(#name<#(#used),*>)
    }

    fn alias_generics(&self, graph: u32) -> Vec<TokenStream> {
        self.generics.of_call_used(&named_in(&self.lowered.graphs[graph as usize]))
    }

    /// `vec![GraphEntry::of::<…>(), …]`
    pub(super) fn graph_entries(&self) -> TokenStream {
        let entries = (0..self.lowered.graphs.len() as u32).map(|graph| {
            let graph = self.graph_alias(graph);
            quote! {
                ::graph_runtime::__private::GraphEntry::of::<
                    <#graph as ::graph_runtime::__private::GraphInside>::Program
                >()
            }
        });
        quote!(::std::vec![#(#entries),*])
    }

    /// Graphs in bodies: refused at compile time if something in them is not allowed there.
    pub(super) fn body_checks(&self) -> TokenStream {
        let mut seen = Vec::new();
        let checks = self.lowered.program.nodes.iter().filter_map(|node| {
            let NodeKind::Graph(call) = &node.kind else { return None };
            if !self.alias_generics(call.graph).is_empty() || seen.contains(&node.place) {
                return None;
            }
            seen.push(node.place);
            self.body_check(node, call.graph)
        });
        checks.collect()
    }

    fn body_check(&self, node: &Node, graph: u32) -> Option<TokenStream> {
        let program = &self.lowered.program;
        let (place, word) = body_around(program, node.region)?;
        let name = &self.lowered.graphs[graph as usize].path.segments.last()?.ident;
        let span = self.lowered.places[node.place.0 as usize];
        let around = (program.location(place)?.to_string(), word);
        Some(body_check((&self.graph_alias(graph), name), span, around, !self.alias_generics(graph).is_empty()))
    }

    /// `<Other as GraphInside>::call(OtherCall { a: a.read(), n }, sink, 3);`
    pub(super) fn graph(&self, call: &GraphEvaluation) -> TokenStream {
        let (sink, number) = (internal("__sink"), call.node.0);
        let graph = self.graph_alias(call.graph);
        let mut name = call_name(call.graph);
        name.set_span(name.span().located_at(call.name.span()));
        let used = self.alias_generics(call.graph);
        let turbofish = (!used.is_empty()).then(|| quote!(::<#(#used),*>));
        let mut cloned = Vec::new();
        let fields: Vec<_> = call.fields.iter().map(|(name, value)| self.field(name, value, &mut cloned)).collect();
        let mut braces = Group::new(Delimiter::Brace, quote!(#(#fields),*));
        braces.set_span(call.braces.resolved_at(Span::mixed_site()));
        let braces = TokenTree::Group(braces);
        let passed = internal("__call");
        let in_body = (!used.is_empty()).then(|| self.body_check(self.lowered.program.node(call.node), call.graph));
        let bounded = call.bounded.iter().map(|field| bound_check(&graph, &call.name, field, !used.is_empty()));
        quote! {{
            #in_body
            #(#bounded)*
            #(#cloned)*
            let #passed = #name #turbofish #braces;
            <#graph as ::graph_runtime::__private::GraphInside>::call(#passed, #sink, #number);
        }}
    }

    /// `by: …`; a value that is a name is cloned in front.
    fn field(&self, name: &Ident, value: &FieldValue, cloned: &mut Vec<TokenStream>) -> TokenStream {
        match value {
            FieldValue::Value(value @ Expr::Path(path)) if path.path.get_ident().is_some() => {
                let copy =
                    format_ident!("__value_{}", cloned.len(), span = Span::mixed_site().located_at(value.span()));
                cloned.push(quote!(let #copy = ::core::clone::Clone::clone(&#value);));
                quote!(#name: #copy)
            }
            _ => {
                let value = self.field_value(value);
                quote!(#name: #value)
            }
        }
    }

    fn field_value(&self, value: &FieldValue) -> TokenStream {
        match value {
            FieldValue::Buffer(buffer, ranges) if ranges.is_empty() => {
                put::made(|tokens| buffer_argument(buffer, None, tokens))
            }
            FieldValue::Buffer(buffer, ranges) => {
                let ranges = ranges.iter().map(|[start, end]| {
                    let (start, end) = (self.amount(start), self.amount(end));
                    quote!([#start, #end])
                });
                let receiver = located(&buffer.name, buffer.ampersand);
                let part = quote!(#receiver.boxed([#(#ranges),*]));
                put::made(|tokens| buffer_argument(buffer, Some(&part), tokens))
            }
            FieldValue::Passing(buffer) => {
                let method = match buffer.mode {
                    Mode::Read => "reads",
                    Mode::Update | Mode::Atomic => "updates",
                    Mode::Overwrite => "overwrites",
                };
                let span = Span::mixed_site().located_at(buffer.name.span());
                let (method, name) = (Ident::new(method, span), &buffer.name);
                quote_spanned!(span=> ::graph_runtime::__private::Passes::#method(&#name))
            }
            FieldValue::Object { index, mode, span } => {
                let object = self.objects().find(|object| object.index == *index);
                let ty = object.map_or_else(|| quote!(()), |object| object.ty.to_token_stream());
                let name = match mode {
                    Some(Mode::Read) => "SharedObject",
                    Some(_) => "ExclusiveObject",
                    None => "EventObject",
                };
                let span = Span::mixed_site().located_at(*span);
                let name = Ident::new(name, span);
                let object = quote_spanned!(span=> ::graph_runtime::__private::#name::<#ty>::new(#index));
                quote_spanned!(span=> ::graph_runtime::__private::PassedOn::passed_on(#object))
            }
            FieldValue::Value(value) => value.to_token_stream(),
        }
    }
}

/// `name` or `name: name`: rustc says once what is no struct of buffers, where its type stands.
fn taken(parameter: &ast::Parameter) -> TokenStream {
    let name = &parameter.name;
    match &parameter.kind {
        ast::ParameterKind::Buffer { element, .. } if parameter.structure => {
            let inside = taken_as(name, element);
            quote!(#name: #inside)
        }
        _ => name.to_token_stream(),
    }
}

fn taken_as(name: &Ident, element: &Type) -> Ident {
    format_ident!("__{}", name, span = Span::mixed_site().located_at(element.span()))
}

fn pass_buffer(buffer: &BufferParameter<'_>) -> TokenStream {
    let passed = internal("__passed");
    let name = &if buffer.structure { taken_as(buffer.name, buffer.element) } else { buffer.name.clone() };
    let length = match (buffer.lists, buffer.structure) {
        (_, true) => quote!(0),
        (0, false) => quote!(#name.len()),
        (_, false) => quote!(::graph_runtime::__private::first_length(&#name)),
    };
    quote! {
        let #name = #name.ghost();
        let __length = #length;
        #passed.buffer(#name, __length);
    }
}

fn graph_name(index: u32) -> Ident {
    format_ident!("__Graph_{index}", span = Span::mixed_site())
}

fn call_name(index: u32) -> Ident {
    format_ident!("__Call_{index}", span = Span::mixed_site())
}

/// `path::Other<'static, T>`
fn with_lifetime(path: &ExprPath) -> TokenStream {
    let mut path = path.clone();
    let Some(last) = path.path.segments.last_mut() else { return TokenStream::new() };
    let arguments = match std::mem::take(&mut last.arguments) {
        PathArguments::AngleBracketed(arguments) => arguments.args.to_token_stream(),
        _ => TokenStream::new(),
    };
    let span = Span::mixed_site().located_at(last.ident.span());
    let lifetime = syn::Lifetime::new("'static", span);
    quote_spanned!(span=> #path<#lifetime, #arguments>)
}

/// `const _: () = assert!(!Other::SUMMARY.host, "…");`
fn body_check(
    (graph, name): (&TokenStream, &Ident),
    span: Span,
    (place, around): (String, &str),
    generic: bool,
) -> TokenStream {
    let check = |field: &str, what: &str, word: &str| {
        let field = Ident::new(field, Span::mixed_site());
        let text = format!(
            "graph `{name}` has {what} in it, and is not allowed inside a conditional body [CG0501]\n\
             note: this is a body of the `{around}`, which runs without the host ({place})\n\
             note: a body holds kernels, copies, fills, captures and conditionals\n\
             help: name the graph before or behind the `{around}`, or take the {word} out of it"
        );
        let at = Span::mixed_site().located_at(span);
        let check = quote_spanned! {at=>
            ::core::assert!(!<#graph as ::graph_runtime::__private::GraphInside>::SUMMARY.#field, #text)
        };
        evaluated(at, &check, generic)
    };
    let (host, event) = (check("host", "a `host` callback", "`host`"), check("event", "an event", "events"));
    quote!(#host #event)
}

/// `const _: () = check;`; with parameters, which items cannot name, `const { check };`: rustc evaluates that where the graph is used.
fn evaluated(at: Span, check: &TokenStream, generic: bool) -> TokenStream {
    if generic { quote_spanned!(at=> const { #check };) } else { quote_spanned!(at=> const _: () = #check;) }
}

/// `const _: () = assert!(has_bound(Other::BOUNDED, "n"), "…");`
fn bound_check(graph: &TokenStream, name: &Ident, field: &BoundedField, generic: bool) -> TokenStream {
    let BoundedField { field, value, span } = field;
    let parameter = field.to_string();
    let text = format!(
        "`{parameter}` of graph `{name}` has no bound, and is computed from `{value}`, which may change at each launch [CG0208]\n\
         note: without a bound it may decide which nodes there are\n\
         help: declare it with a bound, `{parameter}: T <= capacity`, or pass `{value}.bound()`"
    );
    let at = Span::mixed_site().located_at(*span);
    let check = quote_spanned! {at=>
        ::core::assert!(
            ::graph_runtime::__private::has_bound(
                <#graph as ::graph_runtime::__private::GraphInside>::BOUNDED,
                #parameter
            ),
            #text
        )
    };
    evaluated(at, &check, generic)
}
