//! Device expressions: as data for the GPU, and as Rust for the CPU and for rustc's type check.

use graph_ir::code::Code;
use graph_ir::model::{
    Access, BinaryOperator, Expression, Method, Mode, NodeId, NodeKind, Range, ScalarType, UnaryOperator,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};

use super::evaluation::{DeviceFunction, DeviceKind, Evaluation};
use super::launch::without_suffix;
use super::member::Named;
use super::mentioned::Mentioned;
use super::symbols::integer;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;

/// An expression in its two forms.
pub(crate) struct Both {
    pub(crate) data: Expression,
    pub(crate) rust: TokenStream,
}

/// What is gathered on the way through one expression.
struct Gathered {
    node: NodeId,
    hosts: Vec<(Ident, graph_ir::model::SymbolId, Expr)>,
    mentioned: Mentioned,
    failed: bool,
}

impl Gathered {
    fn new(node: NodeId) -> Self {
        Self { node, hosts: Vec::new(), mentioned: Mentioned::default(), failed: false }
    }

    fn function(self, body: TokenStream, kind: DeviceKind) -> DeviceFunction {
        DeviceFunction { node: self.node, hosts: self.hosts, mentioned: self.mentioned, body, kind }
    }
}

impl Lowering<'_> {
    /// Lowers a node's expression: its accesses go to the node, its Rust form to the evaluator.
    pub(crate) fn device_expression(&mut self, node: NodeId, expression: &Expr, kind: DeviceKind) -> Expression {
        let mut gathered = Gathered::new(node);
        let both = self.both(&mut gathered, expression);
        if !gathered.failed {
            let function = gathered.function(both.rust, kind);
            self.evaluate(Evaluation::Device(function));
        }
        both.data
    }

    /// `s[0] = e;`, `s[0] += e;`
    pub(crate) fn scalar(
        &mut self,
        statement: &ast::Statement,
        target: &ast::BufferPlace,
        operator: Option<&BinOp>,
        equals: Span,
        value: &Expr,
    ) {
        let Some(Named { buffer, name: local }) = self.target(target) else { return };
        let Some(footprint) = self.element_of_buffer(&target.name, &target.index, buffer) else { return };
        let written =
            if target.path.is_empty() { target.name.to_string() } else { self.program.buffer(buffer).name.clone() };
        let name = format!("{written}[{}]", text::of(&target.index));
        let node = self.node(statement, target.name.span(), &name, NodeKind::Copy);
        let place = self.place(target.name.span());
        let mode = if operator.is_some() { Mode::Update } else { Mode::Overwrite };
        self.node_mut(node).accesses = vec![Access { buffer, mode, footprint, ranged: true, place, view: None }];
        let kind = DeviceKind::Element(local.clone());
        let value = match operator {
            None => self.device_expression(node, value, kind),
            Some(operator) => self.compound(node, &local, operator, equals, value),
        };
        self.node_mut(node).kind = NodeKind::Scalar { value };
    }

    fn compound(&mut self, node: NodeId, name: &Ident, operator: &BinOp, equals: Span, value: &Expr) -> Expression {
        let mut gathered = Gathered::new(node);
        gathered.mentioned.add(name);
        let left = Both { data: Expression::Element(0), rust: element_of(name, 0, name.span()) };
        let right = self.both(&mut gathered, value);
        let plain = plain_operator(operator);
        let both = match plain {
            Some(plain) => binary(plain, equals, left, right),
            None => self.refuse(&mut gathered, equals, "this operator cannot run on the device"),
        };
        if !gathered.failed {
            let kind = DeviceKind::Element(name.clone());
            let function = gathered.function(both.rust, kind);
            self.evaluate(Evaluation::Device(function));
        }
        both.data
    }

    fn both(&mut self, gathered: &mut Gathered, expression: &Expr) -> Both {
        match expression {
            Expr::Paren(inner) => {
                let Both { data, rust } = self.both(gathered, &inner.expr);
                Both { data, rust: quote_spanned!(inner.paren_token.span.join()=> (#rust)) }
            }
            Expr::Group(inner) => self.both(gathered, &inner.expr),
            Expr::Lit(literal) => self.literal(gathered, &literal.lit),
            Expr::Index(index) => self.element(gathered, index),
            Expr::Unary(unary) => self.unary(gathered, unary),
            Expr::Binary(operation) => match operator(&operation.op) {
                Some(op) => {
                    let left = self.both(gathered, &operation.left);
                    let right = self.both(gathered, &operation.right);
                    binary(op, operation.op.span(), left, right)
                }
                None => self.refuse_assignment(gathered, operation.op.span(), None),
            },
            Expr::Assign(assignment) => {
                self.refuse_assignment(gathered, assignment.eq_token.span, Some("to compare, write `==`"))
            }
            Expr::Cast(cast) => self.cast(gathered, cast),
            Expr::MethodCall(call) if self.reads_buffer(expression) => self.method_call(gathered, call),
            Expr::If(conditional) => self.select(gathered, conditional),
            other => self.host(gathered, other),
        }
    }

    fn literal(&mut self, gathered: &mut Gathered, literal: &Lit) -> Both {
        match number(literal) {
            Some(data) => Both { data, rust: literal.to_token_stream() },
            None => self.refuse(gathered, literal.span(), "only numbers and booleans exist on the device"),
        }
    }

    /// `x[i]`
    fn element(&mut self, gathered: &mut Gathered, index: &syn::ExprIndex) -> Both {
        if let Some(named) = self.member_of(&index.expr) {
            return self.element_of_member(gathered, &named, index);
        }
        let Some(name) = text::identifier(&index.expr) else { return self.host(gathered, &Expr::Index(index.clone())) };
        if self.scopes.buffer(&name.to_string()).is_none() && self.scopes.find(&name.to_string()).is_some() {
            return self.host(gathered, &Expr::Index(index.clone()));
        }
        let Some(buffer) = self.buffer_named(name) else {
            gathered.failed = true;
            return Both { data: Expression::Boolean(false), rust: TokenStream::new() };
        };
        self.element_of_member(gathered, &Named { buffer, name: name.clone() }, index)
    }

    fn element_of_member(&mut self, gathered: &mut Gathered, named: &Named, index: &syn::ExprIndex) -> Both {
        let (buffer, name) = (named.buffer, &named.name);
        let Some(footprint) = self.element_of_buffer(name, &index.index, buffer) else {
            gathered.failed = true;
            return Both { data: Expression::Boolean(false), rust: TokenStream::new() };
        };
        gathered.mentioned.add(name);
        let place = self.place(name.span());
        let accesses = &mut self.node_mut(gathered.node).accesses;
        let same = |access: &Access| access.buffer == buffer && access.footprint == footprint && access.mode.reads();
        let position = accesses.iter().position(same).unwrap_or_else(|| {
            accesses.push(Access { buffer, mode: Mode::Read, footprint, ranged: true, place, view: None });
            accesses.len() - 1
        });
        let position = position as u32;
        Both { data: Expression::Element(position), rust: element_of(name, position, index.bracket_token.span.join()) }
    }

    /// The buffer whose element is assigned.
    pub(crate) fn target(&mut self, target: &ast::BufferPlace) -> Option<Named> {
        if target.path.is_empty() && self.lists(&target.name) == 0 {
            let buffer = self.buffer_named(&target.name)?;
            return Some(Named { buffer, name: target.name.clone() });
        }
        if self.leads_on(&target.name) {
            let place = super::structs::place(&target.name, &target.path);
            let member = self.member_of(&place);
            if member.is_none() {
                let message = format!("`{}` is no buffer with elements", text::of(&place));
                self.diagnose(Diagnostic::error(Code::SYNTAX, target.name.span(), message));
            }
            return member;
        }
        let indices = target.path.iter().filter_map(|step| match step {
            ast::Projection::Index(index, _) => Some(index),
            ast::Projection::Field(_) => None,
        });
        let name = &target.name;
        let place = indices.fold(syn::parse_quote!(#name), |place: Expr, index| syn::parse_quote!(#place[#index]));
        let member = self.member_of(&place);
        if member.is_none() {
            let lists = self.lists(name);
            let message = format!("an element of `{name}` is named by {} indices", lists + 1);
            self.diagnose(Diagnostic::error(Code::SYNTAX, name.span(), message));
        }
        member
    }

    /// `i..i + 1`, unless the index is something that is not there yet.
    pub(crate) fn single_index(&mut self, index: &Expr) -> Option<Range> {
        let index = text::bare(index);
        if let Some(value) = integer(index) {
            return Some(Range::known(value, value.saturating_add(1)));
        }
        let reason = match index {
            Expr::Range(_) => Some("a range is not a single element"),
            _ if self.reads_buffer(index) => Some("an index read from a buffer is not supported yet"),
            _ => None,
        };
        if let Some(reason) = reason {
            let diagnostic = Diagnostic::error(Code::NOT_YET, index.span(), reason)
                .help("index with a literal or a host expression: `x[0]`, `x[n - 1]`");
            self.diagnose(diagnostic);
            return None;
        }
        Some(Range { start: self.extent(index), end: self.after(index) })
    }

    fn unary(&mut self, gathered: &mut Gathered, unary: &syn::ExprUnary) -> Both {
        let span = unary.op.span();
        match unary.op {
            UnOp::Neg(_) => {
                let literal = matches!(text::bare(&unary.expr), Expr::Lit(_));
                let Both { data, rust } = self.both(gathered, &unary.expr);
                let data = Expression::Unary { operator: UnaryOperator::Neg, operand: Box::new(data) };
                let rust = if literal { quote_spanned!(span=> -#rust) } else { call("neg", span, &[rust]) };
                Both { data, rust }
            }
            UnOp::Not(_) => {
                let Both { data, rust } = self.both(gathered, &unary.expr);
                let data = Expression::Unary { operator: UnaryOperator::Not, operand: Box::new(data) };
                Both { data, rust: quote_spanned!(span=> !(#rust)) }
            }
            _ => self.host(gathered, &Expr::Unary(unary.clone())),
        }
    }

    fn cast(&mut self, gathered: &mut Gathered, cast: &syn::ExprCast) -> Both {
        let target = text::of(&cast.ty);
        let Some(target) = scalar_type(&target) else {
            return self.refuse(gathered, cast.ty.span(), "expected an integer type, `f32` or `f64` behind `as`");
        };
        let Both { data, rust } = self.both(gathered, &cast.expr);
        let ty = &cast.ty;
        let rust = quote_spanned!(cast.as_token.span=> ((#rust) as #ty));
        Both { data: Expression::Cast { operand: Box::new(data), target }, rust }
    }

    fn method_call(&mut self, gathered: &mut Gathered, call_site: &syn::ExprMethodCall) -> Both {
        let name = &call_site.method;
        let Some(method) = Method::named(&name.to_string()) else {
            return self.host(gathered, &Expr::MethodCall(call_site.clone()));
        };
        let receiver = self.both(gathered, &call_site.receiver);
        let mut operands = vec![receiver.data];
        let mut rust = vec![receiver.rust];
        for argument in &call_site.args {
            let both = self.both(gathered, argument);
            operands.push(both.data);
            rust.push(both.rust);
        }
        Both { data: Expression::Call { method, operands }, rust: method_rust(method, name, &rust) }
    }

    fn select(&mut self, gathered: &mut Gathered, conditional: &syn::ExprIf) -> Both {
        let otherwise = conditional.else_branch.as_ref().map(|(_, otherwise)| &**otherwise);
        let then = single_expression(&conditional.then_branch);
        let (Some(then), Some(otherwise)) = (then, otherwise) else {
            let span = conditional.if_token.span;
            return self.refuse(gathered, span, "an `if` in a device expression needs one value in each branch");
        };
        let otherwise = match otherwise {
            Expr::Block(block) => single_expression(&block.block),
            other => Some(other),
        };
        let Some(otherwise) = otherwise else {
            let span = conditional.if_token.span;
            return self.refuse(gathered, span, "an `if` in a device expression needs one value in each branch");
        };
        let condition = self.both(gathered, &conditional.cond);
        let (then, otherwise) = (self.both(gathered, then), self.both(gathered, otherwise));
        let (test, yes, no) = (condition.rust, then.rust, otherwise.rust);
        let rust = quote_spanned!(conditional.if_token.span=> (if #test { #yes } else { #no }));
        let data = Expression::Select {
            condition: Box::new(condition.data),
            then: Box::new(then.data),
            otherwise: Box::new(otherwise.data),
        };
        Both { data, rust }
    }

    /// A host value: anything that names no buffer's element.
    fn host(&mut self, gathered: &mut Gathered, expression: &Expr) -> Both {
        if self.reads_buffer(expression) {
            let form = match expression {
                Expr::Call(call) => return self.refuse_function(gathered, &call.func),
                Expr::MethodCall(call) => format!("method `.{}(…)`", call.method),
                _ => "this form".to_owned(),
            };
            return self.refuse(gathered, expression.span(), &format!("{form} cannot run on the device"));
        }
        let origin = graph_ir::model::SymbolOrigin::Evaluated;
        let symbol = self.new_symbol(gathered.mentioned.text_of(expression), text::span(expression), origin);
        let variable = format_ident!("__host_{}", gathered.hosts.len(), span = Span::mixed_site());
        let value = self.checked(expression);
        gathered.hosts.push((variable.clone(), symbol, value));
        let rust = Ident::new(&variable.to_string(), variable.span().located_at(expression.span())).to_token_stream();
        Both { data: Expression::Host(symbol), rust }
    }

    fn refuse_function(&mut self, gathered: &mut Gathered, function: &Expr) -> Both {
        let message = format!("function `{}` cannot run on the device", text::of(function));
        let fault = Diagnostic::error(Code::EXPRESSION, function.span(), message);
        self.failed(gathered, fault.help("write out here what it computes, or let a kernel write it to an element"))
    }

    fn refuse_assignment(&mut self, gathered: &mut Gathered, span: Span, help: Option<&str>) -> Both {
        let message = "an assignment cannot be part of a device expression";
        let fault = Diagnostic::error(Code::EXPRESSION, span, message);
        self.failed(gathered, fault.help(help.unwrap_or("assign in a statement of its own")))
    }

    fn failed(&mut self, gathered: &mut Gathered, fault: Diagnostic) -> Both {
        gathered.failed = true;
        self.diagnose(fault);
        Both { data: Expression::Boolean(false), rust: TokenStream::new() }
    }

    fn refuse(&mut self, gathered: &mut Gathered, span: Span, message: &str) -> Both {
        let diagnostic = Diagnostic::error(Code::EXPRESSION, span, message).note(
            "a device expression has buffer elements, host values, literals, arithmetic, comparisons, logic and bit \
             operators, `as`, `if`, and the methods of numbers",
        );
        self.failed(gathered, diagnostic)
    }

    /// Reports a fault that no rule of graph-ir has.
    pub(crate) fn diagnose(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The element of a buffer that the function's argument reads, as the expression from the name to `end`.
fn element_of(name: &Ident, position: u32, end: Span) -> TokenStream {
    let place = Span::mixed_site().located_at(name.span());
    let (elements, method) = (Ident::new("__elements", place), Ident::new("at", place));
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#elements, #position));
    arguments.set_span(end);
    quote!(#name.#method #arguments)
}

pub(crate) fn binary(operator: BinaryOperator, span: Span, left: Both, right: Both) -> Both {
    use BinaryOperator as B;
    let (a, b) = (left.rust, right.rust);
    let rust = match operator {
        B::Add => call("add", span, &[a, b]),
        B::Sub => call("sub", span, &[a, b]),
        B::Mul => call("mul", span, &[a, b]),
        B::Div => call("div", span, &[a, b]),
        B::Rem => call("rem", span, &[a, b]),
        B::Shl => call("shl", span, &[a, b]),
        B::Shr => call("shr", span, &[a, b]),
        B::BitAnd => quote_spanned!(span=> ((#a) & (#b))),
        B::BitOr => quote_spanned!(span=> ((#a) | (#b))),
        B::BitXor => quote_spanned!(span=> ((#a) ^ (#b))),
        B::Eq => quote_spanned!(span=> ((#a) == (#b))),
        B::Ne => quote_spanned!(span=> ((#a) != (#b))),
        B::Lt => quote_spanned!(span=> ((#a) < (#b))),
        B::Le => quote_spanned!(span=> ((#a) <= (#b))),
        B::Gt => quote_spanned!(span=> ((#a) > (#b))),
        B::Ge => quote_spanned!(span=> ((#a) >= (#b))),
        B::And => quote_spanned!(span=> ((#a) && (#b))),
        B::Or => quote_spanned!(span=> ((#a) || (#b))),
    };
    Both { data: Expression::Binary { operator, left: Box::new(left.data), right: Box::new(right.data) }, rust }
}

/// A literal as data, if it is a number or a boolean.
pub(crate) fn number(literal: &Lit) -> Option<Expression> {
    let number = |token: String, suffix: &str| {
        let text = without_suffix(&token, suffix);
        Expression::Literal { text, suffix: scalar_type(suffix) }
    };
    match literal {
        Lit::Int(int) => Some(number(int.to_string(), int.suffix())),
        Lit::Float(float) => Some(number(float.to_string(), float.suffix())),
        Lit::Bool(boolean) => Some(Expression::Boolean(boolean.value)),
        Lit::Byte(byte) => Some(number(byte.value().to_string(), "u8")),
        _ => None,
    }
}

/// A method of Rust's, or the runtime's function where the two differ.
pub(crate) fn method_rust(method: Method, name: &Ident, operands: &[TokenStream]) -> TokenStream {
    match operands {
        [receiver, arguments @ ..] if !method.is_settled_by_runtime() => {
            quote_spanned!(name.span()=> (#receiver).#name(#(#arguments),*))
        }
        _ => call(&name.to_string(), name.span(), operands),
    }
}

/// A call of one of the runtime's arithmetic functions, where Rust's operator would panic.
pub(crate) fn call(function: &str, span: Span, arguments: &[TokenStream]) -> TokenStream {
    let function = Ident::new(function, Span::mixed_site().located_at(span));
    quote!(__arithmetic::#function(#(#arguments),*))
}

pub(crate) fn operator(operator: &BinOp) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match operator {
        BinOp::Add(_) => B::Add,
        BinOp::Sub(_) => B::Sub,
        BinOp::Mul(_) => B::Mul,
        BinOp::Div(_) => B::Div,
        BinOp::Rem(_) => B::Rem,
        BinOp::And(_) => B::And,
        BinOp::Or(_) => B::Or,
        BinOp::BitXor(_) => B::BitXor,
        BinOp::BitAnd(_) => B::BitAnd,
        BinOp::BitOr(_) => B::BitOr,
        BinOp::Shl(_) => B::Shl,
        BinOp::Shr(_) => B::Shr,
        BinOp::Eq(_) => B::Eq,
        BinOp::Lt(_) => B::Lt,
        BinOp::Le(_) => B::Le,
        BinOp::Ne(_) => B::Ne,
        BinOp::Ge(_) => B::Ge,
        BinOp::Gt(_) => B::Gt,
        _ => return None,
    })
}

/// `+=` as `+`.
pub(crate) fn plain_operator(operator: &BinOp) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match operator {
        BinOp::AddAssign(_) => B::Add,
        BinOp::SubAssign(_) => B::Sub,
        BinOp::MulAssign(_) => B::Mul,
        BinOp::DivAssign(_) => B::Div,
        BinOp::RemAssign(_) => B::Rem,
        BinOp::BitXorAssign(_) => B::BitXor,
        BinOp::BitAndAssign(_) => B::BitAnd,
        BinOp::BitOrAssign(_) => B::BitOr,
        BinOp::ShlAssign(_) => B::Shl,
        BinOp::ShrAssign(_) => B::Shr,
        _ => return None,
    })
}

pub(crate) fn scalar_type(name: &str) -> Option<ScalarType> {
    Some(match name {
        "bool" => ScalarType::Bool,
        "u8" => ScalarType::U8,
        "i8" => ScalarType::I8,
        "u16" => ScalarType::U16,
        "i16" => ScalarType::I16,
        "u32" => ScalarType::U32,
        "i32" => ScalarType::I32,
        "u64" | "usize" => ScalarType::U64,
        "i64" | "isize" => ScalarType::I64,
        "f32" => ScalarType::F32,
        "f64" => ScalarType::F64,
        _ => return None,
    })
}

fn single_expression(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(expression, None)] => Some(expression),
        _ => None,
    }
}
