//! Macros that stand for plain text, replaced. One that takes arguments, that has two meanings, or that a file takes back stays a name with
//! an open meaning.

use std::collections::HashMap;

use super::super::lex::{self, Kind, Token};

/// How deep macros may stand for macros.
const DEEPEST: usize = 16;
/// More tokens than this are not replaced.
const LONGEST: usize = 1 << 20;

/// What each macro stands for; `None` if that is open.
pub(super) struct Macros<'a>(HashMap<&'a str, Option<Vec<Token<'a>>>>);

impl<'a> Macros<'a> {
    /// Those of the compiler's options, and of the directives in the files. What an option defines, the files may only define where it is
    /// not.
    pub(super) fn of(options: &'a [String], files: &[Vec<Token<'a>>]) -> Self {
        let mut macros: HashMap<&str, Option<Vec<Token<'_>>>> = HashMap::new();
        for (name, text) in options.iter().filter_map(|option| defined_by(option)) {
            macros.insert(name, Some(lex::tokens(text, 0)));
        }
        let outside: Vec<&str> = macros.keys().copied().collect();
        for token in files.iter().flatten() {
            let Kind::Directive(text) = token.kind else { continue };
            match directive(text) {
                ("define", rest) => {
                    let (name, meaning) = definition(rest);
                    if !outside.contains(&name) {
                        let same = |known: &Option<Vec<Token<'_>>>| same(known.as_deref(), meaning.as_deref());
                        let known = macros.get(name).map(same);
                        macros.insert(name, if known == Some(false) { None } else { meaning });
                    }
                }
                ("undef", rest) => {
                    macros.insert(word(rest).0, None);
                }
                _ => {}
            }
        }
        Self(macros)
    }

    /// The tokens with macros replaced, each by tokens with the place of its name.
    pub(super) fn expand(&self, tokens: &[Token<'a>]) -> Vec<Token<'a>> {
        let mut expanded = Vec::with_capacity(tokens.len());
        for token in tokens {
            self.replace(*token, &mut Vec::new(), &mut expanded);
        }
        expanded
    }

    fn replace(&self, token: Token<'a>, within: &mut Vec<&'a str>, expanded: &mut Vec<Token<'a>>) {
        let Some((name, meaning)) = token.word().and_then(|word| Some((word, self.0.get(word)?))) else {
            expanded.push(token);
            return;
        };
        match meaning {
            Some(meaning) if !within.contains(&name) && within.len() < DEEPEST && expanded.len() < LONGEST => {
                within.push(name);
                for inner in meaning {
                    self.replace(Token { place: token.place, ..*inner }, within, expanded);
                }
                within.pop();
            }
            _ => expanded.push(Token { kind: Kind::Open(name), ..token }),
        }
    }
}

/// `--define-macro=N=4`, `-DN=4`, `-DN`.
fn defined_by(option: &str) -> Option<(&str, &str)> {
    let option = option.trim();
    let macro_ = ["--define-macro=", "-D"].iter().find_map(|prefix| option.strip_prefix(prefix))?.trim_start();
    Some(macro_.split_once('=').unwrap_or((macro_, "1")))
}

/// A directive's word, and what stands behind it.
pub(super) fn directive(text: &str) -> (&str, &str) {
    word(text.trim_start())
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// `N 4`; a macro with arguments has an open meaning.
fn definition(text: &str) -> (&str, Option<Vec<Token<'_>>>) {
    let (name, rest) = word(text);
    let takes_arguments = rest.starts_with('(');
    let meaning = lex::tokens(rest, 0);
    let pasted = meaning.iter().any(|token| token.is('#'));
    (name, (!takes_arguments && !pasted).then_some(meaning))
}

fn same(one: Option<&[Token<'_>]>, other: Option<&[Token<'_>]>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one.iter().map(|token| token.kind).eq(other.iter().map(|token| token.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, options: &[&str]) -> String {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let files = [lex::tokens(text, 0)];
        let tokens = Macros::of(&options, &files).expand(&files[0]);
        let tokens: Vec<_> = tokens.into_iter().filter(|token| !matches!(token.kind, Kind::Directive(_))).collect();
        assert!(
            tokens
                .iter()
                .all(|token| matches!(token.kind, Kind::Open(_)) == ["F", "TWICE", "A"].contains(&&*token.text()))
        );
        lex::line(&tokens)
    }

    #[test]
    fn plain_macros_are_replaced() {
        let text = "#define REAL double\n#define IN const REAL *\\\n  __restrict__\n#define GUARD\nIN x, GUARD REAL y, int TILE";
        assert_eq!(expanded(text, &["-DTILE=n"]), "const double *__restrict__ x, double y, int n");
    }

    #[test]
    fn what_has_no_one_meaning_stays() {
        assert_eq!(expanded("#define F(x) x\nF(int) a", &[]), "F(int) a");
        assert_eq!(expanded("#ifdef X\n#define TWICE int\n#else\n#define TWICE long\n#endif\nTWICE a", &[]), "TWICE a");
        assert_eq!(expanded("#define TWICE int\n#define TWICE int\nTWICE a", &[]).replace("TWICE", "int"), "int a");
        assert_eq!(expanded("#define A int\n#undef A\nA a", &[]), "A a");
        assert_eq!(expanded("#define A A b\nA a", &[]), "A b a");
        assert_eq!(expanded("#ifndef N\n#define N 32\n#endif\nx[N]", &["--define-macro=N=64"]), "x[64]");
    }
}
