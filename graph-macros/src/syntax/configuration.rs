//! `#[cfg(…)]` in a block: rustc decides the conditions before the block is looked at.
//!
//! What a `derive` is given has no `#[cfg]` left. So a block with conditions becomes an item with a variant for each of them, from which
//! [`configured`] makes the block again, with each condition decided:
//! ```text
//! #[derive(Configured)] #[block(… #[cfg(unix)] copy(&a, &out b); …)] enum Name { #[cfg(unix)] C0 }
//! cuda_graph! { … #[cfg(true)] copy(&a, &out b); … }
//! ```
//! So every analysis sees one configuration, whole. Attributes with the same tokens are one condition.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::buffer::{Cursor, TokenBuffer};
use syn::{Data, DeriveInput, Meta};

use super::survey::survey;

/// The item from which the block is made once rustc has decided its conditions.
pub(crate) fn ask(block: &TokenStream, conditions: &[TokenStream]) -> TokenStream {
    let mut hasher = DefaultHasher::new();
    block.to_string().hash(&mut hasher);
    let name = format_ident!("__Configuration{:016x}", hasher.finish(), span = Span::call_site());
    let variants = (0..conditions.len()).map(variant);
    quote! {
        #[derive(::graph_runtime::__private::Configured)]
        #[block(#block)]
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types)]
        enum #name { #(#[cfg(#conditions)] #variants,)* }
    }
}

fn variant(index: usize) -> Ident {
    format_ident!("C{index}", span = Span::call_site())
}

/// The block of such an item, with the conditions decided for which it was made.
pub(crate) fn configured(item: TokenStream) -> syn::Result<TokenStream> {
    let item: DeriveInput = syn::parse2(item)?;
    let block = item.attrs.into_iter().find_map(|attribute| match attribute.meta {
        Meta::List(list) if list.path.is_ident("block") => Some(list.tokens),
        _ => None,
    });
    let Data::Enum(holding) = item.data else { return Ok(TokenStream::new()) };
    let mut block = block.unwrap_or_default();
    let conditions = survey(TokenBuffer::new2(block.clone()).begin()).unwrap_or_default();
    for (index, condition) in conditions.into_iter().enumerate() {
        let holds = holding.variants.iter().any(|known| known.ident == variant(index));
        block = decided(&block, &condition.to_string(), holds);
    }
    Ok(block)
}

/// `cfg(condition)` or `cfg_attr(condition, attributes)`.
struct Conditional {
    condition: TokenStream,
    /// What `cfg_attr` adds.
    attributes: Option<Vec<TokenStream>>,
}

/// What stands in the brackets of an attribute, if it is one that rustc has to decide.
fn conditional(brackets: &Group) -> Option<Conditional> {
    let stream = TokenBuffer::new2(brackets.stream());
    (brackets.delimiter() == Delimiter::Bracket).then(|| conditional_in(stream.begin())).flatten()
}

fn conditional_in(brackets: Cursor<'_>) -> Option<Conditional> {
    let (word, rest) = brackets.ident()?;
    let (inside, _, rest) = rest.group(Delimiter::Parenthesis)?;
    if !rest.eof() {
        return None;
    }
    let mut parts = parts(inside.token_stream()).into_iter();
    let condition = parts.next().filter(|condition| !condition.is_empty())?;
    if word == "cfg" {
        let alone = parts.next().is_none();
        return (alone && value(&condition).is_none()).then_some(Conditional { condition, attributes: None });
    }
    (word == "cfg_attr").then(|| Conditional { condition, attributes: Some(parts.collect()) })
}

/// What stands between commas.
fn parts(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => parts.push(TokenStream::new()),
            (_, Some(last)) => last.extend([token]),
            (_, None) => {}
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

/// `true` or `false`.
fn value(condition: &TokenStream) -> Option<bool> {
    match condition.to_string().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The conditions that are not decided, each once.
#[derive(Default)]
pub(super) struct Undecided {
    known: HashSet<String>,
    pub(super) found: Vec<TokenStream>,
}

impl Undecided {
    /// Looks at a group behind a `#`.
    pub(super) fn attribute(&mut self, delimiter: Delimiter, inside: Cursor<'_>) {
        let conditional = (delimiter == Delimiter::Bracket).then(|| conditional_in(inside)).flatten();
        if let Some(Conditional { condition, .. }) = conditional
            && self.known.insert(condition.to_string())
        {
            self.found.push(condition);
        }
    }
}

fn is_hash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#')
}

/// The tokens with every attribute on this condition decided.
fn decided(tokens: &TokenStream, text: &str, holds: bool) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens.clone() {
        let TokenTree::Group(group) = token else {
            out.push(token);
            continue;
        };
        let found = out.last().filter(|last| is_hash(last)).and_then(|_| conditional(&group));
        match found.filter(|found| found.condition.to_string() == text) {
            None => out.push(within(&group, decided(&group.stream(), text, holds)).into()),
            Some(Conditional { attributes: None, condition }) => {
                let span = condition.into_iter().next().map_or_else(Span::call_site, |token| token.span());
                let word = syn::LitBool::new(holds, span);
                let name = group.stream().into_iter().next();
                out.push(within(&group, quote!(#name (#word))).into());
            }
            Some(Conditional { attributes: Some(attributes), .. }) => {
                let hash = out.pop();
                for attribute in attributes.into_iter().filter(|_| holds) {
                    out.extend(hash.clone());
                    out.push(within(&group, attribute).into());
                }
            }
        }
    }
    out.into_iter().collect()
}

/// A group with other contents.
fn within(group: &Group, stream: TokenStream) -> Group {
    let mut new = Group::new(group.delimiter(), stream);
    new.set_span(group.span());
    new
}
