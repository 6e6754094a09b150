//! Literals: the digits as written, to the bits that rustc gives them.

use std::borrow::Cow;

use graph_ir::model::ScalarType;

use super::facts;

/// The bits of a literal of this type in the low bytes, the rest zero.
///
/// `text` has no suffix and may have a sign: `-0.5`, `0xff`, `1_000`, `true`. Digits without a point are a value of a float type too.
pub(crate) fn bits(text: &str, scalar: ScalarType) -> Result<u64, String> {
    let value = match scalar {
        ScalarType::Bool => boolean(text),
        ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 => single(text),
        ScalarType::F64 => double(text),
        _ => integer(text, scalar),
    };
    value.ok_or_else(|| format!("the literal `{text}` is no value of type `{}`", facts::name(scalar)))
}

/// Whether the digits can only be those of a float: `0.5`, `1e3`.
pub(super) fn has_float_digits(text: &str) -> bool {
    let hexadecimal = text.trim_start_matches('-').starts_with("0x");
    !hexadecimal && text.contains(['.', 'e', 'E'])
}

fn boolean(text: &str) -> Option<u64> {
    text.parse::<bool>().ok().map(u64::from)
}

fn single(text: &str) -> Option<u64> {
    let value = decimal(text)?.parse::<f32>().ok()?;
    value.is_finite().then(|| u64::from(value.to_bits()))
}

fn double(text: &str) -> Option<u64> {
    let value = decimal(text)?.parse::<f64>().ok()?;
    value.is_finite().then(|| value.to_bits())
}

/// The digits without underscores.
fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

/// The digits without underscores, if they are decimal: no `inf`, no `nan`, no `0x`.
fn decimal(text: &str) -> Option<Cow<'_, str>> {
    let digits = without_underscores(text);
    let plain = digits.strip_prefix('-').unwrap_or(&digits);
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    (plain.starts_with(|c: char| c.is_ascii_digit()) && plain.chars().all(allowed)).then_some(digits)
}

fn integer(text: &str, scalar: ScalarType) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = i128::try_from(magnitude(digits)?).ok()?;
    let value = if negative { -magnitude } else { magnitude };
    let (first, last) = facts::range(scalar);
    (first..=last).contains(&value).then(|| (value.cast_unsigned() as u64) & mask(facts::width(scalar)))
}

fn magnitude(digits: &str) -> Option<u128> {
    if let Some(short) = short(digits) {
        return Some(short.into());
    }
    let digits = without_underscores(digits);
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, &*digits),
    };
    let plain = digits.starts_with(|c: char| c.is_digit(radix));
    plain.then(|| u128::from_str_radix(digits, radix).ok()).flatten()
}

/// Of a few decimal digits, as nearly all literals are.
fn short(digits: &str) -> Option<u64> {
    let digit = |value: u64, byte: u8| byte.is_ascii_digit().then(|| value * 10 + u64::from(byte - b'0'));
    if (1..=18).contains(&digits.len()) { digits.bytes().try_fold(0, digit) } else { None }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
