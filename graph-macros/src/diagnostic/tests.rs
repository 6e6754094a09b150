use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::Place;
use proc_macro2::{Span, TokenStream, TokenTree};

use super::{Diagnostic, Diagnostics, from_finding, location, render};

/// The spans of `a` (1:1), `b` (1:3) and `c` (2:3).
fn spans() -> Vec<Span> {
    let tokens: TokenStream = "a b\n  c".parse().unwrap();
    tokens.into_iter().map(|token| token.span()).collect()
}

/// The messages that rustc would print, in order.
fn messages(diagnostics: Diagnostics) -> Vec<String> {
    syn::parse2::<syn::File>(diagnostics.into_tokens())
        .unwrap()
        .items
        .into_iter()
        .filter_map(|item| match item {
            syn::Item::Macro(item) => Some(item.mac.parse_body::<syn::LitStr>().unwrap().value()),
            _ => None,
        })
        .collect()
}

#[test]
fn the_layout_is_headline_code_notes_help() {
    let [a, b, c] = spans()[..] else { panic!("three tokens") };
    let diagnostic = Diagnostic::error(Code::CYCLE, a, "dependency cycle: `x` -> `y` -> `x`")
        .note_at(c, "`x` waits for `y`: it reads `err`")
        .note("a note without a place")
        .help("remove the `after`");
    let wanted = "dependency cycle: `x` -> `y` -> `x` [CG0301]\n\
                  note: `x` waits for `y`: it reads `err` (unknown:2:3)\n\
                  note: a note without a place\n\
                  help: remove the `after`";
    assert_eq!(render::text(&diagnostic), wanted);
    assert_eq!(render::text(&Diagnostic::plain(b, "expected `;`")), "expected `;`");
}

#[test]
fn locations_count_from_one() {
    let places: Vec<String> = spans().into_iter().map(|span| location(span).to_string()).collect();
    assert_eq!(places, ["unknown:1:1", "unknown:1:3", "unknown:2:3"]);
}

#[test]
fn errors_are_sorted_by_position_and_stand_at_their_token() {
    let [a, b, c] = spans()[..] else { panic!("three tokens") };
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend([Diagnostic::plain(c, "third"), Diagnostic::plain(a, "first"), Diagnostic::plain(b, "second")]);
    assert_eq!(messages(diagnostics.clone()), ["first", "second", "third"]);
    let last = diagnostics.into_tokens().into_iter().last().unwrap();
    let TokenTree::Group(body) = last else { panic!("a group") };
    assert_eq!(location(body.span()).to_string(), "unknown:2:3");
    assert_eq!(body.delimiter(), proc_macro2::Delimiter::Brace);
}

#[test]
fn after_twenty_errors_the_rest_is_counted() {
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend((0..23).map(|number| Diagnostic::plain(Span::call_site(), format!("number {number}"))));
    let messages = messages(diagnostics);
    assert_eq!(messages.len(), 21);
    assert_eq!(messages[19], "number 19");
    assert_eq!(messages[20], "and 3 more");
}

#[test]
fn a_warning_is_the_use_of_a_deprecated_function_at_the_span() {
    let [_, b, _] = spans()[..] else { panic!("three tokens") };
    let mut finding = Finding::error(Code::ENDLESS, Place(0), "nothing ends this loop").note_at(Place(1), "here");
    finding.level = graph_ir::finding::Level::Warning;
    let diagnostic = from_finding(&finding, &[b, b]);
    assert!(diagnostic.warning);
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(diagnostic);
    assert!(!diagnostics.has_error());
    let text = diagnostics.into_tokens().to_string();
    assert!(
        text.contains("deprecated (note = \"nothing ends this loop [CG0502]\\nnote: here (unknown:1:3)\")"),
        "{text}"
    );
    assert!(text.contains("endless_loop () ;"), "{text}");
}

#[test]
fn a_finding_keeps_its_places() {
    let spans = spans();
    let finding = Finding::error(Code::READ_ONLY, Place(1), "m").note_at(Place(2), "n").note("o").help("h");
    let diagnostic = from_finding(&finding, &spans);
    assert_eq!(location(diagnostic.span).to_string(), "unknown:1:3");
    assert_eq!(location(diagnostic.notes[0].1.unwrap()).to_string(), "unknown:2:3");
    assert!(diagnostic.notes[1].1.is_none());
    assert_eq!(diagnostic.help.as_deref(), Some("h"));
    assert_eq!(diagnostic.code.unwrap().to_string(), "CG0201");
}

#[test]
fn a_combined_error_of_syn_gives_one_diagnostic_each() {
    let spans = spans();
    let mut error = syn::Error::new(spans[0], "one");
    error.combine(syn::Error::new(spans[1], "two"));
    let diagnostics = Diagnostics::from(error);
    assert!(diagnostics.has_error());
    assert_eq!(diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), ["one", "two"]);
}
