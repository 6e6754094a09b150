//! Kernels that are written in the block: `kernel for` and reductions.
//!
//! A body is walked once. Each statement becomes data, from which the device's code is made, and the same text as Rust, which rustc
//! checks and the CPU runs. On the way every use of a buffer is noted with its index; behind the body the uses become the node's
//! accesses ([`access`]), and no two indices may touch what one of them writes ([`race`]).

mod access;
mod axis;
mod index;
mod inner;
mod matching;
mod mend;
mod polynomial;
mod race;
mod sample;
mod span;
mod statement;
#[cfg(test)]
mod tests;
mod tuple;
mod value;

use std::collections::BTreeSet;

use graph_ir::code::Code;
use graph_ir::model::{Access, Combine, Compute, Expression, Local, NodeId, NodeKind, Reduction, ScalarType, SymbolId};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use rustc_hash::FxHashMap;
use syn::Expr;
use syn::spanned::Spanned;

use super::evaluation::{Evaluation, KernelFunction, KernelKind};
use super::expression::Both;
use super::mentioned::Mentioned;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;
use access::Use;
use axis::Iteration;
use polynomial::{Hosts, Polynomial};

/// A host value that a body names.
struct Host {
    text: String,
    variable: Ident,
    symbol: SymbolId,
    expression: Expr,
}

/// A name of the body's own.
struct Name {
    local: u32,
    /// What it is in an index, if that is known and stays so.
    polynomial: Option<Polynomial>,
}

/// A body that is being lowered.
struct Body<'l, 'd> {
    lowering: &'l mut Lowering<'d>,
    node: NodeId,
    hosts: Vec<Host>,
    mentioned: Mentioned,
    locals: Vec<Local>,
    names: Vec<FxHashMap<String, Name>>,
    /// The axes, then the inner loops with bounds of the host's.
    iterations: Vec<Iteration>,
    axes: usize,
    /// The host expressions in bounds and indices.
    atoms: Hosts,
    uses: Vec<Use>,
    /// The inner loops with bounds of the host's around the current place.
    around: Vec<usize>,
    /// How many things around the current place may keep it from running.
    conditions: usize,
    /// Uses whose elements have been written by the same index, whatever happened.
    written: BTreeSet<usize>,
    /// The open blocks of statements, innermost last.
    blocks: Vec<Vec<graph_ir::model::Statement>>,
    /// What the inner loops around the current place are called.
    loops: Vec<Option<String>>,
    failed: bool,
}

impl Lowering<'_> {
    /// `kernel for (i, j) in (a..b, c..d) { … }`
    pub(crate) fn kernel_for(&mut self, statement: &ast::Statement, kernel: &ast::KernelFor) {
        let node = self.node(statement, kernel.word.span(), "kernel for", NodeKind::Copy);
        let mut body = Body::new(self, node);
        let axes = body.axes(&kernel.axes);
        let rust = body.statements(&kernel.body);
        body.refuse_idle(kernel);
        let parts = Parts { axes, rust, reduction: None, kind: KernelKind::For };
        let names: Vec<&Ident> = kernel.axes.iter().map(|axis| &axis.name).collect();
        let label = body.finish(parts, &names);
        if let (Some(label), None) = (label, &statement.label) {
            self.node_mut(node).label = label.into();
        }
    }

    /// `s[0] = (a..b).map(|i| value).sum();`
    pub(crate) fn reduction(&mut self, statement: &ast::Statement, reduction: &ast::Reduction) {
        let ast::Mapped { axes, value, method, combine } = &reduction.value;
        let target = &reduction.target;
        let name = format!("{method} {}", target.name);
        let node = self.node(statement, target.name.span(), &name, NodeKind::Copy);
        let accumulate = match &reduction.operator {
            None => false,
            Some(syn::BinOp::AddAssign(_)) if *combine == Combine::Sum => true,
            Some(syn::BinOp::MulAssign(_)) if *combine == Combine::Product => true,
            Some(other) => return self.refuse_operator(other, method),
        };
        let mut body = Body::new(self, node);
        let Some(evaluated) = body.target(target, accumulate) else { return };
        let names: Vec<&Ident> = axes.iter().map(|axis| &axis.name).collect();
        let axes = body.axes(axes);
        let (block, value) = body.in_block(|body| body.value(value));
        body.blocks.push(block);
        let reduced = Reduction { operator: *combine, value: value.data, accumulate };
        let kind = KernelKind::Reduce { target: evaluated, combine: *combine, accumulate };
        let parts = Parts { axes, rust: value.rust, reduction: Some(reduced), kind };
        body.finish(parts, &names);
    }

    fn refuse_operator(&mut self, operator: &syn::BinOp, method: &Ident) {
        let text = operator.to_token_stream();
        let message = format!("`{text}` does not go with `.{method}()`");
        let diagnostic = Diagnostic::error(Code::SYNTAX, operator.span(), message)
            .note("a sum may be added (`+=`) and a product multiplied (`*=`) to what the element has")
            .help("reduce into an element of its own with `=`, and combine the two in a statement behind it");
        self.diagnose(diagnostic);
    }
}

