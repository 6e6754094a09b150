//! Integers that are known when a kernel file is compiled: `(TILE + 1) * 32`.

use super::super::lex::{Kind, Token};
use super::names::Names;

/// How deep constants may stand for constants.
const DEEPEST: usize = 16;

/// The value, if all of it is known and it is no larger than 64 bits.
pub(super) fn value(tokens: &[Token<'_>], names: &Names<'_>) -> Option<u64> {
    evaluate(tokens, names, 0).and_then(|value| u64::try_from(value).ok())
}

fn evaluate(tokens: &[Token<'_>], names: &Names<'_>, depth: usize) -> Option<i128> {
    if depth > DEEPEST {
        return None;
    }
    let mut reader = Reader { tokens, at: 0, names, depth };
    let value = reader.sum()?;
    (reader.at == tokens.len()).then_some(value)
}

struct Reader<'r, 'a> {
    tokens: &'r [Token<'a>],
    at: usize,
    names: &'r Names<'a>,
    depth: usize,
}

impl Reader<'_, '_> {
    fn mark(&mut self, marks: &[char]) -> Option<char> {
        let Kind::Mark(mark) = self.tokens.get(self.at)?.kind else { return None };
        marks.contains(&mark).then(|| {
            self.at += 1;
            mark
        })
    }

    fn sum(&mut self) -> Option<i128> {
        let mut value = self.product()?;
        while let Some(sign) = self.mark(&['+', '-']) {
            let right = self.product()?;
            value = if sign == '+' { value.checked_add(right)? } else { value.checked_sub(right)? };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<i128> {
        let mut value = self.one()?;
        while let Some(sign) = self.mark(&['*', '/', '%']) {
            let right = self.one()?;
            value = match sign {
                '*' => value.checked_mul(right)?,
                '/' => value.checked_div(right)?,
                _ => value.checked_rem(right)?,
            };
        }
        Some(value)
    }

    fn one(&mut self) -> Option<i128> {
        if self.mark(&['(']).is_some() {
            let value = self.sum()?;
            return self.mark(&[')']).map(|_| value);
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token.kind {
            Kind::Number(text) => number(text),
            Kind::Word(word) => evaluate(self.names.constant(word)?, self.names, self.depth + 1),
            _ => None,
        }
    }
}

/// `0x1'000ull`
fn number(text: &str) -> Option<i128> {
    let digits: String = text.replace('\'', "").to_ascii_lowercase();
    let digits = digits.trim_end_matches(['u', 'l', 'z']);
    let (digits, base) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some(_) if digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, base).ok().map(i128::from)
}

#[cfg(test)]
mod tests {
    use super::super::super::lex::tokens;
    use super::super::items;
    use super::*;

    fn of(text: &str) -> Option<u64> {
        let file = tokens("constexpr unsigned TILE = 4 * 8; const int LOOP = LOOP; static const size_t N(3);", 0);
        let items = items::all(&file).ok()?;
        value(&tokens(text, 0), &Names::of(items.into_iter().map(|(item, _)| item)))
    }

    #[test]
    fn arithmetic_on_literals_and_constants() {
        for (text, wanted) in [
            ("256", 256),
            ("0x1'00u", 256),
            ("0b101", 5),
            ("010", 8),
            ("0", 0),
            ("2 + 3 * 4 - 1", 13),
            ("(TILE + 1) * TILE", 1056),
            ("7 / 2 % 2", 1),
            ("1ULL", 1),
        ] {
            assert_eq!(of(text), Some(wanted), "{text}");
        }
        for text in
            ["", "n", "1.5", "1 +", "LOOP", "1 / 0", "2 - 3", "sizeof(float)", "1 << 4", "1 2", "99999999999999999999"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
