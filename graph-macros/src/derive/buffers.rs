//! `#[derive(Buffers)]`: what stands for the struct in a graph's evaluator is a struct of the same name with the same fields, so that
//! rustc speaks of the user's types.

use graph_ir::code::Code;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, GenericParam, Meta};

use super::{Named, fields};
use crate::diagnostic::Diagnostic;

const WHY: &str = "a graph names a struct's buffers by their fields: `&layer.w`";

/// The ghost and the impl.
pub(super) fn expand(item: &DeriveInput) -> Result<TokenStream, Diagnostic> {
    if let Some(lifetime) = item.generics.lifetimes().next() {
        let message = "`Buffers` cannot be derived for a struct that borrows";
        return Err(Diagnostic::error(Code::SYNTAX, lifetime.span(), message)
            .note("the graph decides how a struct is bound: through `&`, `&mut`, by value or through an `Arc`")
            .help("let the fields own their buffers: `Buffer<T>`"));
    }
    let fields = fields(item, "Buffers", WHY)?.into_iter().map(Part::of).collect::<Result<Vec<_>, _>>()?;
    let (ghost, implementation) = (ghost(item, &fields), implementation(item, &fields));
    let (name, alias) = (&item.ident, quote!(__CudaGraphStruct));
    let (parameters, used) = (unbounded(item), used(item));
    Ok(quote! {
        const _: () = {
            #[allow(type_alias_bounds)]
            type #alias<#(#parameters),*> = #name<#used>;
            const _: () = {
                #ghost
                #implementation
            };
        };
    })
}

/// A field: buffers, or a value.
struct Part<'a> {
    named: Named<'a>,
    value: bool,
}

impl<'a> Part<'a> {
    fn of(named: Named<'a>) -> Result<Self, Diagnostic> {
        let mut value = false;
        for attribute in &named.field.attrs {
            if attribute.path().is_ident("value") {
                value = true;
                plain(attribute)?;
            }
        }
        Ok(Self { named, value })
    }

