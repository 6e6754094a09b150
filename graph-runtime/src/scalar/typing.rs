//! Typed expressions: every part has its type, every literal its bits, every operator types that it has in Rust.
//!
//! rustc has checked the same text before, so an error here means that the two disagree.

use graph_ir::model::{BinaryOperator, Expression, Index, Method, Place, ScalarType, SymbolId, UnaryOperator};

use super::solve::{Solver, is_comparison, symbol};
use super::{facts, literal};

/// The types of what an expression names; `None` for what device expressions cannot compute with.
pub(crate) struct Types<'a> {
    /// Of the elements of the node's access with this index.
    pub(crate) element: &'a dyn Fn(u32) -> Option<ScalarType>,
    /// Of a host value.
    pub(crate) host: &'a dyn Fn(SymbolId) -> Option<ScalarType>,
    /// Whether the host looks at the elements of an access meanwhile.
    pub(crate) mailbox: &'a dyn Fn(u32) -> bool,
}

/// What the whole must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The element's type; `Bool` for tests.
    Scalar(ScalarType),
    /// Whatever integer it is: the value of a `match`.
    Integer,
}

/// An expression with its types; equal for expressions that differ only in which host values they name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Typed {
    /// The type of its value.
    pub(crate) scalar: ScalarType,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a typed expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A literal's bits.
    Constant(u64),
    /// The only element of an access: which, and the type that it is stored as.
    Element(u32, ScalarType),
    /// The same in a mailbox.
    Mail(u32, ScalarType),
    /// A name in a body.
    Local(u32),
    /// An element at an index that the device computes.
    Load(Box<TypedLoad>),
    /// An index into [`Inferred::hosts`].
    Host(u32),
    /// `-x`, `!x`.
    Unary(UnaryOperator, Box<Typed>),
    /// `a + b`.
    Binary(BinaryOperator, Box<[Typed; 2]>),
    /// `x as f32`.
    Cast(Box<Typed>),
    /// `x.abs()`.
    Call(Method, Vec<Typed>),
    /// Condition, then, otherwise.
    Select(Box<[Typed; 3]>),
}

/// An element at an index that the device computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypedLoad {
    /// Of the node.
    pub(crate) access: u32,
    /// What its elements are stored as.
    pub(crate) storage: ScalarType,
    /// Which element.
    pub(crate) index: TypedIndex,
}

/// Where an element stands in its buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypedIndex {
    /// One for each dimension.
    pub(crate) coordinates: Vec<Typed>,
    /// An index into the node's [`IndexSite`]s if it must be checked.
    pub(crate) site: Option<u32>,
}

/// An index that the device checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexSite {
    /// Of the node.
    pub(crate) access: u32,
    /// The brackets.
    pub(crate) place: Place,
}

/// An expression with its types, and the host values that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inferred {
    /// The expression.
    pub(crate) root: Typed,
    /// In the order in which they first stand in the text.
    pub(crate) hosts: Vec<SymbolId>,
}

/// Gives every part of `expression` its type, as rustc does.
pub(crate) fn infer(expression: &Expression, types: &Types<'_>, expected: Expected) -> Result<Inferred, String> {
    infer_behind(expression, types, expected, Vec::new())
}

/// The same for an expression that shares the host values `known` with others.
pub(crate) fn infer_behind(
    expression: &Expression,
    types: &Types<'_>,
    expected: Expected,
    known: Vec<SymbolId>,
) -> Result<Inferred, String> {
    let whole = match expected {
        Expected::Scalar(scalar) => Some(scalar),
        Expected::Integer => None,
    };
    let parts = Solver::new(types).solve(expression, whole)?;
    let mut builder = Builder { hosts: known, ..Builder::new(parts, types) };
    let root = builder.part(expression)?;
    if expected == Expected::Integer && !facts::is_integer(root.scalar) {
        return Err(format!("the value of a `match` is `{}`, expected an integer", facts::name(root.scalar)));
    }
    Ok(Inferred { root, hosts: builder.hosts })
}

