//! A template's parameters in the forms that the generated items need.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics};

/// All empty for a kernel that is no template.
pub(super) struct Parts<'g> {
    generics: &'g Generics,
    /// `<T: Element, const N: usize>`
    pub(super) declared: TokenStream,
    /// `<T, N>`
    pub(super) used: TokenStream,
    /// `::<T, N>`
    pub(super) turbofish: TokenStream,
    /// `where …`
    pub(super) clause: TokenStream,
}

impl<'g> Parts<'g> {
    pub(super) fn of(generics: &'g Generics) -> Self {
        let (declared, used, clause) = generics.split_for_impl();
        Self {
            generics,
            declared: declared.to_token_stream(),
            turbofish: used.as_turbofish().to_token_stream(),
            used: used.to_token_stream(),
            clause: clause.to_token_stream(),
        }
    }

    /// What makes the struct name its types.
    pub(super) fn field(&self) -> TokenStream {
        let types: Vec<_> = self.generics.type_params().map(|parameter| &parameter.ident).collect();
        if self.generics.params.is_empty() {
            return TokenStream::new();
        }
        quote! { __types: ::core::marker::PhantomData<fn() -> (#(#types,)*)> }
    }

    /// The name expression of the instance.
    pub(super) fn instance(&self, name: &str) -> TokenStream {
        let arguments = self.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => {
                let name = &parameter.ident;
                Some(quote! { ::graph_runtime::__private::template::type_name::<#name>() })
            }
            GenericParam::Const(parameter) => {
                let name = &parameter.ident;
                Some(quote! { ::graph_runtime::__private::template::constant(#name) })
            }
            GenericParam::Lifetime(_) => None,
        });
        if self.generics.params.is_empty() {
            return quote! { ::core::result::Result::Ok(::std::string::String::from(#name)) };
        }
        quote! { ::graph_runtime::__private::template::instance(#name, &[#(#arguments),*]) }
    }
}
