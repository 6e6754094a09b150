//! A graph's generics, dealt out: those of its host values belong to the struct of arguments, the rest to `build`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics};

use crate::syntax::ast;

/// The generics of a graph in the forms that the generated items need.
pub(crate) struct GraphGenerics {
    generics: Generics,
    /// Names that occur in the types of host values.
    in_values: Vec<Ident>,
}

impl GraphGenerics {
    pub(crate) fn of(graph: &ast::Graph) -> Self {
        let mut named = Vec::new();
        for parameter in &graph.parameters {
            if let ast::ParameterKind::Value(ty) = &parameter.kind {
                named.extend(crate::lower::identifiers(ty));
            }
        }
        let generics = graph.generics.clone();
        let in_values = generics.params.iter().filter_map(parameter_name);
        let in_values = in_values.filter(|name| named.contains(&name.to_string())).cloned().collect();
        Self { generics, in_values }
    }

    /// `T: Element, const N: usize`
    pub(crate) fn declared(&self) -> TokenStream {
        let parameters = self.generics.params.iter().map(declared);
        quote!(#(#parameters),*)
    }

    /// `T: Element = f32, const N: usize = 4`, for types.
    pub(crate) fn declared_with_defaults(&self) -> TokenStream {
        let parameters = self.generics.params.iter().map(|parameter| {
            let (declared, default) = (declared(parameter), default(parameter));
            quote!(#declared #default)
        });
        quote!(#(#parameters),*)
    }

    /// `T, N`
    pub(crate) fn used(&self) -> TokenStream {
        let names = self.generics.params.iter().filter_map(parameter_name);
        quote!(#(#names),*)
    }

    /// The predicates of the `where` clause.
    pub(crate) fn predicates(&self) -> TokenStream {
        self.generics.where_clause.as_ref().map_or_else(TokenStream::new, |clause| {
            let predicates = clause.predicates.iter();
            quote!(#(#predicates,)*)
        })
    }

    /// The parameters that the struct of arguments has, without bounds: `T`, `const N: usize`.
    pub(crate) fn of_arguments(&self) -> Vec<TokenStream> {
        self.owned_by_arguments().map(unbounded).collect()
    }

    /// The same, as used.
    pub(crate) fn of_arguments_used(&self) -> Vec<TokenStream> {
        self.owned_by_arguments().filter_map(parameter_name).map(ToTokens::to_token_stream).collect()
    }

    /// The parameters among these names, without bounds: `T`, `const N: usize`.
    pub(crate) fn of_call(&self, named: &[String]) -> Vec<TokenStream> {
        self.named(named).map(unbounded).collect()
    }

    /// The same, as used.
    pub(crate) fn of_call_used(&self, named: &[String]) -> Vec<TokenStream> {
        self.named(named).filter_map(parameter_name).map(ToTokens::to_token_stream).collect()
    }

    fn named(&self, names: &[String]) -> impl Iterator<Item = &GenericParam> {
        let is_named = |name: &Ident| names.iter().any(|known| name == known);
        self.generics.params.iter().filter(move |parameter| parameter_name(parameter).is_some_and(is_named))
    }

    /// The bounds of those parameters, as predicates.
    pub(crate) fn bounds_of_arguments(&self) -> TokenStream {
        let bounds = self.owned_by_arguments().filter_map(|parameter| match parameter {
            GenericParam::Type(ty) if !ty.bounds.is_empty() => {
                let (name, bounds) = (&ty.ident, &ty.bounds);
                Some(quote!(#name: #bounds,))
            }
            _ => None,
        });
        quote!(#(#bounds)*)
    }

    /// The parameters that only `build` has, with bounds.
    pub(crate) fn of_build(&self) -> Vec<TokenStream> {
        self.generics.params.iter().filter(|parameter| !self.owns(parameter)).map(declared).collect()
    }

    /// A type that mentions every type parameter, for `PhantomData`.
    pub(crate) fn phantom(&self) -> TokenStream {
        let types = self.generics.type_params().map(|ty| &ty.ident);
        quote!(::core::marker::PhantomData<fn() -> (#(#types,)*)>)
    }

    fn owned_by_arguments(&self) -> impl Iterator<Item = &GenericParam> {
        self.generics.params.iter().filter(|parameter| self.owns(parameter))
    }

    fn owns(&self, parameter: &GenericParam) -> bool {
        parameter_name(parameter).is_some_and(|name| self.in_values.contains(name))
    }
}

fn parameter_name(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Type(ty) => Some(&ty.ident),
        GenericParam::Const(constant) => Some(&constant.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// With bounds, without a default.
fn declared(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Type(ty) => {
            let (name, bounds) = (&ty.ident, &ty.bounds);
            quote!(#name: #bounds)
        }
        other => unbounded(other),
    }
}

/// `= f32`, `= 4`
fn default(parameter: &GenericParam) -> Option<TokenStream> {
    match parameter {
        GenericParam::Type(ty) => ty.default.as_ref().map(|(equals, default)| quote!(#equals #default)),
        GenericParam::Const(constant) => constant.default.as_ref().map(|(equals, default)| quote!(#equals #default)),
        GenericParam::Lifetime(_) => None,
    }
}

/// Without bounds, without a default.
fn unbounded(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Type(ty) => ty.ident.to_token_stream(),
        GenericParam::Const(constant) => {
            let (name, ty) = (&constant.ident, &constant.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Lifetime(lifetime) => lifetime.to_token_stream(),
    }
}
