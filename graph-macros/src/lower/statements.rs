//! Statements, one after another.

use super::Lowering;
use super::evaluation::Evaluation;
use crate::syntax::ast::{Statement, StatementKind};

impl Lowering<'_> {
    /// Lowers the statements of a body into the innermost region.
    pub(crate) fn statements(&mut self, body: &[Statement]) {
        for statement in body {
            let start = self.places.len();
            self.statement(statement);
            self.levels_since(&statement.attributes, start);
        }
    }

    /// Lowers a block of statements: names declared in it end with it.
    pub(crate) fn scoped(&mut self, body: &[Statement], word: &'static str) {
        self.scopes.enter();
        let evaluations = self.block(|this| this.statements(body));
        self.evaluate(Evaluation::Scope(evaluations));
        self.scopes.leave(word);
    }

    fn statement(&mut self, statement: &Statement) {
        if !matches!(statement.kind, StatementKind::Launch(_)) {
            self.refuse_launch_attributes(&statement.attributes);
        }
        match &statement.kind {
            StatementKind::Launch(launch) => self.launch(statement, launch),
            StatementKind::Transient(transient) => self.transient(statement, transient),
            StatementKind::Static(buffer) => self.static_buffer(buffer),
            StatementKind::HostLet { pattern, ty, value, leaves } => {
                self.host_let((pattern, ty.as_deref()), value, *leaves);
            }
            StatementKind::Copy { word, from, to } => self.copy(statement, word, from, to),
            StatementKind::Fill { word, target, value } => self.fill(statement, word, target, value),
            StatementKind::Assert { word, condition, message } => {
                self.assertion(statement, word, condition, message.as_ref());
            }
            StatementKind::Swap { word, left, right } => self.swap(word, left, right),
            StatementKind::Host(call) | StatementKind::Capture(call) => self.call(statement, call),
            StatementKind::Event { word, event, buffers } => self.event(statement, word, event, buffers),
            StatementKind::Graph(call) => self.graph_call(statement, call),
            StatementKind::Drop { name } => self.drop_buffer(name),
            StatementKind::Scalar { target, operator, equals, value } => {
                self.scalar(statement, target, operator.as_ref(), *equals, value);
            }
            StatementKind::KernelFor(kernel) => self.kernel_for(statement, kernel),
            StatementKind::Reduction(reduction) => self.reduction(statement, reduction),
            StatementKind::If(conditional) => self.conditional_if(statement, conditional),
            StatementKind::Match(conditional) => self.conditional_match(statement, conditional),
            StatementKind::While(conditional) => self.while_loop(statement, conditional),
            StatementKind::KernelWhile(conditional) => self.kernel_while(statement, conditional),
            StatementKind::Loop(conditional) => self.plain_loop(statement, conditional),
            StatementKind::For(host) => self.host_for(statement, host),
            StatementKind::Scope(body) => self.scoped(body, "{ … }"),
            StatementKind::Error => {}
        }
    }
}
