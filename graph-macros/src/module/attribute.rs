//! Attributes of declared kernels.

use graph_ir::code::Code;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Attribute;

use crate::diagnostic::Diagnostic;

/// `form` is not supported yet.
pub(super) fn not_yet(span: Span, form: &str) -> Diagnostic {
    Diagnostic::error(Code::NOT_YET, span, format!("{form} is not supported yet"))
}

/// Attributes with which an item is there or not: all that is emitted for a kernel gets them.
pub(super) fn conditions(attributes: &[Attribute]) -> TokenStream {
    of(attributes, |attribute| is(attribute, &["cfg", "cfg_attr"]))
}

/// Levels of lints, which are about the body.
pub(super) fn lints(attributes: &[Attribute]) -> TokenStream {
    of(attributes, is_lint)
}

/// All but the levels of lints.
pub(super) fn outer(attributes: &[Attribute]) -> TokenStream {
    of(attributes, |attribute| !is_lint(attribute))
}

fn is_lint(attribute: &Attribute) -> bool {
    is(attribute, &["allow", "expect", "warn", "deny", "forbid"])
}

fn is(attribute: &Attribute, names: &[&str]) -> bool {
    names.iter().any(|name| attribute.path().is_ident(name))
}

fn of(attributes: &[Attribute], keep: impl Fn(&Attribute) -> bool) -> TokenStream {
    attributes.iter().filter(|attribute| keep(attribute)).map(ToTokens::to_token_stream).collect()
}
