//! Random expressions of a given type.
//!
//! Left operands are never constant, and integer literals in arithmetic are never zero: rustc refuses arithmetic that it sees overflow.
//! Host values stand only on the right, so no operator has nothing but host values below it.

use super::number::Number;
use super::random::Random;

/// Writes expressions; `depth` bounds how many operators stand above each other.
pub(super) struct Generator {
    random: Random,
}

impl Generator {
    pub(super) fn new(random: Random) -> Self {
        Self { random }
    }

    /// A condition without parentheses around the whole.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let condition = self.boolean(depth);
        strip(&condition).to_owned()
    }

    /// A number or a boolean, in parentheses or a single operand.
    pub(super) fn any(&mut self, depth: usize) -> String {
        if self.random.once_in(8) {
            return self.boolean(depth);
        }
        let number = self.random.pick(&Number::ALL);
        self.number(number, depth)
    }

    fn boolean(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth < 2 { 6 } else { 12 }) {
            0 => self.float_test(inner),
            1..=5 => self.comparison(inner),
            6 => format!("(!{})", self.boolean(inner)),
            7..=9 => self.pair_of_booleans(inner, &["&&", "||"]),
            10 => self.pair_of_booleans(inner, &["&", "|", "^", "==", "!=", "<", ">="]),
            _ => self.select(inner, Self::boolean),
        }
    }

    fn pair_of_booleans(&mut self, depth: usize, operators: &[&str]) -> String {
        let operator = self.random.pick(operators);
        format!("({} {operator} {})", self.boolean(depth), self.boolean(depth))
    }

    fn float_test(&mut self, depth: usize) -> String {
        let number = self.random.pick(&[Number::F32, Number::F64]);
        let method = self.random.pick(&["is_nan", "is_finite", "is_infinite"]);
        format!("{}.{method}()", self.number(number, depth))
    }

    fn comparison(&mut self, depth: usize) -> String {
        let number = self.random.pick(&Number::ALL);
        let operator = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let left = self.number(number, depth);
        let right = if self.random.once_in(6) { "0".to_owned() } else { self.operand(number, depth) };
        let right = if right == "0" && number.is_float() { "0.0".to_owned() } else { right };
        format!("({left} {operator} {right})")
    }

    /// Reads a buffer.
    fn number(&mut self, number: Number, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(number);
        }
        let inner = depth - 1;
        match self.random.below(12) {
            0 => self.leaf(number),
            1..=3 => self.cast(number, inner),
            4 | 5 => self.method(number, inner),
            6 if number.is_signed() => format!("(-{})", self.number(number, inner)),
            6 => format!("(!{})", self.number(number, inner)),
            7 => self.select(inner, |generator, depth| generator.number(number, depth)),
            8 if !number.is_float() => self.bits(number, inner),
            9 if !number.is_float() => self.shift(number, inner),
            _ => self.arithmetic(number, inner),
        }
    }

    /// What may stand on the right: a constant or a host value, too.
    fn operand(&mut self, number: Number, depth: usize) -> String {
        match self.random.below(7) {
            3 if number.host().is_some() => number.host().unwrap_or_default().to_owned(),
            0 | 1 => self.literal(number),
            2 if number.is_float() => format!("({} as {})", self.random.pick(&["3", "7", "16_777_217"]), number.name()),
            _ => self.number(number, depth),
        }
    }

    fn literal(&mut self, number: Number) -> String {
        let digits = self.random.pick(number.literals());
        let suffix = if self.random.once_in(4) { number.name() } else { "" };
        let hexadecimal = digits.starts_with("0x");
        let suffix = if hexadecimal && number.is_float() { "" } else { suffix };
        let sign = if number.is_signed() && self.random.once_in(3) { "-" } else { "" };
        format!("{sign}{digits}{suffix}")
    }

    fn leaf(&mut self, number: Number) -> String {
        if let Some(buffer) = number.buffer() {
            return format!("{buffer}[{}]", self.random.below(8));
        }
        let other = self.random.pick(&Number::STORED);
        format!("({} as {})", self.leaf(other), number.name())
    }

    fn cast(&mut self, number: Number, depth: usize) -> String {
        if !number.is_float() && self.random.once_in(6) {
            return format!("({} as {})", self.boolean(depth), number.name());
        }
        let other = self.random.pick(&Number::ALL);
        format!("({} as {})", self.number(other, depth), number.name())
    }

    fn method(&mut self, number: Number, depth: usize) -> String {
        let receiver = self.number(number, depth);
        let unary: &[&str] = match (number.is_float(), number.is_signed()) {
            (true, _) => &["abs", "sqrt", "floor", "ceil", "trunc"],
            (false, true) => &["abs"],
            (false, false) => &[],
        };
        if unary.is_empty() || self.random.once_in(2) {
            let method = self.random.pick(&["min", "max"]);
            return format!("{receiver}.{method}({})", strip(&self.operand(number, depth)));
        }
        format!("{receiver}.{}()", self.random.pick(unary))
    }

    fn arithmetic(&mut self, number: Number, depth: usize) -> String {
        let operator = self.random.pick(&["+", "-", "*", "/", "%"]);
        format!("({} {operator} {})", self.number(number, depth), self.operand(number, depth))
    }

    fn bits(&mut self, number: Number, depth: usize) -> String {
        let operator = self.random.pick(&["&", "|", "^"]);
        format!("({} {operator} {})", self.number(number, depth), self.operand(number, depth))
    }

    fn shift(&mut self, number: Number, depth: usize) -> String {
        let operator = self.random.pick(&["<<", ">>"]);
        let left = self.number(number, depth);
        if self.random.once_in(2) {
            return format!("({left} {operator} {})", self.random.below(number.width()));
        }
        let amount = self.random.pick(&[Number::U8, Number::I16, Number::U32, Number::I32, Number::U64, Number::I64]);
        format!("({left} {operator} {})", self.number(amount, depth))
    }

    fn select(&mut self, depth: usize, mut part: impl FnMut(&mut Self, usize) -> String) -> String {
        let condition = self.boolean(depth);
        let then = part(self, depth);
        let otherwise = part(self, depth);
        format!("(if {} {{ {} }} else {{ {} }})", strip(&condition), strip(&then), strip(&otherwise))
    }
}

/// Without the parentheses around the whole, if they are a pair.
fn strip(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    let paired = inner.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    });
    if paired { inner } else { text }
}
