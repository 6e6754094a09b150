//! The module's items: which are kernels, and what is wrong with them.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, Token, Visibility};

use super::ast::{Item, Module};
use super::attribute::not_yet;
use super::{level, signature};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// `None` if the item is no module with a body.
pub(super) fn module(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Module> {
    let parser = |input: ParseStream<'_>| {
        let module = head(input, diagnostics);
        // What is left was reported already, or is the `;` behind the module.
        input.parse::<TokenStream>()?;
        Ok(module)
    };
    match parser.parse2(tokens) {
        Ok(Ok(module)) => Some(module),
        Ok(Err(fault)) => {
            diagnostics.push(fault);
            None
        }
        Err(error) => {
            diagnostics.push(error.into());
            None
        }
    }
}

fn head(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> Result<Module, Diagnostic> {
    let mut attributes = input.call(Attribute::parse_outer)?;
    let unread = level::take(&mut attributes);
    let visibility = input.parse::<Visibility>()?;
    let promise = input.parse::<Option<Token![unsafe]>>()?;
    if !input.peek(Token![mod]) {
        return Err(Diagnostic::error(Code::DECLARATION, input.span(), "expected a module")
            .help("write `#[cuda_module(\"kernels/name.cu\")] unsafe mod name { … }`"));
    }
    let keyword: Token![mod] = input.parse()?;
    let name = input.call(Ident::parse_any)?;
    if !input.peek(syn::token::Brace) {
        return Err(Diagnostic::error(Code::DECLARATION, name.span(), format!("module `{name}` has no body"))
            .help(format!("declare the kernels here: `unsafe mod {name} {{ … }}`")));
    }
    if promise.is_none() {
        diagnostics.push(missing_unsafe(keyword, &name));
    }
    let body: Group = input.parse()?;
    let parser = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_inner)?, items(input, diagnostics)));
    let (mut inner, items) = parser.parse2(body.stream())?;
    let unread = level::take(&mut inner).or(unread);
    Ok(Module { attributes, visibility, keyword, name, inner, items, unread })
}

fn missing_unsafe(keyword: Token![mod], name: &Ident) -> Diagnostic {
    Diagnostic::error(Code::DECLARATION, keyword.span(), format!("module `{name}` makes a promise and needs `unsafe`"))
        .note("the promise: for all values of its parameters, each kernel touches only the declared elements, and only as declared")
        .note("it only reads `&`, it writes all of `Out` before it reads any, and it updates `Atomic` only by atomics that commute")
        .help(format!("check that the kernel file honours this, and write `unsafe mod {name}`"))
}

fn items(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let mut items = Vec::new();
    while !input.is_empty() {
        let before = input.cursor();
        match item(input, diagnostics) {
            Ok(item) => items.push(item),
            Err(error) => {
                diagnostics.push(error.into());
                skip_item(input, before == input.cursor());
            }
        }
    }
    items
}

fn item(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> syn::Result<Item> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer)?;
    let visibility = ahead.parse::<Visibility>()?;
    if signature::is_function(&ahead) && signature::is_kernel(&ahead, &visibility) {
        return signature::kernel(input, diagnostics).map(Item::Kernel);
    }
    let mut item: syn::Item = input.parse()?;
    if let Some(attributes) = attributes_of_type(&mut item) {
        refuse_derive(attributes, diagnostics);
    }
    Ok(Item::Rust(item.into_token_stream()))
}

fn attributes_of_type(item: &mut syn::Item) -> Option<&mut Vec<Attribute>> {
    match item {
        syn::Item::Struct(item) => Some(&mut item.attrs),
        syn::Item::Enum(item) => Some(&mut item.attrs),
        syn::Item::Union(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// Reports `#[derive(DeviceValue)]` and takes it out of the list, so that rustc does not report it again.
fn refuse_derive(attributes: &mut [Attribute], diagnostics: &mut Diagnostics) {
    for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
        let syn::Meta::List(list) = &mut attribute.meta else { continue };
        let mut kept = TokenStream::new();
        for token in std::mem::take(&mut list.tokens) {
            match token {
                TokenTree::Ident(word) if word == "DeviceValue" => diagnostics.push(
                    not_yet(word.span(), "`#[derive(DeviceValue)]`")
                        .help("pass the fields one by one, or in a buffer of one element that is `bytemuck::Pod`"),
                ),
                token => kept.extend([token]),
            }
        }
        list.tokens = without_empty(kept);
    }
}

/// `Clone,, Copy` without the second comma.
fn without_empty(list: TokenStream) -> TokenStream {
    let mut comma = true;
    list.into_iter()
        .filter(|token| {
            let this = matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
            let keep = !(this && comma);
            comma = this;
            keep
        })
        .collect()
}

/// Past the next `;` or `{ … }`, and past one token at least if nothing has been read.
fn skip_item(input: ParseStream<'_>, stuck: bool) {
    let mut first = stuck;
    while !input.is_empty() && (first || !begins_item(input)) {
        first = false;
        match input.parse::<TokenTree>() {
            Ok(TokenTree::Punct(punct)) if punct.as_char() == ';' => return,
            Ok(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => return,
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

fn begins_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![pub]) || input.peek(Token![fn]) || input.peek(Token![use])
}
