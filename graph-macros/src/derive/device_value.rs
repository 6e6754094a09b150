//! `#[derive(DeviceValue)]`: the fields' bytes, each at its place, and zeros between them.

use graph_ir::code::Code;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, GenericParam};

use super::{Named, fields};
use crate::diagnostic::Diagnostic;

const WHY: &str = "a kernel sees a `repr(C)` struct with named fields";

/// The impl.
pub(super) fn expand(item: &DeriveInput) -> Result<TokenStream, Diagnostic> {
    let fields = fields(item, "DeviceValue", WHY)?;
    layout(item)?;
    let stores = fields.iter().map(|Named { name, field }| {
        let ty = &field.ty;
        let store = quote_spanned!(ty.span()=> <#ty as ::graph_runtime::DeviceValue>::store);
        quote! {
            let __start = ::core::mem::offset_of!(Self, #name);
            #store(&self.#name, &mut __bytes[__start..__start + ::core::mem::size_of::<#ty>()]);
        }
    });
    let mut generics = item.generics.clone();
    for parameter in &mut generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter.bounds.push(syn::parse_quote!(::graph_runtime::DeviceValue));
        }
    }
    // What is no plain data is reported there, once.
    let plain = fields.iter().map(|Named { field, .. }| {
        let ty = &field.ty;
        quote_spanned!(ty.span()=> #ty: ::graph_runtime::DeviceValue)
    });
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = quote!(where #(#predicates,)* #(#plain),*);
    let (name, (declared, used, _)) = (&item.ident, generics.split_for_impl());
    Ok(quote! {
        // SAFETY: the layout is that of C, and each field is plain data that is stored at its place.
        #[allow(clippy::all, clippy::pedantic, private_bounds, trivial_bounds)]
        #[diagnostic::do_not_recommend]
        unsafe impl #declared ::graph_runtime::DeviceValue for #name #used #predicates {
            fn store(&self, __bytes: &mut [u8]) {
                #(#stores)*
            }
        }
    })
}

/// `#[repr(C)]` must be there, and nothing that packs.
fn layout(item: &DeriveInput) -> Result<(), Diagnostic> {
    let words: Vec<Ident> = item.attrs.iter().filter(|one| one.path().is_ident("repr")).flat_map(words).collect();
    if let Some(packed) = words.iter().find(|word| *word == "packed") {
        let message = "`DeviceValue` cannot be derived for a packed struct";
        return Err(Diagnostic::error(Code::SYNTAX, packed.span(), message)
            .note("CUDA C++ places each field at a multiple of its alignment")
            .help("remove `packed`"));
    }
    if words.iter().any(|word| word == "C" || word == "transparent") {
        return Ok(());
    }
    let message = format!("`{}` has no layout that a kernel knows", item.ident);
    Err(Diagnostic::error(Code::SYNTAX, item.ident.span(), message)
        .note("Rust orders the fields of a struct as it likes, unless it is `repr(C)`")
        .help("write `#[repr(C)]` above it"))
}

fn words(attribute: &Attribute) -> Vec<Ident> {
    attribute.meta.to_token_stream().into_iter().flat_map(idents).collect()
}

fn idents(token: proc_macro2::TokenTree) -> Vec<Ident> {
    match token {
        proc_macro2::TokenTree::Group(group) => group.stream().into_iter().flat_map(idents).collect(),
        proc_macro2::TokenTree::Ident(ident) => vec![ident],
        _ => Vec::new(),
    }
}