impl Typed {
    /// The accesses whose elements it reads, in order.
    pub(crate) fn accesses(&self) -> Vec<u32> {
        let mut accesses = Vec::new();
        self.walk(&mut |part| {
            if let Kind::Element(access, _) | Kind::Mail(access, _) = part.kind {
                accesses.push(access);
            }
        });
        accesses.sort_unstable();
        accesses.dedup();
        accesses
    }

    /// Calls `visit` on this expression and on every part of it.
    pub(crate) fn walk(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.walk(visit));
    }

    /// Its operands.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Constant(_) | Kind::Element(..) | Kind::Mail(..) | Kind::Host(_) | Kind::Local(_) => Vec::new(),
            Kind::Load(load) => load.index.coordinates.iter().collect(),
            Kind::Unary(_, operand) | Kind::Cast(operand) => vec![operand],
            Kind::Binary(_, operands) => operands.iter().collect(),
            Kind::Call(_, operands) => operands.iter().collect(),
            Kind::Select(operands) => operands.iter().collect(),
        }
    }
}

/// Walks the expression in the order in which the solver did.
pub(super) struct Builder<'a> {
    parts: std::vec::IntoIter<ScalarType>,
    types: &'a Types<'a>,
    /// In the order in which they first stand in the text.
    pub(super) hosts: Vec<SymbolId>,
    /// In text order.
    pub(super) sites: Vec<IndexSite>,
}

impl<'a> Builder<'a> {
    /// The types of the parts are those that the solver has found.
    pub(super) fn new(parts: Vec<ScalarType>, types: &'a Types<'a>) -> Self {
        Self { parts: parts.into_iter(), types, hosts: Vec::new(), sites: Vec::new() }
    }

    /// What the elements of an access are stored as.
    pub(super) fn storage(&self, access: u32) -> Result<ScalarType, String> {
        (self.types.element)(access).ok_or_else(|| format!("the elements of access {access} are no numbers"))
    }

    /// An index, whose coordinates are integers.
    pub(super) fn index(&mut self, access: u32, index: &Index) -> Result<TypedIndex, String> {
        let coordinates =
            index.coordinates.iter().map(|coordinate| self.part(coordinate)).collect::<Result<Vec<_>, _>>()?;
        if let Some(other) = coordinates.iter().find(|coordinate| !facts::is_integer(coordinate.scalar)) {
            return Err(format!("an index is `{}`, expected an integer", facts::name(other.scalar)));
        }
        let site = (!index.proved).then(|| {
            self.sites.push(IndexSite { access, place: index.place });
            self.sites.len() as u32 - 1
        });
        Ok(TypedIndex { coordinates, site })
    }

    pub(super) fn part(&mut self, expression: &Expression) -> Result<Typed, String> {
        let kind = match expression {
            Expression::Literal { text, .. } => {
                let scalar = self.scalar();
                return constant(text, scalar);
            }
            Expression::Boolean(value) => Kind::Constant(u64::from(*value)),
            Expression::Element(access) if (self.types.mailbox)(*access) => Kind::Mail(*access, self.storage(*access)?),
            Expression::Element(access) => Kind::Element(*access, self.storage(*access)?),
            Expression::Host(symbol) => self.host(*symbol),
            Expression::Neutral(operator) => {
                let scalar = self.scalar();
                return Ok(Typed { scalar, kind: Kind::Constant(facts::neutral(*operator, scalar)) });
            }
            Expression::Local(local) => Kind::Local(*local),
            Expression::Load { access, index } => {
                let index = self.index(*access, index)?;
                Kind::Load(Box::new(TypedLoad { access: *access, storage: self.storage(*access)?, index }))
            }
            Expression::Unary { operator, operand } => return self.unary(*operator, operand),
            Expression::Binary { operator, left, right } => self.binary(*operator, left, right)?,
            Expression::Cast { operand, target } => self.cast(operand, *target)?,
            Expression::Call { method, operands } => self.call(*method, operands)?,
            Expression::Select { condition, then, otherwise } => {
                Kind::Select(Box::new([self.part(condition)?, self.part(then)?, self.part(otherwise)?]))
            }
        };
        Ok(Typed { scalar: self.scalar(), kind })
    }

    /// The type of the part whose operands have all been taken.
    fn scalar(&mut self) -> ScalarType {
        self.parts.next().unwrap_or(ScalarType::I32)
    }

