//! The tree as short text: one line per statement, bodies in braces.

use quote::ToTokens;

use super::super::ast::{
    Argument, Axis, Bounds, BufferArgument, Call, Closure, Every, If, KernelFor, Launch, Length, Loop, Match, MatchArm,
    Parameter, ParameterKind, Projection, Range, Reduction, Statement, StatementKind, Transient, While,
};
use super::super::matching::{self, Fits};

/// Tokens without spaces.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

fn optional(tokens: Option<&impl ToTokens>) -> String {
    tokens.map(text).unwrap_or_default()
}

pub(super) fn statements(body: &[Statement]) -> Vec<String> {
    body.iter().map(statement).collect()
}

fn body(body: &[Statement]) -> String {
    format!("{{{}}}", statements(body).join("; "))
}

fn statement(statement: &Statement) -> String {
    let label = statement.label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
    let after: Vec<String> = statement.after.iter().map(|label| format!(" after {label}")).collect();
    format!("{label}{}{}", kind(&statement.kind), after.concat())
}

fn kind(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Launch(inner) => launch(inner),
        StatementKind::Transient(inner) => transient(inner),
        StatementKind::Static(inner) => format!("static {}", transient(inner)),
        StatementKind::HostLet { pattern, ty, value, .. } => {
            format!("host {}:{} = {}", text(pattern), optional(ty.as_ref()), text(value))
        }
        StatementKind::Copy { from, to, .. } => format!("copy {} {}", buffer(from), buffer(to)),
        StatementKind::Fill { target, value, .. } => format!("fill {} {}", buffer(target), text(value)),
        StatementKind::Assert { condition, message, .. } => {
            format!("assert {} {}", text(condition), optional(message.as_ref()))
        }
        StatementKind::Swap { left, right, .. } => format!("swap {} {}", buffer(left), buffer(right)),
        StatementKind::Drop { name, .. } => format!("drop {name}"),
        StatementKind::Host(inner) | StatementKind::Capture(inner) => call(inner),
        StatementKind::Event { word, event, buffers } => {
            let buffers: Vec<String> = buffers.iter().map(|one| format!(" {}", buffer(one))).collect();
            format!("{word} {event}{}", buffers.concat())
        }
        StatementKind::Graph(inner) => {
            let field =
                |field: &crate::syntax::ast::GraphField| format!("{}: {}", field.name, argument(&field.argument));
            let fields: Vec<String> = inner.fields.iter().map(field).collect();
            format!("{} {{ {} }}", text(&inner.path), fields.join(", "))
        }
        StatementKind::Scalar { target, operator, value, .. } => {
            let operator = operator.as_ref().map_or_else(|| "=".to_owned(), text);
            let path: Vec<String> = target.path.iter().map(projection).collect();
            format!("{}{}[{}] {operator} {}", target.name, path.concat(), text(&target.index), text(value))
        }
        StatementKind::KernelFor(inner) => kernel_for(inner),
        StatementKind::Reduction(inner) => reduction(inner),
        StatementKind::If(inner) => conditional(inner),
        StatementKind::Match(inner) => matching(inner),
        StatementKind::While(inner) => while_loop(inner),
        StatementKind::KernelWhile(inner) => {
            format!("while |{}|{} {}", inner.name, bounds(&inner.bounds), body(&inner.body))
        }
        StatementKind::Loop(inner) => plain_loop(inner),
        StatementKind::For(inner) => {
            format!("for {} in {} {}", text(&inner.pattern), text(&inner.iterable), body(&inner.body))
        }
        StatementKind::Scope(inner) => body(inner),
        StatementKind::Error => "error".to_owned(),
    }
}

fn call(call: &Call) -> String {
    let arguments: Vec<String> = call.arguments.iter().map(|one| format!("{} ", buffer(one))).collect();
    let cpu = call.cpu.as_ref().map(|cpu| format!(" cpu {}", closure(cpu))).unwrap_or_default();
    format!("{} {}{}{cpu}", call.word, arguments.concat(), closure(&call.closure))
}

fn closure(closure: &Closure) -> String {
    let parameters: Vec<String> = closure.parameters.iter().map(text).collect();
    format!("|{}| {}", parameters.join(", "), text(&closure.body))
}

fn axes(axes: &[Axis]) -> String {
    let axis = |axis: &Axis| {
        let dots = if axis.inclusive { "..=" } else { ".." };
        format!("{} in {}{dots}{}", axis.name, text(&axis.start), text(&axis.end))
    };
    axes.iter().map(axis).collect::<Vec<_>>().join(", ")
}

fn kernel_for(kernel: &KernelFor) -> String {
    let body: Vec<String> = kernel.body.iter().map(|statement| statement.to_token_stream().to_string()).collect();
    format!("kernel for {} {{{}}}", axes(&kernel.axes), body.join(" "))
}

