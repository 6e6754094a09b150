//! The types of literals and names: what they meet, or else `i32` and `f64`.

use graph_ir::model::{
    BinaryOperator, Compute, Expression, Index, Local, Method, ScalarType, Statement, UnaryOperator,
};

use super::typing::Types;
use super::{facts, literal};

/// Names and computed indices belong to kernels that are written in the block.
const ONLY_IN_KERNELS: &str = "a single value names something of a kernel's body";

/// What is known about the type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Known(ScalarType),
    /// Of an integer literal: some integer type.
    Integer,
    /// Of a float literal.
    Float,
    /// Of a name that has met nothing yet.
    Open,
    /// The same as that of another part.
    Same(usize),
}

/// Unification over the parts of one expression, or of one body.
pub(super) struct Solver<'a> {
    types: &'a Types<'a>,
    variables: Vec<Variable>,
    /// The variable of each part, operands first.
    parts: Vec<usize>,
    /// The variable of each name.
    locals: Vec<usize>,
}

/// The types of a body.
pub(super) struct Solved {
    /// Of each part, every operand before what it is an operand of.
    pub(super) parts: Vec<ScalarType>,
    /// Of each name.
    pub(super) locals: Vec<ScalarType>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(types: &'a Types<'a>) -> Self {
        Self { types, variables: Vec::new(), parts: Vec::new(), locals: Vec::new() }
    }

    /// The type of each part of `expression`, every operand before what it is an operand of.
    pub(super) fn solve(
        mut self,
        expression: &Expression,
        expected: Option<ScalarType>,
    ) -> Result<Vec<ScalarType>, String> {
        let whole = self.part(expression, None)?;
        if let Some(expected) = expected {
            self.expect(whole, expected, "the expression's place")?;
        }
        self.parts.iter().map(|part| self.resolve(*part)).collect()
    }

