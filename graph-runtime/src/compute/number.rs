//! Elements that kernels in the block compute with.

use crate::element::{Element, Scalar};

/// An element that kernels in the block compute with.
#[diagnostic::on_unimplemented(
    message = "elements of `{Self}` cannot be computed with on the device",
    label = "expected an integer, `f32`, `f64`, `half::f16` or `half::bf16`"
)]
pub trait Number: Element {
    /// What it is computed as: itself, or `f32` for 16-bit floats.
    type Value: Scalar;

    /// An element, loaded.
    fn widen(self) -> Self::Value;

    /// A value, as it is stored: rounded to the nearest element.
    fn narrow(value: Self::Value) -> Self;
}

// The numbers.
impl<T: Element + Scalar> Number for T {
    type Value = Self;

    #[inline]
    fn widen(self) -> Self {
        self
    }

    #[inline]
    fn narrow(value: Self) -> Self {
        value
    }
}

macro_rules! halves {
    ($($name:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl Number for $name {
            type Value = f32;

            fn widen(self) -> f32 {
                self.to_f32()
            }

            fn narrow(value: f32) -> Self {
                Self::from_f32(value)
            }
        })*
    };
}

halves!(half::f16, half::bf16);
