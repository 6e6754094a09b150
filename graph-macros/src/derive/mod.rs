//! The derives: structs of buffers, and structs that are passed by value.

mod buffers;
mod device_value;
#[cfg(test)]
mod tests;

use graph_ir::code::Code;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Field, Fields};

use crate::diagnostic::{Diagnostic, Diagnostics};

/// `#[derive(Buffers)]`
pub(crate) fn buffers(item: TokenStream) -> TokenStream {
    expand(item, buffers::expand)
}

/// `#[derive(DeviceValue)]`
pub(crate) fn device_value(item: TokenStream) -> TokenStream {
    expand(item, device_value::expand)
}

fn expand(item: TokenStream, derive: fn(&DeriveInput) -> Result<TokenStream, Diagnostic>) -> TokenStream {
    let derived = syn::parse2(item).map_err(Diagnostic::from).and_then(|item| derive(&item));
    derived.unwrap_or_else(|fault| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(fault);
        let errors = diagnostics.into_tokens();
        quote!(const _: () = { #errors };)
    })
}

/// A field with a name.
struct Named<'a> {
    name: &'a Ident,
    field: &'a Field,
}

/// The fields of a struct, if it is one with names.
fn fields<'a>(item: &'a DeriveInput, derived: &str, why: &str) -> Result<Vec<Named<'a>>, Diagnostic> {
    let refused = |span: Span, what: &str| {
        Diagnostic::error(Code::SYNTAX, span, format!("`{derived}` cannot be derived for {what}")).note(why)
    };
    let structure = match &item.data {
        Data::Struct(structure) => structure,
        Data::Enum(data) => return Err(refused(data.enum_token.span, "an enum")),
        Data::Union(data) => return Err(refused(data.union_token.span, "a union")),
    };
    match &structure.fields {
        Fields::Named(fields) => {
            Ok(fields.named.iter().filter_map(|field| Some(Named { name: field.ident.as_ref()?, field })).collect())
        }
        Fields::Unnamed(_) => Err(refused(item.ident.span(), "a tuple struct").help("give its fields names")),
        Fields::Unit => Err(refused(item.ident.span(), "a struct without fields")),
    }
}
