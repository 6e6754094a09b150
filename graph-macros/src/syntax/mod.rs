//! Tokens to syntax tree, one file per form. Nothing is resolved here; what cannot be parsed is reported, skipped and kept as names.
//!
//! syn parses everything that is Rust: paths, types, expressions. The block's own grammar is six rules on top, none of which needs more
//! than one statement of look-ahead; each is described where it is implemented: launches in [`launch`], contextual words in
//! [`conditional`] and [`tail`], modes in [`argument`], parameters in [`parameter`].

mod argument;
mod assertion;
pub(crate) mod ast;
mod attribute;
mod block;
mod bounded;
mod builtin;
mod call;
mod conditional;
pub(crate) mod configuration;
mod configured;
pub(crate) mod depth;
mod expression;
mod graph;
mod host;
mod host_for;
mod inside;
mod kernel_for;
mod launch;
mod let_statement;
mod loaded;
mod loops;
pub(crate) mod matching;
pub(crate) mod mention;
mod not_yet;
mod parameter;
mod recovery;
pub(crate) mod reduction;
mod scalar;
mod statement;
mod static_statement;
mod stream;
mod structs;
mod survey;
mod tail;
#[cfg(test)]
mod tests;
mod transient;

pub(crate) use attribute::{is_explicit, optional};
pub(crate) use bounded::{bound_name, written as written_bound};
pub(crate) use kernel_for::axes;
pub(crate) use matching::body_patterns;
pub(crate) use parameter::graph_methods;
#[cfg(test)]
pub(crate) use stream::is_name;

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser as _};

use crate::diagnostic::{Diagnostic, Diagnostics};

/// A form, or why it is none.
type Parsed<T> = Result<T, Diagnostic>;

/// A block, or why it cannot be parsed as it is.
pub(crate) enum Read {
    Parsed(ast::Block),
    /// [`depth::cut`] leaves what can be parsed.
    TooDeep(Diagnostic),
    /// Conditions that [`configuration::ask`] lets rustc decide.
    Undecided(Vec<TokenStream>),
}

/// Parses a whole `cuda_graph!` block. What cannot be parsed is reported and left out; its names are kept for the editor.
pub(crate) fn read(block: TokenStream, diagnostics: &mut Diagnostics) -> Read {
    with_input(block, Read::Parsed(ast::Block::default()), |input| match survey::survey(input.cursor()) {
        Err(fault) => Read::TooDeep(fault),
        Ok(conditions) if conditions.is_empty() => Read::Parsed(block_of(input, diagnostics)),
        Ok(conditions) => Read::Undecided(conditions),
    })
}

/// Parses a block whose conditions are to be taken as decided.
pub(crate) fn parse(block: TokenStream, diagnostics: &mut Diagnostics) -> ast::Block {
    with_input(block, ast::Block::default(), |input| block_of(input, diagnostics))
}

fn with_input<T>(tokens: TokenStream, mut result: T, read: impl FnOnce(ParseStream<'_>) -> T) -> T {
    let whole = |input: ParseStream<'_>| {
        result = read(input);
        Ok(())
    };
    // Every fault is in the diagnostics; what syn adds here are tokens that recovery has skipped on purpose.
    let _ = whole.parse2(tokens);
    result
}

fn block_of(input: ParseStream<'_>, diagnostics: &mut Diagnostics) -> ast::Block {
    Parser { diagnostics, salvage: Vec::new(), kernels: Vec::new(), spilled: false, configured: false }.block(input)
}

/// What the parser carries along.
struct Parser<'d> {
    diagnostics: &'d mut Diagnostics,
    /// Names of what was skipped in the current graph.
    salvage: Vec<Ident>,
    /// Paths of kernels in what was skipped.
    kernels: Vec<TokenStream>,
    /// The last statement lacked its `;`: what follows may be its rest, so the next fault is a consequence.
    spilled: bool,
    /// The current graph has a `#[cfg]`.
    configured: bool,
}
