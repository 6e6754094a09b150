//! `Jacobi::SOLVE`: a constant per label. Graph-runtime's `label.rs` has their text.

use graph_ir::model::NodeId;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Emission;
use super::put::{Put, put};

impl Emission<'_> {
    pub(super) fn label_constants(&self) -> TokenStream {
        if self.lowered.labels.is_empty() {
            return TokenStream::new();
        }
        let constants = Put::by(|tokens| {
            for (label, NodeId(node)) in &self.lowered.labels {
                let name = Ident::new(&label.ident.to_string().to_uppercase(), label.ident.span());
                put!(tokens => #name #node);
            }
        });
        quote!(::graph_runtime::__labels! { #constants })
    }
}
