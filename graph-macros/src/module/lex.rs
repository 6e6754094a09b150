//! Kernel files as tokens, each with its place: of CUDA C++ and of PTX, without comments.

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) place: Place,
}

/// A file, by its number among those that were read, and a line in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: usize,
    /// From 1.
    pub(super) line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Word(&'a str),
    Number(&'a str),
    /// A literal, with its quotes.
    Text(&'a str),
    Mark(char),
    /// Behind its `#`, to the end of its line.
    Directive(&'a str),
    /// A name that stands for other text, and not always for the same.
    Open(&'a str),
}

impl<'a> Token<'a> {
    /// The word that it is.
    pub(super) fn word(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self.kind {
            Kind::Word(text) | Kind::Number(text) | Kind::Text(text) | Kind::Open(text) => text.to_owned(),
            Kind::Mark(mark) => mark.to_string(),
            Kind::Directive(text) => format!("#{text}"),
        }
    }
}

/// The tokens of a text. A line that a backslash continues goes on; it counts as two.
pub(super) fn tokens(text: &str, file: usize) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line, mut line_begins) = (text, 1, true);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' if line_begins => directive(rest),
            first if first.is_ascii_digit() => number(rest),
            first if is_word(first) => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            '"' | '\'' => quoted(rest),
            _ => first.len_utf8(),
        };
        let (read, behind) = rest.split_at(length);
        let kind = match first {
            '#' if line_begins => Some(Kind::Directive(&read[1..])),
            first if first.is_ascii_digit() => Some(Kind::Number(read)),
            first if is_word(first) => Some(Kind::Word(read)),
            '"' | '\'' => Some(Kind::Text(read)),
            '\\' if behind.starts_with('\n') || behind.starts_with("\r\n") => None,
            first if first.is_whitespace() => None,
            first => Some(Kind::Mark(first)),
        };
        tokens.extend(kind.map(|kind| Token { kind, place: Place { file, line } }));
        line += read.matches('\n').count();
        line_begins = first == '\n' || line_begins && first.is_whitespace();
        rest = behind;
    }
    tokens
}

/// To the end of its last line.
fn directive(text: &str) -> usize {
    let mut from = 0;
    while let Some(end) = text[from..].find('\n').map(|end| from + end) {
        if !text[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        from = end + 1;
    }
    text.len()
}

/// `0x1'000ull`, `1.5e-3f`.
fn number(text: &str) -> usize {
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        let exponent = matches!(character, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        let separator = character == '\'' && text[at + 1..].starts_with(|next: char| next.is_ascii_hexdigit());
        if !(is_word(character) || character == '.' || exponent || separator) {
            return at;
        }
        before = character;
    }
    text.len()
}

/// The length of the literal that the text begins with; it ends with its line at the latest.
pub(super) fn quoted(text: &str) -> usize {
    let mut characters = text.char_indices();
    let quote = characters.next().map_or('"', |(_, quote)| quote);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '\n' => break,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    1
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The token that closes the bracket which `tokens[open]` opens.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let Kind::Mark(opening) = tokens.get(open)?.kind else { return None };
    let closing = match opening {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        _ => return None,
    };
    let (mut depth, mut inner) = (0_usize, 0_usize);
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            // Comparisons in brackets within `<…>` close nothing.
            Kind::Mark('(' | '[') if opening == '<' => inner += 1,
            Kind::Mark(')' | ']') if opening == '<' => inner = inner.checked_sub(1)?,
            Kind::Mark(';' | '{' | '}') if opening == '<' => return None,
            Kind::Mark(mark) if mark == opening && inner == 0 => depth += 1,
            Kind::Mark(mark) if mark == closing && inner == 0 => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between commas that stand in no brackets; none of nothing. `None` if brackets do not match.
pub(super) fn parts<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<Vec<&'t [Token<'a>]>> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        match tokens[at].kind {
            Kind::Mark('(' | '[' | '{') => at = closing(tokens, at)?,
            Kind::Mark('<') => at = closing(tokens, at).unwrap_or(at),
            Kind::Mark(')' | ']' | '}') => return None,
            Kind::Mark(',') => {
                parts.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if !tokens.is_empty() {
        parts.push(&tokens[from..]);
    }
    Some(parts)
}

/// Tokens as one line: `const float *x`.
pub(super) fn line(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let (mut glued, mut before, mut depth) = (true, None, 0_usize);
    for token in tokens {
        let factor = matches!(before, Some(Kind::Number(_) | Kind::Mark(')')));
        let multiplies = token.is('*') && (factor || depth > 0 && matches!(before, Some(Kind::Word(_))));
        let tight = matches!(token.kind, Kind::Mark(',' | ')' | ']' | '>' | ':' | ';' | '(' | '[' | '<'));
        let pair = matches!(token.kind, Kind::Mark('*' | '&')) && text.ends_with(['*', '&']);
        if !glued && !tight && !pair {
            text.push(' ');
        }
        text.push_str(&token.text());
        glued = matches!(token.kind, Kind::Mark('*' | '&' | '(' | '[' | '<' | ':')) && !multiplies;
        match token.kind {
            Kind::Mark('(') => depth += 1,
            Kind::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = Some(token.kind);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind<'_>, usize)> {
        tokens(text, 0).into_iter().map(|token| (token.kind, token.place.line)).collect()
    }

    #[test]
    fn tokens_have_the_lines_that_they_stand_in() {
        let text = "#define A \\\n  1\nint a[0x1'0];\\\n float *b = 'c'; # x\n  # pragma once";
        let mark = Kind::Mark;
        let wanted = [
            (Kind::Directive("define A \\\n  1"), 1),
            (Kind::Word("int"), 3),
            (Kind::Word("a"), 3),
            (mark('['), 3),
            (Kind::Number("0x1'0"), 3),
            (mark(']'), 3),
            (mark(';'), 3),
            (Kind::Word("float"), 4),
            (mark('*'), 4),
            (Kind::Word("b"), 4),
            (mark('='), 4),
            (Kind::Text("'c'"), 4),
            (mark(';'), 4),
            (mark('#'), 4),
            (Kind::Word("x"), 4),
            (Kind::Directive(" pragma once"), 5),
        ];
        assert_eq!(kinds(text), wanted);
    }

    #[test]
    fn texts_that_end_early_end() {
        for text in ["\"", "'", "#", "#\\", "0x", "\\", "1'", "a\\\n", "é\"é"] {
            tokens(text, 0);
        }
    }

    #[test]
    fn parts_and_their_lines() {
        let tokens = tokens("const List<float, 2> a, T (*f)(int, int), x [[a, b]], const float*__restrict__ y", 0);
        let parts: Vec<String> = parts(&tokens).unwrap().into_iter().map(line).collect();
        assert_eq!(parts, ["const List<float, 2> a", "T(*f)(int, int)", "x[[a, b]]", "const float *__restrict__ y"]);
        assert_eq!(super::parts(&super::tokens("a, )", 0)), None);
        assert_eq!(super::parts(&super::tokens("a <, b", 0)).unwrap().len(), 2);
    }
}
