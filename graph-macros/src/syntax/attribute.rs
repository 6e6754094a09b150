//! Attributes of graphs, parameters and statements.

use graph_ir::code::Code;
use syn::spanned::Spanned as _;
use syn::{Attribute, Lifetime, Meta};

use super::ast::StatementKind;
use super::{Parser, not_yet};
use crate::diagnostic::Diagnostic;

/// Attributes that are kept, for graphs, parameters and statements alike.
const KEPT: [&str; 4] = ["doc", "allow", "warn", "deny"];

/// Attributes of statements: what is asked of their launches.
const OF_LAUNCHES: [&str; 4] = ["priority", "cluster", "cooperative", "overlap"];

/// Attributes that are kept for graphs only.
const OF_GRAPHS: [&str; 1] = ["explicit"];

/// Attributes that are kept for statements only.
const OF_STATEMENTS: [&str; 1] = ["optional"];

/// The attribute `#[optional]` among others.
pub(crate) fn optional(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| attribute.path().is_ident("optional"))
}

/// Whether this is `#[explicit]`.
pub(crate) fn is_explicit(attribute: &Attribute) -> bool {
    attribute.path().is_ident("explicit")
}

impl Parser<'_> {
    /// The attributes of a graph that are kept; the others are reported and dropped.
    pub(super) fn accept_of_graph(&mut self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        let mut seen = false;
        let kept = |attribute: &Attribute| {
            if !is_explicit(attribute) {
                return self.accepts(attribute);
            }
            let span = attribute.path().span();
            if !matches!(attribute.meta, Meta::Path(_)) {
                let fault = Diagnostic::error(Code::SYNTAX, span, "`#[explicit]` takes no arguments");
                self.diagnostics.push(fault.help("write `#[explicit]` alone"));
            }
            if std::mem::replace(&mut seen, true) {
                let fault = Diagnostic::error(Code::SYNTAX, span, "`#[explicit]` stands twice in front of one graph");
                self.diagnostics.push(fault.help("remove one of them"));
            }
            true
        };
        attributes.into_iter().filter(kept).collect()
    }

    /// The same for a statement's.
    pub(super) fn accept_of_statement(&mut self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        let own = |attribute: &Attribute| {
            OF_STATEMENTS.iter().chain(&OF_LAUNCHES).any(|name| attribute.path().is_ident(name))
        };
        attributes.into_iter().filter(|attribute| own(attribute) || self.accepts(attribute)).collect()
    }

    /// What is switched off is one node, and is named by its label.
    pub(super) fn refuse_optional(&mut self, attributes: &[Attribute], label: Option<&Lifetime>, kind: &StatementKind) {
        let Some(attribute) = optional(attributes) else { return };
        let span = attribute.path().span();
        let fault = Diagnostic::error(Code::SYNTAX, span, "this statement cannot be switched off");
        self.diagnostics.push(match kind {
            _ if !matches!(attribute.meta, Meta::Path(_)) => {
                Diagnostic::error(Code::SYNTAX, span, "`#[optional]` takes no arguments")
                    .help("write `#[optional]` alone, and call `enable` and `disable` between launches")
            }
            StatementKind::Launch(_)
            | StatementKind::Copy { .. }
            | StatementKind::Fill { .. }
            | StatementKind::Scalar { .. }
            | StatementKind::KernelFor(_)
            | StatementKind::Reduction(_)
            | StatementKind::Assert { .. }
            | StatementKind::Error => match label {
                Some(_) => return,
                None => Diagnostic::error(Code::SYNTAX, span, "an `#[optional]` statement has no label")
                    .note("`graph.disable(Graph::NAME)` names it by its label")
                    .help("write one in front: `'name:`"),
            },
            StatementKind::If(_)
            | StatementKind::Match(_)
            | StatementKind::While(_)
            | StatementKind::KernelWhile(_)
            | StatementKind::Loop(_) => fault
                .note("CUDA switches off kernels, copies and fills, not conditionals")
                .help("mark the statements of its body"),
            StatementKind::Graph(_) => not_yet::form(span, "`#[optional]` in front of a graph")
                .help("put the graph in an `if` whose condition reads a buffer: `if run[0] > 0 { … }`"),
            StatementKind::Host(_) | StatementKind::Capture(_) => fault
                .note("CUDA switches off kernels, copies and fills, not callbacks and captures")
                .help("remove `#[optional]`, or test a host value in the closure"),
            StatementKind::Event { .. } => {
                fault.note("CUDA switches off kernels, copies and fills, not events").help("remove `#[optional]`")
            }
            _ => fault.note("it is no node").help("remove `#[optional]`"),
        });
    }

    /// The attributes that are kept; the others are reported and dropped.
    pub(super) fn accept(&mut self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        attributes.into_iter().filter(|attribute| self.accepts(attribute)).collect()
    }

    fn accepts(&mut self, attribute: &Attribute) -> bool {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        if KEPT.contains(&name.as_str()) {
            return true;
        }
        let span = attribute.path().span();
        self.diagnostics.push(if name == "cfg" {
            Diagnostic::error(Code::SYNTAX, span, "expected one condition behind `cfg`")
                .help("write `#[cfg(feature = \"name\")]`")
        } else if OF_LAUNCHES.contains(&name.as_str()) {
            Diagnostic::error(Code::SYNTAX, span, format!("`#[{name}]` belongs in front of a launch"))
        } else if OF_GRAPHS.contains(&name.as_str()) {
            Diagnostic::error(Code::SYNTAX, span, format!("`#[{name}]` belongs in front of a graph"))
                .help("move it in front of `graph`: it is about all its statements")
        } else {
            Diagnostic::error(Code::SYNTAX, span, "unknown attribute in a graph")
                .note("graphs, parameters and statements take `#[doc]`, `#[allow]`, `#[warn]` and `#[deny]`")
                .note(format!("launches also take `#[{}]`", OF_LAUNCHES.join("]`, `#[")))
        });
        false
    }
}
