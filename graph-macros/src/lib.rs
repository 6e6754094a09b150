//! `cuda_graph!` and `#[cuda_module]`: tokens to graph-ir, findings to compile errors, programs to Rust.
//!
//! A block is parsed (`syntax`), each graph is lowered to a symbolic program (`lower`), the rules of graph-ir look at it, and what
//! could be understood is emitted (`emit`) together with everything that was found (`diagnostic`).

#[cfg(test)]
mod cost;
mod derive;
mod diagnostic;
mod dump;
mod editor;
mod emit;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod golden;
mod lower;
mod module;
#[cfg(test)]
mod prefixes;
#[cfg(test)]
mod sources;
mod syntax;

use graph_ir::code::Code;
use proc_macro2::TokenStream;
use quote::quote;

use diagnostic::{Diagnostic, Diagnostics};
use syntax::Read;

/// Compiles a block of `graph` items. See the crate `graph-runtime` for the language.
#[proc_macro]
pub fn cuda_graph(block: proc_macro::TokenStream) -> proc_macro::TokenStream {
    compile(block.into()).into()
}

/// Declares the kernels of a file. See the crate `graph-runtime` for the forms.
#[proc_macro_attribute]
pub fn cuda_module(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    module::expand(attribute.into(), &item.into(), &module::Disk::package()).into()
}

/// Makes a struct of buffers a parameter's type: `layer: &Layer`. See the crate `graph-runtime`.
#[proc_macro_derive(Buffers, attributes(value))]
pub fn derive_buffers(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::buffers(item.into()).into()
}

/// Lets a `#[repr(C)]` struct of plain data be passed to kernels by value. See the crate `graph-runtime`.
#[proc_macro_derive(DeviceValue)]
pub fn derive_device_value(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::device_value(item.into()).into()
}

/// A block whose conditions rustc has decided; part of what `cuda_graph!` expands to.
#[doc(hidden)]
#[proc_macro_derive(Configured, attributes(block))]
pub fn configured(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    match syntax::configuration::configured(item.into()) {
        Ok(block) => compile(block).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// A block to Rust: whatever is wrong, the expansion has the shape of success.
fn compile(block: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let typed = block.clone();
    match syntax::read(block, &mut diagnostics) {
        Read::Parsed(block) => compile_parsed(&block, None, diagnostics, typed),
        Read::TooDeep(fault) => {
            let typed = syntax::depth::cut(typed);
            let block = syntax::parse(typed.clone(), &mut diagnostics);
            compile_parsed(&block, Some(fault), diagnostics, typed)
        }
        Read::Undecided(conditions) => syntax::configuration::ask(&typed, &conditions),
    }
}

/// A block in one configuration. With a fault that is known, what else it has may come of that.
fn compile_parsed(
    block: &syntax::ast::Block,
    fault: Option<Diagnostic>,
    mut diagnostics: Diagnostics,
    typed: TokenStream,
) -> TokenStream {
    let graphs: Vec<TokenStream> =
        block.graphs.iter().map(|graph| compile_graph(graph, block, &mut diagnostics)).collect();
    let diagnostics = fault.map_or(diagnostics, Diagnostics::from);
    let for_editors = diagnostics.has_error().then(|| editor::half_typed(typed));
    let errors = diagnostics.into_tokens();
    quote!(#errors #(#graphs)* #for_editors)
}

fn compile_graph(graph: &syntax::ast::Graph, block: &syntax::ast::Block, diagnostics: &mut Diagnostics) -> TokenStream {
    let before = diagnostics.iter().len();
    let lowered = lower::lower(graph, block, diagnostics);
    // Rules assume that every statement was understood: a fault above would come back as its consequences.
    if graph.whole && diagnostics.iter().len() == before {
        for finding in findings(graph, &lowered) {
            let diagnostic = diagnostic::from_finding(&finding, &lowered.places);
            diagnostics.extend(lowered.levels.given(diagnostic, finding.place));
        }
    }
    let expansion = emit::emit(graph, &lowered);
    dump::graph(&graph.name.to_string(), &expansion);
    expansion
}

/// Warnings that something is for nothing.
const OF_WHAT_IS_LEFT_OUT: [Code; 5] =
    [Code::NEEDLESS_WAIT, Code::UNREAD, Code::REDUNDANT_AFTER, Code::UNUSED_BUFFER, Code::UNUSED_PARAMETER];

/// What the rules refuse; warnings that need the whole text only where nothing is refused.
fn findings(graph: &syntax::ast::Graph, lowered: &lower::Lowered) -> Vec<graph_ir::finding::Finding> {
    let mut findings = graph_ir::rules::check(&lowered.program).refuted;
    if findings.iter().all(|finding| finding.level == graph_ir::finding::Level::Warning) {
        findings.extend(graph_ir::rules::advise(&lowered.program));
        findings.extend(lowered.unused.iter().cloned());
        // In another configuration there may be what needs it.
        findings.retain(|finding| !(graph.configured && OF_WHAT_IS_LEFT_OUT.contains(&finding.code)));
    }
    findings
}
