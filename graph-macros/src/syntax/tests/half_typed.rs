//! While a block is being typed it ends anywhere: nothing panics, and the names typed so far are kept.

use std::collections::BTreeSet;

use proc_macro2::{Group, TokenStream, TokenTree};

use super::super::ast::{Block, Graph};
use super::super::stream::is_name;
use super::programs::{CG, JACOBI};
use super::{dump, tokens};

const MANY_FORMS: &str = r"
graph Many<T: Element, const N: usize>(n: usize, image: &host [u8; n], edges: &mut host [u8; n]) where T: Copy {
    let pixels: [u8; n];
    let half = n.div_ceil(2);
    let mask: host [f32; half] = 0.5;
    'upload: copy(&image, &out pixels[..half]) after 'blur;
    fill(&out mask[half..n], scale);
    if n > half { module::blur<<<(half, 1), 256, shared>>>(&pixels, &mut mask) after 'upload; }
    else if pixels[0] == threshold { drop(mask); }
    else { { let inner: [f32; half]; module::use_it<<<half, 1>>>(&inner[half..], &atomic mask, n + half); } }
    match pixels[0] { 0 => { swap(&mut pixels, &mut mask); } 1 | 2..9 => {} _ => { pixels[0] += offset; } }
    'l: while changed[0] > tolerance limit half every 4 { step<<<half, 1>>>(&out changed); }
    loop { step<<<half, 1>>>(&out changed); if changed[0] == 0 { break; } }
    Inlined { image: &image, edges: &mut edges };
    kernel for index in 0..n { pixels[index] = 0; }
}";

/// The first `count` tokens, groups closed.
fn prefix(tokens: TokenStream, count: &mut usize) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens {
        if *count == 0 {
            break;
        }
        *count -= 1;
        out.push(match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), prefix(group.stream(), count))),
            other => other,
        });
    }
    out.into_iter().collect()
}

fn size(tokens: TokenStream) -> usize {
    tokens.into_iter().map(|token| 1 + if let TokenTree::Group(group) = token { size(group.stream()) } else { 0 }).sum()
}

/// Names that Rust would take for names; labels are none.
fn names(tokens: TokenStream, into: &mut BTreeSet<String>) {
    let mut behind_quote = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => names(group.stream(), into),
            TokenTree::Ident(ident) if !behind_quote && is_name(ident) => {
                into.insert(ident.to_string());
            }
            _ => {}
        }
        behind_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
}

/// Everything that the tree still knows.
fn kept(block: &Block) -> BTreeSet<String> {
    let mut kept: BTreeSet<String> = block.salvage.iter().map(ToString::to_string).collect();
    for graph in &block.graphs {
        kept.extend(graph.salvage.iter().map(ToString::to_string));
        let text = graph_text(graph);
        names(text.parse().unwrap(), &mut kept);
    }
    kept
}

fn graph_text(graph: &Graph) -> String {
    use quote::ToTokens as _;
    let parameters: Vec<String> = graph.parameters.iter().map(dump::parameter).collect();
    let (generics, clause) = (graph.generics.to_token_stream(), graph.generics.where_clause.to_token_stream());
    format!("{} {generics} {clause} {parameters:?} ", graph.name)
        + &spaced(&parameters)
        + &spaced(&dump::statements(&graph.body))
}

fn spaced(lines: &[String]) -> String {
    lines.join(" ").replace("asu32", " as u32").replace("==", " == ")
}

/// Words of the block's own grammar that the tree does not keep as names.
const WORDS: [&str; 17] = [
    "doc", "map", "graph", "limit", "every", "after", "kernel", "copy", "fill", "swap", "drop", "out", "atomic",
    "host", "u32", "T", "N",
];

fn check(source: &str) {
    let whole: TokenStream = source.parse().unwrap();
    for length in 0..=size(whole.clone()) {
        let typed = prefix(whole.clone(), &mut { length });
        let (block, diagnostics) = tokens(typed.clone());
        let mut wanted = BTreeSet::new();
        names(typed.clone(), &mut wanted);
        let kept = kept(&block);
        let lost: Vec<_> =
            wanted.iter().filter(|name| !kept.contains(*name) && !WORDS.contains(&name.as_str())).collect();
        assert!(lost.is_empty(), "{lost:?} of {typed}");
        diagnostics.iter().filter(|diagnostic| diagnostic.code.is_some()).for_each(super::assert_style);
    }
}

#[test]
fn every_prefix_of_jacobi() {
    check(JACOBI);
}

#[test]
fn every_prefix_of_conjugate_gradient() {
    check(CG);
}

#[test]
fn every_prefix_of_a_block_with_many_forms() {
    check(MANY_FORMS);
}
