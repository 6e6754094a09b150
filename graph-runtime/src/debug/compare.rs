//! Whether two elements are equal enough.

use graph_ir::model::ScalarType;

use crate::element::ElementLayout;
use crate::scalar::facts;

/// How far floats may be from the CPU's: `|a - b| <= absolute + relative × max(|a|, |b|)`. Integers, and elements that are no numbers,
/// must be the same.
///
/// The relative part is given for `f32`; for `f64`, `f16` and `bf16` it is scaled by what one unit in the last place is worth there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of `f32`.
    pub relative: f64,
    /// Of every type.
    pub absolute: f64,
}

impl Default for Tolerance {
    /// Eight units in the last place, and 10⁻³⁰: what fused multiply-adds and other orders of a short sum make of a result.
    fn default() -> Self {
        Self { relative: 8.0 * f64::from(f32::EPSILON), absolute: 1e-30 }
    }
}

impl Tolerance {
    /// Whether both bytes of one element mean the same.
    pub(super) fn accepts(&self, layout: ElementLayout, one: &[u8], other: &[u8]) -> bool {
        if one == other {
            return true;
        }
        let Some(scalar) = layout.scalar.filter(|scalar| facts::is_float(*scalar)) else { return false };
        let (one, other) = (float(scalar, one), float(scalar, other));
        if !one.is_finite() || !other.is_finite() {
            // Infinities of one sign are the same bytes.
            return one.is_nan() && other.is_nan();
        }
        let relative = self.relative * unit(scalar) / f64::from(f32::EPSILON);
        (one - other).abs() <= self.absolute + relative * one.abs().max(other.abs())
    }
}

/// The first element of two buffers that is wrong by its index and the bytes of both, and how many are. Only elements that differ are asked
/// about.
pub(super) fn first_wrong(
    size: usize,
    (one, other): (&[u8], &[u8]),
    mut wrong: impl FnMut(u64, &[u8], &[u8]) -> bool,
) -> Option<(u64, u64)> {
    let pairs = one.chunks_exact(size.max(1)).zip(other.chunks_exact(size.max(1)));
    let mut differ = (0_u64..).zip(pairs).filter(|(index, (one, other))| one != other && wrong(*index, one, other));
    let (first, _) = differ.next()?;
    Some((first, 1 + differ.count() as u64))
}

/// The element of a buffer at an index, for people.
pub(super) fn text_at(layout: ElementLayout, bytes: &[u8], index: u64) -> String {
    let start = index as usize * layout.size;
    bytes.get(start..start + layout.size).map(|element| text(layout, element)).unwrap_or_default()
}

/// One unit in the last place of 1.
fn unit(scalar: ScalarType) -> f64 {
    match scalar {
        ScalarType::F16 => half::f16::EPSILON.to_f64(),
        ScalarType::BF16 => half::bf16::EPSILON.to_f64(),
        ScalarType::F64 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
}

fn float(scalar: ScalarType, bytes: &[u8]) -> f64 {
    match scalar {
        ScalarType::F16 => half::f16::from_le_bytes(word(bytes)).to_f64(),
        ScalarType::BF16 => half::bf16::from_le_bytes(word(bytes)).to_f64(),
        ScalarType::F64 => f64::from_le_bytes(word(bytes)),
        _ => f64::from(f32::from_le_bytes(word(bytes))),
    }
}

/// The first bytes; zeros where there are fewer.
fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.iter_mut().zip(bytes).for_each(|(into, byte)| *into = *byte);
    word
}

/// An element for people: a number, or its bytes.
fn text(layout: ElementLayout, bytes: &[u8]) -> String {
    match layout.scalar {
        Some(ScalarType::Bool) | None => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
        Some(ScalarType::F32) => f32::from_le_bytes(word(bytes)).to_string(),
        Some(scalar) if facts::is_float(scalar) => float(scalar, bytes).to_string(),
        Some(scalar) => integer(scalar, u64::from_le_bytes(word(bytes))).to_string(),
    }
}

fn integer(scalar: ScalarType, bits: u64) -> i128 {
    let shift = 64 - facts::width(scalar);
    if facts::is_signed(scalar) { i128::from((bits << shift).cast_signed() >> shift) } else { i128::from(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<T: bytemuck::Pod>(one: T, other: T) -> bool {
        let bytes = |value: &T| bytemuck::bytes_of(value).to_vec();
        Tolerance::default().accepts(ElementLayout::of::<T>(), &bytes(&one), &bytes(&other))
    }

    #[test]
    fn floats_may_be_a_few_units_apart_and_integers_may_not() {
        assert!(accepts(1.0_f32, 1.0 + 4.0 * f32::EPSILON) && !accepts(1.0_f32, 1.0 + 40.0 * f32::EPSILON));
        assert!(accepts(1e20_f64, 1e20 * (1.0 + 4.0 * f64::EPSILON)) && !accepts(1.0_f64, 1.0 + 1e-12));
        assert!(
            accepts(half::f16::ONE, half::f16::from_f32(1.004)) && !accepts(half::f16::ONE, half::f16::from_f32(1.1))
        );
        assert!(accepts(f32::NAN, -f32::NAN) && !accepts(f32::NAN, 1.0) && accepts(0.0_f32, -0.0));
        assert!(!accepts(f32::INFINITY, f32::MAX) && accepts(f32::INFINITY, f32::INFINITY));
        assert!(accepts(7_u32, 7) && !accepts(7_u32, 8) && !accepts([1.0_f32, 2.0], [1.0, 2.0 + f32::EPSILON * 2.0]));
    }

    #[test]
    fn elements_are_shown_as_what_they_are() {
        let text = |layout, bytes: &[u8]| text(layout, bytes);
        assert_eq!(text(ElementLayout::of::<i16>(), &(-3_i16).to_le_bytes()), "-3");
        assert_eq!(text(ElementLayout::of::<u64>(), &u64::MAX.to_le_bytes()), u64::MAX.to_string());
        assert_eq!(text(ElementLayout::of::<f32>(), &0.1_f32.to_le_bytes()), "0.1");
        assert_eq!(text(ElementLayout::of::<[u8; 3]>(), &[1, 2, 255]), "01 02 ff");
    }
}
