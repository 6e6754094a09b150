//! CG0005: how deep a block may be nested, and how long an expression may be.
//!
//! Whatever walks a block goes down with it: this macro, syn, rustc, and the analysis when the graph is built. Each has a stack with an
//! end. So a block that could reach it is refused by its tokens, before anything walks it.

use graph_ir::code::Code;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::diagnostic::Diagnostic;

/// So many groups and `else if`s may be around a token.
pub(crate) const DEEPEST: usize = 64;
/// So many tokens, those of the expressions around it included, may stand between a token and the `;` or `,` in front of it.
pub(crate) const LONGEST: usize = 1024;

/// What is around a token.
#[derive(Clone, Copy, Default)]
pub(super) struct Depth {
    /// Groups and `else if`s.
    levels: usize,
    /// The `else if`s among them.
    else_ifs: usize,
    /// Tokens of the same expression, and of the expressions around it.
    tokens: usize,
}

impl Depth {
    /// What is around the tokens of a group that is so deep.
    pub(super) fn inside(self) -> Self {
        Self { levels: self.levels + 1, ..self }
    }

    pub(super) fn is_too_deep(self) -> bool {
        self.levels > DEEPEST || self.tokens > LONGEST
    }
}

/// The depth of each token of a group, in order.
pub(super) struct Walk {
    begin: Depth,
    now: Depth,
    /// The token before was a `{ … }`, behind which a new statement may begin.
    behind_block: bool,
    behind_else: bool,
}

impl Walk {
    pub(super) fn new(begin: Depth) -> Self {
        Self { begin, now: begin, behind_block: false, behind_else: false }
    }

    pub(super) fn step(&mut self, token: &Token) -> Depth {
        let is = |word: &str| matches!(token, Token::Word(ident) if ident == word);
        if self.behind_block && begins_statement(token) {
            self.now = self.begin;
        }
        self.now.tokens += 1;
        let is_else_if = usize::from(self.behind_else && is("if"));
        self.now.levels += is_else_if;
        self.now.else_ifs += is_else_if;
        self.behind_else = is("else");
        self.behind_block = matches!(token, Token::Group(Delimiter::Brace));
        let here = self.now;
        if matches!(token, Token::Punct(';' | ',')) {
            self.now = self.begin;
        }
        here
    }
}

/// What the depth depends on.
pub(super) enum Token {
    Word(Ident),
    Punct(char),
    Literal,
    Group(Delimiter),
}

impl From<TokenTree> for Token {
    fn from(token: TokenTree) -> Self {
        match token {
            TokenTree::Ident(word) => Self::Word(word),
            TokenTree::Punct(punct) => Self::Punct(punct.as_char()),
            TokenTree::Literal(_) => Self::Literal,
            TokenTree::Group(group) => Self::Group(group.delimiter()),
        }
    }
}

/// Whether a token behind a `{ … }` is no part of the same statement.
fn begins_statement(token: &Token) -> bool {
    match token {
        Token::Word(word) => word != "else" && word != "as",
        Token::Punct(punct) => matches!(punct, '\'' | '#'),
        Token::Group(delimiter) => *delimiter == Delimiter::Brace,
        Token::Literal => true,
    }
}

/// What is left of a block that goes too deep somewhere.
pub(crate) fn cut(block: TokenStream) -> TokenStream {
    within(block, Depth::default())
}

/// The tokens that are not too deep.
fn within(tokens: TokenStream, begin: Depth) -> TokenStream {
    let mut walk = Walk::new(begin);
    let mut kept = Vec::new();
    for token in tokens {
        let depth = walk.step(&token.clone().into());
        match token {
            _ if depth.is_too_deep() => {}
            TokenTree::Group(group) => {
                let mut whole = Group::new(group.delimiter(), within(group.stream(), depth.inside()));
                whole.set_span(group.span());
                kept.push(whole.into());
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

/// What is said of a token that is so deep.
pub(super) fn fault(span: Span, depth: Depth) -> Diagnostic {
    if depth.levels > DEEPEST {
        let help = if depth.else_ifs > DEEPEST / 2 {
            "write a `match`, whose arms are all on one level"
        } else {
            "make what is inside a graph of its own and name it here, `Inner { x: &mut x };`; for an expression, write a `let`"
        };
        return Diagnostic::error(Code::DEPTH, span, format!("this is nested more than {DEEPEST} levels deep"))
            .note("each pair of brackets is a level, and so is each `else if`")
            .help(help);
    }
    Diagnostic::error(Code::DEPTH, span, format!("this goes on for more than {LONGEST} tokens without a `;` or a `,`"))
        .note("what is computed from what stands on the left of it is as deep as it is long")
        .help("compute a part of it in a `let`, or in a statement of its own")
}
