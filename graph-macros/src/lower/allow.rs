//! `#[allow(…)]`: which warnings are not given, and where.

use graph_ir::code::Code;
use graph_ir::model::Place;
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

use super::Lowering;
use crate::diagnostic::{Diagnostic, lint};

/// Lints that are silenced for a run of places.
#[derive(Default)]
pub(crate) struct Allowances {
    list: Vec<(String, u32, u32)>,
}

impl Allowances {
    /// Whether the warnings of this name are silenced at a place.
    pub(crate) fn allow(&self, lint: &str, place: Place) -> bool {
        self.list.iter().any(|(name, start, end)| name == lint && (*start..*end).contains(&place.0))
    }
}

/// The names in an `#[allow(…)]`, and the same attribute without ours.
pub(crate) fn names(attribute: &Attribute) -> (Vec<Path>, Vec<Path>) {
    if !attribute.path().is_ident("allow") {
        return (Vec::new(), Vec::new());
    }
    let parsed = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).unwrap_or_default();
    parsed.into_iter().partition(|path| path.get_ident().is_some_and(|name| lint::is_known(&name.to_string())))
}

impl Lowering<'_> {
    /// Silences what a graph's attributes allow, everywhere in it.
    pub(super) fn allow_in_graph(&mut self, attributes: &[Attribute]) {
        for path in attributes.iter().flat_map(|attribute| names(attribute).0) {
            self.allowances.list.extend(path.get_ident().map(|name| (name.to_string(), 0, u32::MAX)));
        }
    }

    /// Silences what a statement's attributes allow, at the places made since there were `start`.
    pub(super) fn allow_in_statement(&mut self, attributes: &[Attribute], start: usize) {
        let (start, end) = (start as u32, self.places.len() as u32);
        for attribute in attributes {
            let (ours, others) = names(attribute);
            let known: Vec<&Ident> = ours.iter().filter_map(Path::get_ident).collect();
            self.allowances.list.extend(known.iter().map(|name| (name.to_string(), start, end)));
            for path in others {
                let message = "no warning of this name is given about statements";
                let span = syn::spanned::Spanned::span(&path);
                let diagnostic = Diagnostic::error(Code::SYNTAX, span, message);
                self.diagnose(diagnostic.note(format!("statements may allow {}", lint::known())));
            }
        }
    }
}
