//! `unsafe f<<<grid, block>>>(&x, &mut y, n as u32);`: a launch of a function that the program has loaded itself.
//!
//! It is a captured call whose closure makes this one launch; what the function is given is checked when the graph is built.

use graph_ir::code::Code;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprPath, Pat, PatIdent, ReturnType, Token};

use super::ast::{Argument, Call, Closure, Launch, StatementKind};
use super::{Parsed, launch};
use crate::diagnostic::Diagnostic;

const FORM: &str = "unsafe function<<<grid, block>>>(&x, &mut y, n as u32);";

/// Whether `unsafe` stands here, and no block behind it.
pub(super) fn starts(input: ParseStream<'_>) -> bool {
    input.peek(Token![unsafe]) && !input.peek2(syn::token::Brace)
}

/// The whole launch.
pub(super) fn launch(input: ParseStream<'_>) -> Parsed<StatementKind> {
    let word: Token![unsafe] = input.parse()?;
    let ahead = input.fork();
    if ahead.parse::<ExprPath>().is_err() || !launch::opens(&ahead) {
        let fault =
            Diagnostic::error(Code::SYNTAX, word.span, "expected a launch of a loaded function behind `unsafe`");
        return Err(fault.help(format!("write `{FORM}`")));
    }
    let launch = launch::launch(input, input.parse()?)?;
    let Some(function) = launch.path.path.get_ident().cloned() else { return Err(no_name(&launch)) };
    let Some(block) = launch.block.clone() else { return Err(no_block(&launch)) };
    let (closure, arguments) = closure(word.span, &function, &block, launch);
    Ok(StatementKind::Capture(Call { word: function, loaded: true, arguments, closure, cpu: None }))
}

fn no_name(launch: &Launch) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, launch.path.span(), "a loaded function is launched by the name of its parameter")
        .note("kernels of a `#[cuda_module]` are launched without `unsafe`")
        .help("take it as a parameter: `f: &CudaFunction`")
}

fn no_block(launch: &Launch) -> Diagnostic {
    Diagnostic::error(Code::SYNTAX, launch.open, "expected a block behind the grid")
        .note("a loaded function has no declaration that fixes its block")
        .help("write `<<<grid, block>>>`")
}

/// `|stream, x, y| unsafe { launch_loaded(stream, f, grid, block, shared, &[&x, &y, &n]) }`, and what `x` and `y` are.
fn closure(word: Span, function: &Ident, block: &Expr, launch: Launch) -> (Closure, Vec<super::ast::BufferArgument>) {
    let stream = internal("stream");
    let (mut buffers, mut parameters, mut values) = (Vec::new(), vec![pattern(&stream)], Vec::new());
    for argument in launch.arguments {
        match argument {
            Argument::Buffer(buffer) => {
                let name = internal(&format!("argument_{}", buffers.len()));
                parameters.push(pattern(&name));
                values.push(name.to_token_stream());
                buffers.push(buffer);
            }
            Argument::Value(value) => {
                let at = Span::mixed_site().located_at(value.span());
                values.push(quote_spanned!(at=> (#value)));
            }
        }
    }
    let shared = launch.shared.as_ref().map_or_else(|| quote!(0_u32), |bytes| quote!(#bytes));
    let grid = &launch.grid;
    let values: TokenStream = values.iter().map(passed).collect();
    let named = Span::mixed_site().located_at(function.span());
    let cloned = quote_spanned!(named=> #function.clone());
    // rustc names the call when the function is none: at its name, not at the whole block.
    let launch = quote_spanned!(named=> ::graph_runtime::__private::launch_loaded);
    let at = Span::mixed_site().located_at(word);
    let call = quote!(#launch(#stream, #cloned, #grid, #block, #shared, &[#values]));
    let body = Expr::Verbatim(quote_spanned!(at=> unsafe { #call }));
    (Closure { parameters, output: ReturnType::Default, body: Box::new(body), span: word }, buffers)
}

/// At the place of the value: rustc says there what cannot be passed.
fn passed(value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(value.span());
    quote_spanned!(at=> &#value as &dyn ::graph_runtime::__private::LoadedArgument,)
}

fn internal(name: &str) -> Ident {
    format_ident!("__{name}", span = Span::mixed_site())
}

fn pattern(name: &Ident) -> Pat {
    Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident: name.clone(), subpat: None })
}
