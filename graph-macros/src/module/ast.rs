//! The syntax tree of a `#[cuda_module]`: tokens and spans are kept.

use graph_ir::model::Mode;
use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::{Attribute, LitStr, Token, Type, Visibility};

use super::length::Length;

/// `"kernels/jacobi.cu", options("--use_fast_math")`.
pub(super) struct Arguments {
    pub(super) path: LitStr,
    pub(super) options: Vec<LitStr>,
}

/// `pub unsafe mod jacobi { … }`.
pub(super) struct Module {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) keyword: Token![mod],
    pub(super) name: Ident,
    /// `#![…]`
    pub(super) inner: Vec<Attribute>,
    pub(super) items: Vec<Item>,
}

impl Module {
    /// The declared kernels, in order.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.items.iter().filter_map(|item| match item {
            Item::Kernel(kernel) => Some(kernel),
            Item::Rust(_) => None,
        })
    }
}

pub(super) enum Item {
    Kernel(Kernel),
    /// Anything else, as written.
    Rust(TokenStream),
}

/// `pub fn sweep(…);` or, with a body for the CPU, `pub fn sweep(…) { … }`.
pub(super) struct Kernel {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Group>,
    /// Something in it was refused: enough is emitted for launches to be checked, and nothing that could be refused again.
    pub(super) broken: bool,
}

pub(super) struct Parameter {
    pub(super) attributes: Vec<Attribute>,
    pub(super) mutable: Option<Token![mut]>,
    pub(super) name: Ident,
    pub(super) form: Form,
}

/// What a parameter's type says.
pub(super) enum Form {
    Buffer {
        mode: Mode,
        element: Box<Type>,
        /// Absent if it was refused.
        length: Option<Box<Length>>,
        spans: Ends,
    },
    Value(Box<Type>),
    /// Refused.
    Unknown,
}

/// Where a type begins and ends, so that what stands for it is underlined as a whole.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) first: Span,
    pub(super) last: Span,
}

impl Kernel {
    /// The value parameters with their index among all parameters.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, &Ident, &Type)> {
        self.parameters.iter().enumerate().filter_map(|(index, parameter)| match &parameter.form {
            Form::Value(ty) => Some((index, &parameter.name, &**ty)),
            _ => None,
        })
    }
}
