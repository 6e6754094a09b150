//! Kernels that are written in the block, as closures that run once for each index.

use graph_ir::model::Combine;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::evaluate::at;
use super::once::Once;
use super::program::internal;
use crate::lower::{KernelFunction, KernelKind};

pub(super) fn kernel(function: &KernelFunction) -> TokenStream {
    let (sink, elements, node) = (internal("__sink"), internal("__elements"), function.node.0);
    let hosts = function.hosts.iter().map(|(variable, symbol, expression)| {
        let symbol = symbol.0;
        quote! {
            let #variable = #expression;
            #sink.scalar_value(#symbol, #variable);
        }
    });
    let (ranges, body, names) = (&function.ranges, &function.body, &function.names);
    let index = if let [single] = names.as_slice() { quote!(#single) } else { quote!((#(#names),*)) };
    let parameters = Once::new(quote!(|#elements: &__Elements<'_>, #index|));
    let call = match &function.kind {
        KernelKind::For => quote!(#sink.kernel_for(#node, #ranges, move #parameters { #body });),
        KernelKind::Reduce { target, combine, accumulate } => {
            let method = Ident::new(if *accumulate { "reduce_into" } else { "reduce" }, Span::mixed_site());
            let (combine, computed) = (path(*combine), at("computed", target.span()));
            quote!(#sink.#method(#node, #combine, #ranges, move #parameters #target.#computed(#body));)
        }
    };
    let call = Once::new(call);
    quote!({ #(#hosts)* #call })
}

fn path(combine: Combine) -> TokenStream {
    let name = match combine {
        Combine::Sum => "Sum",
        Combine::Product => "Product",
        Combine::Min => "Min",
        Combine::Max => "Max",
    };
    let name = Ident::new(name, Span::mixed_site());
    quote!(::graph_runtime::__private::Combine::#name)
}

/// What changes nothing, of the type of what it is combined with.
pub(crate) fn neutral(combine: Combine) -> TokenStream {
    let combine = path(combine);
    quote!(::graph_runtime::__private::Reducible::neutral(#combine))
}
