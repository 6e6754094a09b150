//! Kernels that are written in the block: `kernel for` and reductions.
//!
//! The body runs once for each index, all indices in any order or at once. What it touches of each buffer stands in the node's
//! accesses: one for each distinct place (`x[i]`, `x[i + 1]`), with the elements that all indices together touch. Types are not
//! named here: they follow from the buffers, the host values and Rust's rules, and are inferred when the graph is built.

use serde::{Deserialize, Serialize};

use super::{Expression, Place, ScalarType};

/// A `kernel for`, or a reduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compute {
    /// One to three, as written; the last one varies fastest.
    pub axes: Vec<Axis>,
    /// Names of the body: axes, `let`s, inner loops' indices.
    pub locals: Vec<Local>,
    /// What each index does.
    pub body: Vec<Statement>,
    /// What a reduction makes of each index, behind the body. Its target is access 0.
    pub reduction: Option<Reduction>,
}

impl Compute {
    /// Calls `visit` on every expression that each index computes, and on every part of one, in text order.
    pub fn walk(&self, visit: &mut impl FnMut(&Expression)) {
        walk(&self.body, visit);
        if let Some(reduction) = &self.reduction {
            reduction.value.walk(visit);
        }
    }

    /// Whether an index may do something several times.
    pub fn repeats(&self) -> bool {
        self.body.iter().any(Statement::repeats)
    }
}

fn walk(statements: &[Statement], visit: &mut impl FnMut(&Expression)) {
    for statement in statements {
        statement.walk(visit);
    }
}

impl Statement {
    fn repeats(&self) -> bool {
        match self {
            Self::For { .. } | Self::While { .. } => true,
            Self::If { then, otherwise, .. } => then.iter().chain(otherwise).any(Self::repeats),
            _ => false,
        }
    }

    fn walk(&self, visit: &mut impl FnMut(&Expression)) {
        match self {
            Self::Let { value: None, .. } | Self::Break(_) | Self::Continue(_) => {}
            Self::Let { value: Some(value), .. } | Self::Assign { value, .. } => value.walk(visit),
            Self::Store { index, value, .. } => {
                index.coordinates.iter().for_each(|coordinate| coordinate.walk(visit));
                value.walk(visit);
            }
            Self::If { condition, then, otherwise } => {
                condition.walk(visit);
                walk(then, visit);
                walk(otherwise, visit);
            }
            Self::For { start, end, body, .. } => {
                start.walk(visit);
                end.walk(visit);
                walk(body, visit);
            }
            Self::While { condition, body } => {
                condition.walk(visit);
                walk(body, visit);
            }
        }
    }
}

/// `i in start..end`. The bounds are literals or host values, of one integer type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Index into [`Compute::locals`].
    pub local: u32,
    /// The first index.
    pub start: Expression,
    /// One past the last index, or the last one of `a..=b`. How many there are is known when the graph is built.
    pub end: Expression,
}

/// A name in the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// As written.
    pub name: String,
    /// `let x: f32 = …`
    pub scalar: Option<ScalarType>,
}

/// How a reduction combines the values of all indices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// By which operation.
    pub operator: Combine,
    /// The value of one index, which has the type of the target's elements.
    pub value: Expression,
    /// Whether the target's old value takes part (`s[0] += (…).sum()`).
    pub accumulate: bool,
}

/// An associative operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Combine {
    /// `sum`: zero if there are no indices.
    Sum,
    /// `product`: one if there are no indices.
    Product,
    /// `min`: the largest value of the type (∞ for floats) if there are no indices; NaNs are passed over.
    Min,
    /// `max`: the smallest value of the type (−∞ for floats) if there are no indices; NaNs are passed over.
    Max,
}

/// Where an element stands in its buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// One for each dimension of the buffer, counted from the buffer's first element.
    pub coordinates: Vec<Expression>,
    /// Whether the access's footprint is exactly what all indices touch, so that the range rules have proved that no index is out of
    /// bounds. If not, the kernel checks it.
    pub proved: bool,
    /// The brackets, for reports.
    pub place: Place,
}

/// One statement of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Statement {
    /// `let x = value;`, or a name that is assigned later.
    Let {
        /// Index into [`Compute::locals`].
        local: u32,
        /// Absent in `let x;`.
        value: Option<Expression>,
    },
    /// `x = value;`; compound assignments have been spelled out.
    Assign {
        /// Index into [`Compute::locals`].
        local: u32,
        /// The new value.
        value: Expression,
    },
    /// `y[i] = value;`; compound assignments have been spelled out.
    Store {
        /// Index into the node's accesses.
        access: u32,
        /// Which element.
        index: Index,
        /// The new value.
        value: Expression,
    },
    /// `if condition { … } else { … }`
    If {
        /// A boolean.
        condition: Expression,
        /// If it holds.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
    /// `for k in start..end { … }`, one after another.
    For {
        /// Index into [`Compute::locals`].
        local: u32,
        /// The first index.
        start: Expression,
        /// One past the last index, or the last one.
        end: Expression,
        /// `a..=b`
        inclusive: bool,
        /// What each pass does.
        body: Vec<Statement>,
    },
    /// `while condition { … }`
    While {
        /// A boolean, tested before each pass.
        condition: Expression,
        /// What each pass does.
        body: Vec<Statement>,
    },
    /// Leaves a loop: 0 the innermost one, 1 the one around it.
    Break(u32),
    /// Goes on with a loop's next pass: 0 the innermost one's.
    Continue(u32),
}
