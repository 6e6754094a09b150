//! Types of PTX variables: what nothing but a size is known of is bytes.

use super::super::lex::{Kind, Token};
use super::super::written::{Class, Scalar, Type};

/// The type of `.param .u32 n`, `.shared .align 4 .b8 tile[1024]`.
pub(super) fn declared(part: &[Token<'_>]) -> Option<Type> {
    let ty = part.windows(2).filter(|pair| pair[0].is('.')).find_map(|pair| named(pair[1].word()?))?;
    let mut count = 1_u64;
    let mut sizes = part.iter().enumerate().filter(|(_, token)| token.is('[')).peekable();
    if sizes.peek().is_none() {
        return Some(ty);
    }
    for (at, _) in sizes {
        let Kind::Number(number) = part.get(at + 1)?.kind else { return None };
        count = count.checked_mul(number.parse().ok()?)?;
    }
    Some(Type::Bytes(ty.bytes()?.checked_mul(count)?))
}

/// The word that is no directive.
pub(super) fn name<'a>(part: &[Token<'a>]) -> Option<&'a str> {
    let mut before = part.iter().zip(part.iter().skip(1));
    before.find_map(|(before, token)| token.word().filter(|_| !before.is('.')))
}

/// An 8-byte integer may be an address, and small ones may be anything; 64 bits of a float are one.
fn named(word: &str) -> Option<Type> {
    let (kind, bits) = word.split_at_checked(1)?;
    let bytes = bits.parse::<u64>().ok().filter(|bits| [8, 16, 32, 64, 128].contains(bits))? / 8;
    Some(match kind {
        "f" => Type::Scalar(Scalar::new(Class::Float, bytes)),
        "u" if bytes == 4 => Type::Scalar(Scalar::new(Class::Unsigned, bytes)),
        "s" if bytes == 4 => Type::Scalar(Scalar::new(Class::Signed, bytes)),
        "u" | "s" | "b" => Type::Bytes(bytes),
        _ => return None,
    })
}
