//! `#[allow(…)]`, `#[warn(…)]`, `#[deny(…)]`: what becomes of warnings, and where.

use std::ops::Range;

use graph_ir::code::Code;
use graph_ir::model::Place;
use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Path, Token};

use super::Lowering;
use crate::diagnostic::{Diagnostic, lint};
use crate::syntax::is_explicit;

/// The words of such attributes.
const WORDS: [&str; 3] = ["allow", "warn", "deny"];

/// What an attribute makes of the warnings of one name, for a run of places.
struct Level {
    word: String,
    lint: String,
    places: Range<u32>,
    span: Span,
}

/// Of a whole graph, in text order.
#[derive(Default)]
pub(crate) struct Levels {
    list: Vec<Level>,
}

impl Levels {
    /// The warning as it is given: not at all, as it is, or as an error. The innermost attribute counts, of one statement's the last.
    pub(crate) fn given(&self, diagnostic: Diagnostic, place: Place) -> Option<Diagnostic> {
        if !diagnostic.warning {
            return Some(diagnostic);
        }
        let name = diagnostic.lint();
        let about =
            |level: &&Level| (level.lint == name || level.lint == lint::WARNINGS) && level.places.contains(&place.0);
        match self.list.iter().rev().filter(about).min_by_key(|level| level.places.len()) {
            Some(level) if level.word == "allow" => None,
            Some(level) if level.word == "deny" => Some(diagnostic.denied(&level.lint, level.span)),
            _ => Some(diagnostic),
        }
    }
}

/// What stands between the parentheses of such an attribute.
#[derive(Default)]
struct Named {
    /// Names of ours.
    known: Vec<Ident>,
    /// Names of rustc's, or of nobody.
    others: Vec<Path>,
    /// `reason = "…"`
    reason: Option<Meta>,
}

fn named(attribute: &Attribute) -> Option<Named> {
    WORDS.iter().find(|word| attribute.path().is_ident(word))?;
    let mut named = Named::default();
    for meta in attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()? {
        match meta {
            Meta::Path(path) => match path.get_ident().filter(|name| lint::is_known(&name.to_string())) {
                Some(name) => named.known.push(name.clone()),
                None => named.others.push(path),
            },
            reason => named.reason = Some(reason),
        }
    }
    Some(named)
}

/// The name of ours that a name on a graph surely means: rustc's own names are further away.
fn misspelt(path: &Path) -> Option<&'static str> {
    let name = path.get_ident()?.to_string();
    let meant = lint::meant(&name)?;
    (name.starts_with("CG") || strsim::damerau_levenshtein(&name, meant) <= 2).then_some(meant)
}

/// A graph's attribute without what only the macro knows: nothing, if that is all of it.
pub(crate) fn for_rustc(attribute: &Attribute) -> Option<proc_macro2::TokenStream> {
    if is_explicit(attribute) {
        return None;
    }
    let Some(Named { known, others, reason }) = named(attribute) else { return Some(quote::quote!(#attribute)) };
    let word = attribute.path();
    let all = known.into_iter().filter(|name| name == lint::WARNINGS).map(Path::from);
    let names: Vec<Path> = all.chain(others.into_iter().filter(|path| misspelt(path).is_none())).collect();
    let reason = reason.into_iter();
    (!names.is_empty()).then(|| quote::quote!(#[#word(#(#names,)* #(#reason)*)]))
}

impl Lowering<'_> {
    /// What the attributes of a graph or a parameter say holds at these places; rustc gets what is left of them.
    pub(super) fn levels_of_item(&mut self, attributes: &[Attribute], places: Range<u32>) {
        for (attribute, named) in attributes.iter().filter_map(|attribute| Some((attribute, named(attribute)?))) {
            for (path, meant) in named.others.iter().filter_map(|path| Some((path, misspelt(path)?))) {
                self.diagnose(misspelt_name(path, meant));
            }
            self.set_levels(attribute, &named.known, places.clone());
        }
    }

    /// What a statement's attributes say holds at the places made since there were `start`.
    pub(super) fn levels_since(&mut self, attributes: &[Attribute], start: usize) {
        let places = start as u32..self.places.len() as u32;
        for attribute in attributes.iter().filter(|attribute| WORDS.iter().any(|word| attribute.path().is_ident(word)))
        {
            let Some(Named { known, others, .. }) = named(attribute) else {
                let message = "expected names of warnings";
                let fault = Diagnostic::error(Code::SYNTAX, attribute.path().span(), message);
                self.diagnose(fault.note(format!("there are {}", lint::known())));
                continue;
            };
            self.set_levels(attribute, &known, places.clone());
            for path in others {
                let meant = path.get_ident().and_then(|name| lint::meant(&name.to_string()));
                self.diagnose(meant.map_or_else(|| no_name_of_ours(&path), |meant| misspelt_name(&path, meant)));
            }
        }
    }

    fn set_levels(&mut self, attribute: &Attribute, names: &[Ident], places: Range<u32>) {
        let word = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        self.levels.list.extend(names.iter().map(|name| Level {
            word: word.clone(),
            lint: name.to_string(),
            places: places.clone(),
            span: name.span(),
        }));
    }
}

fn misspelt_name(path: &Path, meant: &str) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, path.span(), "there is no warning of this name").help(format!("write `{meant}`"))
}

fn no_name_of_ours(path: &Path) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, path.span(), "no warning of this name is given about statements")
        .note(format!("there are {}", lint::known()))
}
