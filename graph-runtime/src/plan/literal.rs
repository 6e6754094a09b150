//! Literals as bytes of the type that receives them.

use crate::element::ElementLayout;
use crate::program::Bytes;
use crate::scalar::literal;
use graph_ir::model::ScalarType;

/// The bytes of a literal, or what is wrong with it.
pub(super) fn bytes(text: &str, target: ElementLayout) -> Result<Bytes, String> {
    if let Some(scalar) = target.scalar.filter(|scalar| !matches!(scalar, ScalarType::F16 | ScalarType::BF16)) {
        let bits = literal::bits(text, scalar)?.to_le_bytes();
        return Ok(Bytes::from_slice(&bits[..target.size]));
    }
    let half = |convert: fn(f64) -> [u8; 2]| {
        let bits = literal::bits(text, ScalarType::F64)?;
        Ok(Bytes::from_slice(&convert(f64::from_bits(bits))))
    };
    if target == ElementLayout::of::<half::f16>() {
        half(|value| half::f16::from_f64(value).to_le_bytes())
    } else if target == ElementLayout::of::<half::bf16>() {
        half(|value| half::bf16::from_f64(value).to_le_bytes())
    } else {
        Err(format!("the literal `{text}` is no value of type `{}`", target.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<T: 'static>(text: &str) -> Result<Vec<u8>, String> {
        bytes(text, ElementLayout::of::<T>()).map(|bytes| bytes.to_vec())
    }

    #[test]
    fn literals_have_the_bytes_that_rust_gives_them() {
        assert_eq!(of::<f32>("0.5").unwrap(), 0.5_f32.to_le_bytes());
        assert_eq!(of::<f64>("1_000.25").unwrap(), 1000.25_f64.to_le_bytes());
        assert_eq!(of::<u8>("0xff").unwrap(), [255]);
        assert_eq!(of::<i16>("-1").unwrap(), [255, 255]);
        assert_eq!(of::<usize>("7").unwrap(), 7_usize.to_le_bytes());
        assert_eq!(of::<bool>("true").unwrap(), [1]);
        assert_eq!(of::<half::f16>("1.5").unwrap(), [0x00, 0x3e]);
        assert_eq!(of::<half::bf16>("-2").unwrap(), [0x00, 0xc0]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert_eq!(of::<u8>("256").unwrap_err(), "the literal `256` is no value of type `u8`");
        assert!(of::<u32>("-1").is_err());
        assert!(of::<i8>("128").is_err());
        assert!(of::<[f32; 2]>("0.5").unwrap_err().ends_with("no value of type `[f32; 2]`"));
    }
}
