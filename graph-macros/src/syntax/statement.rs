//! Statements: `'label: … after 'a, 'b;`. Which form it is shows in the first tokens.

use graph_ir::code::Code;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Attribute, ExprPath, Lifetime, Token};

use super::ast::{Statement, StatementKind};
use super::stream::semicolons;
use super::{
    Parsed, Parser, assertion, builtin, call, host, kernel_for, launch, let_statement, loaded, not_yet, scalar,
    static_statement,
};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Everything in a body. A statement with a fault becomes [`StatementKind::Error`].
    pub(super) fn statements(&mut self, content: ParseStream<'_>) -> Vec<Statement> {
        let mut statements = Vec::new();
        semicolons(content);
        while !content.is_empty() {
            statements.extend(self.statement(content));
            semicolons(content);
        }
        statements
    }

    /// One statement, or what is left of it; nothing if its configuration leaves it out.
    pub(super) fn statement(&mut self, input: ParseStream<'_>) -> Option<Statement> {
        let begin = input.cursor();
        match self.whole_statement(input) {
            Ok(statement) => statement,
            Err(fault) => {
                self.skip_statement(input, begin, fault);
                Some(Statement { attributes: Vec::new(), label: None, kind: StatementKind::Error, after: Vec::new() })
            }
        }
    }

    fn whole_statement(&mut self, input: ParseStream<'_>) -> Parsed<Option<Statement>> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let there = self.is_there(&mut attributes);
        let attributes = self.accept_of_statement(attributes);
        let label = label(input)?;
        let kind = self.kind(input, label.as_ref())?;
        self.refuse_optional(&attributes, label.as_ref(), &kind);
        self.spilled = false;
        let block = is_block(&kind);
        let after = self.tail(input, block);
        self.refuse_order(&kind, label.as_ref(), &after);
        Ok(there.then_some(Statement { attributes, label, kind, after }))
    }

    fn kind(&mut self, input: ParseStream<'_>, label: Option<&Lifetime>) -> Parsed<StatementKind> {
        if let Some(fault) = not_yet::statement(input) {
            return Err(fault);
        }
        let word = input.cursor().ident().map(|(word, _)| word.to_string());
        match word.as_deref() {
            Some("unsafe") if loaded::starts(input) => loaded::launch(input),
            Some("kernel") if kernel_for::starts(input) => self.kernel_for(input).map(StatementKind::KernelFor),
            Some("let") => let_statement::let_statement(input),
            Some("static") => static_statement::static_statement(input),
            Some("if") => self.if_statement(input).map(StatementKind::If),
            Some("match") => self.match_statement(input).map(StatementKind::Match),
            Some("while") if input.peek2(Token![|]) => self.kernel_while(input).map(StatementKind::KernelWhile),
            Some("while") => self.while_statement(input).map(StatementKind::While),
            Some("loop") => self.loop_statement(input, label).map(StatementKind::Loop),
            Some("for") => self.for_statement(input).map(StatementKind::For),
            None if input.peek(syn::token::Brace) => self.body(input).map(StatementKind::Scope),
            _ => self.named_statement(input),
        }
    }

    /// A statement that begins with a name.
    fn named_statement(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        if let Some(kind) = call::call(input)? {
            return Ok(kind);
        }
        if let Some(kind) = builtin::builtin(input)? {
            return Ok(kind);
        }
        if assertion::starts(input) {
            return assertion::assertion(input);
        }
        if scalar::starts(input) {
            return scalar::assignment(input);
        }
        self.launch_statement(input)
    }

    /// Labels and `after` belong to nodes.
    fn refuse_order(&mut self, kind: &StatementKind, label: Option<&Lifetime>, after: &[Lifetime]) {
        let what = match kind {
            StatementKind::HostLet { .. } => "a `let` on the host's side",
            StatementKind::Transient(transient) if transient.value.is_none() => "a `let` without a value",
            StatementKind::Static(_) => "`static`",
            StatementKind::Swap { .. } => "`swap`",
            StatementKind::Drop { .. } => "`drop`",
            StatementKind::Scope(_) => "a block",
            _ => return,
        };
        if let Some(first) = label.into_iter().chain(after).next() {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::SYNTAX,
                    first.span(),
                    format!("{what} is no node and has no place in the order"),
                )
                .help("remove the label, or give it to a node"),
            );
        }
    }
}

/// Statements that end with `}`.
fn is_block(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::If(_)
            | StatementKind::Match(_)
            | StatementKind::While(_)
            | StatementKind::KernelWhile(_)
            | StatementKind::Loop(_)
            | StatementKind::For(_)
            | StatementKind::Scope(_)
            | StatementKind::KernelFor(_)
    )
}

/// `'name:`
fn label(input: ParseStream<'_>) -> Parsed<Option<Lifetime>> {
    if !input.peek(Lifetime) {
        return Ok(None);
    }
    let label: Lifetime = input.parse()?;
    if !input.peek(Token![:]) {
        return Err(Diagnostic::plain(input.span(), format!("expected `:` behind the label `{label}`")));
    }
    input.parse::<Token![:]>()?;
    if label.ident == "static" || label.ident == "_" {
        return Err(Diagnostic::error(Code::SYNTAX, label.span(), format!("`{label}` cannot be a label")));
    }
    if input.is_empty() {
        return Err(input.error("expected a statement behind the label").into());
    }
    Ok(Some(label))
}

impl Parser<'_> {
    /// A path is a kernel's if `<<<` follows, and a graph's if `{` does.
    fn launch_statement(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        let ahead = input.fork();
        match ahead.parse::<ExprPath>() {
            Ok(path) if launch::opens(&ahead) => {
                input.advance_to(&ahead);
                launch::launch(input, path).map(StatementKind::Launch)
            }
            Ok(path) if ahead.peek(syn::token::Brace) => {
                input.advance_to(&ahead);
                self.graph_inside(input, path)
            }
            _ => Err(host::statement(input)),
        }
    }
}
