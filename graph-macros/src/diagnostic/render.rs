//! Diagnostics as items. Stable Rust lets a macro point at one place only: the others are printed inside the message.

use std::fmt::Write as _;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{Diagnostic, location};

/// More errors than this are counted, not shown.
const SHOWN: usize = 20;

/// All warnings, and the first [`SHOWN`] errors, by position.
pub(super) fn items(mut list: Vec<Diagnostic>) -> TokenStream {
    list.sort_by_cached_key(|diagnostic| {
        let place = location(diagnostic.span);
        (place.file, place.line, place.column)
    });
    let (warnings, errors): (Vec<_>, Vec<_>) = list.into_iter().partition(|diagnostic| diagnostic.warning);
    let mut tokens: TokenStream = warnings.iter().map(warning).collect();
    tokens.extend(errors.iter().take(SHOWN).map(|diagnostic| error(diagnostic.span, &text(diagnostic))));
    if let Some(first) = errors.get(SHOWN) {
        tokens.extend(error(first.span, &format!("and {} more", errors.len() - SHOWN)));
    }
    tokens
}

/// Braces, so that it may stand where an item stands.
fn error(span: Span, text: &str) -> TokenStream {
    let mut text = Literal::string(text);
    text.set_span(span);
    quote_spanned! {span=> ::core::compile_error! { #text } }
}

/// A warning needs a lint of rustc's own: the use of a deprecated function that has the lint's name.
fn warning(diagnostic: &Diagnostic) -> TokenStream {
    let text = text(diagnostic);
    let definition = Ident::new(diagnostic.lint(), Span::call_site());
    let mut usage = definition.clone();
    usage.set_span(diagnostic.span);
    quote! {
        const _: () = {
            #[deprecated(note = #text)]
            const fn #definition() {}
            #usage();
        };
    }
}

/// Headline, reasons, cure.
pub(super) fn text(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    if let Some(code) = diagnostic.code {
        // Writing to a string cannot fail.
        let _ = write!(text, " [{code}]");
    }
    for (note, place) in &diagnostic.notes {
        text.push_str("\nnote: ");
        text.push_str(note);
        if let Some(place) = place {
            let _ = write!(text, " ({})", location(*place));
        }
    }
    if let Some(help) = &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    text
}
