//! The types of literals: what they meet, or else `i32` and `f64`.

use graph_ir::model::{BinaryOperator, Expression, Method, ScalarType, UnaryOperator};

use super::typing::Types;
use super::{facts, literal};

/// Names and computed indices belong to kernels that are written in the block.
pub(super) const ONLY_IN_KERNELS: &str = "a single value names something of a kernel's body";

/// What is known about the type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Known(ScalarType),
    /// Of an integer literal: some integer type.
    Integer,
    /// Of a float literal.
    Float,
    /// The same as that of another part.
    Same(usize),
}

/// Unification over the parts of one expression.
pub(super) struct Solver<'a> {
    types: &'a Types<'a>,
    variables: Vec<Variable>,
    /// The variable of each part, operands first.
    parts: Vec<usize>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(types: &'a Types<'a>) -> Self {
        Self { types, variables: Vec::new(), parts: Vec::new() }
    }

    /// The type of each part of `expression`, every operand before what it is an operand of.
    pub(super) fn solve(
        mut self,
        expression: &Expression,
        expected: Option<ScalarType>,
    ) -> Result<Vec<ScalarType>, String> {
        let whole = self.part(expression, None)?;
        if let Some(expected) = expected {
            let expected = self.add(Variable::Known(expected));
            self.unify(whole, expected, "the expression's place")?;
        }
        Ok(self.parts.iter().map(|part| self.resolve(*part)).collect())
    }

    fn part(&mut self, expression: &Expression, hint: Option<ScalarType>) -> Result<usize, String> {
        let variable = match expression {
            Expression::Literal { text, suffix } => self.literal(text, *suffix, hint),
            Expression::Boolean(_) => self.add(Variable::Known(ScalarType::Bool)),
            Expression::Element(access) => {
                self.known((self.types.element)(*access), || format!("the element of access {access}"))?
            }
            Expression::Host(symbol) => {
                self.known((self.types.host)(*symbol), || format!("host value {}", symbol.0))?
            }
            Expression::Local(_) | Expression::Load { .. } => return Err(ONLY_IN_KERNELS.to_owned()),
            Expression::Unary { operator, operand } => self.unary(*operator, operand, hint)?,
            Expression::Binary { operator, left, right } => self.binary(*operator, left, right)?,
            Expression::Cast { operand, target } => {
                self.part(operand, Some(*target))?;
                self.add(Variable::Known(*target))
            }
            Expression::Call { method, operands } => self.call(*method, operands)?,
            Expression::Select { condition, then, otherwise } => self.select(condition, then, otherwise)?,
        };
        self.parts.push(variable);
        Ok(variable)
    }

    /// A literal right below a cast takes the cast's type if it is of that kind, as in rustc.
    fn literal(&mut self, text: &str, suffix: Option<ScalarType>, hint: Option<ScalarType>) -> usize {
        let float = literal::has_float_digits(text);
        let hint = hint.filter(|hint| if float { facts::is_float(*hint) } else { facts::is_integer(*hint) });
        self.add(match suffix.or(hint) {
            Some(scalar) => Variable::Known(scalar),
            None if float => Variable::Float,
            None => Variable::Integer,
        })
    }

    /// `-1 as u8` has an `i32` below the sign: there is no negative `u8`.
    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expression,
        hint: Option<ScalarType>,
    ) -> Result<usize, String> {
        let negatable = |hint: &ScalarType| facts::is_float(*hint) || facts::is_signed(*hint);
        self.part(operand, hint.filter(|hint| operator == UnaryOperator::Not || negatable(hint)))
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression) -> Result<usize, String> {
        let left = self.part(left, None)?;
        let right = self.part(right, None)?;
        match operator {
            BinaryOperator::Shl | BinaryOperator::Shr => return Ok(left),
            BinaryOperator::And | BinaryOperator::Or => {
                let boolean = self.add(Variable::Known(ScalarType::Bool));
                self.unify(left, boolean, symbol(operator))?;
                self.unify(right, boolean, symbol(operator))?;
            }
            _ => self.unify(left, right, symbol(operator))?,
        }
        Ok(if is_comparison(operator) { self.add(Variable::Known(ScalarType::Bool)) } else { left })
    }

    fn call(&mut self, method: Method, operands: &[Expression]) -> Result<usize, String> {
        let arity = method.arity();
        if operands.len() != arity {
            return Err(format!("`{}` has {} operands, expected {arity}", method.name(), operands.len()));
        }
        let mut variables = Vec::with_capacity(arity);
        for operand in operands {
            variables.push(self.part(operand, None)?);
        }
        if let [first, second] = variables[..] {
            self.unify(first, second, method.name())?;
        }
        Ok(if method.is_test() { self.add(Variable::Known(ScalarType::Bool)) } else { variables[0] })
    }

    fn select(&mut self, condition: &Expression, then: &Expression, otherwise: &Expression) -> Result<usize, String> {
        let condition = self.part(condition, None)?;
        let boolean = self.add(Variable::Known(ScalarType::Bool));
        self.unify(condition, boolean, "if")?;
        let then = self.part(then, None)?;
        let otherwise = self.part(otherwise, None)?;
        self.unify(then, otherwise, "else")?;
        Ok(then)
    }

    fn known(&mut self, scalar: Option<ScalarType>, what: impl Fn() -> String) -> Result<usize, String> {
        let scalar = scalar.ok_or_else(|| format!("{} has no type that device expressions compute in", what()))?;
        Ok(self.add(Variable::Known(scalar)))
    }

    fn add(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.variables.len() - 1
    }

    fn find(&self, mut variable: usize) -> usize {
        while let Variable::Same(next) = self.variables[variable] {
            variable = next;
        }
        variable
    }

    fn unify(&mut self, left: usize, right: usize, what: &str) -> Result<(), String> {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return Ok(());
        }
        let (known, open) = match (self.variables[left], self.variables[right]) {
            (a, b) if a == b => (left, right),
            (Variable::Known(scalar), b) if admits(b, scalar) => (left, right),
            (a, Variable::Known(scalar)) if admits(a, scalar) => (right, left),
            (a, b) => return Err(format!("`{what}` meets {} and {}", describe(a), describe(b))),
        };
        self.variables[open] = Variable::Same(known);
        Ok(())
    }

    fn resolve(&self, variable: usize) -> ScalarType {
        match self.variables[self.find(variable)] {
            Variable::Known(scalar) => scalar,
            Variable::Float => ScalarType::F64,
            Variable::Integer | Variable::Same(_) => ScalarType::I32,
        }
    }
}

/// Whether a literal may have this type.
fn admits(variable: Variable, scalar: ScalarType) -> bool {
    match variable {
        Variable::Integer => facts::is_integer(scalar),
        Variable::Float => facts::is_float(scalar),
        Variable::Known(_) | Variable::Same(_) => false,
    }
}

fn describe(variable: Variable) -> String {
    match variable {
        Variable::Known(scalar) => format!("`{}`", facts::name(scalar)),
        Variable::Float => "a float".to_owned(),
        Variable::Integer | Variable::Same(_) => "an integer".to_owned(),
    }
}

/// `==` to `>=`.
pub(super) fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(operator, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The operator, as written.
pub(super) fn symbol(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Sub => "-",
        BinaryOperator::Mul => "*",
        BinaryOperator::Div => "/",
        BinaryOperator::Rem => "%",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::Shl => "<<",
        BinaryOperator::Shr => ">>",
        BinaryOperator::Eq => "==",
        BinaryOperator::Ne => "!=",
        BinaryOperator::Lt => "<",
        BinaryOperator::Le => "<=",
        BinaryOperator::Gt => ">",
        BinaryOperator::Ge => ">=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}
