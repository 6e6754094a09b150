//! The declarations in namespaces of a CUDA C++ file, without looking into them.

use super::super::lex::{Kind, Place, Token};
use super::preprocess;

/// A declaration or definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'t, 'a> {
    /// Of a function what stands in front of its body, of anything else all in front of its `;`.
    pub(super) head: &'t [Token<'a>],
    /// Of a function, between the braces.
    pub(super) body: Option<&'t [Token<'a>]>,
}

/// All of them, with the names of the namespaces around each. Where braces do not match, as if both branches of an `#if` open one, it is
/// told where.
pub(super) fn all<'t, 'a>(tokens: &'t [Token<'a>]) -> Result<Vec<(Item<'t, 'a>, Vec<&'a str>)>, Place> {
    let mut items = Vec::new();
    // A block of linkage has no name.
    let mut scopes: Vec<Vec<&str>> = Vec::new();
    let mut opened = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < tokens.len() {
        let head = &tokens[from..at];
        let mut push = |item| items.push((item, scopes.iter().flatten().copied().collect()));
        let next = match tokens[at].kind {
            Kind::Directive(_) if head.is_empty() => at + 1,
            Kind::Mark(';') => {
                push(Item { head, body: None });
                at + 1
            }
            Kind::Mark('{') => match scope(head) {
                Some(names) => {
                    scopes.push(names);
                    opened.push(tokens[at].place);
                    at + 1
                }
                None if is_function(head) => {
                    let close = closing_brace(tokens, at).ok_or(tokens[at].place)?;
                    push(Item { head, body: Some(&tokens[at + 1..close]) });
                    close + 1
                }
                None => {
                    at = closing_brace(tokens, at).ok_or(tokens[at].place)? + 1;
                    continue;
                }
            },
            Kind::Mark('}') => {
                scopes.pop().ok_or(tokens[at].place)?;
                opened.pop();
                at + 1
            }
            _ => {
                at += 1;
                continue;
            }
        };
        (from, at) = (next, next);
    }
    opened.pop().map_or(Ok(items), Err)
}

/// The names of the namespace that begins here; none if it has none, or for `extern "C" {`.
fn scope<'a>(head: &[Token<'a>]) -> Option<Vec<&'a str>> {
    let linkage = matches!(head, [word, text] if word.is_word("extern") && matches!(text.kind, Kind::Text(_)));
    if linkage {
        return Some(Vec::new());
    }
    let at = head.iter().position(|token| token.is_word("namespace"))?;
    let inline = at == 0 || at == 1 && head[0].is_word("inline");
    inline.then(|| head[at + 1..].iter().filter_map(Token::word).collect())
}

/// Whether a brace behind these tokens opens a function's body: no type's, and no value's.
fn is_function(head: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    let mut parentheses = false;
    for pair in head.windows(2) {
        match pair[0].kind {
            Kind::Mark('<') => depth += 1,
            Kind::Mark('>') => depth = depth.saturating_sub(1),
            Kind::Mark('=') if depth == 0 => return parentheses,
            Kind::Word("typedef" | "enum" | "union") if depth == 0 => return false,
            Kind::Word(word) if pair[1].is('(') => parentheses |= !is_attribute(word),
            _ => {}
        }
    }
    parentheses
}

/// A word whose parentheses hold no parameters.
pub(super) fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__launch_bounds__"
            | "__attribute__"
            | "__align__"
            | "__cluster_dims__"
            | "__block_size__"
            | "__maxnreg__"
            | "__declspec"
            | "alignas"
            | "decltype"
            | "noexcept"
            | "requires"
    )
}

/// The brace that closes the one at `open`. Of an `#if` in between the first branch counts.
fn closing_brace(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let (mut depth, mut conditions) = (0_usize, 0_usize);
    let mut at = open;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Mark('{') => depth += 1,
            Kind::Mark('}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            Kind::Directive(text) => match condition(text) {
                Some(Condition::Begins) => conditions += 1,
                Some(Condition::Else) => {
                    // The branch began in front of the brace: who knows which.
                    conditions = conditions.checked_sub(1)?;
                    at = end_of_condition(tokens, at)?;
                }
                Some(Condition::Ends) => conditions = conditions.checked_sub(1)?,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    None
}

/// The `#endif` of the condition that goes on behind `at`.
fn end_of_condition(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(at + 1) {
        let Kind::Directive(text) = token.kind else { continue };
        match condition(text) {
            Some(Condition::Begins) => depth += 1,
            Some(Condition::Ends) if depth == 0 => return Some(at),
            Some(Condition::Ends) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A directive that decides about what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Begins,
    Else,
    Ends,
}

pub(super) fn condition(text: &str) -> Option<Condition> {
    match preprocess::directive(text).0 {
        "if" | "ifdef" | "ifndef" => Some(Condition::Begins),
        "else" | "elif" | "elifdef" | "elifndef" => Some(Condition::Else),
        "endif" => Some(Condition::Ends),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::lex::{line, tokens};
    use super::*;

    fn of(text: &str) -> Option<Vec<String>> {
        let tokens = tokens(text, 0);
        let items = all(&tokens).ok()?;
        Some(
            items
                .into_iter()
                .map(|(item, names)| {
                    format!("{}|{}{}", names.join("::"), line(item.head), if item.body.is_some() { " {}" } else { "" })
                })
                .collect(),
        )
    }

    #[test]
    fn declarations_and_where_they_stand() {
        let text = "#include <a>\nextern \"C\" { void f(int n) { if (n) { } } }\nnamespace a::b { namespace { int x = 3; } }\n\
                    struct __align__(8) S { int f() { return 1; } } s;\nenum class E : int { A };\ntypedef struct { int x; } T;\n\
                    int list[] = { 1, 2 };\ninline namespace v1 { template <class T = S<int>> S g(T t) {} }";
        let wanted = [
            "|void f(int n) {}",
            "a::b|int x = 3",
            "|struct __align__(8) S { int f() { return 1; } } s",
            "|enum class E:int { A }",
            "|typedef struct { int x; } T",
            "|int list[] = { 1, 2 }",
            "v1|template<class T = S<int>> S g(T t) {}",
        ];
        assert_eq!(of(text).unwrap(), wanted);
    }

    #[test]
    fn branches_in_a_body_and_across_one() {
        let text = "void f() {\n#if A\nif (x) {\n#else\nif (y) {\n#endif\n} }\nvoid g() {}";
        assert_eq!(of(text).unwrap(), ["|void f() {}", "|void g() {}"]);
        let across = "#if A\nvoid f(int x) {\n#else\nvoid f(long x) {\n#endif\n}";
        assert_eq!(of(across), None);
        assert_eq!(all(&tokens(across, 0)).unwrap_err().line, 2, "the brace that two branches open");
        for text in ["}", "{", "namespace a {", "void f() {", "void f() {\n#endif\n}"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
