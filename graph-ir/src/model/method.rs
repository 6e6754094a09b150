//! The methods of Rust's numbers that device expressions may call.

use serde::{Deserialize, Serialize};

macro_rules! methods {
    ($($variant:ident, $name:literal, $arity:literal;)*) => {
        /// A method of Rust's numbers, named as there. Which types have it is checked by rustc.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "named as in Rust")]
        pub enum Method {
            $($variant,)*
        }

        impl Method {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The method that Rust calls by this name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its name in Rust.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// How many operands it has, with the receiver.
            pub fn arity(self) -> usize {
                match self {
                    $(Self::$variant => $arity,)*
                }
            }
        }
    };
}

methods! {
    Abs, "abs", 1;
    Sqrt, "sqrt", 1;
    Min, "min", 2;
    Max, "max", 2;
    Clamp, "clamp", 3;
    Floor, "floor", 1;
    Ceil, "ceil", 1;
    Trunc, "trunc", 1;
    Round, "round", 1;
    Signum, "signum", 1;
    MulAdd, "mul_add", 3;
    Recip, "recip", 1;
    Copysign, "copysign", 2;
    ToDegrees, "to_degrees", 1;
    ToRadians, "to_radians", 1;
    RemEuclid, "rem_euclid", 2;
    Exp, "exp", 1;
    Exp2, "exp2", 1;
    ExpM1, "exp_m1", 1;
    Ln, "ln", 1;
    Log2, "log2", 1;
    Log10, "log10", 1;
    Ln1p, "ln_1p", 1;
    Sin, "sin", 1;
    Cos, "cos", 1;
    Tan, "tan", 1;
    Asin, "asin", 1;
    Acos, "acos", 1;
    Atan, "atan", 1;
    Atan2, "atan2", 2;
    Sinh, "sinh", 1;
    Cosh, "cosh", 1;
    Tanh, "tanh", 1;
    Powf, "powf", 2;
    Powi, "powi", 2;
    Hypot, "hypot", 2;
    Cbrt, "cbrt", 1;
    IsNan, "is_nan", 1;
    IsFinite, "is_finite", 1;
    IsInfinite, "is_infinite", 1;
    IsSignNegative, "is_sign_negative", 1;
    Pow, "pow", 2;
    CountOnes, "count_ones", 1;
    LeadingZeros, "leading_zeros", 1;
    TrailingZeros, "trailing_zeros", 1;
    RotateLeft, "rotate_left", 2;
    RotateRight, "rotate_right", 2;
    SwapBytes, "swap_bytes", 1;
    ReverseBits, "reverse_bits", 1;
    WrappingAdd, "wrapping_add", 2;
    WrappingSub, "wrapping_sub", 2;
    WrappingMul, "wrapping_mul", 2;
    AbsDiff, "abs_diff", 2;
    IsPowerOfTwo, "is_power_of_two", 1;
}

impl Method {
    /// Whether Rust's own may panic or leaves something open: the runtime has a function of the same name with a settled meaning.
    pub fn is_settled_by_runtime(self) -> bool {
        matches!(self, Self::Abs | Self::Min | Self::Max | Self::Clamp | Self::RemEuclid | Self::Pow)
    }

    /// Whether its value is a boolean.
    pub fn is_test(self) -> bool {
        use Method::{IsFinite, IsInfinite, IsNan, IsPowerOfTwo, IsSignNegative};
        matches!(self, IsNan | IsFinite | IsInfinite | IsSignNegative | IsPowerOfTwo)
    }
}

#[cfg(test)]
mod tests {
    use super::Method;

    #[test]
    fn names_lead_back_to_their_methods() {
        for method in Method::ALL {
            assert_eq!(Method::named(method.name()), Some(*method));
        }
        assert_eq!(Method::named("gamma"), None);
        assert_eq!((Method::Sqrt.arity(), Method::Powf.arity(), Method::MulAdd.arity()), (1, 2, 3));
    }
}
