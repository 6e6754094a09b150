//! Labels and `after`.

use graph_ir::code::Code;
use graph_ir::model::{After, NodeId, Place};
use graph_ir::rules::after_region::{Inside, after_region};
use graph_ir::rules::names;
use proc_macro2::Span;
use rustc_hash::FxHashMap;
use syn::Lifetime;

use super::Lowering;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;

/// The labels of the graph, by region.
#[derive(Default)]
pub(crate) struct Labels {
    levels: Vec<RegionLabels>,
    /// Every label of the graph, with the bodies around it, outermost first.
    all: Vec<(Lifetime, Vec<Body>)>,
    constants: Vec<(Lifetime, NodeId)>,
    /// The label of each constant, by the constant's name.
    capitals: FxHashMap<String, Lifetime>,
}

/// A body around a statement: its keyword and where that is.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    pub(crate) word: &'static str,
    pub(crate) span: Span,
    /// Of its statements in the syntax tree: tells two bodies apart.
    address: usize,
}

impl Body {
    pub(crate) fn new(word: &'static str, span: Span, statements: &[ast::Statement]) -> Self {
        Self { word, span, address: statements.as_ptr() as usize }
    }
}

struct RegionLabels {
    nodes: FxHashMap<String, (NodeId, Place)>,
    /// `after`s to resolve once the region is complete: its target may come later.
    pending: Vec<(NodeId, Lifetime, Place)>,
}

impl Labels {
    /// Notes every label of a body and of the bodies in it.
    pub(crate) fn collect(&mut self, body: &[ast::Statement], around: &mut Vec<Body>) {
        for statement in body {
            if let Some(label) = &statement.label {
                self.all.push((label.clone(), around.clone()));
            }
            for (inner, body) in statement.kind.bodies() {
                around.extend(body.map(|(word, span)| Body::new(word, span, inner)));
                self.collect(inner, around);
                if body.is_some() {
                    around.pop();
                }
            }
        }
    }

    pub(crate) fn enter(&mut self) {
        self.levels.push(RegionLabels { nodes: FxHashMap::default(), pending: Vec::new() });
    }

    /// The labels that become constants: the first of each name.
    pub(crate) fn constants(&mut self) -> Vec<(Lifetime, NodeId)> {
        std::mem::take(&mut self.constants)
    }
}

impl Lowering<'_> {
    /// Notes a statement's label and its `after`s.
    pub(crate) fn declare_label(&mut self, statement: &ast::Statement, node: NodeId) {
        for label in &statement.after {
            let place = self.place(label.span());
            if let Some(level) = self.labels.levels.last_mut() {
                level.pending.push((node, label.clone(), place));
            }
        }
        let Some(label) = &statement.label else { return };
        let name = label.ident.to_string();
        let place = self.place(label.span());
        let Some(level) = self.labels.levels.last_mut() else { return };
        if let Some((_, first)) = level.nodes.insert(name.clone(), (node, place)) {
            self.report(&names::duplicate_name(&format!("'{name}"), place, first));
        } else {
            self.declare_constant(label, node);
        }
    }

    /// A constant has its label's name in capitals; the first of several labels of one name has it.
    fn declare_constant(&mut self, label: &Lifetime, node: NodeId) {
        let capitals = label.ident.to_string().to_uppercase();
        match self.labels.capitals.get(&capitals) {
            None => {
                self.labels.capitals.insert(capitals, label.clone());
                self.labels.constants.push((label.clone(), node));
            }
            Some(first) if first.ident == label.ident => {}
            Some(first) => {
                let message = format!("the labels `{first}` and `{label}` would share the constant `{capitals}`");
                let diagnostic = Diagnostic::error(Code::DUPLICATE_NAME, label.span(), message);
                self.diagnose(diagnostic.help("rename one of them"));
            }
        }
    }

    /// Ends the innermost region's labels.
    pub(crate) fn resolve_labels(&mut self) {
        self.resolve_pending();
        self.labels.levels.pop();
    }

    /// Resolves the `after`s of the innermost region so far.
    pub(crate) fn resolve_pending(&mut self) {
        let Some(level) = self.labels.levels.last_mut() else { return };
        for (node, label, place) in std::mem::take(&mut level.pending) {
            let name = label.ident.to_string();
            let found = self.labels.levels.last().and_then(|level| level.nodes.get(&name)).copied();
            match found {
                Some((target, _)) => self.node_mut(node).after.push(After { target, place }),
                None => self.report_label(&label, place),
            }
        }
    }

    fn report_label(&mut self, label: &Lifetime, place: Place) {
        let name = label.ident.to_string();
        if let Some((target, around)) = self.labels.all.iter().find(|(known, _)| known.ident == label.ident).cloned() {
            let (inside, body) = self.border(&around);
            let (target, body_place) = (self.place(target.span()), self.place(body.span));
            return self.report(&after_region(&name, place, target, inside, body.word, body_place));
        }
        let level = self.labels.levels.last();
        let mut known: Vec<(&str, Place)> = level
            .map(|level| level.nodes.iter().map(|(name, (_, place))| (name.as_str(), *place)).collect())
            .unwrap_or_default();
        known.sort_unstable();
        let finding = names::unknown_label(&name, place, &known);
        self.report(&finding);
    }

    /// The body that lies between a statement here and one with these bodies around it.
    fn border(&self, target: &[Body]) -> (Inside, Body) {
        let here = &self.bodies;
        let same = |(a, b): &(&Body, &Body)| a.address == b.address;
        let common = here.iter().zip(target).take_while(same).count();
        match (here.get(common), target.get(common)) {
            (Some(body), None) => (Inside::Waiting, *body),
            (None, Some(body)) => (Inside::Target, *body),
            (_, Some(body)) => (Inside::Both, *body),
            (None, None) => (Inside::Both, Body::new("graph", Span::call_site(), &[])),
        }
    }
}
