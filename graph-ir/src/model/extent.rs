//! Amounts of elements: numbers, or expressions of the user's that are evaluated when the graph is built.

use serde::{Deserialize, Serialize};

use super::{BufferId, Place};

/// Index into [`Program::symbols`](super::Program::symbols).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SymbolId(pub u32);

/// One host expression, evaluated once per build.
///
/// Two expressions with the same text in the same scope are one symbol, hence equal by construction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The expression as written, for messages: `w * h`.
    pub text: String,
    /// Where it is first written.
    pub place: Place,
    /// Where its value comes from.
    pub origin: SymbolOrigin,
}

/// Where the value of a [`Symbol`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SymbolOrigin {
    /// The number of elements of the buffer that is bound to this parameter.
    BoundLength(BufferId),
    /// The number of elements of each buffer of a list, which differs: it has no value.
    EachLength,
    /// The generated evaluator computes it.
    Evaluated,
    /// A value with a bound, which may change at each launch up to it.
    Bounded,
    /// The generated evaluator computes it from a value with a bound.
    Varying,
}

impl SymbolOrigin {
    /// Whether it may change without another shape of the graph.
    pub fn varies(self) -> bool {
        matches!(self, Self::Bounded | Self::Varying)
    }
}

/// A host value with a bound: `n: u32 <= capacity`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// The value's name.
    pub name: String,
    /// The bound, as written.
    pub text: String,
    /// The value's name in the graph's head.
    pub place: Place,
}

/// A number of elements (or of passes, or an index).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// Known now.
    Known(u64),
    /// Known when the graph is built.
    Symbol(SymbolId),
}

/// The three answers that a check can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// True for every value.
    Proved,
    /// False for every value.
    Refuted,
    /// Depends on values that are not known yet.
    Open,
}

impl Verdict {
    /// `Proved` for `true`, `Refuted` for `false`.
    pub fn from_bool(holds: bool) -> Self {
        if holds { Self::Proved } else { Self::Refuted }
    }
}

impl Extent {
    /// The number zero.
    pub const ZERO: Self = Self::Known(0);

    /// The number, if it is known.
    pub fn known(self) -> Option<u64> {
        match self {
            Self::Known(value) => Some(value),
            Self::Symbol(_) => None,
        }
    }

    /// Whether `self == other`.
    pub fn equals(self, other: Self) -> Verdict {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Verdict::from_bool(a == b),
            (Self::Symbol(a), Self::Symbol(b)) if a == b => Verdict::Proved,
            _ => Verdict::Open,
        }
    }

    /// Whether `self <= other`. Amounts are never negative, so `0 <= x` is proved for any `x`.
    pub fn at_most(self, other: Self) -> Verdict {
        match (self, other) {
            (Self::Known(0), _) => Verdict::Proved,
            (Self::Known(a), Self::Known(b)) => Verdict::from_bool(a <= b),
            (Self::Symbol(a), Self::Symbol(b)) if a == b => Verdict::Proved,
            _ => Verdict::Open,
        }
    }
}
