//! `Jacobi::SOLVE`: a constant per label.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Emission;

impl Emission<'_> {
    pub(super) fn label_constants(&self) -> TokenStream {
        let constants = self.lowered.labels.iter().map(|(label, node)| {
            let name = format_ident!("{}", label.ident.to_string().to_uppercase(), span = label.ident.span());
            let doc = format!("The statement labelled `'{}`.", label.ident);
            let id = node.0;
            quote! {
                #[doc = #doc]
                pub const #name: ::graph_runtime::Label = ::graph_runtime::Label::new(#id);
            }
        });
        quote!(#(#constants)*)
    }
}