fn reduction(reduction: &Reduction) -> String {
    let operator = reduction.operator.as_ref().map_or_else(|| "=".to_owned(), text);
    let (target, mapped) = (&reduction.target, &reduction.value);
    let value = mapped.value.to_token_stream();
    let (name, index) = (&target.name, text(&target.index));
    format!("{name}[{index}] {operator} {} of {value} for {}", mapped.method, axes(&mapped.axes))
}

fn launch(launch: &Launch) -> String {
    let arguments: Vec<String> = launch.arguments.iter().map(argument).collect();
    let shared = launch.shared.as_ref().map(|shared| format!(",{}", text(shared))).unwrap_or_default();
    let (path, grid, block) = (text(&launch.path), text(&launch.grid), optional(launch.block.as_ref()));
    format!("{path}<{grid},{block}{shared}>({})", arguments.join(", "))
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Buffer(inner) => buffer(inner),
        Argument::Value(value) => text(value),
    }
}

fn buffer(argument: &BufferArgument) -> String {
    let range = argument.range.as_ref().map(|written| {
        let range = |range: &Range| {
            let dots = if range.inclusive { "..=" } else { ".." };
            format!("{}{dots}{}", optional(range.start.as_ref()), optional(range.end.as_ref()))
        };
        let ranges: Vec<_> = written.ranges.iter().map(range).collect();
        if written.tuple { format!("[({})]", ranges.join(", ")) } else { format!("[{}]", ranges.concat()) }
    });
    let path: Vec<String> = argument.path.iter().map(projection).collect();
    format!("{} {}{}{}", argument.mode.kind.sigil(), argument.name, path.concat(), range.unwrap_or_default())
}

fn projection(step: &Projection) -> String {
    match step {
        Projection::Index(index, _) => format!("[{}]", text(index)),
        Projection::Field(field) => format!(".{field}"),
    }
}

fn transient(transient: &Transient) -> String {
    let host = transient.host.as_ref().map_or("", |_| "host ");
    let (element, length) = (text(&transient.element), text(&transient.length.expression));
    let value = transient.value.as_ref().map(|value| format!(" = {}", text(value))).unwrap_or_default();
    let count = transient.count.as_ref().map(|count| format!(" times {}", text(count))).unwrap_or_default();
    format!("buffer {}: {host}[{element}; {length}]{count}{value}", transient.name)
}

fn conditional(inner: &If) -> String {
    let otherwise = inner.otherwise.as_ref().map(|(_, arm)| format!(" else {}", body(arm))).unwrap_or_default();
    format!("if {} {}{otherwise}", text(&inner.condition), body(&inner.then))
}

fn matching(inner: &Match) -> String {
    let arms: Vec<String> = inner.arms.iter().map(arm).collect();
    format!("match {} {}", text(&inner.value), arms.join(" "))
}

fn arm(arm: &MatchArm) -> String {
    let guard = arm.guard.as_ref().map(|(_, guard)| format!(" if {}", text(guard))).unwrap_or_default();
    let pattern = match matching::fits(arm) {
        Ok(Fits::Rest) => String::new(),
        Ok(Fits::Integers(patterns)) => {
            let texts: Vec<String> = patterns.iter().map(|p| format!("{}..={}", p.first, p.last)).collect();
            texts.join(" | ")
        }
        Ok(Fits::Host(_)) | Err(_) => text(&arm.pattern),
    };
    format!("{pattern}{guard} => {}", body(&arm.body))
}

fn while_loop(inner: &While) -> String {
    format!("while {}{} {}", text(&inner.condition), bounds(&inner.bounds), body(&inner.body))
}

fn plain_loop(inner: &Loop) -> String {
    let until = inner.until.as_ref().map(|until| format!(" until {}", text(&until.condition))).unwrap_or_default();
    format!("loop{} {}{until}", bounds(&inner.bounds), body(&inner.body))
}

fn bounds(bounds: &Bounds) -> String {
    let limit = bounds.limit.as_ref().map(|limit| format!(" limit {}", text(limit))).unwrap_or_default();
    let every = match &bounds.every {
        None => String::new(),
        Some(Every::Literal(number)) => format!(" every {number}"),
        Some(Every::Host(expression)) => format!(" every by {}", text(expression)),
    };
    format!("{limit}{every}")
}

pub(super) fn parameter(parameter: &Parameter) -> String {
    let kind = match &parameter.kind {
        ParameterKind::Value(ty) => format!("value {}", text(ty)),
        ParameterKind::Reference { mutable, ty } => {
            format!("object {}{}", if *mutable { "&mut " } else { "&" }, text(ty))
        }
        ParameterKind::Event(ty) => format!("event {}", text(ty)),
        ParameterKind::Buffer { mode, memory, element, length } => {
            let host = memory.as_ref().map(|word| format!(" {word}")).unwrap_or_default();
            let length =
                length.as_ref().map(|Length { expression }| format!("; {}", text(expression))).unwrap_or_default();
            format!("{}{host} [{}{length}]", mode.kind.sigil(), text(element))
        }
    };
    format!("{}: {}{kind}", parameter.name, "list ".repeat(parameter.lists))
}
