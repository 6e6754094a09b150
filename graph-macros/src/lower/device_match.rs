//! `match` on a buffer's contents: the device chooses an arm.
//!
//! An arm with a name, a guard, or values that the host has holds one `for` of the host's: each of its passes is an arm of the graph.

use graph_ir::code::Code;
use graph_ir::model::{Arm, Each, Extent, NodeId, NodeKind, Pattern, RegionId, RegionKind, SymbolId};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, Pat, parse_quote};

use super::Lowering;
use super::evaluation::{DeviceKind, Evaluation};
use super::labels::Body;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, ArmPattern, Statement};
use crate::syntax::matching::{self, Fits, HostArm};

/// What to do instead of deciding on the host by what the device has.
const DECIDE_IN_ARM: &str = "write an `if` in the arm";

impl Lowering<'_> {
    pub(crate) fn device_match(&mut self, statement: &Statement, conditional: &ast::Match) {
        let node = self.node(statement, conditional.keyword.span, "match", NodeKind::Copy);
        let known: Vec<Option<Fits>> = conditional.arms.iter().map(|arm| self.fits(arm)).collect();
        let patterns = known.iter().flatten().flat_map(written).map(|pattern| pattern.tokens.clone()).collect();
        let test = self.test(node, &conditional.value, DeviceKind::Match(patterns));
        // Of arms that were refused nobody knows what they fit.
        if known.iter().all(Option::is_some) {
            self.refuse_behind_rest(&conditional.arms, &known);
        }
        let mut arms = Vec::new();
        let mut otherwise = None;
        for (arm, fits) in conditional.arms.iter().zip(&known) {
            let start = self.places.len();
            match fits {
                Some(Fits::Host(host)) => arms.push(self.host_made(node, arm, host)),
                Some(Fits::Integers(patterns)) => {
                    let body = self.device_body(node, RegionKind::Arm, arm.span, &arm.body);
                    arms.push(Arm { patterns: values(patterns), body, each: None });
                }
                Some(Fits::Rest) | None => {
                    let body = self.device_body(node, RegionKind::Arm, arm.span, &arm.body);
                    otherwise = otherwise.or(Some(body));
                }
            }
            self.levels_since(&arm.attributes, start);
        }
        self.node_mut(node).kind = NodeKind::Match { test, arms, otherwise };
    }

    fn fits(&mut self, arm: &ast::MatchArm) -> Option<Fits> {
        match matching::fits(arm) {
            Ok(fits) => Some(fits),
            Err(fault) => {
                self.diagnose(fault);
                None
            }
        }
    }

    /// The first arm that fits is the one that runs: behind `_` none does.
    fn refuse_behind_rest(&mut self, arms: &[ast::MatchArm], known: &[Option<Fits>]) {
        let mut arms =
            arms.iter().zip(known).skip_while(|(_, fits)| !matches!(fits, Some(Fits::Rest))).map(|(arm, _)| arm);
        let Some(rest) = arms.next() else { return };
        for arm in arms {
            let message = "this arm never runs: earlier arms fit all its values";
            let diagnostic = Diagnostic::error(Code::MATCH, arm.span, message);
            self.diagnose(diagnostic.note_at(rest.span, "this arm fits all values").help("put `_` behind all others"));
        }
    }

    /// An arm whose body is there once for each value.
    fn host_made(&mut self, node: NodeId, arm: &ast::MatchArm, host: &HostArm) -> Arm {
        let span = arm.span;
        let place = self.place(span);
        let before = self.names_before(&arm.body);
        let body = self.begin_region(RegionKind::Arm, Some(node), place);
        let passes = self.bare_node(span, "arm", NodeKind::Copy);
        self.bodies.push(Body::new("match", span, &arm.body));
        let refused = self.refuse_choice(arm, host);
        self.symbols.enter_branch();
        self.scopes.enter();
        let name = host.name.clone().unwrap_or_else(|| format_ident!("__value", span = Span::mixed_site()));
        self.declare_host(&name);
        let guard = arm.guard.as_ref().filter(|_| !refused).map(|(_, guard)| self.checked(guard));
        let (mut value, mut inner) = (None, RegionId::GRAPH);
        let steps = self.block(|this| {
            value = host.values.as_ref().and_then(|_| this.value_of(&name));
            inner = this.begin_region(RegionKind::Pass, Some(passes), place);
            this.begin_exchanges(&arm.body);
            this.statements(&arm.body);
            this.end_exchanges(node, &arm.body);
            this.end_region();
        });
        self.scopes.leave("match");
        self.symbols.leave_branch();
        self.end_region();
        self.check_swapped(&before, place, None);
        self.bodies.pop();
        self.node_mut(passes).kind = NodeKind::For { body: inner, swapped: Vec::new() };
        if !refused {
            let (pattern, iterable) = self.runs_through(host, &name);
            self.evaluate(Evaluation::For { node: passes, pattern, iterable, guard, steps });
        }
        Arm { patterns: values(&host.patterns), body, each: Some(Each { passes, value }) }
    }

    /// Values and guards are the host's, and the same at each launch.
    fn refuse_choice(&mut self, arm: &ast::MatchArm, host: &HostArm) -> bool {
        let expressions = host.values.iter().chain(arm.guard.as_ref().map(|(_, guard)| guard));
        let mut refused = false;
        for expression in expressions {
            refused |= self.mentions_broken(expression) || self.refuse_device_read(expression, DECIDE_IN_ARM);
            self.refuse_varying(expression, "this arm");
        }
        refused
    }

    fn value_of(&mut self, name: &Ident) -> Option<SymbolId> {
        match self.extent(&parse_quote!(#name)) {
            Extent::Symbol(symbol) => Some(symbol),
            Extent::Known(_) => None,
        }
    }

    /// `for name in values`, or once.
    fn runs_through(&mut self, host: &HostArm, name: &Ident) -> (Pat, Expr) {
        match &host.values {
            Some(values) => (parse_quote!(#name), self.checked(values)),
            None => (parse_quote!(_), parse_quote!([()])),
        }
    }
}

/// The integers that are written in an arm.
fn written(fits: &Fits) -> &[ArmPattern] {
    match fits {
        Fits::Rest => &[],
        Fits::Integers(patterns) => patterns,
        Fits::Host(host) => &host.patterns,
    }
}

fn values(patterns: &[ArmPattern]) -> Vec<Pattern> {
    patterns.iter().map(|pattern| Pattern { first: pattern.first, last: pattern.last }).collect()
}
