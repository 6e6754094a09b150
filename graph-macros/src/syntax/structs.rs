//! Which references are structs of buffers: lists of them, and those whose fields are named where buffers are.

use std::collections::HashSet;

use graph_ir::model::Mode as Kind;
use syn::spanned::Spanned as _;
use syn::visit::{Visit, visit_expr_field};
use syn::{Expr, ExprField, Ident, Member};

use super::ast::{Argument, BufferArgument, Mode, Parameter, ParameterKind, Projection, Statement, StatementKind};

/// Makes buffers of the references that are structs of buffers. The others are objects.
pub(super) fn resolve(parameters: &mut [Parameter], body: &[Statement]) {
    let mut names = Names::default();
    names.statements(body);
    for parameter in parameters {
        let ParameterKind::Reference { mutable, ty } = &parameter.kind else { continue };
        if parameter.lists == 0 && !names.found.contains(&parameter.name.to_string()) {
            continue;
        }
        let kind = if *mutable { Kind::Update } else { Kind::Read };
        let mode = Mode { kind, ampersand: ty.span(), word: None };
        parameter.kind = ParameterKind::Buffer { mode, host: None, element: ty.clone(), length: None };
        parameter.structure = true;
    }
}

/// Names in front of fields.
#[derive(Default)]
struct Names {
    found: HashSet<String>,
}

impl Names {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(&statement.kind);
            statement.kind.bodies().into_iter().for_each(|(body, _)| self.statements(body));
        }
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Launch(launch) => launch.arguments.iter().for_each(|argument| {
                if let Argument::Buffer(buffer) = argument {
                    self.buffer(buffer);
                }
            }),
            StatementKind::Copy { from, to, .. } => [from, to].into_iter().for_each(|buffer| self.buffer(buffer)),
            StatementKind::Fill { target, .. } => self.buffer(target),
            StatementKind::Host(call) | StatementKind::Capture(call) => {
                call.arguments.iter().for_each(|argument| self.buffer(argument));
            }
            StatementKind::Event { buffers, .. } => buffers.iter().for_each(|buffer| self.buffer(buffer)),
            StatementKind::Swap { left, right, .. } => [left, right].into_iter().for_each(|side| self.buffer(side)),
            StatementKind::Scalar { target, .. } => self.path(&target.name, &target.path),
            StatementKind::HostLet { value, .. } => self.visit_expr(value),
            StatementKind::For(host) => self.visit_expr(&host.iterable),
            _ => {}
        }
    }

    fn buffer(&mut self, argument: &BufferArgument) {
        self.path(&argument.name, &argument.path);
    }

    fn path(&mut self, name: &Ident, path: &[Projection]) {
        if path.iter().any(|step| matches!(step, Projection::Field(_))) {
            self.found.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    /// A field of a name, or of an item of it.
    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        let mut base = &*field.base;
        while let Expr::Index(syn::ExprIndex { expr, .. }) = base {
            base = expr;
        }
        if let (Expr::Path(path), Member::Named(_)) = (base, &field.member)
            && let Some(name) = path.path.get_ident()
        {
            self.found.insert(name.to_string());
        }
        visit_expr_field(self, field);
    }
}
