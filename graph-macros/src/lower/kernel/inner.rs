//! `(0..m).map(|j| …).sum()` as a value: a loop of each index's own.

use graph_ir::model::{BinaryOperator, Combine, Expression, Method, Statement};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::Body;
use crate::lower::expression::{Both, binary, call};
use crate::syntax::ast::{Axis, Mapped};

impl Body<'_, '_> {
    pub(super) fn inner_reduction(&mut self, mapped: &Mapped) -> Both {
        let local = self.local(String::new(), None);
        self.push(Statement::Let { local, value: Some(Expression::Neutral(mapped.combine)) });
        let span = Span::mixed_site().located_at(mapped.method.span());
        let sum = Ident::new("__reduced", span);
        let loops = self.reduced(local, &sum, mapped, &mapped.axes);
        let neutral = crate::emit::neutral(mapped.combine);
        let rust = quote_spanned!(span=> { let mut #sum = #neutral; #loops #sum });
        Both { data: Expression::Local(local), rust }
    }

    /// The loops over the axes that are left, around what combines one value.
    fn reduced(&mut self, local: u32, sum: &Ident, mapped: &Mapped, axes: &[Axis]) -> TokenStream {
        let Some((axis, rest)) = axes.split_first() else {
            let value = self.value(&mapped.value);
            let old = Both { data: Expression::Local(local), rust: sum.to_token_stream() };
            let Both { data, rust } = combined(mapped.combine, &mapped.method, old, value);
            self.push(Statement::Assign { local, value: data });
            return quote!(#sum = #rust;);
        };
        let (range, pass) = self.inner_loop(axis, None, false, |body| body.reduced(local, sum, mapped, rest));
        let name = &axis.name;
        quote!(for #name in #range { #pass })
    }
}

fn combined(combine: Combine, method: &Ident, left: Both, right: Both) -> Both {
    let span = method.span();
    let (name, extremum) = match combine {
        Combine::Sum => return binary(BinaryOperator::Add, span, left, right),
        Combine::Product => return binary(BinaryOperator::Mul, span, left, right),
        Combine::Min => ("min", Method::Min),
        Combine::Max => ("max", Method::Max),
    };
    let rust = call(name, span, &[left.rust, right.rust]);
    Both { data: Expression::Call { method: extremum, operands: vec![left.data, right.data] }, rust }
}
