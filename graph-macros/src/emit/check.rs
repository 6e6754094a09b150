//! Code that never runs: rustc checks each use against the declarations, with spans that make its messages point at what was written.

use graph_ir::model::Mode;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Expr;

use super::Emission;
use super::put::{self, Put, put};
use crate::lower::{Check, CheckArgument, CheckBuffer, static_type, text};

impl Emission<'_> {
    pub(super) fn check(&self, check: &Check, tokens: &mut TokenStream) {
        match check {
            Check::Launch { kernel, path, arguments, parentheses } => {
                let kernel = &self.lowered.kernels[*kernel as usize];
                let (mut alias, generics) = (kernel.alias.clone(), &kernel.generics);
                alias.set_span(path.span());
                put!(tokens => let _);
                // A function that is no kernel gets buffers that it cannot take: that is enough to say.
                if !arguments.iter().any(|argument| matches!(argument, CheckArgument::Buffer(_))) {
                    let place = Span::mixed_site().located_at(path.span());
                    quote_spanned!(place=> : ::graph_runtime::__private::Launched).to_tokens(tokens);
                }
                put!(tokens => = #alias);
                if !generics.is_empty() {
                    generics.to_tokens(tokens);
                }
                // Where the fix-its of rustc insert: in place, instead of rewriting the whole launch.
                put::group_at(tokens, parentheses.resolved_at(Span::mixed_site()), |list| {
                    for (index, one) in arguments.iter().enumerate() {
                        if index > 0 {
                            put!(list => ,);
                        }
                        argument(one, list);
                    }
                });
                put!(tokens => ;);
            }
            Check::Overlap { kernel, span } => {
                let kernel = self.lowered.kernels[*kernel as usize].as_type();
                let overlaps = Ident::new("overlaps", Span::mixed_site().located_at(*span));
                put!(tokens => ::graph_runtime::__private::#overlaps::<#kernel>(););
            }
            Check::Fill { target, value } => method(target, "fill", value, tokens),
            Check::Copy { from, to } => {
                method(from, "copy_to", &Put::by(|list| buffer_argument(to, None, list)), tokens);
            }
            Check::Swap { left, right } => {
                method(left, "swap_with", &Put::by(|list| buffer_argument(right, None, list)), tokens);
            }
            Check::Use(name) => put!(tokens => let _ = &#name;),
        }
    }
}

fn argument(argument: &CheckArgument, tokens: &mut TokenStream) {
    match argument {
        CheckArgument::Value(value) => value.to_tokens(tokens),
        CheckArgument::Hole(value) => hole(value, tokens),
        CheckArgument::Buffer(buffer) => buffer_argument(buffer, None, tokens),
    }
}

/// A value in the place of what was written, since rustc's fix-its repeat it: of any type, unless a cast says which. Where an
/// argument is missing, the types tell which one it is.
fn hole(written: &Expr, tokens: &mut TokenStream) {
    let at = |place: Span| Span::mixed_site().located_at(place);
    let hole = Ident::new("__hole", at(text::span(written)));
    put!(tokens => #hole);
    if let Some(ty) = static_type(written) {
        put!(tokens => ::<#ty>);
    }
    put::group_at(tokens, at(text::last_span(written)), |_| ());
}

/// `x.read()`; of a part of it, which `part` evaluates to.
pub(super) fn buffer_argument(buffer: &CheckBuffer, part: Option<&TokenStream>, tokens: &mut TokenStream) {
    let method = match buffer.mode {
        Mode::Read => "read",
        Mode::Update => "update",
        Mode::Overwrite => "out",
        Mode::Atomic => "atomic",
    };
    // The call stands at the `&`: with the name it spans the argument as written, and an editor finds the buffer alone at the name.
    let method = Ident::new(method, Span::mixed_site().located_at(buffer.ampersand));
    match part {
        Some(part) => part.to_tokens(tokens),
        None => buffer.name.to_tokens(tokens),
    }
    put!(tokens => .#method);
    put::group_at(tokens, buffer.name.span().located_at(buffer.ampersand), |_| ());
}

fn method(receiver: &CheckBuffer, name: &str, argument: &impl ToTokens, tokens: &mut TokenStream) {
    let (receiver, place) = (&receiver.name, Span::mixed_site().located_at(receiver.name.span()));
    let name = Ident::new(name, place);
    put!(tokens => #receiver);
    tokens.extend([put::sign('.', place)]);
    put!(tokens => #name);
    put::group_at(tokens, place, |list| argument.to_tokens(list));
    tokens.extend([put::sign(';', place)]);
}

/// A name, with another place.
pub(super) fn located(name: &Ident, place: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(place));
    name
}
