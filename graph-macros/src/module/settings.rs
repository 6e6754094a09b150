//! What a kernel's attributes say: `#[name = "…"]`, `#[block(…)]`, `#[requires(…)]`, `#[waits]`, `#[waits(first)]`, `#[early(…)]`,
//! `#[effects]`.

use std::collections::HashSet;

use graph_ir::code::Code;
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, ExprMethodCall, Ident, Lit, LitStr, Meta, Token};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lower::text;

/// The settings of one kernel.
#[derive(Default)]
pub(super) struct Settings {
    /// `#[name = "ns::k"]`
    pub(super) name: Option<LitStr>,
    /// `#[block(32, 8)]`: one to three sizes.
    pub(super) block: Option<Vec<Expr>>,
    /// `#[requires(n % 4 == 0)]`
    pub(super) requires: Vec<Expr>,
    /// `#[waits]`
    pub(super) waits: Option<Waits>,
    /// `#[early(w, b)]`: the buffers that it may read before it waits.
    pub(super) early: Option<Early>,
    pub(super) effects: bool,
}

/// `#[waits]`, `#[waits(first)]`
pub(super) struct Waits {
    /// The attribute's name.
    pub(super) span: Span,
    /// Whether it does so before it lets others begin.
    pub(super) first: bool,
}

/// `#[early(w, b)]`
pub(super) struct Early {
    /// The attribute's name.
    pub(super) span: Span,
    pub(super) buffers: Vec<Ident>,
}

impl Settings {
    /// Takes what is known out of the attributes.
    pub(super) fn take(attributes: &mut Vec<Attribute>, faults: &mut Diagnostics) -> Self {
        let mut settings = Self::default();
        attributes.retain(|attribute| match settings.set(attribute) {
            Ok(known) => !known,
            Err(fault) => {
                faults.push(fault);
                false
            }
        });
        settings
    }

    /// Whether the attribute is one of ours.
    fn set(&mut self, attribute: &Attribute) -> Result<bool, Diagnostic> {
        let Some(word) = attribute.path().get_ident() else { return Ok(false) };
        let span = word.span();
        let twice = match word.to_string().as_str() {
            "name" => self.name.replace(name(attribute)?).is_some(),
            "block" => self.block.replace(block(attribute)?).is_some(),
            "requires" => {
                self.requires.push(requirement(attribute)?);
                false
            }
            "waits" => self.waits.replace(waits(attribute)?).is_some(),
            "early" => self.early.replace(early(attribute)?).is_some(),
            "effects" => {
                bare(attribute, "effects")?;
                std::mem::replace(&mut self.effects, true)
            }
            _ => return Ok(false),
        };
        if twice {
            return Err(Diagnostic::error(Code::DECLARATION, span, format!("`#[{word}]` stands twice on one kernel"))
                .help("remove one of them"));
        }
        Ok(true)
    }

    /// The buffers whose `.len()` a requirement speaks of: their declarations may leave the length out.
    pub(super) fn measured(&self) -> HashSet<String> {
        let mut finder = Lengths::default();
        self.requires.iter().for_each(|requirement| syn::visit::Visit::visit_expr(&mut finder, requirement));
        finder.0
    }
}

#[derive(Default)]
struct Lengths(HashSet<String>);

impl<'ast> syn::visit::Visit<'ast> for Lengths {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method == "len" {
            self.0.extend(text::identifier(&call.receiver).map(ToString::to_string));
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

fn wrong(span: Span, message: &str, help: &str) -> Diagnostic {
    Diagnostic::error(Code::DECLARATION, span, message).help(help)
}

fn name(attribute: &Attribute) -> Result<LitStr, Diagnostic> {
    let help = "write `#[name = \"namespace::kernel\"]`";
    let fault = || wrong(attribute.path().span(), "expected the kernel's name in its file", help);
    let Meta::NameValue(pair) = &attribute.meta else { return Err(fault()) };
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = &pair.value else { return Err(fault()) };
    let value = name.value();
    let is_path = value.split("::").all(|part| {
        !part.is_empty()
            && !part.starts_with(|first: char| first.is_ascii_digit())
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
    });
    if is_path {
        return Ok(name.clone());
    }
    let message = format!("`{value}` is no name of a kernel");
    let fault = Diagnostic::error(Code::DECLARATION, name.span(), message);
    Err(if value.contains('<') {
        fault.help("name the template alone, and give its parameters to the function: `pub fn k<T: Element>(…)`")
    } else {
        fault.help(help)
    })
}

fn block(attribute: &Attribute) -> Result<Vec<Expr>, Diagnostic> {
    let help = "write `#[block(256)]`, or two or three sizes: `#[block(32, 8)]`";
    let fault = || wrong(attribute.path().span(), "expected the sizes of a block", help);
    let sizes = attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated).map_err(|_| fault())?;
    if (1..=3).contains(&sizes.len()) { Ok(sizes.into_iter().collect()) } else { Err(fault()) }
}

fn requirement(attribute: &Attribute) -> Result<Expr, Diagnostic> {
    attribute.parse_args::<Expr>().map_err(|error| {
        wrong(
            error.span(),
            "expected one condition",
            "write `#[requires(n % 4 == 0)]`; several may stand one below another",
        )
    })
}

fn waits(attribute: &Attribute) -> Result<Waits, Diagnostic> {
    let span = attribute.path().span();
    let first = match attribute.meta {
        Meta::Path(_) => false,
        _ if attribute.parse_args::<Ident>().is_ok_and(|word| word == "first") => true,
        _ => {
            let help = "write `#[waits]`, or `#[waits(first)]` if no block lets others begin before it has waited";
            return Err(wrong(span, "expected nothing or `first`", help));
        }
    };
    Ok(Waits { span, first })
}

fn early(attribute: &Attribute) -> Result<Early, Diagnostic> {
    let span = attribute.path().span();
    let help = "write `#[early(w, b)]`, with the buffers that it reads before it waits";
    let names = attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated);
    match names {
        Ok(names) if !names.is_empty() => Ok(Early { span, buffers: names.into_iter().collect() }),
        _ => Err(wrong(span, "expected the names of buffers", help)),
    }
}

fn bare(attribute: &Attribute, word: &str) -> Result<Span, Diagnostic> {
    let span = attribute.path().span();
    match attribute.meta {
        Meta::Path(_) => Ok(span),
        _ => Err(wrong(span, &format!("`#[{word}]` has no arguments"), &format!("write `#[{word}]`"))),
    }
}
