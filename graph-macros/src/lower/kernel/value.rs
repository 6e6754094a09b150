//! Expressions of a body.

use graph_ir::code::Code;
use graph_ir::model::{BinaryOperator, Expression, Method, Statement, UnaryOperator};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprIf, Lit, Stmt, UnOp};

use super::Body;
use super::index::Base;
use crate::diagnostic::Diagnostic;
use crate::lower::expression::{Both, binary, call, method_rust, number, operator, scalar_type};
use crate::lower::text;
use crate::syntax::reduction;

impl Body<'_, '_> {
    /// Anything that has a value.
    pub(super) fn value(&mut self, expression: &Expr) -> Both {
        match expression {
            Expr::Paren(inner) => {
                let Both { data, rust } = self.value(&inner.expr);
                Both { data, rust: quote_spanned!(inner.paren_token.span.join()=> (#rust)) }
            }
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Path(_) => self.name(expression),
            Expr::Index(index) => self.element_value(expression, index),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(operation) => self.operation(operation),
            Expr::Cast(cast) => self.cast(cast),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::If(conditional) => self.select(conditional),
            Expr::Block(block) if block.label.is_none() => {
                let (statements, both) = self.in_block(|body| body.block_value(&block.block));
                self.append(statements);
                both
            }
            other => self.host(other),
        }
    }

    /// An element of a buffer, or a host value.
    fn element_value(&mut self, expression: &Expr, index: &syn::ExprIndex) -> Both {
        let failed = self.failed;
        match self.base(index) {
            Some(base) if !self.is_host(&base) => self.load(&base, index),
            None if self.failed && !failed => Both { data: Expression::Boolean(false), rust: TokenStream::new() },
            _ => self.host(expression),
        }
    }

    fn literal(&mut self, literal: &Lit) -> Both {
        let Some(data) = number(literal) else {
            return self.refuse_form(literal.span(), "only numbers and booleans exist on the device");
        };
        Both { data, rust: literal.to_token_stream() }
    }

    /// A name of the host's: it may be indexed like a buffer.
    fn is_host(&self, base: &Base) -> bool {
        if base.is_member() {
            return false;
        }
        let spelled = base.name.to_string();
        let scopes = &self.lowering.scopes;
        self.find(&spelled).is_none() && scopes.buffer(&spelled).is_none() && scopes.find(&spelled).is_some()
    }

    /// A name on its own.
    fn name(&mut self, expression: &Expr) -> Both {
        let Some(name) = text::identifier(expression) else { return self.host(expression) };
        let spelled = name.to_string();
        if let Some(found) = self.find(&spelled) {
            return Both { data: Expression::Local(found.local), rust: name.to_token_stream() };
        }
        if self.lowering.scopes.buffer(&spelled).is_some() {
            let message = format!("buffer `{spelled}` is used without an index");
            let diagnostic = Diagnostic::error(Code::BODY, name.span(), message);
            return self.refuse(diagnostic.help(format!("name the element: `{spelled}[i]`")));
        }
        self.host(expression)
    }

    /// A host value: anything that names nothing of the device's.
    fn host(&mut self, expression: &Expr) -> Both {
        if self.lowering.mentions_broken(expression) {
            self.failed = true;
        }
        if !self.on_device(expression) {
            return self.host_value(expression);
        }
        let form = match expression {
            Expr::Call(call) => return self.refuse_function(&call.func),
            Expr::MethodCall(call) => format!("method `.{}(…)`", call.method),
            Expr::Macro(inner) => format!("macro `{}!`", text::of(&inner.mac.path)),
            Expr::Closure(_) => "a closure".to_owned(),
            Expr::Reference(_) => "a reference".to_owned(),
            Expr::Tuple(_) => "a tuple".to_owned(),
            Expr::Array(_) | Expr::Repeat(_) => "an array".to_owned(),
            Expr::Range(_) => "a range on its own".to_owned(),
            Expr::Match(_) => "a `match` with a value".to_owned(),
            Expr::Index(_) => "an array of the host's with an index of the device's".to_owned(),
            _ => "this form".to_owned(),
        };
        self.refuse_form(expression.span(), &format!("{form} cannot run on the device"))
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Both {
        let span = unary.op.span();
        let (operator, literal) = match unary.op {
            UnOp::Neg(_) => (UnaryOperator::Neg, matches!(text::bare(&unary.expr), Expr::Lit(_))),
            UnOp::Not(_) => (UnaryOperator::Not, false),
            _ => return self.host(&Expr::Unary(unary.clone())),
        };
        let Both { data, rust } = self.value(&unary.expr);
        let data = Expression::Unary { operator, operand: Box::new(data) };
        let rust = match operator {
            UnaryOperator::Not => quote_spanned!(span=> !(#rust)),
            UnaryOperator::Neg if literal => quote_spanned!(span=> -#rust),
            UnaryOperator::Neg => call("neg", span, &[rust]),
        };
        Both { data, rust }
    }

    fn operation(&mut self, operation: &syn::ExprBinary) -> Both {
        let span = operation.op.span();
        let Some(operator) = operator(&operation.op) else {
            return self.refuse_form(span, "an assignment is a statement and has no value");
        };
        let left = self.value(&operation.left);
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            return self.short_circuit(operator, span, left, &operation.right);
        }
        let right = self.value(&operation.right);
        binary(operator, span, left, right)
    }

    /// The right side of `&&` and `||` runs only if the left side has not decided; without an element in it nobody can tell.
    fn short_circuit(&mut self, operator: BinaryOperator, span: proc_macro2::Span, left: Both, right: &Expr) -> Both {
        let (mut block, right) = self.perhaps(|body| body.value(right));
        let whole = binary(operator, span, Both { data: left.data.clone(), rust: left.rust }, right);
        let Expression::Binary { right, .. } = &whole.data else { return whole };
        if block.is_empty() && !loads(right) {
            return whole;
        }
        let result = self.local(String::new(), None);
        self.push(Statement::Let { local: result, value: Some(left.data) });
        block.push(Statement::Assign { local: result, value: (**right).clone() });
        let (then, otherwise) = if operator == BinaryOperator::And { (block, Vec::new()) } else { (Vec::new(), block) };
        self.push(Statement::If { condition: Expression::Local(result), then, otherwise });
        Both { data: Expression::Local(result), rust: whole.rust }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Both {
        let Some(target) = scalar_type(&text::of(&cast.ty)) else {
            return self.refuse_form(cast.ty.span(), "expected an integer type, `f32` or `f64` behind `as`");
        };
        let Both { data, rust } = self.value(&cast.expr);
        let ty = &cast.ty;
        let rust = quote_spanned!(cast.as_token.span=> ((#rust) as #ty));
        Both { data: Expression::Cast { operand: Box::new(data), target }, rust }
    }

    fn method_call(&mut self, written: &syn::ExprMethodCall) -> Both {
        match reduction::mapped(&Expr::MethodCall(written.clone())) {
            Ok(None) => {}
            Ok(Some(mapped)) => return self.inner_reduction(&mapped),
            Err(fault) => return self.refuse(fault),
        }
        let buffer = text::identifier(&written.receiver).filter(|name| {
            let spelled = name.to_string();
            self.find(&spelled).is_none() && self.lowering.scopes.buffer(&spelled).is_some()
        });
        let method = Method::named(&written.method.to_string()).filter(|_| buffer.is_none());
        let Some(method) = method else { return self.host(&Expr::MethodCall(written.clone())) };
        let parts = std::iter::once(&*written.receiver).chain(&written.args);
        let (operands, rust): (Vec<Expression>, Vec<TokenStream>) =
            parts.map(|part| self.value(part)).map(|both| (both.data, both.rust)).unzip();
        Both { data: Expression::Call { method, operands }, rust: method_rust(method, &written.method, &rust) }
    }

    /// `if c { a } else { b }` as a value.
    fn select(&mut self, conditional: &ExprIf) -> Both {
        let span = conditional.if_token.span;
        let Some((_, otherwise)) = &conditional.else_branch else {
            return self.refuse_form(span, "an `if` with a value needs an `else`");
        };
        if let Expr::Let(inner) = &*conditional.cond {
            return self.refuse_form(inner.let_token.span, "`let` in a condition cannot run on the device");
        }
        let condition = self.value(&conditional.cond);
        let (mut then, yes) = self.perhaps(|body| body.block_value(&conditional.then_branch));
        let (mut other, no) = self.perhaps(|body| match &**otherwise {
            Expr::Block(block) => body.block_value(&block.block),
            nested => body.value(nested),
        });
        let (test, a, b) = (condition.rust, yes.rust, no.rust);
        let rust = quote_spanned!(span=> (if #test { #a } else { #b }));
        let plain = then.is_empty() && other.is_empty() && !loads(&yes.data) && !loads(&no.data);
        if plain {
            let (condition, then) = (Box::new(condition.data), Box::new(yes.data));
            return Both { data: Expression::Select { condition, then, otherwise: Box::new(no.data) }, rust };
        }
        let result = self.local(String::new(), None);
        self.push(Statement::Let { local: result, value: None });
        then.push(Statement::Assign { local: result, value: yes.data });
        other.push(Statement::Assign { local: result, value: no.data });
        self.push(Statement::If { condition: condition.data, then, otherwise: other });
        Both { data: Expression::Local(result), rust }
    }

    /// `{ let a = …; a * a }`
    fn block_value(&mut self, block: &Block) -> Both {
        let Some((Stmt::Expr(value, None), before)) = block.stmts.split_last() else {
            return self.refuse_form(block.brace_token.span.join(), "this block has no value at its end");
        };
        let mut rust = TokenStream::new();
        for statement in before {
            match statement {
                Stmt::Local(local) => rust.extend(self.let_statement(local)),
                other => {
                    let message = "only `let` may stand in front of the value of a block";
                    return self.refuse_form(other.span(), message);
                }
            }
        }
        let value = self.value(value);
        let tail = value.rust;
        let whole =
            if before.is_empty() { tail } else { quote_spanned!(proc_macro2::Span::mixed_site()=> { #rust #tail }) };
        Both { data: value.data, rust: whole }
    }
}

/// Whether an expression loads an element that may not be there.
fn loads(expression: &Expression) -> bool {
    let mut found = false;
    expression.walk(&mut |part| found |= matches!(part, Expression::Load { .. }));
    found
}
