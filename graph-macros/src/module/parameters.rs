//! The parameters of a kernel as its file writes them. What a scan cannot be sure of is left open: macros, typedefs, overloads.

use std::collections::HashSet;

use super::scan::{Token, tokens};

/// A kernel's parameters in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    /// From 1.
    pub(super) line: usize,
    pub(super) parameters: Vec<Parameter>,
}

/// What is known of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// `float *x`; `constant`: `const float *x`.
    Pointer { constant: bool },
    /// A number of so many bytes.
    Number { bytes: u64, float: bool },
    /// Of so many bytes, whatever it is.
    Bytes(u64),
    /// A type that the scan does not know.
    Open,
}

/// The parameters of the only kernel of this name in a CUDA C++ text without comments. `defined`: names that a preprocessor replaces.
pub(super) fn of_cuda(text: &str, name: &str, defined: &HashSet<&str>) -> Option<Signature> {
    let all = tokens(text);
    let mut kernels = all.iter().enumerate().filter(|(_, token)| **token == Token::Word("__global__"));
    let mut found = kernels.by_ref().filter_map(|(index, _)| head(&all[index..], name));
    let (at, list) = found.next()?;
    if found.next().is_some() || list.iter().any(|token| is_opaque(*token, defined)) {
        return None;
    }
    let parts: Vec<&[Token<'_>]> = split(list).collect();
    let parameters = match parts[..] {
        [[] | [Token::Word("void")]] => Vec::new(),
        _ => parts.into_iter().map(of_c).collect::<Option<_>>()?,
    };
    let offset = at.as_ptr() as usize - text.as_ptr() as usize;
    Some(Signature { line: 1 + text[..offset].matches('\n').count(), parameters })
}

/// The name and the tokens between the parentheses of the kernel whose `__global__` the tokens begin with, if it has this name.
fn head<'t, 'a>(tokens: &'t [Token<'a>], name: &str) -> Option<(&'a str, &'t [Token<'a>])> {
    let mut depth = 0_usize;
    for (index, pair) in tokens.windows(2).enumerate() {
        match (pair[0], pair[1]) {
            (Token::Word(word), Token::Mark('(')) if depth == 0 && !word.starts_with("__") => {
                let list = &tokens[index + 2..];
                return (word == name).then(|| Some((word, &list[..closing(list)?])))?;
            }
            (Token::Mark('('), _) => depth += 1,
            (Token::Mark(')'), _) => depth = depth.saturating_sub(1),
            (Token::Mark(';' | '{' | '}'), _) => return None,
            _ => {}
        }
    }
    None
}

/// Where the parenthesis that was opened in front of the tokens is closed.
fn closing(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 1_usize;
    tokens.iter().position(|token| {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Directives, packs, default values, and names that stand for other text.
fn is_opaque(token: Token<'_>, defined: &HashSet<&str>) -> bool {
    match token {
        Token::Mark(mark) => matches!(mark, '#' | '.' | '=' | '\\'),
        Token::Word(word) => defined.contains(word),
        Token::Text(_) => true,
    }
}

/// At the commas that stand in no brackets.
fn split<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    let mut depth = 0_usize;
    tokens.split(move |token| {
        match token {
            Token::Mark('(' | '<' | '[') => depth += 1,
            Token::Mark(')' | '>' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == Token::Mark(',')
    })
}

const QUALIFIERS: [&str; 8] =
    ["const", "volatile", "__restrict__", "__restrict", "restrict", "__grid_constant__", "struct", "register"];

/// One parameter; `None` if it may be more than one.
fn of_c(tokens: &[Token<'_>]) -> Option<Parameter> {
    if tokens.iter().any(|token| matches!(token, Token::Mark('(' | '[' | '&' | '<'))) {
        return Some(Parameter::Open);
    }
    let stars = tokens.iter().filter(|token| **token == Token::Mark('*')).count();
    if stars == 1 {
        let pointee = tokens.iter().take_while(|token| **token != Token::Mark('*'));
        let constant = pointee.into_iter().any(|token| *token == Token::Word("const"));
        return Some(Parameter::Pointer { constant });
    }
    let words: Vec<&str> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) if !QUALIFIERS.contains(word) => Some(*word),
            _ => None,
        })
        .collect();
    let (name, of) = words.split_last()?;
    if stars > 1 {
        return Some(Parameter::Open);
    }
    if of.is_empty() {
        return number(&[name]);
    }
    Some(number(of).or_else(|| number(&words)).unwrap_or(Parameter::Open))
}

/// A number's type, of the same size on every system.
fn number(words: &[&str]) -> Option<Parameter> {
    let text = words.join(" ");
    let text = text.strip_prefix("std::").unwrap_or(&text);
    let (bytes, float) = match text {
        "double" => (8, true),
        "float" => (4, true),
        "int" | "signed" | "signed int" | "unsigned" | "unsigned int" | "uint" | "int32_t" | "uint32_t" => (4, false),
        "long long"
        | "long long int"
        | "unsigned long long"
        | "unsigned long long int"
        | "int64_t"
        | "uint64_t"
        | "size_t" => (8, false),
        "short" | "unsigned short" | "int16_t" | "uint16_t" => (2, false),
        "char" | "signed char" | "unsigned char" | "bool" | "int8_t" | "uint8_t" => (1, false),
        _ => return None,
    };
    Some(Parameter::Number { bytes, float })
}

/// The names that a text's `#define`s replace.
pub(super) fn defined(text: &str) -> impl Iterator<Item = &str> {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let names = directives.filter_map(|directive| directive.trim_start().strip_prefix("define"));
    names.filter_map(|rest| {
        let rest = rest.trim_start();
        let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}

/// The parameters of an entry of a PTX text without comments.
pub(super) fn of_ptx(text: &str, name: &str) -> Option<Signature> {
    let all = tokens(text);
    let at = all.windows(4).position(|window| {
        matches!(window, [Token::Mark('.'), Token::Word("entry"), Token::Word(word), Token::Mark('(' | '{' | '.')] if *word == name)
    })?;
    let Token::Word(word) = all[at + 2] else { return None };
    let list = &all[at + 4..];
    let parameters = match all[at + 3] {
        Token::Mark('(') => {
            split(&list[..closing(list)?]).filter(|part| !part.is_empty()).map(of_entry).collect::<Option<_>>()?
        }
        _ => Vec::new(),
    };
    let offset = word.as_ptr() as usize - text.as_ptr() as usize;
    Some(Signature { line: 1 + text[..offset].matches('\n').count(), parameters })
}

/// `.param .u64 k_param_0`, `.param .align 8 .b8 k_param_1[16]`
fn of_entry(tokens: &[Token<'_>]) -> Option<Parameter> {
    let word = |token: &Token<'_>| match token {
        Token::Word(word) => Some((*word).to_owned()),
        _ => None,
    };
    let mut types = tokens.iter().filter_map(word).filter_map(|word| ptx_type(&word));
    let (bytes, float) = types.next_back()?;
    let open = tokens.iter().position(|token| *token == Token::Mark('['));
    let Some(open) = open else {
        return Some(if float { Parameter::Number { bytes, float } } else { Parameter::Bytes(bytes) });
    };
    let count: u64 = tokens.get(open + 1).and_then(word)?.parse().ok()?;
    Some(Parameter::Bytes(bytes * count))
}

fn ptx_type(word: &str) -> Option<(u64, bool)> {
    let (kind, bits) = word.split_at_checked(1)?;
    let bits: u64 = bits.parse().ok()?;
    let known = ["b", "u", "s", "f"].contains(&kind) && [8, 16, 32, 64].contains(&bits);
    known.then_some((bits / 8, kind == "f"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Parameter = Parameter::Pointer { constant: true };
    const WRITTEN: Parameter = Parameter::Pointer { constant: false };
    const WORD: Parameter = Parameter::Number { bytes: 4, float: false };

    fn cuda(text: &str) -> Option<Vec<Parameter>> {
        let defined: HashSet<&str> = defined(text).collect();
        of_cuda(text, "k", &defined).map(|signature| signature.parameters)
    }

    #[test]
    fn parameters_of_every_form() {
        let text = "extern \"C\" __global__ void __launch_bounds__(256, 2) k(const float *__restrict__ x, float const * y,\n\
                    float *z, unsigned n, unsigned long long m, double d, const bool b, size_t, thing_t t, uchar4 *p, int a[3])";
        let long = Parameter::Number { bytes: 8, float: false };
        let (real, byte) = (Parameter::Number { bytes: 8, float: true }, Parameter::Number { bytes: 1, float: false });
        let wanted = [READ, READ, WRITTEN, WORD, long, real, byte, long, Parameter::Open, WRITTEN, Parameter::Open];
        assert_eq!(cuda(text), Some(wanted.into()));
        assert_eq!(cuda("__global__ void k() {}"), Some(vec![]));
        assert_eq!(cuda("__global__ void k(void);"), Some(vec![]));
        assert_eq!(
            cuda("template <class T> __global__ void k(Pair<T, 2> a, T *b, T c)"),
            Some(vec![Parameter::Open, WRITTEN, Parameter::Open])
        );
    }

    #[test]
    fn the_line_is_the_name_s() {
        let found = of_cuda("\n\n__global__ void\nk(int n) {}", "k", &HashSet::new()).unwrap();
        assert_eq!((found.line, found.parameters), (4, vec![WORD]));
    }

    #[test]
    fn what_is_not_sure_is_open() {
        for text in [
            "__global__ void other(int n) {}",
            "__global__ void k(ARGUMENTS) {}",
            "#define COUNT int n, int m\n__global__ void k(float *x, COUNT) {}",
            "__global__ void k(int n) {} namespace a { __global__ void k(float *x) {} }",
            "__global__ void k(int n\n#ifdef WIDE\n, int m\n#endif\n) {}",
            "template <class... T> __global__ void k(T... all) {}",
            "__global__ void k(int n",
        ] {
            assert_eq!(cuda(text), None, "{text}");
        }
    }

    #[test]
    fn entries_have_sizes() {
        let text = ".visible .entry k(\n\t.param .u64 k_param_0,\n .param .u64 .ptr .global .align 4 k_param_1,\n\t.param .f32 k_param_2,\n\
                    .param .align 8 .b8 k_param_3[24]\n)\n.maxntid 64, 1, 1\n{ ret; }\n.visible .entry none()\n{ ret; }";
        let float = Parameter::Number { bytes: 4, float: true };
        let wanted = [Parameter::Bytes(8), Parameter::Bytes(8), float, Parameter::Bytes(24)];
        assert_eq!(of_ptx(text, "k").map(|signature| signature.parameters), Some(wanted.into()));
        assert_eq!(of_ptx(text, "none").map(|signature| (signature.line, signature.parameters)), Some((9, vec![])));
        assert_eq!(of_ptx(text, "absent"), None);
    }
}
