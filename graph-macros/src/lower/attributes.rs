//! `#[priority(high)]`, `#[cluster(2, 1, 1)]`, `#[cooperative]`, `#[overlap]` in front of launches.

use graph_ir::code::Code;
use graph_ir::model::{Cluster, LaunchAttributes, Priority};
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Lit, LitInt, Meta, Token};

use super::Lowering;
use super::evaluation::{Check, Evaluation};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, Statement};

/// The attributes that are about launches.
const NAMES: [&str; 4] = ["priority", "cluster", "cooperative", "overlap"];

fn word(attribute: &Attribute) -> Option<&Ident> {
    attribute.path().get_ident().filter(|word| NAMES.iter().any(|name| *word == name))
}

impl Lowering<'_> {
    /// Reports attributes of launches on a statement that is none.
    pub(crate) fn refuse_launch_attributes(&mut self, attributes: &[Attribute]) {
        for word in attributes.iter().filter_map(word) {
            let message = format!("`#[{word}]` stands in front of a statement that is no launch");
            self.diagnose(Diagnostic::error(Code::SYNTAX, word.span(), message).help("remove it"));
        }
    }

    /// What is asked of a launch, if anything.
    pub(crate) fn launch_attributes(&mut self, statement: &Statement, kernel: u32) -> Option<Box<LaunchAttributes>> {
        let mut asked = LaunchAttributes::default();
        for attribute in &statement.attributes {
            let Some(word) = word(attribute) else { continue };
            match self.launch_attribute(&mut asked, word, attribute, kernel) {
                Ok(false) => {}
                Ok(true) => {
                    let message = format!("`#[{word}]` stands twice in front of one launch");
                    self.diagnose(Diagnostic::error(Code::SYNTAX, word.span(), message).help("remove one of them"));
                }
                Err(fault) => self.diagnose(fault),
            }
        }
        (!asked.is_empty()).then(|| Box::new(asked))
    }

    /// Returns whether it was asked for before.
    fn launch_attribute(
        &mut self,
        asked: &mut LaunchAttributes,
        word: &Ident,
        attribute: &Attribute,
        kernel: u32,
    ) -> Result<bool, Diagnostic> {
        match word.to_string().as_str() {
            "priority" => Ok(asked.priority.replace(priority(attribute)?).is_some()),
            "cluster" => {
                let (sizes, span) = cluster(attribute)?;
                let place = self.place(span);
                Ok(asked.cluster.replace(Cluster { sizes, place }).is_some())
            }
            "cooperative" => {
                bare(attribute, word)?;
                Ok(asked.cooperative.replace(self.place(word.span())).is_some())
            }
            _ => {
                bare(attribute, word)?;
                self.evaluate(Evaluation::Check(Check::Overlap { kernel, span: word.span() }));
                Ok(asked.overlap.replace(self.place(word.span())).is_some())
            }
        }
    }
}

fn bare(attribute: &Attribute, word: &Ident) -> Result<(), Diagnostic> {
    match attribute.meta {
        Meta::Path(_) => Ok(()),
        _ => Err(Diagnostic::error(Code::SYNTAX, word.span(), format!("`#[{word}]` has no arguments"))
            .help(format!("write `#[{word}]`"))),
    }
}

fn priority(attribute: &Attribute) -> Result<Priority, Diagnostic> {
    let fault = |span| {
        Diagnostic::error(Code::SYNTAX, span, "expected `high`, `low` or an integer")
            .note("integers are CUDA's priorities: the lower, the earlier a node begins")
            .help("write `#[priority(high)]`")
    };
    let value: Expr = attribute.parse_args().map_err(|_| fault(attribute.path().span()))?;
    if let Some(name) = super::text::identifier(&value) {
        return match name.to_string().as_str() {
            "high" => Ok(Priority::High),
            "low" => Ok(Priority::Low),
            _ => Err(fault(value.span())),
        };
    }
    match ast::signed_literal(super::text::bare(&value)) {
        Some((negative, Lit::Int(number))) => {
            let number: i32 = number.base10_parse().map_err(|_| fault(value.span()))?;
            Ok(Priority::Number(if negative { -number } else { number }))
        }
        _ => Err(fault(value.span())),
    }
}

/// The sizes, and where they stand.
fn cluster(attribute: &Attribute) -> Result<([u32; 3], proc_macro2::Span), Diagnostic> {
    let fault = |span| {
        Diagnostic::error(Code::SYNTAX, span, "expected one to three sizes, as integers")
            .help("write `#[cluster(2)]` or `#[cluster(2, 1, 1)]`")
    };
    let sizes = attribute.parse_args_with(Punctuated::<LitInt, Token![,]>::parse_terminated);
    let sizes = sizes.map_err(|error| fault(error.span()))?;
    if !(1..=3).contains(&sizes.len()) {
        return Err(fault(attribute.path().span()));
    }
    let mut found = [1; 3];
    for (place, size) in found.iter_mut().zip(&sizes) {
        *place = size.base10_parse().map_err(|_| fault(size.span()))?;
    }
    Ok((found, sizes.first().map_or_else(|| attribute.path().span(), LitInt::span)))
}
