//! A case as the text of a graph.

use std::fmt::Write;

use super::{Case, Contents};
use crate::model::{BinaryOperator, Combine, Expression, Index, Mode, ScalarType, Statement, UnaryOperator};

/// The type's name in Rust.
pub(super) fn name(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool => "bool",
        ScalarType::U8 => "u8",
        ScalarType::I8 => "i8",
        ScalarType::U16 => "u16",
        ScalarType::I16 => "i16",
        ScalarType::U32 => "u32",
        ScalarType::I32 => "i32",
        ScalarType::U64 => "u64",
        ScalarType::I64 => "i64",
        ScalarType::F16 => "half::f16",
        ScalarType::BF16 => "half::bf16",
        ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
    }
}

impl Case {
    /// `graph Name(…) { kernel for … }`
    pub fn text(&self, graph: &str) -> String {
        let buffers = self.buffers.iter().map(parameter);
        let host = |(at, value): (usize, &super::Value)| format!("h{at}: {}", name(value.scalar()));
        let parameters: Vec<String> = buffers.chain(self.hosts.iter().enumerate().map(host)).collect();
        format!("    graph {graph}({}) {{\n{}    }}\n", parameters.join(", "), self.statement_text())
    }

    fn statement_text(&self) -> String {
        let names: Vec<&str> = self.compute.axes.iter().map(|axis| self.local(axis.local)).collect();
        let ranges = self.compute.axes.iter();
        let ranges: Vec<String> =
            ranges.map(|axis| format!("{}..{}", self.expression(&axis.start), self.expression(&axis.end))).collect();
        let list =
            |parts: &[&str]| if let [one] = parts { (*one).to_owned() } else { format!("({})", parts.join(", ")) };
        let ranges: Vec<&str> = ranges.iter().map(String::as_str).collect();
        let (names, ranges) = (list(&names), list(&ranges));
        let mut body = String::new();
        self.block(&mut body, 3, &self.compute.body);
        let Some(reduction) = &self.compute.reduction else {
            return format!("        kernel for {names} in {ranges} {{\n{body}        }}\n");
        };
        let operator = match (reduction.accumulate, reduction.operator) {
            (false, _) => "=",
            (true, Combine::Product) => "*=",
            (true, _) => "+=",
        };
        let method = match reduction.operator {
            Combine::Sum => "sum",
            Combine::Product => "product",
            Combine::Min => "min",
            Combine::Max => "max",
        };
        let value = self.expression(&reduction.value);
        let value = if body.is_empty() { value } else { format!("{{\n{body}            {value}\n        }}") };
        let target = &self.buffers[self.accesses[0].buffer].name;
        let at = self.accesses[0].ranges[0].0;
        format!("        {target}[{at}] {operator} ({ranges}).map(|{names}| {value}).{method}();\n")
    }

    fn local(&self, local: u32) -> &str {
        &self.compute.locals[local as usize].name
    }

    fn block(&self, text: &mut String, depth: usize, statements: &[Statement]) {
        for statement in statements {
            let line = self.statement(depth, statement);
            let written = writeln!(text, "{}{line}", "    ".repeat(depth));
            debug_assert!(written.is_ok(), "writing into a string cannot fail");
        }
    }

    fn braces(&self, depth: usize, statements: &[Statement]) -> String {
        let mut text = String::new();
        self.block(&mut text, depth + 1, statements);
        format!("{{\n{text}{}}}", "    ".repeat(depth))
    }

    fn statement(&self, depth: usize, statement: &Statement) -> String {
        match statement {
            Statement::Let { local, value } => {
                let ty = self.compute.locals[*local as usize].scalar;
                let ty = ty.map_or_else(String::new, |ty| format!(": {}", name(ty)));
                let value = value.as_ref().map_or_else(String::new, |value| format!(" = {}", self.expression(value)));
                let name = self.local(*local);
                let mutable = if name.starts_with('m') { "mut " } else { "" };
                format!("let {mutable}{name}{ty}{value};")
            }
            Statement::Assign { local, value } => format!("{} = {};", self.local(*local), self.expression(value)),
            Statement::Store { access, index, value } => {
                format!("{} = {};", self.element(*access, index), self.expression(value))
            }
            Statement::If { condition, then, otherwise } => {
                let mut text = format!("if {} {}", self.expression(condition), self.braces(depth, then));
                if !otherwise.is_empty() {
                    text += " else ";
                    text += &self.braces(depth, otherwise);
                }
                text
            }
            Statement::For { local, start, end, inclusive, body } => {
                let dots = if *inclusive { "..=" } else { ".." };
                let (start, end) = (self.expression(start), self.expression(end));
                format!("for {} in {start}{dots}{end} {}", self.local(*local), self.braces(depth, body))
            }
            Statement::While { condition, body } => {
                format!("while {} {}", self.expression(condition), self.braces(depth, body))
            }
            Statement::Break(_) => "break;".to_owned(),
            Statement::Continue(_) => "continue;".to_owned(),
        }
    }

    fn element(&self, access: u32, index: &Index) -> String {
        let coordinates: Vec<String> = index.coordinates.iter().map(|part| self.expression(part)).collect();
        let name = &self.buffers[self.accesses[access as usize].buffer].name;
        if let [one] = coordinates.as_slice() {
            format!("{name}[{one}]")
        } else {
            format!("{name}[({})]", coordinates.join(", "))
        }
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Literal { text, suffix } => format!("{text}{}", suffix.map_or("", name)),
            Expression::Boolean(value) => value.to_string(),
            Expression::Element(access) => {
                let touching = &self.accesses[*access as usize];
                format!("{}[{}]", self.buffers[touching.buffer].name, touching.ranges[0].0)
            }
            Expression::Local(local) => self.local(*local).to_owned(),
            Expression::Load { access, index } => self.element(*access, index),
            Expression::Neutral(_) => String::new(),
            Expression::Host(symbol) => format!("h{}", symbol.0),
            Expression::Unary { operator, operand } => {
                let sign = if *operator == UnaryOperator::Neg { "-" } else { "!" };
                format!("({sign}{})", self.expression(operand))
            }
            Expression::Binary { operator, left, right } => {
                format!("({} {} {})", self.expression(left), sign(*operator), self.expression(right))
            }
            Expression::Cast { operand, target } => format!("({} as {})", self.expression(operand), name(*target)),
            Expression::Call { method, operands } => {
                let parts: Vec<String> = operands.iter().map(|operand| self.expression(operand)).collect();
                let Some((receiver, others)) = parts.split_first() else { return String::new() };
                format!("({receiver}).{}({})", method.name(), others.join(", "))
            }
            Expression::Select { condition, then, otherwise } => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.expression(condition),
                self.expression(then),
                self.expression(otherwise)
            ),
        }
    }
}

fn parameter(contents: &Contents) -> String {
    let lengths: Vec<String> = contents.shape.iter().map(u64::to_string).collect();
    let shape = if let [one] = lengths.as_slice() { one.clone() } else { format!("({})", lengths.join(", ")) };
    let sigil = match contents.mode {
        Mode::Read => "&",
        Mode::Overwrite => "&out ",
        Mode::Update | Mode::Atomic => "&mut ",
    };
    format!("{}: {sigil}[{}; {shape}]", contents.name, name(contents.scalar))
}

fn sign(operator: BinaryOperator) -> &'static str {
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
