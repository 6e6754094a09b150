//! Kernel launches.

use std::fmt::Write as _;

use graph_ir::code::Code;
use graph_ir::model::{Access, Argument, Dimensions, Extent, Footprint, HostValue, Launch, NodeKind, SymbolOrigin};
use graph_ir::rules::{dropped, names, scope};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, PathArguments};

use super::evaluation::{Check, CheckArgument, CheckBuffer, Evaluation};
use super::member::Named;
use super::symbols::{SymbolUse, integer};
use super::{KernelUse, Lowering, static_type, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;

impl Lowering<'_> {
    pub(crate) fn launch(&mut self, statement: &ast::Statement, launch: &ast::Launch) {
        let Some(last) = launch.path.path.segments.last() else { return };
        let kernel = self.kernel(&launch.path);
        let grid = self.dimensions(&launch.grid);
        let block = self.block_size(launch, kernel);
        let shared = launch.shared.as_ref().map(|bytes| self.shared_bytes(bytes, kernel));
        let mut accesses = Vec::new();
        let mut arguments = Vec::new();
        let mut checks = Vec::new();
        let mut broken = false;
        for (parameter, argument) in launch.arguments.iter().enumerate() {
            match argument {
                ast::Argument::Buffer(buffer) => match self.access_or_list(buffer) {
                    Some((access, name)) => {
                        arguments.push(Argument::Buffer(accesses.len() as u32));
                        accesses.push(access);
                        checks.push(CheckArgument::Buffer(check_buffer(buffer, name)));
                    }
                    None => broken = true,
                },
                ast::Argument::Value(value) if self.is_buffer(value) => {
                    self.refuse_without_mode(value);
                    broken = true;
                }
                ast::Argument::Value(value) if self.condition_named(value).is_some() => {
                    broken |= self.refuse_distant_condition(value);
                    arguments.push(Argument::Condition);
                    checks.push(CheckArgument::Value(value.clone()));
                }
                ast::Argument::Value(value) => {
                    let (argument, check) = self.value_argument(value, kernel, parameter);
                    arguments.push(Argument::Value(argument));
                    checks.push(check);
                }
            }
        }
        if !broken {
            let path = last.ident.clone();
            let parentheses = launch.parentheses.join();
            self.evaluate(Evaluation::Check(Check::Launch { kernel, path, arguments: checks, parentheses }));
        }
        let attributes = self.launch_attributes(statement, kernel);
        let effects = accesses.is_empty();
        let kind = NodeKind::Kernel(Launch { kernel, grid, block, shared, arguments: arguments.into() });
        let node = self.node(statement, last.ident.span(), &last.ident.to_string(), kind);
        let node = self.node_mut(node);
        node.accesses = accesses;
        node.effects = effects;
        node.attributes = attributes;
    }

    /// What is written, or what the kernel's declaration fixes.
    fn block_size(&mut self, launch: &ast::Launch, kernel: u32) -> Dimensions {
        let Some(written) = &launch.block else {
            let (span, origin) = (launch.open, SymbolOrigin::Evaluated);
            let symbol = self.new_symbol("block".to_owned(), span, origin);
            self.evaluate(Evaluation::FixedBlock { symbol, kernel, span });
            let place = self.place(span);
            return Dimensions { sizes: [Extent::Known(1); 3], symbol: Some(symbol), place };
        };
        let used = &mut self.kernels[kernel as usize];
        if let Some(sizes) = literal_dimensions(written)
            && used.generics.is_empty()
            && !used.blocks.iter().any(|(known, _)| *known == sizes)
        {
            used.blocks.push((sizes, written.span()));
        }
        self.dimensions(written)
    }

    /// What a launch asks for beside what the kernel declares itself.
    fn shared_bytes(&mut self, written: &Expr, kernel: u32) -> Extent {
        let used = &mut self.kernels[kernel as usize];
        if let Some(bytes) = integer(written)
            && used.generics.is_empty()
            && !used.shared.iter().any(|(known, _)| *known == bytes)
        {
            used.shared.push((bytes, written.span()));
        }
        self.extent(written)
    }

    fn is_buffer(&self, value: &Expr) -> bool {
        text::identifier(value).is_some_and(|name| self.scopes.buffer(&name.to_string()).is_some())
    }

    fn refuse_without_mode(&mut self, value: &Expr) {
        let name = text::of(value);
        let message = format!("buffer `{name}` is passed without a mode");
        let help =
            format!("write `&{name}`, `&mut {name}`, `&out {name}` or `&atomic {name}`, as the kernel declares it");
        self.diagnose(Diagnostic::error(Code::SYNTAX, value.span(), message).help(help));
    }

    /// The same for what may be a list as a whole.
    fn access_or_list(&mut self, argument: &ast::BufferArgument) -> Option<(Access, Ident)> {
        if !self.names_list(argument) {
            return self.access(argument);
        }
        let Named { buffer, name } = self.whole_list(argument)?;
        let footprint = Footprint::whole(self.program.buffer(buffer).shape);
        let place = self.place(argument.name.span());
        Some((Access { buffer, mode: argument.mode.kind, footprint, ranged: false, view: None, place }, name))
    }

    /// The access that an argument is and what its buffer is called in the evaluator, unless its buffer is unknown.
    pub(crate) fn access(&mut self, argument: &ast::BufferArgument) -> Option<(Access, Ident)> {
        let Named { buffer, name } = self.named(argument)?;
        let footprint = match &argument.range {
            Some(ranges) => self.footprint(&argument.name, ranges, buffer)?,
            None => Footprint::whole(self.program.buffer(buffer).shape),
        };
        let place = self.place(argument.name.span());
        Some((
            Access { buffer, mode: argument.mode.kind, footprint, ranged: argument.range.is_some(), place, view: None },
            name,
        ))
    }

    /// `(last) + 1`
    pub(crate) fn after(&mut self, last: &Expr) -> Extent {
        if let Some(last) = integer(last) {
            return Extent::Known(last.saturating_add(1));
        }
        let end: Expr = syn::parse_quote_spanned!(last.span()=> (#last) + 1);
        self.extent(&end)
    }

    /// The buffer that a name stands for; reports the name if it stands for none, or for a list.
    pub(crate) fn buffer_named(&mut self, name: &Ident) -> Option<graph_ir::model::BufferId> {
        if self.lists(name) > 0 {
            self.refuse_whole_list(name);
            return None;
        }
        self.buffer_or_list(name)
    }

    /// The buffer or the list that a name stands for; reports the name if it stands for none.
    pub(crate) fn buffer_or_list(&mut self, name: &Ident) -> Option<graph_ir::model::BufferId> {
        let spelled = name.to_string();
        if let Some(buffer) = self.scopes.buffer(&spelled) {
            let (current, dropped) = (buffer.current, buffer.dropped);
            if let Some(dropped) = dropped {
                let place = self.place(name.span());
                self.report(&dropped::used_after_drop(&spelled, place, dropped));
                return None;
            }
            return Some(current);
        }
        if self.salvaged.contains(&spelled) {
            return None;
        }
        let place = self.place(name.span());
        let finding = if let Some(ended) = self.scopes.ended(&spelled) {
            scope::out_of_scope(&spelled, place, ended.place, ended.word)
        } else if let Some(value) = self.scopes.find(&spelled) {
            names::not_a_buffer(&spelled, place, value.place)
        } else {
            let known = self.scopes.buffer_names();
            let known: Vec<(&str, graph_ir::model::Place)> =
                known.iter().map(|(name, place)| (name.as_str(), *place)).collect();
            names::unknown_buffer(&spelled, place, &known)
        };
        self.report(&finding);
        None
    }

    fn value_argument(&mut self, value: &Expr, kernel: u32, parameter: usize) -> (HostValue, CheckArgument) {
        if let Some(literal) = literal(value) {
            return (HostValue::Literal(literal), CheckArgument::Value(value.clone()));
        }
        if text::identifier(value).is_some() {
            let broken = self.mentions_broken(value);
            let symbol = self.symbol(value, SymbolUse::Value, |symbol, value| Evaluation::Value { symbol, value });
            let check = if broken { CheckArgument::Hole(value.clone()) } else { CheckArgument::Value(value.clone()) };
            return (HostValue::Symbol(symbol), check);
        }
        let usage = SymbolUse::Argument(kernel, parameter);
        // What a cast says is compared with the declaration where all arguments are: a missing one is then the only fault.
        let known = static_type(value).is_some();
        let symbol = self.symbol(value, usage, |symbol, value| {
            if known {
                Evaluation::Value { symbol, value }
            } else {
                Evaluation::Argument { symbol, kernel, parameter, value }
            }
        });
        (HostValue::Symbol(symbol), CheckArgument::Hole(value.clone()))
    }

    /// The index of a kernel in the program's table.
    fn kernel(&mut self, path: &ExprPath) -> u32 {
        let key = kernel_key(path);
        if let Some(index) = self.kernel_index.get(&key) {
            return *index;
        }
        let index = self.kernels.len() as u32;
        let (path, generics) = without_generics(path);
        let other = self.kernels.iter().find(|known| known.path == path).map(|known| known.alias.clone());
        let imported = other.is_some();
        let alias = other.unwrap_or_else(|| self.kernel_alias(&path, index));
        self.kernels.push(KernelUse { path, alias, generics, imported, blocks: Vec::new(), shared: Vec::new() });
        self.kernel_index.insert(key, index);
        index
    }

    /// The kernel's own name, with a number if anything else in the graph is called so.
    fn kernel_alias(&self, path: &ExprPath, index: u32) -> Ident {
        let Some(last) = path.path.segments.last() else { return format_ident!("kernel_{index}") };
        let taken =
            |alias: &Ident| self.names.contains(&alias.to_string()) || self.kernels.iter().any(|k| k.alias == *alias);
        if path.path.segments.len() > 1 && !taken(&last.ident) {
            return last.ident.clone();
        }
        let numbered = |number: u32| format_ident!("{}_{number}", last.ident, span = last.ident.span());
        (index..=u32::MAX).map(numbered).find(|alias| !taken(alias)).unwrap_or_else(|| last.ident.clone())
    }

    fn dimensions(&mut self, expression: &Expr) -> Dimensions {
        let place = self.place(text::span(expression));
        if let Some(sizes) = literal_dimensions(expression) {
            return Dimensions { sizes: sizes.map(Extent::Known), symbol: None, place };
        }
        let negative = match text::bare(expression) {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|size| self.refuse_negative(size)),
            other => self.refuse_negative(other),
        };
        if negative {
            return Dimensions { sizes: [Extent::Known(1); 3], symbol: None, place };
        }
        let usage = SymbolUse::Dimensions;
        let symbol = self.symbol(expression, usage, |symbol, value| Evaluation::Dimensions { symbol, value });
        Dimensions { sizes: [Extent::Known(1); 3], symbol: Some(symbol), place }
    }
}

/// The same for kernels that are the same.
fn kernel_key(path: &ExprPath) -> String {
    if path.path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return path.to_token_stream().to_string();
    }
    let mut key = String::new();
    for segment in &path.path.segments {
        // Writing to a string cannot fail.
        let _ = write!(key, "::{}", segment.ident);
    }
    key
}

