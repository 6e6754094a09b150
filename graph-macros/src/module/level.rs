//! `#[allow(unread_kernel)]` and the like, on a module or a kernel in it: whether it is told that a kernel could not be read.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Token, parse_quote};

use crate::diagnostic::lint::UNREAD_KERNEL as NAME;

/// What is done about it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    Allow,
    Warn,
    /// Where that is asked for.
    Deny(Span),
}

/// Takes the name out of the attributes; the last of them counts.
pub(super) fn take(attributes: &mut Vec<Attribute>) -> Option<Level> {
    let mut level = None;
    attributes.retain_mut(|attribute| {
        let Some(found) = named(attribute) else { return true };
        level = Some(found);
        without(attribute)
    });
    level
}

fn named(attribute: &Attribute) -> Option<Level> {
    let ours = names(attribute).into_iter().find(|name| name.path().is_ident(NAME))?;
    let path = attribute.path();
    Some(match path.get_ident()?.to_string().as_str() {
        "allow" | "expect" => Level::Allow,
        "warn" => Level::Warn,
        "deny" | "forbid" => Level::Deny(ours.span()),
        _ => return None,
    })
}

/// What stands between the parentheses, a reason too.
fn names(attribute: &Attribute) -> Vec<Meta> {
    let list = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    list.map(|list| list.into_iter().collect()).unwrap_or_default()
}

/// Leaves the other names; whether there are any.
fn without(attribute: &mut Attribute) -> bool {
    let others: Vec<Meta> = names(attribute).into_iter().filter(|name| !name.path().is_ident(NAME)).collect();
    let (style, word) = (attribute.style, attribute.path().clone());
    let kept = others.iter().any(|name| matches!(name, Meta::Path(_)));
    *attribute = parse_quote!(#[#word(#(#others),*)]);
    attribute.style = style;
    kept
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens as _, quote};

    use super::*;

    #[test]
    fn the_name_is_taken_and_the_others_stay() {
        let mut attributes: Vec<Attribute> = vec![
            parse_quote!(#[doc = "x"]),
            parse_quote!(#[deny(unread_kernel, reason = "why")]),
            parse_quote!(#[allow(dead_code, unread_kernel)]),
        ];
        assert!(matches!(take(&mut attributes), Some(Level::Allow)));
        let text = quote!(#(#attributes)*).to_string();
        assert_eq!(text, quote!(#[doc = "x"] #[allow(dead_code)]).to_string());
        assert!(take(&mut attributes).is_none());
        let mut one: Vec<Attribute> = vec![parse_quote!(#![deny(unread_kernel, unused)])];
        assert!(matches!(take(&mut one), Some(Level::Deny(_))));
        assert_eq!(one[0].to_token_stream().to_string(), quote!(#![deny(unused)]).to_string());
    }
}
