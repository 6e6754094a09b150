//! What is no statement of a graph: Rust that would run once when the graph is built, and forms that come close to ours.

use graph_ir::code::Code;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{BinOp, Expr, ExprPath, Token};

use super::scalar::is_compound;
use super::stream::at_run;
use crate::diagnostic::Diagnostic;

/// Why the statement here is none.
pub(super) fn statement(input: ParseStream<'_>) -> Diagnostic {
    by_keyword(input).or_else(|| by_path(input)).unwrap_or_else(|| by_expression(input))
}

fn by_keyword(input: ParseStream<'_>) -> Option<Diagnostic> {
    let (word, _) = input.cursor().ident()?;
    let span = word.span();
    let fault = match word.to_string().as_str() {
        "break" => {
            Diagnostic::error(Code::SYNTAX, span, "`break` stands elsewhere than in the last statement of a `loop`")
                .help("end the `loop` with `if c { break; }`, or test in front of each pass with `while c`")
        }
        "continue" => Diagnostic::error(Code::SYNTAX, span, "a pass cannot be cut short with `continue`")
            .help("put the rest of the pass into an `if`"),
        "return" => Diagnostic::error(Code::SYNTAX, span, "a graph cannot be left with `return`")
            .help("put the rest of the graph into an `if`"),
        "else" => Diagnostic::error(Code::SYNTAX, span, "`else` without an `if`"),
        "fn" | "struct" | "enum" | "use" | "mod" | "const" | "type" | "trait" | "impl" | "pub" | "extern" => {
            Diagnostic::error(Code::SYNTAX, span, format!("an item (`{word}`) in a graph's body"))
                .help("declare it outside of `cuda_graph!`")
        }
        _ => return None,
    };
    Some(fault)
}

/// What follows a path decides.
fn by_path(input: ParseStream<'_>) -> Option<Diagnostic> {
    let ahead = input.fork();
    let path = ahead.parse::<ExprPath>().ok()?;
    let text = text(&path);
    let span = path.span();
    if ahead.peek(syn::token::Paren) {
        return Some(call(&path, &text));
    }
    if ahead.peek(Token![!]) && !ahead.peek(Token![!=]) {
        let fault = runs_once(span, &format!("`{text}!`"));
        let prints = ["println", "print", "eprintln", "eprint"].contains(&text.as_str());
        let help = format!("to print at each launch, write it in a callback: `host(&h, |h| {text}!(…));`");
        return Some(if prints { fault.help(help) } else { fault });
    }
    if at_run(ahead.cursor(), '<', 2) {
        return Some(Diagnostic::error(Code::SYNTAX, ahead.span(), "expected `<<<` behind a kernel's name"));
    }
    if ahead.peek(Token![=]) && !ahead.peek(Token![==]) {
        return Some(assignment(span, &text, "="));
    }
    match ahead.parse::<BinOp>() {
        Ok(operator) if is_compound(&operator) => {
            Some(assignment(span, &text, &quote::ToTokens::to_token_stream(&operator).to_string()))
        }
        _ if ahead.peek(Token![;]) || ahead.is_empty() => Some(
            Diagnostic::error(Code::SYNTAX, span, format!("expected a statement, found the name `{text}`"))
                .help(format!("launch a kernel: `{text}<<<grid, block>>>(…);`")),
        ),
        _ => None,
    }
}

/// `jacobi::sweep`, without the spaces that tokens print with.
fn text(path: &ExprPath) -> String {
    quote::ToTokens::to_token_stream(path).to_string().replace(' ', "")
}

/// `f(x);`: a graph if it starts where only items of a crate are found, else a kernel without its geometry.
fn call(path: &ExprPath, text: &str) -> Diagnostic {
    let segments = &path.path.segments;
    let from_crate = segments.len() > 1
        && segments.first().is_some_and(|first| ["self", "super", "crate"].iter().any(|word| first.ident == word));
    let capital = segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase));
    if from_crate || capital {
        let fault =
            Diagnostic::error(Code::SYNTAX, path.span(), format!("`{text}` is called with its arguments in a row"));
        return fault.help(format!("to put the graph here, name what each parameter gets: `{text} {{ a: &a, n }};`"));
    }
    Diagnostic::error(Code::SYNTAX, path.span(), format!("`{text}` is called without a grid and a block"))
        .note("a call of a host function would run once, when the graph is built")
        .help(format!("launch a kernel: `{text}<<<grid, block>>>(…);`"))
}

/// `x += 1;`
fn assignment(span: Span, text: &str, operator: &str) -> Diagnostic {
    runs_once(span, &format!("an assignment to `{text}`"))
        .help(format!("to write an element of a buffer at each launch: `{text}[0] {operator} …;`"))
}

fn runs_once(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, span, format!("{what} is a host statement: it would run once, at build"))
        .note("the statements of a graph are nodes; the host's own code stands outside of `cuda_graph!`")
}

fn by_expression(input: ParseStream<'_>) -> Diagnostic {
    let span = input.span();
    match input.fork().parse::<Expr>() {
        Err(error) => error.into(),
        Ok(Expr::MethodCall(call)) => runs_once(span, &format!("`.{}(…)`", call.method)),
        Ok(Expr::Unsafe(_)) => runs_once(span, "`unsafe { … }`"),
        Ok(_) => Diagnostic::error(Code::SYNTAX, span, "expected a statement, found an expression").note(
            "a statement launches a kernel, assigns to an element of a buffer, copies, fills, swaps or drops buffers, \
             or is `let`, `if`, `match`, `while` or `loop`",
        ),
    }
}
