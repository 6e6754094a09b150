//! Lengths in declarations: arithmetic on the kernel's value parameters, in which nothing wraps.

use graph_ir::code::Code;
use graph_ir::model::Shape;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{BinOp, Expr, ExprCast, ExprMethodCall, ExprPath, Lit, Type};

use super::ast::{Form, Parameter};
use super::nearest;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lower::text;

/// Methods of `usize` that a length may call: each has a checked function of the same name at run time.
const METHODS: [&str; 8] =
    ["div_ceil", "next_multiple_of", "next_power_of_two", "pow", "min", "max", "abs_diff", "saturating_sub"];

/// What stands behind the `;` of `[T; w * h]`, `[T; (h, w)]` or `[T; (h, w).pitch(p)]`.
pub(super) struct Length {
    whole: Expr,
    /// The size of each dimension, then the distances.
    parts: Vec<Part>,
    dimensions: usize,
}

/// One number of a length.
pub(super) struct Part {
    expression: Expr,
    /// Of type `usize`, where `?` returns a fault.
    pub(super) checked: TokenStream,
    /// The value parameters that it names.
    pub(super) values: Vec<Ident>,
}

impl Part {
    fn new(expression: &Expr) -> Self {
        Self { expression: expression.clone(), checked: TokenStream::new(), values: Vec::new() }
    }

    /// As written, for messages.
    pub(super) fn text(&self) -> String {
        text::of(&self.expression)
    }
}

impl Length {
    /// As written; [`check`] finds out what it means.
    pub(super) fn new(whole: Expr) -> Result<Self, Diagnostic> {
        let (sizes, distances) = match text::bare(&whole) {
            Expr::Tuple(shape) => (shape.elems.iter().map(Part::new).collect(), Vec::new()),
            Expr::MethodCall(call) if call.method == "pitch" => match text::bare(&call.receiver) {
                Expr::Tuple(shape) => {
                    (shape.elems.iter().map(Part::new).collect(), call.args.iter().map(Part::new).collect())
                }
                _ => (vec![Part::new(&whole)], Vec::new()),
            },
            _ => (vec![Part::new(&whole)], Vec::new()),
        };
        let (mut parts, distances): (Vec<Part>, Vec<Part>) = (sizes, distances);
        let dimensions = parts.len();
        let shaped = matches!(text::bare(&whole), Expr::Tuple(_)) || !distances.is_empty();
        if shaped && !(2..=Shape::MAX_RANK).contains(&dimensions) {
            return Err(Diagnostic::error(Code::DECLARATION, whole.span(), "a buffer has one to three dimensions")
                .help("write `[T; n]`, `[T; (height, width)]` or `[T; (depth, height, width)]`"));
        }
        if !distances.is_empty() && distances.len() + 1 != dimensions {
            let wanted = if dimensions == 2 { ".pitch(row)" } else { ".pitch(slice, row)" };
            return Err(Diagnostic::error(
                Code::DECLARATION,
                whole.span(),
                "a distance for each dimension but the last",
            )
            .help(format!("write `{wanted}`: elements from one row to the next")));
        }
        parts.extend(distances);
        Ok(Self { whole, parts, dimensions })
    }

    /// As written, for messages.
    pub(super) fn text(&self) -> String {
        text::of(&self.whole)
    }

    /// One for a length, two or three for a shape.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Whether the distances of rows are declared.
    pub(super) fn is_pitched(&self) -> bool {
        self.parts.len() > self.dimensions
    }

    /// The size of each dimension, then the distances.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Resolves the names in all lengths of a kernel.
pub(super) fn check(parameters: &mut [Parameter], faults: &mut Diagnostics) {
    let named = |wanted: fn(&Form) -> bool| -> Vec<Ident> {
        parameters.iter().filter(|parameter| wanted(&parameter.form)).map(|parameter| parameter.name.clone()).collect()
    };
    let values = named(|form| matches!(form, Form::Value(_)));
    let buffers = named(|form| matches!(form, Form::Buffer { .. }));
    let unknown = parameters.iter().any(|parameter| matches!(parameter.form, Form::Unknown));
    for parameter in parameters {
        match &mut parameter.form {
            Form::Buffer { length: Some(length), .. } => {
                for part in &mut length.parts {
                    let mut scope = Scope { values: &values, buffers: &buffers, unknown, used: Vec::new(), faults };
                    part.checked = scope.lower(&part.expression);
                    part.values = scope.used;
                }
            }
            Form::Value(ty) => {
                if let Some(fault) = array_of_a_parameter(ty, &parameter.name, &values) {
                    faults.push(fault);
                    parameter.form = Form::Unknown;
                }
            }
            _ => {}
        }
    }
}

/// `x: [f32; n]` is a value for Rust, whose length cannot be a parameter: a buffer is meant.
fn array_of_a_parameter(ty: &Type, name: &Ident, values: &[Ident]) -> Option<Diagnostic> {
    let Type::Array(array) = ty else { return None };
    let names = text::identifiers(&array.len);
    values.iter().any(|value| names.contains(&value.to_string())).then(|| {
        let written = text::of(array);
        Diagnostic::error(Code::DECLARATION, array.bracket_token.span.join(), format!("buffer `{name}` needs a mode"))
            .help(format!("write `{name}: &{written}`, `&mut {written}`, `Out<{written}>` or `Atomic<{written}>`"))
    })
}

struct Scope<'a> {
    values: &'a [Ident],
    buffers: &'a [Ident],
    /// A parameter was refused, and may be the one that is looked for.
    unknown: bool,
    used: Vec<Ident>,
    faults: &'a mut Diagnostics,
}

