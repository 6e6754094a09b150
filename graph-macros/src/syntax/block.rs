//! A `cuda_graph!` block: graphs, one after another.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, TokenTree};
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::parameter::duplicate;
use super::stream::{between, semicolons};
use super::{Parser, ast, recovery, structs};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Every graph whose head can be parsed; the names of the others are kept for the editor.
    pub(super) fn block(mut self, input: ParseStream<'_>) -> ast::Block {
        let mut block = ast::Block::default();
        semicolons(input);
        while !input.is_empty() {
            let begin = input.cursor();
            match self.graph(input) {
                Ok(Some(graph)) => self.keep_graph(graph, &mut block.graphs),
                Ok(None) => {}
                Err(fault) => {
                    self.diagnostics.push(fault);
                    recovery::advance(input, |cursor| past_graph(cursor, begin == cursor));
                    self.keep_names(between(begin, input.cursor()));
                    block.salvage.append(&mut self.salvage);
                }
            }
            semicolons(input);
        }
        structs::resolve_passed(&mut block.graphs);
        block
    }
}

impl Parser<'_> {
    /// Without a second one of the same name: rustc would report each item that is made for it.
    fn keep_graph(&mut self, graph: ast::Graph, graphs: &mut Vec<ast::Graph>) {
        match graphs.iter().find(|known| known.name == graph.name) {
            Some(first) => self.diagnostics.push(duplicate(&graph.name, &first.name)),
            None => graphs.push(graph),
        }
    }
}

/// What stands where a graph should begin.
pub(super) fn expected_graph(input: ParseStream<'_>) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, input.span(), "expected a graph")
        .help("a block holds graphs: `pub graph Name(x: &mut [f32; n]) { … }`")
}

/// Past the next `{ … }`, or to where another graph begins.
fn past_graph(mut cursor: Cursor<'_>, at_start: bool) -> Cursor<'_> {
    let mut first = at_start;
    while let Some((token, next)) = cursor.token_tree() {
        if !first && begins_graph(cursor) {
            return cursor;
        }
        first = false;
        cursor = next;
        if matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) {
            return cursor;
        }
    }
    cursor
}

/// `pub …` or `graph Name`.
fn begins_graph(cursor: Cursor<'_>) -> bool {
    match cursor.ident() {
        Some((word, next)) => word == "pub" || (word == "graph" && next.ident().is_some()),
        None => false,
    }
}
