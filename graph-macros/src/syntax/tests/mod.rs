//! The grammar's six rules, each with what it must accept and refuse; forms that are refused by name; recovery.

mod calls;
mod close_forms;
mod configurations;
mod deep;
mod dump;
mod half_typed;
mod invisible;
mod launches;
mod modes;
mod parameters;
mod programs;
mod recovery;
mod refused;
mod words;

use proc_macro2::TokenStream;

use super::ast::{Block, Graph};
use super::parse;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The block and what is wrong with it.
fn block(source: &str) -> (Block, Vec<Diagnostic>) {
    tokens(source.parse().unwrap())
}

fn tokens(tokens: TokenStream) -> (Block, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let block = parse(tokens, &mut diagnostics);
    (block, diagnostics.into_iter().collect())
}

/// What a diagnostic says: its code, the marked token, its headline.
fn said(diagnostic: &Diagnostic) -> String {
    let code = diagnostic.code.map_or_else(|| "-".to_owned(), |code| code.to_string());
    let marked = diagnostic.span.source_text().unwrap_or_default();
    format!("{code} `{marked}` {}", diagnostic.message)
}

fn all_said(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(said).collect()
}

/// A graph with this body.
fn graph(body: &str) -> (Graph, Vec<Diagnostic>) {
    let (mut block, diagnostics) = block(&format!("graph G(x: &mut [f32; n]) {{ {body} }}"));
    (block.graphs.pop().unwrap(), diagnostics)
}

/// The statements of a body without a fault.
fn accepted(body: &str) -> Vec<String> {
    let (graph, diagnostics) = graph(body);
    assert_eq!(all_said(&diagnostics), Vec::<String>::new(), "{body}");
    dump::statements(&graph.body)
}

/// The only statement of a body without a fault.
fn one(body: &str) -> String {
    let statements = accepted(body);
    assert_eq!(statements.len(), 1, "{body}");
    statements.into_iter().next().unwrap()
}

/// The only fault of a body.
fn fault(body: &str) -> Diagnostic {
    let (_, mut diagnostics) = graph(body);
    assert_eq!(diagnostics.len(), 1, "{body}: {:?}", all_said(&diagnostics));
    diagnostics.pop().unwrap()
}

/// The style of every headline: the fact, lower case, no full stop, short.
fn assert_style(diagnostic: &Diagnostic) {
    let message = &diagnostic.message;
    assert!(message.chars().count() <= 90, "too long: {message}");
    assert!(!message.ends_with('.'), "full stop: {message}");
    assert!(!message.starts_with(char::is_uppercase), "capital: {message}");
    let whole = format!("{message} {:?} {:?}", diagnostic.notes, diagnostic.help).to_lowercase();
    for banned in ["illegal", "invalid", "please", " you ", " you'", "your "] {
        assert!(!whole.contains(banned), "{banned}: {whole}");
    }
}
