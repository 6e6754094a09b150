//! The evaluator: host expressions in text order, nested as the user nested them.

use graph_ir::model::{SymbolId, SymbolOrigin};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

use super::once::Once;
use super::program::internal;
use super::put::{self, Put, put};
use super::{Emission, split};
use crate::lower::text;
use crate::lower::{ChoiceArm, DeviceFunction, DeviceKind, Evaluation, LengthValue};
use crate::syntax::{ast, bound_name};

/// So many checks in a row get a closure.
const MANY_CHECKS: usize = 16;

/// The evaluator's body, and the functions that it calls.
pub(super) struct Evaluator {
    pub(super) body: Once,
    pub(super) parts: Vec<TokenStream>,
}

/// What a block of steps binds at its begin.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a> {
    Nothing,
    Pattern(&'a Pat),
    Condition(&'a Expr),
}

impl Bound<'_> {
    pub(super) fn names(self) -> Vec<Ident> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Pattern(pattern) => ast::pattern_names(pattern),
            Self::Condition(condition) => ast::condition_names(condition),
        }
    }
}

/// Emits the steps of an inner block.
pub(super) type Inner<'a> = dyn FnMut(&[Evaluation], Bound<'_>) -> TokenStream + 'a;

impl Emission<'_> {
    /// Parameters and length names as variables, then every step.
    pub(super) fn evaluator(&self) -> Evaluator {
        let (steps, parts) = if split::is_large(&self.lowered.evaluations) {
            self.split()
        } else {
            (self.steps(&self.lowered.evaluations), Vec::new())
        };
        let objects = Once::new(self.object_variables());
        let exchanges = !self.lowered.exchanged.is_empty();
        let sink = internal("__sink");
        let begin = exchanges.then(|| quote!(#sink.begin_exchanges();));
        let end = exchanges.then(|| quote!(#sink.end_exchanges();));
        let steps = Once::all([steps, end.unwrap_or_default()]);
        let variables = self.with_variables(&mut |_| true, &steps);
        let body = quote!(#begin #objects #variables);
        Evaluator { body: Once::new(body), parts }
    }

    /// Steps behind those parameters and length names as variables that they need.
    pub(super) fn with_variables(&self, needs: &mut dyn FnMut(&Ident) -> bool, steps: &Once) -> TokenStream {
        let sink = internal("__sink");
        let variables = Once::new(self.variables(needs));
        let casts = internal("__casts");
        let (begin, end) = if self.lowered.has_casts {
            let begin = quote! {
                let #casts = ::graph_runtime::__private::Casts::default();
                let #casts = &#casts;
            };
            (begin, quote!(#sink.take_casts(#casts);))
        } else {
            (TokenStream::new(), TokenStream::new())
        };
        quote!(#begin #variables #steps #end)
    }

    fn variables(&self, needs: &mut dyn FnMut(&Ident) -> bool) -> TokenStream {
        let (sink, values) = (internal("__sink"), internal("__values"));
        let mut variables = TokenStream::new();
        for (name, ty) in self.values().filter(|(name, _)| needs(name)) {
            variables.extend(quote!(let #name: #ty = ::core::clone::Clone::clone(&#values.#name);));
        }
        for (index, buffer) in self.buffers().enumerate().filter(|(_, buffer)| needs(buffer.name)) {
            let (name, element, index) = (buffer.name, buffer.element, index as u32);
            variables.extend(if self.has_lists() {
                let kind = buffer.kind();
                let at = Span::mixed_site().located_at(element.span());
                let mutable = self.mutable(name);
                quote_spanned!(at=> let #mutable #name = #sink.bound::<#kind>(#index);)
            } else {
                quote!(let #name = #sink.parameter::<#element>(#index);)
            });
        }
        for (name, buffer) in self.lowered.lengths.iter().filter(|(name, _)| needs(name)) {
            variables.extend(quote!(let #name: usize = #sink.length(#buffer);));
        }
        variables.extend(self.bounds(needs));
        variables
    }

    /// `mut` for a list whose buffers are exchanged.
    fn mutable(&self, name: &Ident) -> Option<TokenStream> {
        self.is_exchanged(name).then(|| quote!(mut))
    }

    /// Whether it is a list whose buffers are exchanged.
    pub(super) fn is_exchanged(&self, name: &Ident) -> bool {
        self.lowered.exchanged.contains(&name.to_string())
    }

    /// Values with a bound: the bound, then the value, or the bound again if the build asks what the graph needs for it.
    fn bounds(&self, needs: &mut dyn FnMut(&Ident) -> bool) -> TokenStream {
        let bounded = self.graph.parameters.iter().filter_map(|parameter| match (&parameter.kind, &parameter.bound) {
            (ast::ParameterKind::Value(ty), Some(bound)) => Some((&parameter.name, ty, bound)),
            _ => None,
        });
        let needed = bounded.enumerate().filter(|(_, (name, ..))| needs(name));
        let both = needed.map(|(index, (name, ty, bound))| {
            let (sink, bound_name, index) = (internal("__sink"), bound_name(name), index as u32);
            quote! {
                let #bound_name: #ty = #bound;
                let #name: #ty = #sink.bounded(#index, #name, #bound_name);
            }
        });
        both.collect()
    }

    /// Every step, in one function.
    pub(super) fn steps(&self, evaluations: &[Evaluation]) -> TokenStream {
        let runs = evaluations.chunk_by(|a, b| a.is_check() && b.is_check());
        let steps = runs.map(|run| {
            let steps = run.iter().map(|evaluation| self.step(evaluation, &mut |inner, _| self.steps(inner)));
            if run[0].is_check() { never_run(steps.collect()) } else { steps.collect() }
        });
        steps.collect()
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind, most of one line")]
    pub(super) fn step(&self, evaluation: &Evaluation, inner: &mut Inner<'_>) -> TokenStream {
        let sink = internal("__sink");
        match evaluation {
            Evaluation::Extent { symbol, value } => record("extent", *symbol, value, text::span(value)),
            Evaluation::Dimensions { symbol, value } => record("dimensions", *symbol, value, text::span(value)),
            Evaluation::FixedBlock { symbol, kernel, span } => {
                let kernel = self.lowered.kernels[*kernel as usize].as_type();
                let fixed = quote_spanned!(Span::mixed_site().located_at(*span)=> fixed_block);
                record(
                    "dimensions",
                    *symbol,
                    &quote!(::graph_runtime::__private::#fixed::<#kernel>()),
                    Span::mixed_site(),
                )
            }
            Evaluation::Condition(name) => quote!(let #name = ::graph_runtime::__private::ConditionName::new();),
            Evaluation::Value { symbol, value } => record("value", *symbol, value, text::span(value)),
            Evaluation::Argument { symbol, kernel, parameter, value } => {
                let kernel = self.lowered.kernels[*kernel as usize].as_type();
                let place = text::span(value);
                let function = Ident::new(&format!("__p{parameter}"), Span::mixed_site().located_at(place));
                let argument = Put::by(|tokens| {
                    put!(tokens => #kernel::#function);
                    put::group_at(tokens, place, |list| value.to_tokens(list));
                });
                record("value", *symbol, &argument, place)
            }
            Evaluation::Element { symbol, target, value } => {
                let place = text::span(value);
                let element = Ident::new("element", place);
                let element = Put::by(|tokens| {
                    put!(tokens => #target.#element);
                    put::group_at(tokens, place, |list| value.to_tokens(list));
                });
                record("element", *symbol, &element, target.span())
            }
            Evaluation::Branch { symbol, condition, has_let, then, otherwise } => {
                let then = Once::new(inner(then, Bound::Condition(condition)));
                let otherwise = Once::new(inner(otherwise, Bound::Nothing));
                let id = symbol.0;
                if *has_let {
                    return quote! {
                        if #condition { #sink.flag(#id, true); #then } else { #sink.flag(#id, false); #otherwise }
                    };
                }
                let (flag, decides) = (internal("__flag"), at("bool", condition.span()));
                quote! {
                    let #flag: #decides = #condition;
                    #sink.flag(#id, #flag);
                    if #flag { #then } else { #otherwise }
                }
            }
            Evaluation::Choice { symbol, keyword, value, arms } => {
                let arms = arms.iter().enumerate().map(|(number, arm)| arm_of(*symbol, number as u32, arm, inner));
                quote!(#keyword #value { #(#arms)* })
            }
            Evaluation::For { node, pattern, iterable, guard, steps } => {
                let (id, steps) = (node.0, Once::new(inner(steps, Bound::Pattern(pattern))));
                let guard = guard.as_ref().map(|guard| quote!(if !(#guard) { continue; }));
                quote! {
                    for #pattern in #iterable {
                        #guard
                        if !#sink.enter(#id) {
                            break;
                        }
                        #steps
                        #sink.leave();
                    }
                }
            }
            Evaluation::Let { pattern, ty, value, .. } => {
                let ty = ty.as_ref().map(|ty| quote!(: #ty));
                quote!(let #pattern #ty = #value;)
            }
            Evaluation::Transient { buffer, name, element, length, count } => {
                let (length, text) = (self.amount(length), name.to_string());
                if let Some(count) = count.as_ref().map(|count| self.amount(count)) {
                    let mutable = self.mutable(name);
                    return quote!(let #mutable #name = #sink.transients::<#element>(#buffer, #text, #count, #length););
                }
                quote!(let #name = ::graph_runtime::__private::Ghost::<#element>::new(#length);)
            }
            Evaluation::Member { symbol, local, value } => {
                let id = symbol.0;
                // rustc says here what is no buffer.
                let at = Span::mixed_site().located_at(value.span());
                quote_spanned!(at=> let #local = #sink.member(#id, &#value);)
            }
            Evaluation::Passing { symbol, local, value } => {
                let id = symbol.0;
                quote!(let #local = #sink.passing(#id, &#value);)
            }
            Evaluation::Exchange { place, left: (left, of_left), right: (right, of_right) } => {
                let (place, [first, second]) = (place.0, [internal("__first"), internal("__second")]);
                quote! {
                    let (#first, #second) = #sink.exchange(#place, (&#left, #of_left), (&#right, #of_right));
                    #left = #first;
                    #right = #second;
                }
            }
            Evaluation::BodyBegins => quote!(#sink.begin_body();),
            Evaluation::BodyEnds { node } => {
                let node = node.0;
                quote!(#sink.end_body(#node);)
            }
            Evaluation::Text { symbol, format } => {
                record("text", *symbol, &quote!(::std::format!(#format)), Span::mixed_site())
            }
            Evaluation::Resize { name, length } => {
                let (id, mutable) = (length.0, self.mutable(name));
                quote!(let #mutable #name = #name.with_length(#sink.recorded(#id));)
            }
            Evaluation::Shaped { name, sizes } => {
                let sizes = sizes.iter().map(|size| self.amount(size));
                quote!(let #name = #name.shaped([#(#sizes),*]);)
            }
            Evaluation::Scope(steps) => {
                let steps = Once::new(inner(steps, Bound::Nothing));
                quote!({ #steps })
            }
            Evaluation::Call(call) => self.call(call),
            Evaluation::Graph(call) => self.graph(call),
            Evaluation::Check(check) => put::made(|tokens| self.check(check, tokens)),
            Evaluation::Device(function) => device(function),
            Evaluation::Kernel(function) => super::kernel::kernel(function),
            Evaluation::Repeat { original, count, copy } => quote!(#sink.repeat(#original, #count, #copy);),
        }
    }
}

impl Emission<'_> {
    /// A length or a number of buffers.
    pub(super) fn amount(&self, amount: &LengthValue) -> TokenStream {
        let symbol = match amount {
            LengthValue::Known(value) => return Literal::u64_unsuffixed(*value).to_token_stream(),
            LengthValue::Symbol(symbol) => *symbol,
        };
        let (sink, id) = (internal("__sink"), symbol.0);
        if let SymbolOrigin::BoundLength(buffer) = self.lowered.program.symbol(symbol).origin {
            let buffer = buffer.0;
            return quote!(#sink.length(#buffer));
        }
        let before = Ident::new("__amount", Span::mixed_site());
        quote!({ let #before = #sink.recorded(#id); #before })
    }
}

fn arm_of(symbol: SymbolId, number: u32, arm: &ChoiceArm, inner: &mut Inner<'_>) -> TokenStream {
    let (sink, id, steps) = (internal("__sink"), symbol.0, Once::new(inner(&arm.steps, Bound::Pattern(&arm.pattern))));
    let (pattern, guard) = (&arm.pattern, arm.guard.as_ref().map(|(keyword, guard)| quote!(#keyword #guard)));
    quote!(#pattern #guard => { #sink.choice(#id, #number); #steps })
}

/// Checks, which rustc types and generates no code for. Many stand in a closure that nobody calls, which its passes over the function
/// leave out; a few stand behind `false`, since the time of an incremental build grows with closures × the function's size.
pub(super) fn never_run(checks: Vec<TokenStream>) -> TokenStream {
    let count = checks.len();
    let checks = Once::all(checks);
    match count {
        0 => TokenStream::new(),
        1..MANY_CHECKS => quote!(if false { #checks }),
        _ => quote!(let _ = || { #checks };),
    }
}

/// `sink.method(symbol, value)`, where the value begins at `place`.
fn record(method: &str, symbol: SymbolId, value: &impl ToTokens, place: Span) -> TokenStream {
    let (sink, id) = (internal("__sink"), symbol.0);
    // rustc names the call when the value's type is wrong: at the value, not at the whole block.
    let method = at(method, place);
    put::made(|tokens| put!(tokens => #sink.#method(#id, #value);))
}

/// A name of generated code, at a place of the user's.
pub(super) fn at(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

/// A device expression as a closure over its host values.
fn device(function: &DeviceFunction) -> TokenStream {
    let (sink, id, elements) = (internal("__sink"), function.node.0, internal("__elements"));
    let result = Put::by(|tokens| device_value(function, tokens));
    put::made(|tokens| {
        let hosts = Put::by(|tokens| host_values(&function.hosts, tokens));
        put!(tokens => { #hosts #sink.scalar(#id, move |#elements: &__Elements<'_>| #result); });
    })
}

/// Reads what a closure takes of the host.
pub(super) fn host_values(hosts: &[(Ident, SymbolId, Expr)], tokens: &mut TokenStream) {
    let sink = internal("__sink");
    for (variable, SymbolId(symbol), expression) in hosts {
        put!(tokens => let #variable = #expression; #sink.scalar_value(#symbol, #variable););
    }
}

fn device_value(function: &DeviceFunction, tokens: &mut TokenStream) {
    let (value, body) = (internal("__value"), &function.body);
    match &function.kind {
        DeviceKind::Test | DeviceKind::Until => {
            if matches!(function.kind, DeviceKind::Until) {
                put!(tokens => !);
            }
            // rustc says "expected due to this" about the type: at the condition, not at the whole block.
            let test = at("bool", body.span());
            put!(tokens => { let #value: #test = #body; #value });
        }
        DeviceKind::Element(target) => {
            let computed = at("computed", target.span());
            put!(tokens => #target.#computed(#body));
        }
        DeviceKind::Match(patterns) => {
            let arms = quote!(#(#patterns => {})* _ => {});
            put!(tokens => { let #value = #body; match #value { #arms } #value });
        }
    }
}
