//! Expressions that run on the device: tests of conditionals and assignments to single elements.
//!
//! They have Rust's types and meaning, with three things settled: integers wrap; dividing an integer by zero gives zero (and a
//! remainder of zero); casts from floats saturate and turn NaN into zero. Literals take the type of what they meet, as in Rust.

use serde::{Deserialize, Serialize};

use super::{Combine, Index, Method, SymbolId};

/// A type of elements and of values. Elements of `F16` and `BF16` are computed with as `F32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Rust")]
pub enum ScalarType {
    Bool,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

/// An expression over buffer elements, host values and literals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expression {
    /// A number as written, without its suffix: `0.5`, `0xff`, `1_000`.
    Literal {
        /// Digits.
        text: String,
        /// `1u32`, `0.5f32`.
        suffix: Option<ScalarType>,
    },
    /// `true` or `false`.
    Boolean(bool),
    /// The one element in the footprint of the node's access with this index.
    Element(u32),
    /// A name in the body of a [`Compute`](super::Compute).
    Local(u32),
    /// An element at an index that the device computes.
    Load {
        /// Index into the node's accesses.
        access: u32,
        /// Which element.
        index: Box<Index>,
    },
    /// What changes nothing when it is combined, of the type of what it meets.
    Neutral(Combine),
    /// A host value: a [`ScalarType`] with its bits, known when the graph is built.
    Host(SymbolId),
    /// `-x`, `!x`.
    Unary {
        /// Which.
        operator: UnaryOperator,
        /// Of what.
        operand: Box<Expression>,
    },
    /// `a + b`.
    Binary {
        /// Which.
        operator: BinaryOperator,
        /// Left.
        left: Box<Expression>,
        /// Right.
        right: Box<Expression>,
    },
    /// `x as f32`.
    Cast {
        /// What.
        operand: Box<Expression>,
        /// To which type.
        target: ScalarType,
    },
    /// `x.abs()`, `x.max(y)`.
    Call {
        /// Which.
        method: Method,
        /// The receiver first.
        operands: Vec<Expression>,
    },
    /// `if c { a } else { b }`.
    Select {
        /// A boolean.
        condition: Box<Expression>,
        /// If it holds.
        then: Box<Expression>,
        /// If not.
        otherwise: Box<Expression>,
    },
}

/// `-x` or `!x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in std::ops")]
pub enum UnaryOperator {
    Neg,
    Not,
}

/// Operators with two operands of one type. `And` and `Or` (`&&`, `||`) evaluate both sides: they have no effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in std::ops and PartialOrd")]
pub enum BinaryOperator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl Expression {
    /// Calls `visit` on this expression and on every part of it.
    pub fn walk(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        match self {
            Self::Literal { .. }
            | Self::Boolean(_)
            | Self::Element(_)
            | Self::Local(_)
            | Self::Neutral(_)
            | Self::Host(_) => {}
            Self::Load { index, .. } => index.coordinates.iter().for_each(|coordinate| coordinate.walk(visit)),
            Self::Unary { operand, .. } | Self::Cast { operand, .. } => operand.walk(visit),
            Self::Binary { left, right, .. } => {
                left.walk(visit);
                right.walk(visit);
            }
            Self::Call { operands, .. } => operands.iter().for_each(|operand| operand.walk(visit)),
            Self::Select { condition, then, otherwise } => {
                condition.walk(visit);
                then.walk(visit);
                otherwise.walk(visit);
            }
        }
    }
}