    /// The types of a kernel in the block, whose axes have these types.
    pub(super) fn solve_body(mut self, compute: &Compute, axes: &[ScalarType]) -> Result<Solved, String> {
        for local in &compute.locals {
            let variable = self.add(local.scalar.map_or(Variable::Open, Variable::Known));
            self.locals.push(variable);
        }
        for (axis, scalar) in compute.axes.iter().zip(axes) {
            let local = self.local(axis.local)?;
            self.expect(local, *scalar, "the axis")?;
        }
        self.statements(&compute.body)?;
        if let Some(reduction) = &compute.reduction {
            let value = self.part(&reduction.value, None)?;
            let target = self.element(0)?;
            self.unify(value, target, "the reduction's target")?;
        }
        let parts = self.parts.iter().map(|part| self.resolve(*part)).collect::<Result<_, _>>()?;
        let names = self.locals.iter().zip(&compute.locals);
        let resolved = |(variable, local): (&usize, &Local)| {
            self.resolve(*variable).map_err(|_| format!("`{}` has no type", local.name))
        };
        Ok(Solved { parts, locals: names.map(resolved).collect::<Result<_, _>>()? })
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), String> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Let { value: None, .. } | Statement::Break(_) | Statement::Continue(_) => Ok(()),
            Statement::Let { local, value: Some(value) } | Statement::Assign { local, value } => {
                let value = self.part(value, None)?;
                let local = self.local(*local)?;
                self.unify(local, value, "=")
            }
            Statement::Store { access, index, value } => {
                self.index(index)?;
                let value = self.part(value, None)?;
                let element = self.element(*access)?;
                self.unify(value, element, "=")
            }
            Statement::If { condition, then, otherwise } => {
                self.condition(condition, "if")?;
                self.statements(then)?;
                self.statements(otherwise)
            }
            Statement::For { local, start, end, body, .. } => {
                let start = self.part(start, None)?;
                let end = self.part(end, None)?;
                self.unify(start, end, "..")?;
                let local = self.local(*local)?;
                self.unify(local, start, "in")?;
                self.statements(body)
            }
            Statement::While { condition, body } => {
                self.condition(condition, "while")?;
                self.statements(body)
            }
        }
    }

    fn condition(&mut self, condition: &Expression, what: &str) -> Result<(), String> {
        let condition = self.part(condition, None)?;
        self.expect(condition, ScalarType::Bool, what)
    }

    fn index(&mut self, index: &Index) -> Result<(), String> {
        index.coordinates.iter().try_for_each(|coordinate| self.part(coordinate, None).map(|_| ()))
    }

    fn local(&self, local: u32) -> Result<usize, String> {
        self.locals.get(local as usize).copied().ok_or_else(|| ONLY_IN_KERNELS.to_owned())
    }

    fn element(&mut self, access: u32) -> Result<usize, String> {
        let scalar = (self.types.element)(access).map(facts::value);
        self.known(scalar, || format!("the element of access {access}"))
    }

    fn part(&mut self, expression: &Expression, hint: Option<ScalarType>) -> Result<usize, String> {
        let variable = match expression {
            Expression::Literal { text, suffix } => self.literal(text, *suffix, hint),
            Expression::Neutral(_) => self.add(Variable::Open),
            Expression::Boolean(_) => self.add(Variable::Known(ScalarType::Bool)),
            Expression::Element(access) => self.element(*access)?,
            Expression::Host(symbol) => {
                self.known((self.types.host)(*symbol), || format!("host value {}", symbol.0))?
            }
            Expression::Local(local) => self.local(*local)?,
            Expression::Load { access, index } => {
                self.index(index)?;
                self.element(*access)?
            }
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
                self.expect(left, ScalarType::Bool, symbol(operator))?;
                self.expect(right, ScalarType::Bool, symbol(operator))?;
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
        let amount = amount(method);
        for other in &variables[1..] {
            match amount {
                Some(scalar) => self.expect(*other, scalar, method.name())?,
                None => self.unify(variables[0], *other, method.name())?,
            }
        }
        Ok(match method {
            _ if method.is_test() => self.add(Variable::Known(ScalarType::Bool)),
            Method::CountOnes | Method::LeadingZeros | Method::TrailingZeros => {
                self.add(Variable::Known(ScalarType::U32))
            }
            Method::AbsDiff => {
                let scalar = self.resolve(variables[0])?;
                self.add(Variable::Known(facts::unsigned(scalar)))
            }
            _ => variables[0],
        })
    }

    fn select(&mut self, condition: &Expression, then: &Expression, otherwise: &Expression) -> Result<usize, String> {
        self.condition(condition, "if")?;
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

    fn expect(&mut self, variable: usize, scalar: ScalarType, what: &str) -> Result<(), String> {
        let expected = self.add(Variable::Known(scalar));
        self.unify(variable, expected, what)
    }

    fn unify(&mut self, left: usize, right: usize, what: &str) -> Result<(), String> {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return Ok(());
        }
        let (known, open) = match (self.variables[left], self.variables[right]) {
            (a, b) if a == b => (left, right),
            (_, Variable::Open) => (left, right),
            (Variable::Open, _) => (right, left),
            (Variable::Known(scalar), b) if admits(b, scalar) => (left, right),
            (a, Variable::Known(scalar)) if admits(a, scalar) => (right, left),
            (a, b) => return Err(format!("`{what}` meets {} and {}", describe(a), describe(b))),
        };
        self.variables[open] = Variable::Same(known);
        Ok(())
    }

    fn resolve(&self, variable: usize) -> Result<ScalarType, String> {
        match self.variables[self.find(variable)] {
            Variable::Known(scalar) => Ok(scalar),
            Variable::Float => Ok(ScalarType::F64),
            Variable::Integer | Variable::Same(_) => Ok(ScalarType::I32),
            Variable::Open => Err("a name has no type".to_owned()),
        }
    }
}

/// The type of the operands behind the receiver, where it is not the receiver's.
fn amount(method: Method) -> Option<ScalarType> {
    match method {
        Method::Powi => Some(ScalarType::I32),
        Method::Pow | Method::RotateLeft | Method::RotateRight => Some(ScalarType::U32),
        _ => None,
    }
}

/// Whether a literal may have this type.
fn admits(variable: Variable, scalar: ScalarType) -> bool {
    match variable {
        Variable::Integer => facts::is_integer(scalar),
        Variable::Float => facts::is_float(scalar),
        Variable::Open => true,
        Variable::Known(_) | Variable::Same(_) => false,
    }
}

fn describe(variable: Variable) -> String {
    match variable {
        Variable::Known(scalar) => format!("`{}`", facts::name(scalar)),
        Variable::Float => "a float".to_owned(),
        Variable::Open => "a name without a type".to_owned(),
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
