//! Closures of `host` and `capture`: what they are given as variables, then their bodies as they were written.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, Pat, ReturnType};

use graph_ir::model::{Mode, ObjectId};

use super::Emission;
use super::program::internal;
use crate::lower::{CallArgument, CallEvaluation};
use crate::syntax::ast::Closure;

/// Where a closure runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Host,
    Stream,
}

impl Emission<'_> {
    /// The objects as variables of host expressions.
    pub(super) fn object_variables(&self) -> TokenStream {
        let objects = internal("__objects");
        let shared = self.objects().filter(super::ObjectParameter::is_shared).map(|object| {
            let (name, ty, index) = (object.name, object.ty, object.index);
            quote!(let #name: &#ty = #objects.get::<#ty>(#index);)
        });
        let sink = internal("__sink");
        let any = self.objects().next().map(|_| quote!(let #objects = #sink.objects();));
        quote!(#any #(#shared)*)
    }

    pub(super) fn call(&self, call: &CallEvaluation) -> TokenStream {
        let (sink, node) = (internal("__sink"), call.node.0);
        let place = if call.host { Place::Host } else { Place::Stream };
        let closure = self.closure(call, &call.closure, place);
        let values = &call.values;
        if call.host {
            return quote!({ #sink.host(#node, &[#(#values),*], #closure); });
        }
        let cpu = call.cpu.as_ref().map(|cpu| {
            let closure = self.closure(call, cpu, Place::Host);
            quote!(#sink.capture_on_cpu(#node, #closure);)
        });
        let method =
            format_ident!("{}", if call.loaded { "launch_loaded" } else { "capture" }, span = Span::mixed_site());
        quote!({ #sink.#method(#node, &[#(#values),*], #closure); #cpu })
    }

    /// `{ let n = n.clone(); …; move |call| { let (a, b) = …; body } }`
    fn closure(&self, call: &CallEvaluation, closure: &Closure, place: Place) -> TokenStream {
        let hosts = call.hosts.iter().map(|name| quote!(let #name = ::core::clone::Clone::clone(&#name);));
        let handles = self.handles(call);
        let (made, shared) = (handles.iter().map(|handle| &handle.made), handles.iter().map(|handle| &handle.opened));
        let values = given(call, place);
        let (patterns, types): (Vec<_>, Vec<_>) = closure.parameters.iter().map(parameter).unzip();
        let body = body(closure);
        let argument = internal("__call");
        quote! {{
            #(#hosts)*
            #(#made)*
            move |#argument: &::graph_runtime::__private::Call<'_>| -> ::graph_runtime::__private::Outcome {
                #(#shared)*
                let (#(#patterns,)*): (#(#types,)*) = (#(#values,)*);
                #body
            }
        }}
    }

    /// One for each object that the closure names or is given.
    fn handles(&self, call: &CallEvaluation) -> Vec<HandleTokens> {
        let named = call.shared.iter().map(|(name, object)| self.shared(*object, Some(name)));
        let given = call.arguments.iter().filter_map(|argument| match argument {
            CallArgument::Shared(object) => Some(self.shared(*object, None)),
            CallArgument::Exclusive(object) => Some(self.exclusive(*object)),
            CallArgument::Buffer(_) => None,
        });
        named.chain(given).collect()
    }

    fn shared(&self, object: ObjectId, name: Option<&Ident>) -> HandleTokens {
        let (objects, call, index) = (internal("__objects"), internal("__call"), object.0);
        let ty = self.object_type(object);
        let handle = handle(object, name.is_some());
        let opened = name.map(|name| quote!(let #name: &#ty = #handle.get(#call);)).unwrap_or_default();
        HandleTokens { made: quote!(let #handle = #objects.handle::<#ty>(#index);), opened }
    }

    fn exclusive(&self, object: ObjectId) -> HandleTokens {
        let (objects, call, index) = (internal("__objects"), internal("__call"), object.0);
        let ty = self.object_type(object);
        let (handle, guard) = (handle(object, false), guard(object));
        HandleTokens {
            made: quote!(let #handle = #objects.exclusive::<#ty>(#index);),
            opened: quote!(let mut #guard = #handle.lock(#call);),
        }
    }

    fn object_type(&self, object: ObjectId) -> TokenStream {
        let found = self.objects().find(|parameter| parameter.index == object.0);
        found.map_or_else(|| quote!(()), |parameter| parameter.ty.to_token_stream())
    }
}

/// Code in front of a closure, and in it.
struct HandleTokens {
    made: TokenStream,
    opened: TokenStream,
}

fn handle(object: ObjectId, named: bool) -> Ident {
    internal(&format!("__object_{}{}", object.0, if named { "_named" } else { "" }))
}

fn guard(object: ObjectId) -> Ident {
    internal(&format!("__guard_{}", object.0))
}

/// What the closure is given, in order.
fn given(call: &CallEvaluation, place: Place) -> Vec<TokenStream> {
    let argument = internal("__call");
    let mut access = 0_u32;
    let stream = (place == Place::Stream).then(|| quote!(#argument.stream()));
    let given = call.arguments.iter().map(|part| match part {
        CallArgument::Shared(object) => {
            let handle = handle(*object, false);
            quote!(#handle.get(#argument))
        }
        CallArgument::Exclusive(object) => {
            let guard = guard(*object);
            quote!(&mut *#guard)
        }
        CallArgument::Buffer(buffer) => {
            let index = access;
            access += 1;
            let name = match (place, buffer.mode) {
                (Place::Host, Mode::Read) => "call_slice",
                (Place::Host, _) => "call_slice_mut",
                (Place::Stream, Mode::Read) => "call_view",
                (Place::Stream, _) => "call_view_mut",
            };
            let method = format_ident!("{name}", span = Span::mixed_site());
            let ghost = &buffer.name;
            quote!(#ghost.#method(#argument, #index))
        }
    });
    stream.into_iter().chain(given).collect()
}

/// A closure's parameter as a pattern and its type, `_` if none is written.
fn parameter(parameter: &Pat) -> (TokenStream, TokenStream) {
    match parameter {
        Pat::Type(typed) => (typed.pat.to_token_stream(), typed.ty.to_token_stream()),
        other => (other.to_token_stream(), quote!(_)),
    }
}

/// The body, with its value as an outcome. One that leaves with `?` or `return` is a function of its own, so that they leave it.
fn body(closure: &Closure) -> TokenStream {
    let body = &closure.body;
    let result = match &closure.output {
        ReturnType::Type(_, ty) => Some(ty.to_token_stream()),
        ReturnType::Default if leaves(body) => Some(quote! {
            ::core::result::Result<(), ::std::boxed::Box<dyn ::std::error::Error + ::core::marker::Send + ::core::marker::Sync>>
        }),
        ReturnType::Default => None,
    };
    let span = Span::mixed_site().located_at(body.span());
    let Some(result) = result else {
        return quote_spanned!(span=> ::graph_runtime::__private::IntoOutcome::into_outcome(#body));
    };
    quote! {
        let __outcome: #result = (move || -> #result { #body })();
        ::graph_runtime::__private::IntoOutcome::into_outcome(__outcome)
    }
}

/// Whether an expression has a `?` or a `return` of its own.
fn leaves(body: &Expr) -> bool {
    struct Leaves(bool);
    impl<'a> Visit<'a> for Leaves {
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Try(_) | Expr::Return(_) => self.0 = true,
                Expr::Closure(_) | Expr::Async(_) => {}
                other => syn::visit::visit_expr(self, other),
            }
        }

        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut found = Leaves(false);
    found.visit_expr(body);
    found.0
}
