//! Code that never runs: rustc checks each use against the declarations, with spans that make its messages point at what was written.

use graph_ir::model::Mode;
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use syn::Expr;

use super::Emission;
use crate::lower::{Check, CheckArgument, CheckBuffer, static_type, text};

impl Emission<'_> {
    pub(super) fn check(&self, check: &Check) -> TokenStream {
        match check {
            Check::Launch { kernel, path, arguments, parentheses } => {
                let kernel = &self.lowered.kernels[*kernel as usize];
                let (mut alias, generics) = (kernel.alias.clone(), &kernel.generics);
                alias.set_span(path.span());
                // A function that is no kernel gets buffers that it cannot take: that is enough to say.
                let plain = arguments.iter().any(|argument| matches!(argument, CheckArgument::Buffer(_)));
                let place = Span::mixed_site().located_at(path.span());
                let expected = (!plain).then(|| quote_spanned!(place=> : ::graph_runtime::__private::Launched));
                let arguments = arguments.iter().map(argument);
                // Where the fix-its of rustc insert: in place, instead of rewriting the whole launch.
                let list = group(quote!(#(#arguments),*), parentheses.resolved_at(Span::mixed_site()));
                let mut check = quote!(let _ #expected = #alias #generics);
                check.extend([list, TokenTree::Punct(Punct::new(';', Spacing::Alone))]);
                check
            }
            Check::Overlap { kernel, span } => {
                let kernel = self.lowered.kernels[*kernel as usize].as_type();
                let overlaps = quote_spanned!(Span::mixed_site().located_at(*span)=> overlaps);
                quote!(::graph_runtime::__private::#overlaps::<#kernel>();)
            }
            Check::Fill { target, value } => method(target, "fill", &quote!(#value)),
            Check::Copy { from, to } => method(from, "copy_to", &buffer_argument(to, None)),
            Check::Swap { left, right } => method(left, "swap_with", &buffer_argument(right, None)),
            Check::Use(name) => quote!(let _ = &#name;),
        }
    }
}

fn argument(argument: &CheckArgument) -> TokenStream {
    match argument {
        CheckArgument::Value(value) => value.to_token_stream(),
        CheckArgument::Hole(value) => hole(value),
        CheckArgument::Buffer(buffer) => buffer_argument(buffer, None),
    }
}

/// A value in the place of what was written, since rustc's fix-its repeat it: of any type, unless a cast says which. Where an
/// argument is missing, the types tell which one it is.
fn hole(written: &Expr) -> TokenStream {
    let of = static_type(written).map(|ty| quote!(::<#ty>));
    let at = |place: Span| Span::mixed_site().located_at(place);
    let arguments = group(TokenStream::new(), at(text::last_span(written)));
    let mut hole = quote_spanned!(at(text::span(written))=> __hole #of);
    hole.extend([arguments]);
    hole
}

/// `x.read()`; of a part of it, which `part` evaluates to.
pub(super) fn buffer_argument(buffer: &CheckBuffer, part: Option<&TokenStream>) -> TokenStream {
    let method = match buffer.mode {
        Mode::Read => "read",
        Mode::Update => "update",
        Mode::Overwrite => "out",
        Mode::Atomic => "atomic",
    };
    // The call stands at the `&`: with the name it spans the argument as written, and an editor finds the buffer alone at the name.
    let method = Ident::new(method, Span::mixed_site().located_at(buffer.ampersand));
    let empty = group(TokenStream::new(), buffer.name.span().located_at(buffer.ampersand));
    let receiver = part.cloned().unwrap_or_else(|| buffer.name.to_token_stream());
    let mut call = quote!(#receiver.#method);
    call.extend([empty]);
    call
}

fn method(receiver: &CheckBuffer, name: &str, argument: &TokenStream) -> TokenStream {
    let span = receiver.name.span();
    let receiver = &receiver.name;
    let name = Ident::new(name, Span::mixed_site().located_at(span));
    quote_spanned!(Span::mixed_site().located_at(span)=> #receiver.#name(#argument);)
}

/// A name, with another place.
pub(super) fn located(name: &Ident, place: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(place));
    name
}

fn group(tokens: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    TokenTree::Group(group)
}
