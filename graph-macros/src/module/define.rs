//! `define(N = 4, FAST)`: macros of the preprocessor, as options of the compiler.

use graph_ir::code::Code;
use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::{ParseBuffer, ParseStream};
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Lit, Token, UnOp};

use crate::diagnostic::Diagnostic;

/// The list in parentheses, each as `--define-macro=N=4`.
pub(super) fn list(input: ParseStream<'_>, defines: &mut Vec<(String, Span)>) -> Result<(), Diagnostic> {
    let content = parentheses(input)?;
    while !content.is_empty() {
        defines.push(one(&content)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

fn parentheses<'i>(input: &ParseBuffer<'i>) -> syn::Result<ParseBuffer<'i>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(content)
}

fn one(content: ParseStream<'_>) -> Result<(String, Span), Diagnostic> {
    let name = content.call(Ident::parse_any)?;
    if content.parse::<Option<Token![=]>>()?.is_none() {
        return Ok((format!("--define-macro={}", name.unraw()), name.span()));
    }
    let value: Expr = content.parse()?;
    let Some(text) = value_text(&value) else {
        return Err(Diagnostic::error(
            Code::DECLARATION,
            value.span(),
            "expected a number, `true`, `false`, a name or a string",
        )
        .note("the kernel file's preprocessor gets it as it is written here")
        .help(format!("for anything else, write a string: `define({name} = \"…\")`")));
    };
    Ok((format!("--define-macro={}={text}", name.unraw()), name.span()))
}

/// As C++ writes it; the contents of a string are taken as they are.
fn value_text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Some(int(number)),
            Lit::Float(number) => Some(float(number)),
            Lit::Bool(flag) => Some(flag.value.to_string()),
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => Some(format!("-{}", value_text(&unary.expr)?)),
        Expr::Path(path) => path.path.get_ident().map(|name| name.unraw().to_string()),
        Expr::Group(group) => value_text(&group.expr),
        _ => None,
    }
}

/// Decimal: C++ has other prefixes and no underscores.
fn int(number: &syn::LitInt) -> String {
    let suffix = match number.suffix() {
        "u8" | "u16" | "u32" => "u",
        "u64" | "usize" => "ull",
        "i64" | "isize" => "ll",
        _ => "",
    };
    format!("{}{suffix}", number.base10_digits())
}

fn float(number: &syn::LitFloat) -> String {
    let digits = number.base10_digits();
    let point = if digits.contains(['.', 'e', 'E']) { "" } else { ".0" };
    let suffix = if number.suffix() == "f32" { "f" } else { "" };
    format!("{digits}{point}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parser as _;

    fn defined(text: &str) -> Vec<String> {
        let mut defines = Vec::new();
        let parser = |input: ParseStream<'_>| Ok(list(input, &mut defines).map_err(|fault| fault.message));
        parser.parse_str(text).unwrap().unwrap();
        defines.into_iter().map(|(define, _)| define).collect()
    }

    #[test]
    fn values_are_written_as_in_cpp() {
        let wanted = ["A", "N=4", "M=255", "L=7ull", "X=0.5f", "Y=-2.0", "T=float", "S=a + b", "F=true"]
            .map(|define| format!("--define-macro={define}"));
        let text = "(A, N = 4, M = 0xff, L = 7u64, X = 0.5f32, Y = -2.0, T = float, S = \"a + b\", F = true,)";
        assert_eq!(defined(text), wanted);
        assert!(defined("()").is_empty());
    }
}