/// What is emitted of a body.
struct Parts {
    axes: Axes,
    rust: TokenStream,
    reduction: Option<Reduction>,
    kind: KernelKind,
}

/// The axes in both forms.
struct Axes {
    data: Vec<graph_ir::model::Axis>,
    ranges: TokenStream,
    names: Vec<Ident>,
}

impl<'l, 'd> Body<'l, 'd> {
    fn new(lowering: &'l mut Lowering<'d>, node: NodeId) -> Self {
        Self {
            lowering,
            node,
            hosts: Vec::new(),
            mentioned: Mentioned::default(),
            locals: Vec::new(),
            names: vec![FxHashMap::default()],
            iterations: Vec::new(),
            axes: 0,
            atoms: Hosts::new(),
            uses: Vec::new(),
            around: Vec::new(),
            conditions: 0,
            written: BTreeSet::new(),
            blocks: vec![Vec::new()],
            loops: Vec::new(),
            failed: false,
        }
    }

    /// The node's accesses, its data, and the function for the CPU. Returns what the node may be called.
    fn finish(mut self, parts: Parts, names: &[&Ident]) -> Option<String> {
        self.refuse_races(names);
        let written = self.label();
        let (accesses, proved): (Vec<Access>, Vec<bool>) = self.accesses().into_iter().unzip();
        let mut statements: Vec<_> = self.blocks.drain(..).flatten().collect();
        let mut reduction = parts.reduction;
        mend::statements(&mut statements, &proved);
        if let Some(reduction) = &mut reduction {
            mend::expression(&mut reduction.value, &proved);
        }
        let compute = Compute { axes: parts.axes.data, locals: self.locals, body: statements, reduction };
        let node = self.lowering.node_mut(self.node);
        node.accesses = accesses;
        node.kind = NodeKind::Compute(compute.into());
        if self.failed {
            return written;
        }
        let hosts = self.hosts.into_iter().map(|host| (host.variable, host.symbol, host.expression)).collect();
        let function = KernelFunction {
            node: self.node,
            hosts,
            mentioned: self.mentioned,
            ranges: parts.axes.ranges,
            names: parts.axes.names,
            body: parts.rust,
            kind: parts.kind,
        };
        self.lowering.evaluate(Evaluation::Kernel(function));
        written
    }

    /// A new name of the body's, in the innermost block.
    fn declare(&mut self, name: &Ident, scalar: Option<ScalarType>, made: impl FnOnce(u32) -> Name) -> u32 {
        let local = self.local(name.to_string(), scalar);
        if let Some(level) = self.names.last_mut() {
            level.insert(name.to_string(), made(local));
        }
        local
    }

    fn local(&mut self, name: String, scalar: Option<ScalarType>) -> u32 {
        self.locals.push(Local { name, scalar });
        self.locals.len() as u32 - 1
    }

