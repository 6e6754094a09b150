//! Tokens that are appended where they belong.
//!
//! `quote!` makes a stream of its own for each part, and each stream that it takes in goes across to the compiler and back five times.
//! Code of which every statement has some is written by `put!` instead, which appends to the stream that is there.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Lifetime;

/// Appends tokens to `$to: &mut TokenStream`, with names and signs at the macro's call site, as `quote!` does. `#name` is what the variable
/// is; repetitions are written as loops.
macro_rules! put {
    ($to:expr =>) => { () };
    ($to:expr => # $value:ident $($rest:tt)*) => {{
        ::quote::ToTokens::to_tokens(&$value, $to);
        $crate::emit::put::put!($to => $($rest)*)
    }};
    ($to:expr => ($($inner:tt)*) $($rest:tt)*) => {{
        let put = |_inner: &mut ::proc_macro2::TokenStream| $crate::emit::put::put!(_inner => $($inner)*);
        $crate::emit::put::group($to, ::proc_macro2::Delimiter::Parenthesis, put);
        $crate::emit::put::put!($to => $($rest)*)
    }};
    ($to:expr => {$($inner:tt)*} $($rest:tt)*) => {{
        let put = |_inner: &mut ::proc_macro2::TokenStream| $crate::emit::put::put!(_inner => $($inner)*);
        $crate::emit::put::group($to, ::proc_macro2::Delimiter::Brace, put);
        $crate::emit::put::put!($to => $($rest)*)
    }};
    ($to:expr => $token:tt $($rest:tt)*) => {{
        $crate::emit::put::token($to, stringify!($token));
        $crate::emit::put::put!($to => $($rest)*)
    }};
}
pub(super) use put;

/// A stream of what a function appends.
pub(super) fn made(put: impl FnOnce(&mut TokenStream)) -> TokenStream {
    let mut tokens = TokenStream::new();
    put(&mut tokens);
    tokens
}

/// One token that is no group.
pub(super) fn token(to: &mut TokenStream, text: &str) {
    match text.as_bytes() {
        [b'_' | b'a'..=b'z' | b'A'..=b'Z', ..] => to.extend([TokenTree::Ident(Ident::new(text, Span::call_site()))]),
        [b'0'..=b'9', ..] => to.extend(text.parse::<Literal>().map(TokenTree::Literal)),
        [b'\'', ..] => Lifetime::new(text, Span::call_site()).to_tokens(to),
        signs => to.extend(signs.iter().enumerate().map(|(index, sign)| {
            let spacing = if index + 1 < signs.len() { Spacing::Joint } else { Spacing::Alone };
            TokenTree::Punct(Punct::new(char::from(*sign), spacing))
        })),
    }
}

/// A sign, with a place.
pub(super) fn sign(sign: char, place: Span) -> TokenTree {
    let mut sign = Punct::new(sign, Spacing::Alone);
    sign.set_span(place);
    TokenTree::Punct(sign)
}

/// A group with what `inner` appends.
pub(super) fn group(to: &mut TokenStream, delimiter: Delimiter, inner: impl FnOnce(&mut TokenStream)) {
    to.extend([TokenTree::Group(grouped(delimiter, inner))]);
}

/// The same in parentheses, with a place.
pub(super) fn group_at(to: &mut TokenStream, place: Span, inner: impl FnOnce(&mut TokenStream)) {
    let mut group = grouped(Delimiter::Parenthesis, inner);
    group.set_span(place);
    to.extend([TokenTree::Group(group)]);
}

fn grouped(delimiter: Delimiter, inner: impl FnOnce(&mut TokenStream)) -> Group {
    Group::new(delimiter, made(inner))
}

/// What a function appends, wherever it is named.
pub(super) struct Put<F>(F);

impl<F: Fn(&mut TokenStream)> Put<F> {
    pub(super) fn by(put: F) -> Self {
        Self(put)
    }
}

impl<F: Fn(&mut TokenStream)> ToTokens for Put<F> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        (self.0)(tokens);
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn puts_what_quote_makes() {
        let (name, count) = (Ident::new("x", Span::call_site()), 7_u32);
        let mut tokens = quote!(before);
        put!(&mut tokens => let #name: &'a mut ::a::B<'_, _> = c.d(#count, { e..=f }); () => #name);
        let expected = quote!(before let #name: &'a mut ::a::B<'_, _> = c.d(#count, { e..=f }); () => #name);
        assert_eq!(tokens.to_string(), expected.to_string());
        let spacings =
            |tokens: TokenStream| -> Vec<String> { tokens.into_iter().map(|token| format!("{token:?}")).collect() };
        assert_eq!(spacings(tokens), spacings(expected));
    }

    #[test]
    fn a_part_is_put_where_it_is_named() {
        let part = Put::by(|tokens| put!(tokens => a + b));
        let mut tokens = TokenStream::new();
        put!(&mut tokens => f(#part, #part));
        assert_eq!(tokens.to_string(), quote!(f(a + b, a + b)).to_string());
    }
}
