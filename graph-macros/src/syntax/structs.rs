//! Which references are structs of buffers: lists of them, and those whose fields are named where buffers are.

use graph_ir::model::Mode as Kind;
use rustc_hash::FxHashSet;
use syn::spanned::Spanned as _;
use syn::visit::{Visit, visit_expr_field, visit_expr_index};
use syn::{Expr, ExprField, ExprIndex, Ident, Member};

use super::ast::{
    self, Argument, Axis, BufferArgument, Mode, Parameter, ParameterKind, Projection, Statement, StatementKind,
};

/// Makes buffers of the references that are structs of buffers. The others are objects.
pub(super) fn resolve(parameters: &mut [Parameter], body: &[Statement]) {
    let mut names = Names::default();
    names.statements(body);
    for parameter in parameters {
        if parameter.lists > 0 || names.found.contains(&parameter.name.to_string()) {
            make_structure(parameter);
        }
    }
}

/// The same for what is only passed on, where the graph that gets it stands in the same block.
pub(super) fn resolve_passed(graphs: &mut [ast::Graph]) {
    loop {
        let passed: Vec<(usize, String)> = (0..graphs.len()).flat_map(|index| passed_on(index, graphs)).collect();
        if passed.is_empty() {
            return;
        }
        for (index, name) in passed {
            graphs[index].parameters.iter_mut().filter(|parameter| parameter.name == name).for_each(make_structure);
        }
    }
}

/// References of a graph that another one takes as structs.
fn passed_on(index: usize, graphs: &[ast::Graph]) -> Vec<(usize, String)> {
    let mut calls = Calls::default();
    calls.statements(&graphs[index].body);
    let mut found = Vec::new();
    for parameter in &graphs[index].parameters {
        let taken = |(graph, field, name): &(&Ident, &Ident, &Ident)| {
            **name == parameter.name
                && graphs
                    .iter()
                    .filter(|inner| inner.name == **graph)
                    .flat_map(|inner| &inner.parameters)
                    .any(|inner| inner.name == **field && inner.structure && inner.lists == 0)
        };
        if matches!(parameter.kind, ParameterKind::Reference { .. }) && calls.0.iter().any(taken) {
            found.push((index, parameter.name.to_string()));
        }
    }
    found
}

fn make_structure(parameter: &mut Parameter) {
    let ParameterKind::Reference { mutable, ty } = &parameter.kind else { return };
    let kind = if *mutable { Kind::Update } else { Kind::Read };
    let mode = Mode { kind, ampersand: ty.span(), word: None };
    parameter.kind = ParameterKind::Buffer { mode, memory: None, element: ty.clone(), length: None };
    parameter.structure = true;
}

/// Graphs of the same block that are called, each with a parameter and the name that is passed as a whole.
#[derive(Default)]
struct Calls<'ast>(Vec<(&'ast Ident, &'ast Ident, &'ast Ident)>);

impl<'ast> Calls<'ast> {
    fn statements(&mut self, statements: &'ast [Statement]) {
        for statement in statements {
            if let StatementKind::Graph(call) = &statement.kind
                && let Some(segment) = call.path.path.segments.first().filter(|_| call.path.path.segments.len() == 1)
            {
                for field in &call.fields {
                    if let Argument::Buffer(BufferArgument { name, path, range: None, .. }) = &field.argument
                        && path.is_empty()
                    {
                        self.0.push((&segment.ident, &field.name, name));
                    }
                }
            }
            statement.kind.bodies().into_iter().for_each(|(body, _)| self.statements(body));
        }
    }
}

/// Names in front of fields.
#[derive(Default)]
struct Names {
    found: FxHashSet<String>,
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
            StatementKind::Launch(launch) => launch.arguments.iter().for_each(|argument| self.argument(argument)),
            StatementKind::Graph(call) => call.fields.iter().for_each(|field| self.argument(&field.argument)),
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
            StatementKind::KernelFor(kernel) => {
                let mut elements = Elements::new(&kernel.axes, self);
                kernel.body.iter().for_each(|statement| elements.visit_stmt(statement));
            }
            StatementKind::Reduction(reduction) => {
                let mapped = &reduction.value;
                Elements::new(&mapped.axes, self).visit_expr(&mapped.value);
            }
            _ => {}
        }
    }

    fn argument(&mut self, argument: &Argument) {
        if let Argument::Buffer(buffer) = argument {
            self.buffer(buffer);
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
        while let Expr::Index(ExprIndex { expr, .. }) = base {
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

/// Elements of fields in a kernel's body: what an index of the kernel's own leads into is no host value.
struct Elements<'names> {
    /// Names of the body's own so far.
    own: FxHashSet<String>,
    names: &'names mut Names,
}

impl<'names> Elements<'names> {
    fn new(axes: &[Axis], names: &'names mut Names) -> Self {
        Self { own: axes.iter().map(|axis| axis.name.to_string()).collect(), names }
    }

    fn is_own(&self, index: &Expr) -> bool {
        struct Mentions<'own>(&'own FxHashSet<String>, bool);
        impl<'ast> Visit<'ast> for Mentions<'_> {
            fn visit_ident(&mut self, name: &'ast Ident) {
                self.1 |= self.0.contains(&name.to_string());
            }
        }
        let mut mentions = Mentions(&self.own, false);
        mentions.visit_expr(index);
        mentions.1
    }
}

impl<'ast> Visit<'ast> for Elements<'_> {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.own.insert(name.ident.to_string());
    }

    fn visit_expr_index(&mut self, index: &'ast ExprIndex) {
        if self.is_own(&index.index) && !self.is_own(&index.expr) {
            self.names.visit_expr(&index.expr);
        }
        visit_expr_index(self, index);
    }
}