    fn find(&self, name: &str) -> Option<&Name> {
        self.names.iter().rev().find_map(|level| level.get(name))
    }

    /// Runs `inner` with a block of statements of its own.
    fn in_block<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> (Vec<graph_ir::model::Statement>, T) {
        self.blocks.push(Vec::new());
        self.names.push(FxHashMap::default());
        let result = inner(self);
        self.names.pop();
        (self.blocks.pop().unwrap_or_default(), result)
    }

    /// The same for what may not run.
    fn perhaps<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> (Vec<graph_ir::model::Statement>, T) {
        self.conditions += 1;
        let written = self.written.clone();
        let result = self.in_block(inner);
        self.written = written;
        self.conditions -= 1;
        result
    }

    fn push(&mut self, statement: graph_ir::model::Statement) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement);
        }
    }

    fn append(&mut self, statements: Vec<graph_ir::model::Statement>) {
        if let Some(block) = self.blocks.last_mut() {
            block.extend(statements);
        }
    }

    /// A host value, once for each text.
    fn host_value(&mut self, expression: &Expr) -> Both {
        let text = self.mentioned.text_of(expression);
        let known = self.hosts.iter().find(|host| host.text == text);
        let (variable, symbol) = if let Some(host) = known {
            (host.variable.clone(), host.symbol)
        } else {
            let origin = graph_ir::model::SymbolOrigin::Evaluated;
            let symbol = self.lowering.new_symbol(text.clone(), text::span(expression), origin);
            let variable = format_ident!("__host_{}", self.hosts.len(), span = Span::mixed_site());
            let checked = self.lowering.checked(expression);
            let host = Host { text, variable: variable.clone(), symbol, expression: checked };
            self.hosts.push(host);
            (variable, symbol)
        };
        let place = variable.span().located_at(text::span(expression));
        let rust = Ident::new(&variable.to_string(), place).to_token_stream();
        Both { data: Expression::Host(symbol), rust }
    }

    fn refuse(&mut self, diagnostic: Diagnostic) -> Both {
        self.failed = true;
        self.lowering.diagnose(diagnostic);
        Both { data: Expression::Boolean(false), rust: quote!() }
    }

    /// Refuses what a body cannot hold.
    fn refuse_form(&mut self, span: Span, message: &str) -> Both {
        self.refuse(Diagnostic::error(Code::BODY, span, message).note(
            "a body has `let`, assignments, `if`, `match`, `for` over a range, `while`, `loop`, `break`, `continue`, elements of \
             buffers, host values, literals, operators, `as`, and the methods of Rust's numbers",
        ))
    }

    /// The same, with the way to say it.
    fn refuse_for(&mut self, span: Span, message: &str, help: impl Into<String>) -> Both {
        self.refuse(Diagnostic::error(Code::BODY, span, message).help(help))
    }

    /// A `kernel for` that writes nothing does nothing.
    fn refuse_idle(&mut self, kernel: &ast::KernelFor) {
        if self.failed || self.uses.iter().any(|used| used.writes) {
            return;
        }
        let diagnostic = Diagnostic::error(Code::IDLE_KERNEL, kernel.word.span(), "this `kernel for` writes no buffer")
            .note("its names end with each index, so nothing of what it computes is left");
        let diagnostic = match kernel.axes.as_slice() {
            [axis] => diagnostic.help(format!("assign to an element: `y[{}] = …;`, or remove it", axis.name)),
            _ => diagnostic.help("assign to an element: `y[(i, j)] = …;`, or remove it"),
        };
        self.refuse(diagnostic);
    }

    /// `x[i], r[i]`: what is written, in text order.
    fn label(&self) -> Option<String> {
        let mut texts: Vec<&str> = Vec::new();
        for used in self.uses.iter().filter(|used| used.writes) {
            if !texts.contains(&used.text.as_str()) {
                texts.push(&used.text);
            }
        }
        (!texts.is_empty()).then(|| texts.join(", "))
    }
}
