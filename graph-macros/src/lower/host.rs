//! What the host decides or repeats: `if`, `match` and `for` over host values.

use graph_ir::code::Code;
use graph_ir::model::{BufferId, NodeId, NodeKind, RegionId, RegionKind, SymbolId, SymbolOrigin};
use graph_ir::rules::swap;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Pat, Type};

use super::evaluation::{ChoiceArm, Evaluation};
use super::labels::Body;
use super::static_type::{is_primitive, type_with};
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, Statement};

/// What to do instead of deciding on the host by what the device has.
const PASS_VALUE: &str = "pass the value to the graph as a parameter";

impl Lowering<'_> {
    /// `let pattern = value;`, or the refused `let pattern = value else { … };`
    pub(crate) fn host_let(&mut self, (pattern, ty): (&Pat, Option<&Type>), value: &Expr, leaves: Option<Span>) {
        let help = "pass the value to the graph as a parameter, or compute with it in a device expression";
        let names = ast::pattern_names(pattern);
        let known = ty.or_else(|| type_with(value, &|name| self.known_type(name))).cloned();
        if let Some(word) = leaves {
            let fault = Diagnostic::error(Code::SYNTAX, word, "`let … else` cannot leave a graph");
            self.diagnose(fault.help("write `if let … { … }` around what needs the names, or `match`"));
        }
        if leaves.is_some()
            || self.mentions_broken(value)
            || self.refuse_device_read(value, help)
            || self.refuse_exclusive(value)
        {
            self.broken.extend(names.iter().map(ToString::to_string));
        } else {
            let checked = self.checked(value);
            let known = known.clone();
            self.evaluate(Evaluation::Let { pattern: pattern.clone(), ty: ty.cloned(), known, value: checked });
        }
        let varies = self.varies(value);
        self.declare_items(pattern, value);
        if let (Pat::Ident(name), Some(known)) = (pattern, known) {
            self.know_type(&name.ident, known);
        }
        self.inherit(&names, varies.as_ref());
    }

    /// The type of a host value, if it is primitive, and written or sure from what is.
    fn known_type(&self, name: &Ident) -> Option<&Type> {
        self.types.get(&self.scopes.find(&name.to_string())?.id)
    }

    /// From here on, of what the name means here.
    pub(crate) fn know_type(&mut self, name: &Ident, ty: Type) {
        if let Some(binding) = self.scopes.find(&name.to_string()).filter(|_| is_primitive(&ty)) {
            self.types.insert(binding.id, ty);
        }
    }

    fn declare_hosts(&mut self, names: &[Ident]) {
        for name in names {
            self.declare_host(name);
        }
    }

    /// An `if` that reads no buffer, with or without `let`.
    pub(crate) fn host_if(&mut self, statement: &Statement, conditional: &ast::If) {
        let node = self.node(statement, conditional.keyword.span, "if", NodeKind::Copy);
        self.refuse_varying(&conditional.condition, "this `if`");
        let symbol = self.decision(&conditional.condition);
        let condition = self.checked(&conditional.condition);
        let names = ast::condition_names(&conditional.condition);
        let keyword = conditional.keyword.span;
        let (then, taken) = self.host_arm(node, (RegionKind::Then, keyword, &conditional.then), &names);
        let no_else = Vec::new();
        let (span, body) = conditional.otherwise.as_ref().map_or((keyword, &no_else), |(word, body)| (word.span, body));
        let (otherwise, not_taken) = self.host_arm(node, (RegionKind::Else, span, body), &[]);
        let otherwise = Some(otherwise).filter(|_| conditional.otherwise.is_some());
        let has_let = ast::has_let(&conditional.condition);
        self.evaluate(Evaluation::Branch { symbol, condition, has_let, then: taken, otherwise: not_taken });
        self.node_mut(node).kind = NodeKind::HostIf { condition: symbol, then, otherwise };
    }

    /// A `match` that reads no buffer: Rust's own.
    pub(crate) fn host_match(&mut self, statement: &Statement, conditional: &ast::Match) {
        let node = self.node(statement, conditional.keyword.span, "match", NodeKind::Copy);
        self.refuse_varying(&conditional.value, "this `match`");
        let symbol = self.decision(&conditional.value);
        let value = self.checked(&conditional.value);
        let mut regions = Vec::new();
        let mut arms = Vec::new();
        for arm in &conditional.arms {
            let start = self.places.len();
            let names = ast::pattern_names(&arm.pattern);
            let (region, steps) = self.host_arm(node, (RegionKind::Arm, arm.span, &arm.body), &names);
            self.levels_since(&arm.attributes, start);
            regions.push(region);
            let guard = arm.guard.as_ref().map(|(keyword, guard)| (*keyword, guard.clone()));
            arms.push(ChoiceArm { pattern: arm.pattern.clone(), guard, steps });
        }
        self.evaluate(Evaluation::Choice { symbol, keyword: conditional.keyword, value, arms });
        self.node_mut(node).kind = NodeKind::HostMatch { choice: symbol, arms: regions };
    }

    /// A body that runs or does not: its expressions are evaluated only if it does.
    fn host_arm(
        &mut self,
        node: NodeId,
        (kind, span, body): (RegionKind, Span, &[Statement]),
        names: &[Ident],
    ) -> (RegionId, Vec<Evaluation>) {
        let mut region = RegionId::GRAPH;
        self.symbols.enter_branch();
        self.scopes.enter();
        self.declare_hosts(names);
        let steps = self.block(|this| region = this.body(node, kind, span, body));
        self.scopes.leave("if");
        self.symbols.leave_branch();
        (region, steps)
    }

    /// The symbol of a decision; the step that evaluates it follows.
    fn decision(&mut self, expression: &Expr) -> SymbolId {
        self.new_symbol(text::of(expression), expression.span(), SymbolOrigin::Evaluated)
    }

    /// `for pattern in iterable { … }`
    pub(crate) fn host_for(&mut self, statement: &Statement, host: &ast::For) {
        let node = self.node(statement, host.keyword.span, "for", NodeKind::Copy);
        let names = ast::pattern_names(&host.pattern);
        let broken = self.mentions_broken(&host.iterable) || self.refuse_device_read(&host.iterable, PASS_VALUE);
        if broken {
            self.broken.extend(names.iter().map(ToString::to_string));
        }
        self.refuse_varying(&host.iterable, "this `for`");
        let iterable = self.checked(&host.iterable);
        self.symbols.enter_branch();
        self.scopes.enter();
        self.declare_items(&host.pattern, &host.iterable);
        let outside = self.names_before(&host.body);
        let mut body = RegionId::GRAPH;
        let steps = self.block(|this| body = this.pass(node, host));
        let swapped = self.take_swapped(&outside);
        self.scopes.leave("for");
        self.symbols.leave_branch();
        if !broken {
            self.evaluate(Evaluation::For { node, pattern: host.pattern.clone(), iterable, guard: None, steps });
        }
        self.node_mut(node).kind = NodeKind::For { body, swapped };
    }

    fn pass(&mut self, node: NodeId, host: &ast::For) -> RegionId {
        let span = host.keyword.span;
        let place = self.place(span);
        let region = self.begin_region(RegionKind::Pass, Some(node), place);
        self.bodies.push(Body::new("for", span, &host.body));
        self.statements(&host.body);
        self.bodies.pop();
        self.end_region();
        region
    }

    /// What a pass makes of the buffers that are declared outside. The names mean again what they meant before: how many passes there
    /// are is known when the graph is built, and exchanged then.
    pub(crate) fn take_swapped(&mut self, outside: &[(String, BufferId, BufferId)]) -> Vec<(BufferId, BufferId)> {
        if outside.is_empty() {
            return Vec::new();
        }
        let now = self.scopes.buffer_state();
        let now = |declared: BufferId| now.iter().find(|(_, known, _)| *known == declared).map(|(.., now)| *now);
        let mut swapped = Vec::new();
        for (name, declared, before) in outside {
            let Some(after) = now(*declared).filter(|after| after != before) else { continue };
            if !outside.iter().any(|(.., known)| *known == after) {
                let (buffer, at) = (self.program.buffer(after), self.last_swap);
                let finding = swap::ends_with_body(name, (&buffer.name, buffer.place), at.unwrap_or(buffer.place));
                self.report(&finding);
                swapped.clear();
                break;
            }
            swapped.push((*before, after));
        }
        self.scopes.for_each_buffer(|buffer| {
            if let Some((.., before)) = outside.iter().find(|(_, declared, _)| *declared == buffer.declared) {
                buffer.current = *before;
            }
        });
        swapped
    }
}