/// `256`, `(16, 16)`: sizes that are known when the macro expands.
/// The path for `use`, and the generic arguments as an expression has them.
fn without_generics(path: &ExprPath) -> (ExprPath, TokenStream) {
    let mut path = path.clone();
    let Some(last) = path.path.segments.last_mut() else { return (path, TokenStream::new()) };
    let generics = match std::mem::take(&mut last.arguments) {
        PathArguments::AngleBracketed(mut arguments) => {
            arguments.colon2_token.get_or_insert_with(Default::default);
            arguments.to_token_stream()
        }
        _ => TokenStream::new(),
    };
    (path, generics)
}

fn literal_dimensions(expression: &Expr) -> Option<[u64; 3]> {
    let mut sizes = [1; 3];
    match text::bare(expression) {
        Expr::Tuple(tuple) if (1..=3).contains(&tuple.elems.len()) => {
            for (size, element) in sizes.iter_mut().zip(&tuple.elems) {
                *size = integer(element)?;
            }
        }
        other => sizes[0] = integer(other)?,
    }
    Some(sizes)
}

/// A literal as [`HostValue::Literal`] has it: with its sign, without its suffix.
pub(crate) fn literal(expression: &Expr) -> Option<String> {
    let (negative, literal) = ast::signed_literal(text::bare(expression))?;
    let digits = match literal {
        syn::Lit::Int(int) => without_suffix(&int.to_string(), int.suffix()),
        syn::Lit::Float(float) => without_suffix(&float.to_string(), float.suffix()),
        syn::Lit::Bool(boolean) => boolean.value.to_string(),
        _ => return None,
    };
    Some(if negative { format!("-{digits}") } else { digits })
}

/// The digits of a literal.
pub(crate) fn without_suffix(token: &str, suffix: &str) -> String {
    token.strip_suffix(suffix).unwrap_or(token).trim_end_matches('_').to_owned()
}

pub(crate) fn check_buffer(argument: &ast::BufferArgument, name: Ident) -> CheckBuffer {
    CheckBuffer { name, mode: argument.mode.kind, ampersand: argument.mode.ampersand }
}
