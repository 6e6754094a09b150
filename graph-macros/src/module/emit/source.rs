//! The kernel file, embedded: Cargo rebuilds when it or a header changes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;

use super::super::ast::{Module, Root};
use super::super::source::{Contents, Source};
use super::{SOURCE, location};

/// `static __CUDA_MODULE: ModuleSource`; without a file, one that is empty.
pub(super) fn file(module: &Module, source: Option<&Source>) -> TokenStream {
    let constant = Ident::new(SOURCE, Span::call_site());
    let name = module.name.unraw().to_string();
    let path = source.map(|source| source.path.value()).unwrap_or_default();
    let code = source.map_or_else(|| quote! { Ptx("") }, code);
    let location = location(source.map_or_else(|| module.name.span(), |source| source.path.span()));
    quote! {
        #[allow(dead_code, reason = "a module may declare no kernel")]
        static #constant: ::graph_runtime::__private::ModuleSource = ::graph_runtime::__private::ModuleSource {
            name: #name,
            path: #path,
            code: ::graph_runtime::__private::ModuleCode::#code,
            location: #location,
        };
    }
}

fn code(source: &Source) -> TokenStream {
    let path = source.path.value();
    match &source.contents {
        Contents::Cubin => {
            let bytes = embedded("include_bytes", source.root, &path);
            quote! { Cubin(#bytes) }
        }
        Contents::Ptx { .. } => {
            let text = embedded("include_str", source.root, &path);
            quote! { Ptx(#text) }
        }
        Contents::Cuda { headers, options, .. } => {
            let text = embedded("include_str", source.root, &path);
            let headers = headers.iter().map(|header| {
                let (name, text) = (&header.name, embedded("include_str", header.root, &header.path));
                quote! { (#name, #text) }
            });
            quote! { Source { text: #text, headers: &[#(#headers),*], options: &[#(#options),*] } }
        }
    }
}

/// `include_str!` of a path that starts at the package's folder, or at the build script's.
fn embedded(include: &str, root: Root, path: &str) -> TokenStream {
    let include = Ident::new(include, Span::call_site());
    let variable = match root {
        Root::Package => "CARGO_MANIFEST_DIR",
        Root::OutDir => "OUT_DIR",
    };
    quote! { ::core::#include!(::core::concat!(::core::env!(#variable), "/", #path)) }
}
