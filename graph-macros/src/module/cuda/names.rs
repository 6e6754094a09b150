//! The types and constants that a CUDA C++ file gives names to. One that it gives two meanings is open.

use std::collections::HashMap;

use super::super::lex::{self, Kind, Token};
use super::items::{Item, is_attribute};

/// What names stand for; `None` if that is open.
#[derive(Default)]
pub(super) struct Names<'a> {
    types: HashMap<&'a str, Option<Definition<'a>>>,
    constants: HashMap<&'a str, Option<Vec<Token<'a>>>>,
}

/// Whether a file says what a type's name stands for.
pub(super) enum Meaning<'n, 'a> {
    /// It does not.
    Unknown,
    /// Not always the same, or what cannot be told.
    Open,
    Known(&'n Definition<'a>),
}

/// What the name of a type stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Definition<'a> {
    /// The declaration behind `typedef`, or a type.
    Alias(Vec<Token<'a>>),
    Struct(Struct<'a>),
}

/// A struct with its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Struct<'a> {
    /// Between `struct` and `{`.
    pub(super) head: Vec<Token<'a>>,
    /// Between the braces.
    pub(super) fields: Vec<Token<'a>>,
    /// One for each choice of parameters.
    pub(super) template: bool,
}

impl<'a> Names<'a> {
    /// All that the declarations of the files name.
    pub(super) fn of<'t>(items: impl IntoIterator<Item = Item<'t, 'a>>) -> Self
    where
        'a: 't,
    {
        let mut names = Self::default();
        for item in items.into_iter().filter(|item| item.body.is_none()) {
            names.declare(item.head);
        }
        names
    }

    /// What a type's name stands for.
    pub(super) fn meaning(&self, name: &str) -> Meaning<'_, 'a> {
        match self.types.get(name) {
            None => Meaning::Unknown,
            Some(None) => Meaning::Open,
            Some(Some(definition)) => Meaning::Known(definition),
        }
    }

    /// The value of a constant, as written.
    pub(super) fn constant(&self, name: &str) -> Option<&[Token<'a>]> {
        self.constants.get(name)?.as_deref()
    }

    fn declare(&mut self, head: &[Token<'a>]) {
        let (head, template) = without_template(head);
        match head.first().and_then(Token::word) {
            Some("typedef") => self.alias_of_declaration(&head[1..]),
            Some("using") => self.alias(&head[1..], template),
            Some("struct" | "class" | "union" | "enum") => {
                self.structure(head, template);
            }
            _ if head.iter().any(|token| token.is_word("constexpr") || token.is_word("const")) => self.value(head),
            _ => {}
        }
    }

    /// `typedef unsigned long long count_t`, `typedef struct { float x; } Point`
    fn alias_of_declaration(&mut self, declaration: &[Token<'a>]) {
        let structure = declaration.first().is_some_and(|token| token.is_word("struct"));
        if let Some(close) = declaration.iter().rposition(|token| token.is('}')) {
            let name = declaration.get(close + 1).and_then(Token::word);
            let definition = (structure && declaration.len() == close + 2).then(|| body(declaration, false)).flatten();
            self.add(name, definition.map(Definition::Struct));
            if structure {
                self.structure(&declaration[..=close], false);
            }
            return;
        }
        let end = declaration.iter().position(|token| token.is('[')).unwrap_or(declaration.len());
        let name = declaration[..end].iter().rev().find_map(Token::word);
        let plain = end == declaration.len() && !declaration.iter().any(|token| token.is('('));
        self.add(name, plain.then(|| Definition::Alias(declaration.to_vec())));
    }

    /// `using count_t = unsigned`
    fn alias(&mut self, alias: &[Token<'a>], template: bool) {
        let Some((name, rest)) = alias.split_first() else { return };
        match rest.split_first() {
            Some((equals, ty)) if equals.is('=') && !template => {
                self.add(name.word(), Some(Definition::Alias(ty.to_vec())));
            }
            Some((equals, _)) if equals.is('=') => self.add(name.word(), None),
            // `using a::b`, or `using namespace a`.
            _ => {}
        }
    }

    fn structure(&mut self, head: &[Token<'a>], template: bool) {
        let Some(open) = head.iter().position(|token| token.is('{')) else { return };
        let mut before = head[1..open].iter().enumerate().filter_map(|(at, token)| Some((at + 1, token.word()?)));
        let named = before.find(|(at, word)| !is_attribute(word) && !within_parentheses(head, *at));
        let whole = head.last().is_some_and(|token| token.is('}'));
        let definition = (head[0].is_word("struct") || head[0].is_word("class")) && whole;
        let definition = definition.then(|| body(head, template)).flatten();
        self.add(named.map(|(_, name)| name), definition.map(Definition::Struct));
    }

    /// `constexpr unsigned TILE = 32`
    fn value(&mut self, head: &[Token<'a>]) {
        let Some(equals) = head.iter().position(|token| token.is('=')) else { return };
        let Some(name) = equals.checked_sub(1).and_then(|at| head[at].word()) else { return };
        let value = head[equals + 1..].to_vec();
        let known = self.constants.get(name).map(|known| same(known.as_deref(), Some(&value)));
        self.constants.insert(name, if known == Some(false) { None } else { Some(value) });
    }

    fn add(&mut self, name: Option<&'a str>, definition: Option<Definition<'a>>) {
        let Some(name) = name else { return };
        let known = self.types.get(name).map(|known| alike(known.as_ref(), definition.as_ref()));
        self.types.insert(name, if known == Some(false) { None } else { definition });
    }
}

/// Behind `template <…>`, and whether that was there.
pub(super) fn without_template<'t, 'a>(head: &'t [Token<'a>]) -> (&'t [Token<'a>], bool) {
    let mut rest = head;
    while rest.first().is_some_and(|token| token.is_word("template")) {
        let Some(close) = lex::closing(rest, 1) else { break };
        rest = &rest[close + 1..];
    }
    (rest, rest.len() < head.len())
}

/// Of `struct Name { … }`.
fn body<'a>(structure: &[Token<'a>], template: bool) -> Option<Struct<'a>> {
    let open = structure.iter().position(|token| token.is('{'))?;
    let close = lex::closing(structure, open)?;
    let fields = structure[open + 1..close].to_vec();
    Some(Struct { head: structure[1..open].to_vec(), fields, template })
}

fn within_parentheses(head: &[Token<'_>], at: usize) -> bool {
    let marks = |mark| head[..at].iter().filter(|token| token.is(mark)).count();
    marks('(') > marks(')')
}

fn alike(one: Option<&Definition<'_>>, other: Option<&Definition<'_>>) -> bool {
    match (one, other) {
        (Some(Definition::Alias(one)), Some(Definition::Alias(other))) => same(Some(one), Some(other)),
        (Some(Definition::Struct(one)), Some(Definition::Struct(other))) => {
            one.template == other.template
                && same(Some(&one.fields), Some(&other.fields))
                && same(Some(&one.head), Some(&other.head))
        }
        _ => false,
    }
}

fn same(one: Option<&[Token<'_>]>, other: Option<&[Token<'_>]>) -> bool {
    let kinds = |tokens: &[Token<'_>]| tokens.iter().map(|token| kind_text(token.kind)).collect::<Vec<_>>();
    matches!((one, other), (Some(one), Some(other)) if kinds(one) == kinds(other))
}

fn kind_text(kind: Kind<'_>) -> String {
    format!("{kind:?}")
}
