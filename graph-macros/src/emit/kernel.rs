//! Kernels that are written in the block, as closures that run once for each index.

use graph_ir::model::Combine;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use super::evaluate::{at, host_values};
use super::program::internal;
use super::put::{self, Put, put};
use crate::lower::{KernelFunction, KernelKind};

pub(super) fn kernel(function: &KernelFunction) -> TokenStream {
    let (sink, node) = (internal("__sink"), function.node.0);
    let (ranges, body) = (&function.ranges, &function.body);
    let hosts = Put::by(|tokens| host_values(&function.hosts, tokens));
    let parameters = Put::by(|tokens| parameters(&function.names, tokens));
    put::made(|tokens| match &function.kind {
        KernelKind::For => {
            put!(tokens => { #hosts #sink.kernel_for(#node, #ranges, move #parameters { #body }); });
        }
        KernelKind::Reduce { target, combine, accumulate } => {
            let method = Ident::new(if *accumulate { "reduce_into" } else { "reduce" }, Span::mixed_site());
            let (combine, computed) = (Combined(*combine), at("computed", target.span()));
            put!(tokens => { #hosts #sink.#method(#node, #combine, #ranges, move #parameters #target.#computed(#body)); });
        }
    })
}

/// `|elements, i|`, `|elements, (i, j)|`
fn parameters(names: &[Ident], tokens: &mut TokenStream) {
    let elements = internal("__elements");
    let index = Put::by(|tokens| match names {
        [single] => single.to_tokens(tokens),
        names => quote!((#(#names),*)).to_tokens(tokens),
    });
    put!(tokens => |#elements: &__Elements<'_>, #index|);
}

/// The path of a combination.
struct Combined(Combine);

impl ToTokens for Combined {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = match self.0 {
            Combine::Sum => "Sum",
            Combine::Product => "Product",
            Combine::Min => "Min",
            Combine::Max => "Max",
        };
        let name = Ident::new(name, Span::mixed_site());
        put!(tokens => ::graph_runtime::__private::Combine::#name);
    }
}

/// What changes nothing, of the type of what it is combined with.
pub(crate) fn neutral(combine: Combine) -> TokenStream {
    let combine = Combined(combine);
    quote!(::graph_runtime::__private::Reducible::neutral(#combine))
}
