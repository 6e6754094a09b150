//! One walk over a block's tokens before it is parsed.

use proc_macro2::{TokenStream, TokenTree};
use syn::buffer::Cursor;

use super::configuration::Undecided;
use super::depth::{Depth, Token, Walk, fault};
use crate::diagnostic::Diagnostic;

/// The conditions that rustc has to decide, or why the block goes too deep to be parsed.
pub(super) fn survey(block: Cursor<'_>) -> Result<Vec<TokenStream>, Diagnostic> {
    let mut undecided = Undecided::default();
    group(block, Depth::default(), &mut undecided)?;
    Ok(undecided.found)
}

fn group(mut cursor: Cursor<'_>, begin: Depth, undecided: &mut Undecided) -> Result<(), Diagnostic> {
    let mut walk = Walk::new(begin);
    let mut behind_hash = false;
    loop {
        if let Some((inside, delimiter, span, next)) = cursor.any_group() {
            let depth = walk.step(&Token::Group(delimiter));
            if depth.is_too_deep() {
                return Err(fault(span.join(), depth));
            }
            if behind_hash {
                undecided.attribute(delimiter, inside);
            }
            group(inside, depth.inside(), undecided)?;
            (cursor, behind_hash) = (next, false);
            continue;
        }
        let Some((token, next)) = cursor.token_tree() else { return Ok(()) };
        let span = token.span();
        behind_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let depth = walk.step(&token.into());
        if depth.is_too_deep() {
            return Err(fault(span, depth));
        }
        cursor = next;
    }
}
