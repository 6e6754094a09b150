//! Tokens that `quote!` takes over: it copies a `TokenStream`, with each name and literal in it.

use std::cell::Cell;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Tokens that are written in one place, once.
pub(super) struct Once(Cell<TokenStream>);

impl Once {
    pub(super) fn new(tokens: TokenStream) -> Self {
        Self(Cell::new(tokens))
    }

    /// One behind the other.
    pub(super) fn all(parts: impl IntoIterator<Item = TokenStream>) -> Self {
        Self::new(parts.into_iter().collect())
    }
}

impl ToTokens for Once {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([self.0.take()]);
    }

    fn into_token_stream(self) -> TokenStream {
        self.0.into_inner()
    }
}