    fn host(&mut self, symbol: SymbolId) -> Kind {
        let slot = self.hosts.iter().position(|host| *host == symbol).unwrap_or_else(|| {
            self.hosts.push(symbol);
            self.hosts.len() - 1
        });
        Kind::Host(slot as u32)
    }

    /// A sign belongs to its literal: `-128` is an `i8`, `128` is none.
    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) -> Result<Typed, String> {
        if let (UnaryOperator::Neg, Expression::Literal { text, .. }) = (operator, operand) {
            let scalar = self.scalar();
            negatable(scalar)?;
            return constant(&format!("-{text}"), self.scalar());
        }
        let operand = self.part(operand)?;
        match operator {
            UnaryOperator::Neg => negatable(operand.scalar)?,
            UnaryOperator::Not if facts::is_float(operand.scalar) => return Err(no_operator("!", operand.scalar)),
            UnaryOperator::Not => {}
        }
        Ok(Typed { scalar: self.scalar(), kind: Kind::Unary(operator, Box::new(operand)) })
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression) -> Result<Kind, String> {
        let operands = [self.part(left)?, self.part(right)?];
        let unfit = operands.iter().find(|operand| !has_operator(operator, operand.scalar));
        match unfit {
            Some(operand) => Err(no_operator(symbol(operator), operand.scalar)),
            None => Ok(Kind::Binary(operator, Box::new(operands))),
        }
    }

    fn cast(&mut self, operand: &Expression, target: ScalarType) -> Result<Kind, String> {
        let operand = self.part(operand)?;
        let from = operand.scalar;
        let allowed = match (from, target) {
            (ScalarType::Bool, _) => !facts::is_float(target),
            (_, ScalarType::Bool) => false,
            _ => true,
        };
        if !allowed {
            return Err(format!("`{}` cannot be cast to `{}`", facts::name(from), facts::name(target)));
        }
        Ok(Kind::Cast(Box::new(operand)))
    }

    fn call(&mut self, method: Method, operands: &[Expression]) -> Result<Kind, String> {
        let operands = operands.iter().map(|operand| self.part(operand)).collect::<Result<Vec<_>, _>>()?;
        let unfit = operands.iter().take(1).find(|operand| !has_method(method, operand.scalar));
        match unfit {
            Some(operand) => Err(format!("`{}` has no method `{}`", facts::name(operand.scalar), method.name())),
            None => Ok(Kind::Call(method, operands)),
        }
    }
}

fn constant(text: &str, scalar: ScalarType) -> Result<Typed, String> {
    Ok(Typed { scalar, kind: Kind::Constant(literal::bits(text, scalar)?) })
}

fn negatable(scalar: ScalarType) -> Result<(), String> {
    if facts::is_signed(scalar) || facts::is_float(scalar) { Ok(()) } else { Err(no_operator("-", scalar)) }
}

fn no_operator(symbol: &str, scalar: ScalarType) -> String {
    format!("`{}` has no operator `{symbol}`", facts::name(scalar))
}

fn has_operator(operator: BinaryOperator, scalar: ScalarType) -> bool {
    match operator {
        _ if is_comparison(operator) => true,
        BinaryOperator::And | BinaryOperator::Or => scalar == ScalarType::Bool,
        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => !facts::is_float(scalar),
        BinaryOperator::Shl | BinaryOperator::Shr => facts::is_integer(scalar),
        _ => scalar != ScalarType::Bool,
    }
}

fn has_method(method: Method, scalar: ScalarType) -> bool {
    use Method as M;
    match method {
        M::Abs | M::Signum => facts::is_signed(scalar) || facts::is_float(scalar),
        M::Min | M::Max | M::Clamp | M::RemEuclid => scalar != ScalarType::Bool,
        M::Pow
        | M::CountOnes
        | M::LeadingZeros
        | M::TrailingZeros
        | M::RotateLeft
        | M::RotateRight
        | M::SwapBytes
        | M::ReverseBits
        | M::WrappingAdd
        | M::WrappingSub
        | M::WrappingMul
        | M::AbsDiff => facts::is_integer(scalar),
        M::IsPowerOfTwo => facts::is_integer(scalar) && !facts::is_signed(scalar),
        _ => facts::is_float(scalar),
    }
}
