//! `if`, `match`, `while` and `loop`.

use graph_ir::analysis::rounds;
use graph_ir::code::Code;
use graph_ir::model::{
    BufferId, Expression, LoopHead, NodeId, NodeKind, Place, RegionId, RegionKind, Test, UnaryOperator,
};
use graph_ir::rules::{condition, swap};
use proc_macro2::{Ident, Span};
use syn::Expr;
use syn::spanned::Spanned;

use super::evaluation::{DeviceKind, Evaluation};
use super::labels::Body;
use super::passes::Repeated;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, Statement};

impl Lowering<'_> {
    /// An `if` that reads a buffer is decided on the device, any other when the graph is built.
    pub(crate) fn conditional_if(&mut self, statement: &Statement, conditional: &ast::If) {
        if !self.reads_buffer(&conditional.condition) {
            self.host_if(statement, conditional);
        } else if ast::has_let(&conditional.condition) {
            let span = conditional.keyword.span;
            let fault = Diagnostic::error(Code::NOT_YET, span, "`if let` on the device is not supported yet");
            self.diagnose(fault.help("compare with `==`, or use `match` on integers"));
        } else {
            self.device_if(statement, conditional);
        }
    }

    fn device_if(&mut self, statement: &Statement, conditional: &ast::If) {
        let node = self.node(statement, conditional.keyword.span, "if", NodeKind::Copy);
        let test = self.test(node, &conditional.condition, DeviceKind::Test);
        let then = self.device_body(node, RegionKind::Then, conditional.keyword.span, &conditional.then);
        let otherwise = conditional
            .otherwise
            .as_ref()
            .map(|(keyword, body)| self.device_body(node, RegionKind::Else, keyword.span, body));
        self.node_mut(node).kind = NodeKind::If { test, then, otherwise };
    }

    pub(crate) fn conditional_match(&mut self, statement: &Statement, conditional: &ast::Match) {
        if self.reads_buffer(&conditional.value) {
            self.device_match(statement, conditional);
        } else {
            self.host_match(statement, conditional);
        }
    }

    /// `while c limit n every k { … }`
    pub(crate) fn while_loop(&mut self, statement: &Statement, conditional: &ast::While) {
        let node = self.node(statement, conditional.keyword.span, "while", NodeKind::Copy);
        let test = self.test(node, &conditional.condition, DeviceKind::Test);
        let parts = LoopParts { span: conditional.keyword.span, bounds: &conditional.bounds, body: &conditional.body };
        self.loop_node(node, &parts, Decides::Before(test));
    }

    /// `while |c| limit n { … }`
    pub(crate) fn kernel_while(&mut self, statement: &Statement, conditional: &ast::KernelWhile) {
        let node = self.node(statement, conditional.keyword.span, "while", NodeKind::Copy);
        if let Some(every) = &conditional.bounds.every {
            let place = self.place(every.span());
            self.report(&condition::with_every(place));
        }
        let bounds = ast::Bounds { limit: conditional.bounds.limit.clone(), every: None };
        let parts = LoopParts { span: conditional.keyword.span, bounds: &bounds, body: &conditional.body };
        self.loop_node(node, &parts, Decides::Kernel(&conditional.name));
    }

    /// `loop limit n every k { … if c { break; } }`
    pub(crate) fn plain_loop(&mut self, statement: &Statement, conditional: &ast::Loop) {
        let node = self.node(statement, conditional.keyword.span, "loop", NodeKind::Copy);
        let parts = LoopParts { span: conditional.keyword.span, bounds: &conditional.bounds, body: &conditional.body };
        self.loop_node(node, &parts, Decides::Behind(conditional.until.as_ref()));
    }

    fn loop_node(&mut self, node: NodeId, parts: &LoopParts<'_>, decides: Decides<'_>) {
        let limit = parts.bounds.limit.as_ref().map(|limit| self.extent(limit));
        let before = self.names_before(parts.body);
        let place = self.place(parts.span);
        let bounds_place = self.bounds_place(parts.bounds, parts.span);
        let tests_first = !matches!(decides, Decides::Behind(_));
        let by_kernel = matches!(decides, Decides::Kernel(_));
        let mut repeated = Repeated::once();
        self.scopes.enter();
        let evaluations = self.block(|this| {
            let body = this.begin_region(RegionKind::Body, Some(node), place);
            this.bodies.push(Body::new(if tests_first { "while" } else { "loop" }, parts.span, parts.body));
            if let Decides::Kernel(name) = decides {
                this.declare_condition(name, node);
            }
            this.begin_exchanges(parts.body);
            repeated = this.repeated(parts.bounds.every.as_ref(), parts.body);
            this.end_exchanges(node, parts.body);
            let test = match decides {
                Decides::Before(test) => Some(test),
                Decides::Behind(until) => until.map(|until| this.until(node, until)),
                Decides::Kernel(_) => None,
            };
            this.bodies.pop();
            this.end_region();
            let Repeated { every, every_by, .. } = repeated;
            let head = LoopHead { test, tests_first, body, limit, every, every_by, by_kernel, place: bounds_place };
            this.node_mut(node).kind = NodeKind::Loop(head);
        });
        self.evaluate(Evaluation::Scope(evaluations));
        self.scopes.leave(if tests_first { "while" } else { "loop" });
        let place = parts.bounds.every.as_ref().map_or(place, |every| self.place(every.span()));
        let rounds = Rounds { every: repeated.every, order: rounds(&repeated.swapped) };
        self.check_swapped(&before, place, Some(rounds));
    }

    /// The test of `if c { break; }` continues while `!c`; it sees the names of the loop's body.
    fn until(&mut self, node: NodeId, until: &ast::Until) -> Test {
        let mut test = self.test(node, &until.condition, DeviceKind::Until);
        test.value = Expression::Unary { operator: UnaryOperator::Not, operand: Box::new(test.value) };
        test.place = self.place(until.keyword.span);
        test
    }

    fn bounds_place(&mut self, bounds: &ast::Bounds, keyword: Span) -> Place {
        let limit = bounds.limit.as_ref().map(Spanned::span);
        let every = bounds.every.as_ref().map(ast::Every::span);
        self.place(limit.or(every).unwrap_or(keyword))
    }

    /// A body with a region and a scope of its own.
    pub(crate) fn body(&mut self, node: NodeId, kind: RegionKind, span: Span, statements: &[Statement]) -> RegionId {
        let before = self.names_before(statements);
        let place = self.place(span);
        let region = self.begin_region(kind, Some(node), place);
        let word = match kind {
            RegionKind::Else => "else",
            RegionKind::Arm => "match",
            _ => "if",
        };
        self.bodies.push(Body::new(word, span, statements));
        self.scoped(statements, word);
        self.resolve_pending();
        self.bodies.pop();
        self.end_region();
        self.check_swapped(&before, place, None);
        region
    }

    /// Names that a body leaves exchanged would mean one thing on one path and another on the other.
    pub(crate) fn check_swapped(&mut self, before: &NameState, place: Place, rounds: Option<Rounds>) {
        if before.is_empty() {
            return;
        }
        let after = self.scopes.buffer_state();
        let moved: Vec<&str> = before.iter().zip(&after).filter(|(a, b)| a != b).map(|(a, _)| a.0.as_str()).collect();
        if moved.is_empty() {
            return;
        }
        let at = self.last_swap.unwrap_or(place);
        let local = after.iter().find(|(.., now)| !before.iter().any(|(.., known)| known == now));
        let finding = match (local, rounds) {
            (Some((name, _, now)), _) => {
                let buffer = self.program.buffer(*now);
                swap::ends_with_body(name, (&buffer.name, buffer.place), at)
            }
            (None, Some(Rounds { every, order })) => swap::names_left_exchanged(&moved, order, every, place, at),
            (None, None) => swap::swap_in_branch(&moved, self.bodies.last().map_or("if", |body| body.word), at, place),
        };
        self.report(&finding);
        self.scopes.for_each_buffer(|buffer| {
            if let Some((_, _, current)) = before.iter().find(|(_, declared, _)| *declared == buffer.declared) {
                buffer.current = *current;
            }
        });
    }

    /// The test of a conditional, whose accesses go to the node.
    pub(crate) fn test(&mut self, node: NodeId, condition: &Expr, kind: DeviceKind) -> Test {
        let place = self.place(text::span(condition));
        let value = self.device_expression(node, condition, kind);
        Test { value, place }
    }

    /// Whether an expression names an element of a buffer, or of something that may be one.
    pub(crate) fn reads_buffer(&self, expression: &Expr) -> bool {
        let mut finder = BufferFinder { lowering: self, found: false };
        syn::visit::Visit::visit_expr(&mut finder, expression);
        finder.found
    }
}

