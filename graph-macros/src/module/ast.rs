//! The syntax tree of a `#[cuda_module]`: tokens and spans are kept.

use graph_ir::model::Mode;
use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Attribute, Generics, LitStr, Token, Type, Visibility};

use super::agree::Size;
use super::length::Length;
use super::level::Level;
use super::settings::Settings;

/// `"kernels/jacobi.cu", options("--use_fast_math")`.
pub(super) struct Arguments {
    pub(super) root: Root,
    pub(super) path: LitStr,
    pub(super) options: Vec<LitStr>,
    /// `define(…)` as options, each with where it is written.
    pub(super) defines: Vec<(String, Span)>,
    /// `include(…)`: folders.
    pub(super) includes: Vec<LitStr>,
}

/// Where a kernel file's path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// At the package's folder.
    Package,
    /// At the folder that build scripts write to.
    OutDir,
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
    /// What is done about kernels that cannot be read.
    pub(super) unread: Option<Level>,
}

impl Module {
    /// The declared kernels, in order.
    pub(super) fn kernels_mut(&mut self) -> impl Iterator<Item = &mut Kernel> {
        self.items.iter_mut().filter_map(|item| match item {
            Item::Kernel(kernel) => Some(kernel),
            Item::Rust(_) => None,
        })
    }
}

#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
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
    /// Of a template, with the `where` clause.
    pub(super) generics: Generics,
    pub(super) settings: Settings,
    /// What is done if it cannot be read.
    pub(super) unread: Option<Level>,
    pub(super) symbol: Symbol,
    pub(super) facts: Facts,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Group>,
    /// Something in it was refused: enough is emitted for launches to be checked, and nothing that could be refused again.
    pub(super) broken: bool,
}

/// What its file says about a kernel's launches and types.
#[derive(Default)]
pub(super) struct Facts {
    /// The most threads that a block may have.
    pub(super) threads: Option<u32>,
    /// What is said of a larger one.
    pub(super) large_block: String,
    /// Bytes of shared memory that it declares itself, and where it is.
    pub(super) shared: Option<(u64, String)>,
    /// What only rustc can compare.
    pub(super) sizes: Vec<Size>,
}

/// How the compiled module knows a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// By its name.
    Plain,
    /// By a name that the compiler makes of its C++ name.
    Mangled,
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
        /// Absent if a requirement stands for it, or if it was refused.
        length: Option<Box<Length>>,
        spans: Ends,
    },
    /// `&List<[T]>`, `&mut List<[T]>`, `Out<List<[T]>>`, `Atomic<List<[T]>>`: a table of buffers.
    List {
        mode: Mode,
        element: Box<Type>,
        spans: Ends,
    },
    Value(Box<Type>),
    /// `Condition`: its token.
    Condition(Span),
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
    /// Its name in the kernel file, with namespaces.
    pub(super) fn name_in_file(&self) -> String {
        self.settings.name.as_ref().map_or_else(|| self.name.unraw().to_string(), LitStr::value)
    }

    /// Whether it is a template.
    pub(super) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// The value parameters with their index among all parameters.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, &Ident, &Type)> {
        self.parameters.iter().enumerate().filter_map(|(index, parameter)| match &parameter.form {
            Form::Value(ty) => Some((index, &parameter.name, &**ty)),
            _ => None,
        })
    }
}
