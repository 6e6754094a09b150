//! What an editor gets beside an expansion with errors: everything that was typed, as Rust.
//!
//! Errors take statements out of the expansion, and with them the names that the editor would complete or explain: the very line that is
//! being typed. So all tokens are repeated, with the block's own grammar turned into Rust's, in an item that only rust-analyzer sees: it
//! sets a `cfg` that rustc does not set, and reads what is half typed. rustc does not even parse them, since they stand in a macro's
//! braces.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

/// The tokens of a block or of an item, for the editor only.
pub(crate) fn half_typed(tokens: TokenStream) -> TokenStream {
    let tokens = rewritten(tokens);
    quote! {
        #[allow(unexpected_cfgs, non_snake_case, reason = "for an editor alone, which sets it")]
        const _: () = {
            #[cfg(rust_analyzer)]
            ::graph_runtime::__half_typed! { #tokens }
        };
    }
}

/// The block's grammar as Rust's, as far as single tokens show it: what is left over, an editor's parser skips.
fn rewritten(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Rewriter::default();
    let mut rest = tokens.as_slice();
    while !rest.is_empty() {
        rest = out.next(rest);
    }
    out.tokens
}

#[derive(Default)]
struct Rewriter {
    tokens: TokenStream,
    /// Behind `limit` or `every`: a body would be taken for the fields of a struct.
    counted: bool,
}

impl Rewriter {
    /// Takes what belongs together from the front.
    fn next<'t>(&mut self, rest: &'t [TokenTree]) -> &'t [TokenTree] {
        match rest {
            [word, name @ TokenTree::Ident(_), ..] if is_word(word, "graph") => {
                self.tokens.extend([word_at("fn", word), name.clone()]);
                &rest[2..]
            }
            [kernel, word, ..] if is_word(kernel, "kernel") && is_word(word, "for") => &rest[1..],
            [and, mode, behind, ..] if is(and, '&') && is_mode(mode, behind) => {
                self.tokens.extend([and.clone()]);
                if !["host", "mailbox"].iter().any(|word| is_word(mode, word)) {
                    self.tokens.extend([word_at("mut", mode)]);
                }
                &rest[2..]
            }
            [a, b, c, ..] if [a, b, c].iter().all(|token| is(token, '<')) => self.launch(&rest[3..]),
            [quote, TokenTree::Ident(_), colon, behind, ..] if is(quote, '\'') && is(colon, ':') => {
                let own = ["loop", "while", "for"].iter().any(|word| is_word(behind, word));
                let kept = if own { &rest[..3] } else { &[] };
                self.tokens.extend(kept.iter().cloned());
                &rest[3..]
            }
            [word, quote, ..] if is_word(word, "after") && is(quote, '\'') => {
                let end = rest.iter().position(|token| is(token, ';')).unwrap_or(rest.len());
                &rest[end..]
            }
            [word, behind, ..] if is_count(word, behind) => {
                self.tokens.extend([semicolon()]);
                self.counted = true;
                &rest[1..]
            }
            [token, behind @ ..] => {
                self.token(token);
                behind
            }
            [] => &[],
        }
    }

    fn token(&mut self, token: &TokenTree) {
        let TokenTree::Group(group) = token else { return self.tokens.extend([token.clone()]) };
        if group.delimiter() == Delimiter::Brace && std::mem::take(&mut self.counted) {
            self.tokens.extend([semicolon()]);
        }
        let mut changed = Group::new(group.delimiter(), rewritten(group.stream()));
        changed.set_span(group.span());
        self.tokens.extend(changed.into_token_stream());
    }

    /// `k<<<grid, block>>>(…)` as `k; (grid, block); (…)`.
    fn launch<'t>(&mut self, rest: &'t [TokenTree]) -> &'t [TokenTree] {
        let closes = |window: &[TokenTree]| window.iter().all(|token| is(token, '>'));
        let end = rest.windows(3).position(closes);
        let statement = rest.iter().position(|token| is(token, ';')).unwrap_or(rest.len());
        let end = end.filter(|end| *end < statement);
        let inner = rewritten(rest[..end.unwrap_or(statement)].iter().cloned().collect());
        let size = Group::new(Delimiter::Parenthesis, inner);
        self.tokens.extend([semicolon(), size.into(), semicolon()]);
        end.map_or(&rest[statement..], |end| &rest[end + 3..])
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// `out x`, `atomic x`, `host [f32; n]`.
fn is_mode(mode: &TokenTree, behind: &TokenTree) -> bool {
    match behind {
        TokenTree::Ident(word) => {
            ["out", "atomic", "host", "mailbox"].iter().any(|mode_word| is_word(mode, mode_word)) && word != "as"
        }
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::Bracket
                && ["out", "host", "mailbox"].iter().any(|mode_word| is_word(mode, mode_word))
        }
        _ => false,
    }
}

/// `limit 100`, `every k`.
fn is_count(word: &TokenTree, behind: &TokenTree) -> bool {
    (is_word(word, "limit") || is_word(word, "every")) && matches!(behind, TokenTree::Ident(_) | TokenTree::Literal(_))
}

fn word_at(word: &str, place: &TokenTree) -> TokenTree {
    Ident::new(word, place.span()).into()
}

fn semicolon() -> TokenTree {
    Punct::new(';', Spacing::Alone).into()
}