/// What each visible buffer name stands for: name, declared as, now.
pub(crate) type NameState = Vec<(String, BufferId, BufferId)>;

/// The bounds of a loop that a `swap` must fit.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    every: u32,
    /// After how many passes every name is back where it was.
    order: u32,
}

/// What `while` and `loop` have in common.
struct LoopParts<'a> {
    span: Span,
    bounds: &'a ast::Bounds,
    body: &'a [Statement],
}

/// What decides whether there is another pass.
enum Decides<'a> {
    /// A test in front of each pass.
    Before(Test),
    /// A test behind each pass, if there is one.
    Behind(Option<&'a ast::Until>),
    /// A kernel, by this name of the condition.
    Kernel(&'a Ident),
}

struct BufferFinder<'a, 'd> {
    lowering: &'a Lowering<'d>,
    found: bool,
}

impl<'ast> syn::visit::Visit<'ast> for BufferFinder<'_, '_> {
    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        // An item of a list is the host's business; an element of one is not.
        let place = Expr::Index(index.clone());
        if self.lowering.is_item(&index.expr) {
            self.found = true;
        } else if self.lowering.is_item(&place) {
            return self.visit_expr(&index.index);
        }
        if let Some(name) = text::identifier(&index.expr) {
            let host = self.lowering.scopes.find(&name.to_string());
            let host = host.is_some_and(|binding| matches!(binding.kind, super::scope::BindingKind::Host));
            self.found |= !host;
        }
        syn::visit::visit_expr_index(self, index);
    }
}
