//! Types of CUDA C++: `const float *__restrict__ x`, `unsigned long long`, `Rect`.

use super::super::lex::{self, Token};
use super::super::written::{Layout, Type};
use super::builtin;
use super::constant;
use super::items::is_attribute;
use super::names::{Definition, Meaning, Names};
use super::structs;

/// How deep names may stand for names.
const DEEPEST: usize = 16;

/// What names in a type stand for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s, 'a> {
    pub(super) names: &'s Names<'a>,
    /// The names of a template's parameters: each stands for anything.
    pub(super) template: &'s [&'a str],
    /// Whether a `#pragma pack` moves fields.
    pub(super) packed: bool,
    pub(super) depth: usize,
}

/// A declaration: its type without brackets, its name, the sizes in its brackets.
pub(super) struct Declared<'t, 'a> {
    pub(super) ty: Type,
    /// Whether that type is `const`.
    pub(super) constant: bool,
    pub(super) name: Option<&'a str>,
    pub(super) sizes: Vec<&'t [Token<'a>]>,
}

impl<'a> Scope<'_, 'a> {
    /// `float x`, `const T *x`, `int[4]`; `None` if the tokens may be anything else.
    pub(super) fn declaration<'t>(&self, tokens: &'t [Token<'a>]) -> Option<Declared<'t, 'a>> {
        let (base, constant, length) = self.specifiers(tokens)?;
        declarator(base, constant, &tokens[length..])
    }

    /// What stands in front of a declarator: the type, whether it is `const`, the number of tokens.
    pub(super) fn specifiers(&self, tokens: &[Token<'a>]) -> Option<(Type, bool, usize)> {
        let (mut at, mut constant) = (0, false);
        let mut words: Vec<&str> = Vec::new();
        let mut named = None;
        while let Some(token) = tokens.get(at) {
            if token.is('[') && tokens.get(at + 1)?.is('[') {
                at = lex::closing(tokens, at)? + 1;
                continue;
            }
            match token.word() {
                Some("const") => constant = true,
                Some(word) if is_attribute(word) => at = lex::closing(tokens, at + 1)?,
                Some(word)
                    if is_qualifier(word) || matches!(word, "struct" | "class" | "union" | "enum" | "typename") => {}
                Some(word) if builtin::is_arithmetic(word) && named.is_none() => words.push(word),
                _ if named.is_none() && words.is_empty() && (token.word().is_some() || token.is(':')) => {
                    let (ty, length) = self.name(&tokens[at..])?;
                    named = Some(ty);
                    at += length;
                    continue;
                }
                _ => break,
            }
            at += 1;
        }
        let ty = named.or_else(|| builtin::arithmetic(&words))?;
        Some((ty, constant, at))
    }

    /// The type that a name stands for, and the number of tokens: `ns::Pair<float, 2>`.
    fn name(&self, tokens: &[Token<'a>]) -> Option<(Type, usize)> {
        let mut at = 0;
        let mut path: Vec<&str> = Vec::new();
        let mut arguments = 0_usize;
        loop {
            while tokens.get(at).is_some_and(|token| token.is(':')) {
                at += 1;
            }
            path.push(tokens.get(at)?.word()?);
            at += 1;
            if tokens.get(at).is_some_and(|token| token.is('<')) {
                at = lex::closing(tokens, at)? + 1;
                arguments += 1;
            }
            if !tokens.get(at).is_some_and(|token| token.is(':')) {
                break;
            }
        }
        Some((self.named(&path, arguments > 0), at))
    }

    fn named(&self, path: &[&str], arguments: bool) -> Type {
        let Some((name, spaces)) = path.split_last() else { return Type::Open };
        if self.template.contains(name) || self.depth > DEEPEST {
            return Type::Open;
        }
        let standard = spaces.iter().all(|space| matches!(*space, "std" | "cuda"));
        let builtin = builtin::named(name).filter(|_| standard && !arguments);
        match self.names.meaning(name) {
            Meaning::Unknown => builtin.unwrap_or(Type::Open),
            Meaning::Open => Type::Open,
            Meaning::Known(definition) => {
                let own = self.defined(definition, arguments);
                // A file may have its own name for what it gets elsewhere.
                if builtin.is_some_and(|builtin| builtin != own) { Type::Open } else { own }
            }
        }
    }

    fn defined(&self, definition: &Definition<'a>, arguments: bool) -> Type {
        let inner = Self { template: &[], depth: self.depth + 1, ..*self };
        match definition {
            Definition::Struct(structure) if structure.template || arguments => Type::Struct { layout: None },
            Definition::Struct(structure) => Type::Struct { layout: structs::layout(structure, &inner) },
            Definition::Alias(tokens) => match inner.declaration(tokens) {
                // A pointer's own `const` is nobody's concern; a pointee's would be lost.
                Some(declared) if declared.sizes.is_empty() && !declared.constant => declared.ty,
                _ => Type::Open,
            },
        }
    }

    /// The size and alignment of one; of an array all of it.
    pub(super) fn layout(&self, declared: &Declared<'_, 'a>) -> Option<Layout> {
        let one = layout(&declared.ty)?;
        let mut bytes = one.bytes;
        for size in &declared.sizes {
            bytes = bytes.checked_mul(self.constant(size)?)?;
        }
        Some(Layout { bytes, ..one })
    }

    /// A number that no parameter of the template is part of.
    pub(super) fn constant(&self, tokens: &[Token<'a>]) -> Option<u64> {
        let free = !tokens.iter().filter_map(Token::word).any(|word| self.template.contains(&word));
        free.then(|| constant::value(tokens, self.names)).flatten()
    }
}

/// `*const x[4] = …`, behind a type.
pub(super) fn declarator<'t, 'a>(base: Type, constant: bool, tokens: &'t [Token<'a>]) -> Option<Declared<'t, 'a>> {
    let mut declared = Declared { ty: base, constant, name: None, sizes: Vec::new() };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is('*') {
            let to = Box::new(std::mem::replace(&mut declared.ty, Type::Open));
            declared.ty = Type::Pointer { constant: Some(declared.constant), to };
            declared.constant = false;
        } else if token.is('&') {
            declared.ty = Type::Open;
        } else if token.is_word("const") {
            declared.constant = true;
        } else if token.is('[') && tokens.get(at + 1)?.is('[') {
            at = lex::closing(tokens, at)?;
        } else if token.is('[') {
            let close = lex::closing(tokens, at)?;
            declared.sizes.push(&tokens[at + 1..close]);
            at = close;
        } else if token.is('=') {
            break;
        } else {
            let word = token.word()?;
            if !is_qualifier(word) && declared.name.replace(word).is_some() {
                return None;
            }
        }
        at += 1;
    }
    Some(declared)
}

fn layout(ty: &Type) -> Option<Layout> {
    let bytes = ty.bytes()?;
    let align = match ty {
        Type::Scalar(scalar) => scalar.bytes,
        Type::Vector(scalar, count) => builtin::vector_alignment(*scalar, *count),
        Type::Pointer { .. } => 8,
        Type::Struct { layout } => return *layout,
        Type::Bytes(_) | Type::Void | Type::Open => return None,
    };
    Some(Layout { bytes, align })
}

/// A word that says nothing about a type's size.
fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "volatile"
            | "__restrict__"
            | "__restrict"
            | "restrict"
            | "__grid_constant__"
            | "register"
            | "static"
            | "constexpr"
            | "mutable"
            | "__shared__"
            | "__device__"
    )
}
