//! What a block with conditions becomes, and what is left of it.

use std::str::FromStr as _;

use proc_macro2::TokenStream;

use super::super::configuration::{ask, configured};
use super::super::{Read, read};
use crate::diagnostic::Diagnostics;

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap()
}

/// The item that a block with conditions becomes.
fn item(block: &TokenStream) -> Option<TokenStream> {
    match read(block.clone(), &mut Diagnostics::default()) {
        Read::Undecided(conditions) => Some(ask(block, &conditions)),
        Read::Parsed(_) | Read::TooDeep(_) => None,
    }
}

/// The item without its name, which is made of the block.
fn asked(block: &str) -> Option<(String, String)> {
    let item = item(&tokens(block))?.to_string();
    let (front, rest) = item.split_once("enum ").unwrap();
    let body = rest.split_once('{').unwrap().1.to_owned();
    Some((front.to_owned(), body))
}

/// The block once rustc has left these conditions.
fn decided(block: &str, left: &str) -> String {
    configured(tokens(&format!("#[block({block})] enum Name {{ {left} }}"))).unwrap().to_string()
}

fn same(one: &str, other: &str) {
    assert_eq!(one, tokens(other).to_string());
}

#[test]
fn a_block_without_conditions_is_looked_at_at_once() {
    for block in [
        "graph A() {}",
        "#[cfg(true)] graph A() { #[cfg(false)] k(); }",
        "#[cfg] graph A() {}",
        "#[cfg()] x",
        "cfg(unix)",
    ] {
        assert!(asked(block).is_none(), "{block}");
    }
}

#[test]
fn each_condition_is_asked_for_once() {
    let (_, variants) =
        asked("#[cfg(unix)] a { #[cfg_attr(test, allow(x))] b; #[cfg(unix)] c; #[cfg(not(unix))] d; }").unwrap();
    same(&tokens(&format!("{{ {variants}")).to_string(), "{ #[cfg(unix)] C0, #[cfg(test)] C1, #[cfg(not(unix))] C2, }");
}

#[test]
fn what_rustc_leaves_decides_all_places() {
    let block = "#[cfg(unix)] a { #[cfg_attr(test, allow(x), deny(y),)] b; #[cfg(unix)] c; }";
    same(&decided(block, "C0,"), "#[cfg(true)] a { b; #[cfg(true)] c; }");
    same(&decided(block, "C1"), "#[cfg(false)] a { #[allow(x)] #[deny(y)] b; #[cfg(false)] c; }");
}

#[test]
fn conditions_in_conditions_come_next() {
    let block = decided("#[cfg_attr(a, cfg(b))] x", "C0");
    same(&block, "#[cfg(b)] x");
    assert!(asked(&block).is_some());
}

#[test]
fn the_same_block_has_the_same_name() {
    let block = tokens("#[cfg(unix)] graph A() {}");
    assert_eq!(item(&block).unwrap().to_string(), item(&block).unwrap().to_string());
}
