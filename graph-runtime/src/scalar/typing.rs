//! Typed expressions: every part has its type, every literal its bits, every operator types that it has in Rust.
//!
//! rustc has checked the same text before, so an error here means that the two disagree.

use graph_ir::model::{BinaryOperator, Expression, Method, ScalarType, SymbolId, UnaryOperator};

use super::solve::{ONLY_IN_KERNELS, Solver, is_comparison, symbol};
use super::{facts, literal};

/// The types of what an expression names; `None` for what device expressions cannot compute with.
pub(crate) struct Types<'a> {
    /// Of the elements of the node's access with this index.
    pub(crate) element: &'a dyn Fn(u32) -> Option<ScalarType>,
    /// Of a host value.
    pub(crate) host: &'a dyn Fn(SymbolId) -> Option<ScalarType>,
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
    /// The element of the node's access with this index.
    Element(u32),
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
    let whole = match expected {
        Expected::Scalar(scalar) => Some(scalar),
        Expected::Integer => None,
    };
    let parts = Solver::new(types).solve(expression, whole)?;
    let mut builder = Builder { parts: parts.into_iter(), hosts: Vec::new() };
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
        self.collect(&mut accesses);
        accesses.sort_unstable();
        accesses.dedup();
        accesses
    }

    fn collect(&self, accesses: &mut Vec<u32>) {
        match &self.kind {
            Kind::Element(access) => accesses.push(*access),
            Kind::Constant(_) | Kind::Host(_) => {}
            Kind::Unary(_, operand) | Kind::Cast(operand) => operand.collect(accesses),
            Kind::Binary(_, operands) => operands.iter().for_each(|operand| operand.collect(accesses)),
            Kind::Call(_, operands) => operands.iter().for_each(|operand| operand.collect(accesses)),
            Kind::Select(operands) => operands.iter().for_each(|operand| operand.collect(accesses)),
        }
    }
}

/// Walks the expression in the order in which the solver did.
struct Builder {
    parts: std::vec::IntoIter<ScalarType>,
    hosts: Vec<SymbolId>,
}

impl Builder {
    fn part(&mut self, expression: &Expression) -> Result<Typed, String> {
        let kind = match expression {
            Expression::Literal { text, .. } => {
                let scalar = self.scalar();
                return constant(text, scalar);
            }
            Expression::Boolean(value) => Kind::Constant(u64::from(*value)),
            Expression::Element(access) => Kind::Element(*access),
            Expression::Host(symbol) => self.host(*symbol),
            Expression::Local(_) | Expression::Load { .. } => return Err(ONLY_IN_KERNELS.to_owned()),
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
        let unfit = operands.iter().find(|operand| !has_method(method, operand.scalar));
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
    match method {
        Method::Abs => facts::is_signed(scalar) || facts::is_float(scalar),
        Method::Min | Method::Max => scalar != ScalarType::Bool,
        Method::Sqrt | Method::Floor | Method::Ceil | Method::Trunc => facts::is_float(scalar),
        Method::IsNan | Method::IsFinite | Method::IsInfinite => facts::is_float(scalar),
        _ => false,
    }
}