impl Scope<'_> {
    fn lower(&mut self, expression: &Expr) -> TokenStream {
        match expression {
            Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_)) => literal.to_token_stream(),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => self.lower(&inner.expr),
            Expr::Group(inner) => self.lower(&inner.expr),
            Expr::Binary(binary) => match operation(&binary.op) {
                Some(name) => self.call(name, binary.op.span(), [&*binary.left, &*binary.right].into_iter()),
                None => self.refuse(binary.op.span(), "this operator cannot stand in a length"),
            },
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => {
                let function = &call.func;
                let arguments: Vec<TokenStream> = call.args.iter().map(|argument| self.lower(argument)).collect();
                quote_spanned! {call.paren_token.span.join()=> #function(#(#arguments),*) }
            }
            Expr::Cast(cast) => self.cast(cast),
            other => self.refuse(first(other), "expected arithmetic on the kernel's value parameters"),
        }
    }

    fn path(&mut self, path: &ExprPath) -> TokenStream {
        if let Some(name) = path.path.get_ident() {
            if self.values.contains(name) {
                if !self.used.contains(name) {
                    self.used.push(name.clone());
                }
            } else if !is_constant(name) && !self.unknown {
                let fault = self.unknown_name(name);
                self.faults.push(fault);
            }
        }
        path.to_token_stream()
    }

    fn unknown_name(&self, name: &Ident) -> Diagnostic {
        let span = name.span();
        if self.buffers.contains(name) {
            return Diagnostic::error(
                Code::LENGTH_NAME,
                span,
                format!("`{name}` is a buffer, and a length needs a value"),
            )
            .help(format!("add a value parameter to the kernel, and write its name: `{name}_length: u32`"));
        }
        let fault =
            Diagnostic::error(Code::LENGTH_NAME, span, format!("no value parameter named `{name}` in this kernel"))
                .note("a length is checked before the launch, from the values that the kernel itself receives");
        match nearest::of(&name.to_string(), self.values.iter().map(ToString::to_string)) {
            Some(known) => fault.help(format!("a value parameter with a similar name exists: `{known}`")),
            None => fault.help(format!("pass it to the kernel too: `{name}: u32`")),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> TokenStream {
        let name = call.method.unraw().to_string();
        if METHODS.contains(&name.as_str()) && call.turbofish.is_none() {
            return self.call(&name, call.method.span(), std::iter::once(&*call.receiver).chain(&call.args));
        }
        let fault =
            Diagnostic::error(Code::DECLARATION, call.method.span(), format!("`.{name}(…)` cannot stand in a length"));
        self.faults.push(match nearest::of(&name, METHODS) {
            Some(known) => fault.help(format!("a method with a similar name can: `{known}`")),
            None => fault.note(format!("the methods that can: `{}`", METHODS.join("`, `"))),
        });
        TokenStream::new()
    }

    fn cast(&mut self, cast: &ExprCast) -> TokenStream {
        let inner = self.lower(&cast.expr);
        match &*cast.ty {
            ty @ Type::Path(path) if path.path.is_ident("usize") => {
                quote_spanned! {cast.as_token.span()=> (#inner as #ty) }
            }
            ty => self.refuse(ty.span(), "in a length, everything is `usize`"),
        }
    }

    /// `length::mul(left, right)?`
    fn call<'e>(&mut self, name: &str, span: Span, operands: impl Iterator<Item = &'e Expr>) -> TokenStream {
        let function = Ident::new(name, Span::mixed_site().located_at(span));
        let operands: Vec<TokenStream> = operands.map(|operand| self.lower(operand)).collect();
        quote_spanned! {Span::mixed_site().located_at(span)=>
            ::graph_runtime::__private::length::#function(#(#operands),*)?
        }
    }

    fn refuse(&mut self, span: Span, message: &str) -> TokenStream {
        self.faults.push(Diagnostic::error(Code::DECLARATION, span, message).note(
            "a length is made of value parameters, constants, integers, `+ - * / % << >>` and methods like `div_ceil`",
        ));
        TokenStream::new()
    }
}

fn operation(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        _ => return None,
    })
}

/// Named like a constant, so that it is rustc's to resolve.
fn is_constant(name: &Ident) -> bool {
    name.unraw().to_string().starts_with(|first: char| first.is_uppercase() || first == '_')
}

fn first(expression: &Expr) -> Span {
    expression.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