    /// The type of the ghost's field.
    fn ghost(&self) -> TokenStream {
        let ty = &self.named.field.ty;
        if self.value {
            ty.to_token_stream()
        } else {
            quote_spanned!(ty.span()=> <#ty as ::graph_runtime::Buffers>::Ghost)
        }
    }

    fn collect(&self) -> TokenStream {
        let (name, ty, text) = (self.named.name, &self.named.field.ty, self.named.name.to_string());
        let text = text.strip_prefix("r#").unwrap_or(&text);
        let collected = if self.value {
            quote_spanned!(ty.span()=> ::graph_runtime::__private::Shape::of_value::<#ty>(::core::clone::Clone::clone(&self.#name)))
        } else {
            quote_spanned!(ty.span()=> <#ty as ::graph_runtime::Buffers>::collect(&self.#name, __into))
        };
        quote!(__into.field(#text, |__into| #collected))
    }

    fn read(&self, index: usize) -> TokenStream {
        let (name, ty, index) = (self.named.name, &self.named.field.ty, Literal::usize_unsuffixed(index));
        if self.value {
            quote_spanned!(ty.span()=> #name: __fields[#index].value::<#ty>())
        } else {
            quote_spanned!(ty.span()=> #name: <#ty as ::graph_runtime::Buffers>::ghost(&__fields[#index], __reader))
        }
    }
}

/// `#[value]` has no arguments.
fn plain(attribute: &Attribute) -> Result<(), Diagnostic> {
    match &attribute.meta {
        Meta::Path(_) => Ok(()),
        meta => {
            Err(Diagnostic::error(Code::SYNTAX, meta.span(), "`#[value]` has no arguments").help("write `#[value]`"))
        }
    }
}

/// The struct with the same fields, and its `Clone`.
fn ghost(item: &DeriveInput, fields: &[Part<'_>]) -> TokenStream {
    let (name, visibility, declared, used) = (&item.ident, &item.vis, declared(item), used(item));
    let predicates = predicates(item, fields);
    let members = fields.iter().map(|part| {
        let (docs, visibility, name) = (docs(&part.named.field.attrs), &part.named.field.vis, part.named.name);
        let ty = part.ghost();
        quote!(#(#docs)* #visibility #name: #ty)
    });
    let copies = fields.iter().map(|part| {
        let name = part.named.name;
        quote!(#name: ::core::clone::Clone::clone(&self.#name))
    });
    // In a body the struct is private however it is declared, and so public enough for the trait.
    let visibility = if matches!(visibility, syn::Visibility::Inherited) { quote!(pub) } else { quote!(#visibility) };
    quote! {
        #[allow(dead_code, missing_docs, unreachable_pub, private_interfaces, private_bounds, trivial_bounds)]
        #visibility struct #name<#(#declared),*> where #(#predicates,)* {
            #(#members,)*
        }

        #[allow(trivial_bounds)]
        impl<#(#declared),*> ::core::clone::Clone for #name<#used> where #(#predicates,)* {
            fn clone(&self) -> Self {
                Self { #(#copies,)* }
            }
        }

        ::graph_runtime::__passes_whole! { [#(#declared),*] #name<#used> where [#(#predicates,)*] }
    }
}

fn implementation(item: &DeriveInput, fields: &[Part<'_>]) -> TokenStream {
    let (name, declared, used) = (&item.ident, declared(item), used(item));
    let predicates = predicates(item, fields);
    let collect = fields.iter().map(Part::collect);
    let read = fields.iter().enumerate().map(|(index, part)| part.read(index));
    quote! {
        // SAFETY: what is collected are the value's own fields.
        #[allow(clippy::all, clippy::pedantic, private_bounds, trivial_bounds)]
        #[diagnostic::do_not_recommend]
        unsafe impl<#(#declared),*> ::graph_runtime::Buffers for __CudaGraphStruct<#used> where #(#predicates,)* {
            type Ghost = #name<#used>;

            fn collect(
                &self,
                __into: &mut ::graph_runtime::__private::Collector<'_, '_>,
            ) -> ::graph_runtime::__private::Shape {
                ::graph_runtime::__private::Shape::Struct(::std::vec![#(#collect),*])
            }

            fn ghost(
                __shape: &::graph_runtime::__private::Shape,
                __reader: &mut ::graph_runtime::__private::GhostReader<'_>,
            ) -> Self::Ghost {
                let __fields = __shape.fields();
                #name { #(#read,)* }
            }
        }
    }
}

fn docs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).collect()
}

/// `T: Element, const N: usize`
fn declared(item: &DeriveInput) -> Vec<TokenStream> {
    let declared = |parameter: &GenericParam| match parameter.clone() {
        GenericParam::Type(mut parameter) => {
            parameter.default = None;
            parameter.into_token_stream()
        }
        GenericParam::Const(mut parameter) => {
            parameter.default = None;
            parameter.into_token_stream()
        }
        GenericParam::Lifetime(other) => other.into_token_stream(),
    };
    item.generics.params.iter().map(declared).collect()
}

/// `T, const N: usize`
fn unbounded(item: &DeriveInput) -> Vec<TokenStream> {
    let unbounded = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
    };
    item.generics.params.iter().map(unbounded).collect()
}

/// `T, N`
fn used(item: &DeriveInput) -> TokenStream {
    let names = item.generics.params.iter().map(|parameter| match parameter {
        GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
    });
    quote_spanned!(Span::call_site()=> #(#names),*)
}

/// The user's predicates, and one for each field: what is no struct of buffers is reported there, once.
fn predicates(item: &DeriveInput, fields: &[Part<'_>]) -> Vec<TokenStream> {
    let clause = item.generics.where_clause.iter();
    let own = clause.flat_map(|clause| &clause.predicates).map(quote::ToTokens::to_token_stream);
    let parts = fields.iter().filter(|part| !part.value).map(|part| {
        let ty = &part.named.field.ty;
        quote_spanned!(ty.span()=> #ty: ::graph_runtime::Buffers)
    });
    own.chain(parts).collect()
}
