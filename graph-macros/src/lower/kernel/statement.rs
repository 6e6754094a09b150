//! Statements of a body.

use graph_ir::code::Code;
use graph_ir::model::{BinaryOperator, Expression, Statement, UnaryOperator};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, ExprIf, Label, Lifetime, Local, Pat, Path, Stmt};

use super::index::{Base, Element, call};
use super::tuple::plain_name;
use super::{Body, Name};
use crate::diagnostic::Diagnostic;
use crate::lower::expression::{Both, binary, plain_operator, scalar_type};
use crate::lower::text;
use crate::module::nearest;
use crate::syntax::ast;

impl Body<'_, '_> {
    /// Statements, one after another, in the innermost block.
    pub(super) fn statements(&mut self, body: &[Stmt]) -> TokenStream {
        body.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> TokenStream {
        match statement {
            Stmt::Local(local) => self.let_statement(local),
            Stmt::Expr(expression, _) => self.expression_statement(expression),
            Stmt::Item(item) => self.refuse_form(item.span(), "an item cannot stand in a body").rust,
            Stmt::Macro(inner) => self.refuse_macro(&inner.mac.path).rust,
        }
    }

    pub(super) fn expression_statement(&mut self, expression: &Expr) -> TokenStream {
        match expression {
            Expr::Assign(inner) => self.assign(&inner.left, None, inner.eq_token.span, &inner.right),
            Expr::Binary(inner) => match plain_operator(&inner.op) {
                Some(operator) => self.assign(&inner.left, Some(operator), inner.op.span(), &inner.right),
                None => self.refuse_form(inner.op.span(), "the value of this expression goes nowhere").rust,
            },
            Expr::If(inner) => self.if_statement(inner),
            Expr::ForLoop(inner) => self.for_loop(inner),
            Expr::While(inner) => {
                self.while_loop(inner.label.as_ref(), inner.while_token.span, Some(&inner.cond), &inner.body)
            }
            Expr::Loop(inner) => self.while_loop(inner.label.as_ref(), inner.loop_token.span, None, &inner.body),
            Expr::Block(inner) if inner.label.is_none() => self.scope(&inner.block),
            Expr::Match(inner) => self.match_statement(inner),
            Expr::Break(inner) if inner.expr.is_none() && !self.loops.is_empty() => {
                let (span, label) = (inner.break_token.span, &inner.label);
                let Some(loops) = self.loops_out(label.as_ref()) else { return TokenStream::new() };
                self.push(Statement::Break(loops));
                quote_spanned!(span=> break #label;)
            }
            Expr::Continue(inner) if !self.loops.is_empty() => {
                let (span, label) = (inner.continue_token.span, &inner.label);
                let Some(loops) = self.loops_out(label.as_ref()) else { return TokenStream::new() };
                self.push(Statement::Continue(loops));
                quote_spanned!(span=> continue #label;)
            }
            other => self.refuse_statement(other).rust,
        }
    }

    /// How many loops are between a `break` or `continue` and the one that it means.
    fn loops_out(&mut self, label: Option<&Lifetime>) -> Option<u32> {
        let Some(label) = label else { return Some(0) };
        let found = self.loops.iter().rev().position(|name| name.as_ref() == Some(&label.ident.to_string()));
        if found.is_none() {
            let help = match nearest::of(&label.ident.to_string(), self.loops.iter().flatten()) {
                Some(near) => format!("a loop around it has a similar label: write `'{near}`"),
                None => format!("put `{label}:` in front of the loop that is meant"),
            };
            self.refuse_for(label.span(), &format!("no loop around this is labelled `{label}`"), help);
        }
        found.map(|loops| loops as u32)
    }

    fn refuse_statement(&mut self, expression: &Expr) -> Both {
        const REST: &str = "put the rest of the body into an `if`";
        let (span, message, help) = match expression {
            Expr::Return(inner) => (inner.return_token.span, "a body cannot be left with `return`".to_owned(), REST),
            Expr::Try(inner) => (inner.question_token.span, "a body cannot be left with `?`".to_owned(), REST),
            Expr::Break(inner) if !self.loops.is_empty() => {
                let help = "assign the value to a `let mut` in front of the `break`";
                (inner.span(), "`break` with a value cannot run on the device".to_owned(), help)
            }
            Expr::Break(inner) => (inner.break_token.span, "`break` outside of a loop".to_owned(), REST),
            Expr::Continue(inner) => (inner.continue_token.span, "`continue` outside of a loop".to_owned(), REST),
            Expr::Call(inner) => return self.refuse_function(&inner.func),
            Expr::MethodCall(inner) => {
                let message = format!("the value of `.{}(…)` goes nowhere", inner.method);
                (inner.method.span(), message, "assign it: `y[i] = …;`, or `let value = …;`")
            }
            Expr::Macro(inner) => return self.refuse_macro(&inner.mac.path),
            other => return self.refuse_form(other.span(), "this is no statement of a body"),
        };
        self.refuse_for(span, &message, help)
    }

    fn refuse_macro(&mut self, path: &Path) -> Both {
        let message = format!("macro `{}!` cannot run on the device", text::of(path));
        self.refuse_for(path.span(), &message, "write what is to be seen to a buffer, and look at it on the host")
    }

    pub(super) fn refuse_function(&mut self, function: &Expr) -> Both {
        let message = format!("function `{}` cannot run on the device", text::of(function));
        let help = "write out here what it computes, or launch a kernel of a `#[cuda_module]`";
        self.refuse_for(function.span(), &message, help)
    }

    /// `let x: f32 = value;`
    pub(super) fn let_statement(&mut self, local: &Local) -> TokenStream {
        if let Some(tuple) = self.let_tuple(local) {
            return tuple;
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Some(pattern) = plain_name(pattern) else {
            self.salvage(pattern);
            let (message, help) =
                ("expected one name behind `let`, or as many as values", "write a `let` for each name");
            return self.refuse_for(pattern.span(), message, help).rust;
        };
        let scalar = match ty.map(|ty| (ty, scalar_type(&text::of(ty)))) {
            Some((ty, None)) => {
                return self.refuse_form(ty.span(), "expected the type of a number or `bool`").rust;
            }
            Some((_, scalar)) => scalar,
            None => None,
        };
        let init = local.init.as_ref();
        if let Some((word, _)) = init.and_then(|init| init.diverge.as_ref()) {
            return self.refuse_form(word.span, "`let … else` cannot run on the device").rust;
        }
        let value = init.map(|init| self.value(&init.expr));
        let fixed = init.filter(|_| pattern.mutability.is_none() && ty.is_none());
        let polynomial = fixed.and_then(|init| self.value_polynomial(&init.expr));
        let (name, mutable) = (&pattern.ident, &pattern.mutability);
        let ty = ty.map(|ty| quote!(: #ty));
        let (data, rust) = value.map(|both| (both.data, both.rust)).unzip();
        let local = self.declare(name, scalar, |local| Name { local, polynomial });
        self.push(Statement::Let { local, value: data });
        let rust = rust.map(|rust| quote!(= #rust));
        quote!(let #mutable #name #ty #rust;)
    }

    fn assign(
        &mut self,
        target: &Expr,
        operator: Option<BinaryOperator>,
        span: proc_macro2::Span,
        value: &Expr,
    ) -> TokenStream {
        let failed = self.failed;
        if let Expr::Index(index) = text::bare(target) {
            match self.base(index) {
                Some(base) => return self.store(&base, index, operator, span, value),
                None if self.failed && !failed => return TokenStream::new(),
                None => {}
            }
        }
        let name = text::identifier(target);
        let Some((name, local)) = name.and_then(|name| Some((name, self.find(&name.to_string())?.local))) else {
            return self.refuse_target(target).rust;
        };
        let right = self.value(value);
        let Some(operator) = operator else {
            self.push(Statement::Assign { local, value: right.data });
            let rust = right.rust;
            return quote_spanned!(span=> #name = #rust;);
        };
        let left = Both { data: Expression::Local(local), rust: quote!(#name) };
        let Both { data, rust } = binary(operator, span, left, right);
        self.push(Statement::Assign { local, value: data });
        quote_spanned!(span=> #name = #rust;)
    }

    fn refuse_target(&mut self, target: &Expr) -> Both {
        let Some(name) = text::identifier(target) else {
            return self
                .refuse_form(target.span(), "only names of the body's own and elements of buffers are assigned to");
        };
        let spelled = name.to_string();
        let diagnostic = |message: String| Diagnostic::error(Code::BODY, name.span(), message);
        let diagnostic = if self.lowering.scopes.buffer(&spelled).is_some() {
            diagnostic(format!("buffer `{spelled}` is assigned to without an index"))
                .help(format!("name the element: `{spelled}[i]`"))
        } else if self.lowering.scopes.find(&spelled).is_some() {
            diagnostic(format!("host value `{spelled}` is assigned to"))
                .note("a kernel cannot change what the host has")
                .help(format!("give the body a name of its own: `let mut {spelled} = {spelled};`"))
        } else {
            diagnostic(format!("no `let` in this body declares `{spelled}`"))
                .help(format!("declare it: `let mut {spelled} = …;`"))
        };
        self.refuse(diagnostic)
    }

    /// `y[i] = value;`, `y[i] += value;`
    fn store(
        &mut self,
        base: &Base,
        index: &syn::ExprIndex,
        operator: Option<BinaryOperator>,
        span: proc_macro2::Span,
        value: &Expr,
    ) -> TokenStream {
        let right = self.value(value);
        let Some(Element { used, index: at, rust, fixed: _ }) = self.element(base, index) else {
            return TokenStream::new();
        };
        let name = base.evaluated();
        let end = index.bracket_token.span.join();
        let access = used as u32;
        self.mentioned.add(name);
        let whole = match operator {
            None => right,
            Some(operator) => {
                self.note_load(used);
                let data = Expression::Load { access, index: Box::new(at.clone()) };
                let left = Both { data, rust: call(name, "load", &quote!(#access, #rust), end) };
                binary(operator, span, left, right)
            }
        };
        self.note_store(used);
        self.push(Statement::Store { access, index: at, value: whole.data });
        let value = whole.rust;
        let store = call(name, "store", &quote!(#access, #rust, #value), end);
        quote!(#store;)
    }

    fn if_statement(&mut self, conditional: &ExprIf) -> TokenStream {
        let span = conditional.if_token.span;
        if let Expr::Let(inner) = &*conditional.cond {
            return self.refuse_form(inner.let_token.span, "`let` in a condition cannot run on the device").rust;
        }
        let condition = self.value(&conditional.cond);
        self.branch(span, condition, &mut |body| body.statements(&conditional.then_branch.stmts), &mut |body| {
            match conditional.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                None => TokenStream::new(),
                Some(Expr::Block(block)) => body.statements(&block.block.stmts),
                Some(nested) => body.expression_statement(nested),
            }
        })
    }

    /// Two ways, of which one is taken; what both write is written.
    pub(super) fn branch(
        &mut self,
        span: proc_macro2::Span,
        condition: Both,
        then: &mut dyn FnMut(&mut Self) -> TokenStream,
        otherwise: &mut dyn FnMut(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let mut ends = Vec::new();
        let mut way = |body: &mut Self, statements: &mut dyn FnMut(&mut Self) -> TokenStream| {
            body.perhaps(|body| {
                let rust = statements(body);
                ends.push(body.written.clone());
                rust
            })
        };
        let (yes, yes_rust) = way(self, then);
        let (no, no_rust) = way(self, otherwise);
        if let [a, b] = ends.as_slice() {
            self.written.extend(a.intersection(b));
        }
        self.push(Statement::If { condition: condition.data, then: yes, otherwise: no });
        let test = condition.rust;
        let no_rust = (!no_rust.is_empty()).then(|| quote!(else { #no_rust }));
        quote_spanned!(span=> if #test { #yes_rust } #no_rust)
    }

    fn scope(&mut self, block: &Block) -> TokenStream {
        let (statements, rust) = self.in_block(|body| body.statements(&block.stmts));
        self.append(statements);
        quote!({ #rust })
    }

    /// `for k in a..b { … }`
    fn for_loop(&mut self, written: &ExprForLoop) -> TokenStream {
        let axes = match crate::syntax::axes(&written.pat, &written.expr) {
            Ok(axes) => axes,
            Err(fault) => return self.refuse(fault).rust,
        };
        let [axis] = axes.as_slice() else {
            return self.refuse_form(written.pat.span(), "an inner `for` has one range").rust;
        };
        let leaves = leaves(&written.body);
        let inner = |body: &mut Self| body.statements(&written.body.stmts);
        let (range, rust) = self.inner_loop(axis, written.label.as_ref(), leaves, inner);
        let (name, label, span) = (&axis.name, &written.label, written.for_token.span);
        quote_spanned!(span=> #label for #name in #range { #rust })
    }

    /// A loop over a range, in data; what a pass is comes back as Rust, with the range.
    pub(super) fn inner_loop(
        &mut self,
        axis: &ast::Axis,
        label: Option<&Label>,
        leaves: bool,
        pass: impl FnOnce(&mut Self) -> TokenStream,
    ) -> (TokenStream, TokenStream) {
        let on_host = !self.on_device(&axis.start) && !self.on_device(&axis.end);
        let (start, end) = (self.value(&axis.start), self.value(&axis.end));
        let iteration = on_host.then(|| self.iteration(axis));
        self.loops.push(label_name(label));
        let mut local = 0;
        let body = |body: &mut Self| {
            local = body.declare_iteration(&axis.name, iteration);
            pass(body)
        };
        let (statements, rust) = match iteration {
            Some(iteration) if !leaves => {
                let written = self.written.clone();
                self.around.push(iteration);
                let result = self.in_block(body);
                self.around.pop();
                self.written = written;
                result
            }
            _ => self.perhaps(body),
        };
        self.loops.pop();
        let inclusive = axis.inclusive;
        self.push(Statement::For { local, start: start.data, end: end.data, inclusive, body: statements });
        let (first, last) = (start.rust, end.rust);
        let span = proc_macro2::Span::mixed_site().located_at(axis.start.span());
        let dots = if inclusive { quote_spanned!(span=> ..=) } else { quote_spanned!(span=> ..) };
        (quote_spanned!(span=> (#first) #dots (#last)), rust)
    }

    /// `while c { … }`, and `loop { … }` without a condition.
    fn while_loop(
        &mut self,
        label: Option<&Label>,
        span: proc_macro2::Span,
        condition: Option<&Expr>,
        pass: &Block,
    ) -> TokenStream {
        if let Some(Expr::Let(inner)) = condition {
            return self.refuse_form(inner.let_token.span, "`let` in a condition cannot run on the device").rust;
        }
        let (before, test) = self.perhaps(|body| condition.map(|condition| body.value(condition)));
        self.loops.push(label_name(label));
        let (statements, rust) = self.perhaps(|body| body.statements(&pass.stmts));
        self.loops.pop();
        let Some(test) = test else {
            self.push(Statement::While { condition: Expression::Boolean(true), body: statements });
            return quote_spanned!(span=> #label loop { #rust });
        };
        let test_rust = test.rust;
        // What the test needs is computed before each pass.
        let (condition, body) = if before.is_empty() {
            (test.data, statements)
        } else {
            let ended = Expression::Unary { operator: UnaryOperator::Not, operand: Box::new(test.data) };
            let leave = Statement::If { condition: ended, then: vec![Statement::Break(0)], otherwise: Vec::new() };
            let body = before.into_iter().chain([leave]).chain(statements).collect();
            (Expression::Boolean(true), body)
        };
        self.push(Statement::While { condition, body });
        quote_spanned!(span=> #label while #test_rust { #rust })
    }
}

/// What a loop is called.
fn label_name(label: Option<&Label>) -> Option<String> {
    label.map(|label| label.name.ident.to_string())
}

/// Whether a loop's pass may leave it, or its next statements, early: by its own `break` or `continue`, or by one with a label.
fn leaves(pass: &Block) -> bool {
    struct Finder {
        found: bool,
        /// Loops of the pass around the current place.
        inside: usize,
    }
    impl Finder {
        fn leave(&mut self, label: Option<&Lifetime>) {
            self.found |= self.inside == 0 || label.is_some();
        }

        fn inner(&mut self, visit: impl FnOnce(&mut Self)) {
            self.inside += 1;
            visit(self);
            self.inside -= 1;
        }
    }
    impl<'a> Visit<'a> for Finder {
        fn visit_expr_break(&mut self, inner: &'a syn::ExprBreak) {
            self.leave(inner.label.as_ref());
        }
        fn visit_expr_continue(&mut self, inner: &'a syn::ExprContinue) {
            self.leave(inner.label.as_ref());
        }
        fn visit_expr_while(&mut self, inner: &'a syn::ExprWhile) {
            self.inner(|finder| visit::visit_expr_while(finder, inner));
        }
        fn visit_expr_loop(&mut self, inner: &'a syn::ExprLoop) {
            self.inner(|finder| visit::visit_expr_loop(finder, inner));
        }
        fn visit_expr_for_loop(&mut self, inner: &'a ExprForLoop) {
            self.inner(|finder| visit::visit_expr_for_loop(finder, inner));
        }
    }
    let mut finder = Finder { found: false, inside: 0 };
    finder.visit_block(pass);
    finder.found
}
