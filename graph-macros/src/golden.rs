//! The whole expansion of one small block, to read and to compare.
//!
//! `INSTA_UPDATE=always cargo test -p graph-macros golden` writes it anew: read what changed.

use graph_ir::model::Program;
use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::quote;

/// A buffer and two values, a condition, a launch: a view, setters and every table have something in them.
fn block() -> TokenStream {
    quote! {
        /// Scales `x` if its first element is large.
        pub graph Scale(x: &mut [f32; n], above: f32) {
            'large: if x[0] > above {
                kernels::scale<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
            }
        }
    }
}

/// A kernel with a stencil, and a reduction.
fn kernels() -> TokenStream {
    quote! {
        graph Smooth(x: &[f32; n], y: &mut [f32; n], s: &mut [f32; 1], by: f32) {
            kernel for i in 1..n - 1 {
                let mut sum = x[i - 1] + x[i + 1];
                if sum < 0.0 { sum = 0.0; }
                y[i] = by * sum;
            }
            s[0] += (0..n).map(|i| y[i] * y[i]).sum();
        }
    }
}

/// The tokens with each byte string replaced by an empty one, and the bytes.
fn split(tokens: TokenStream, bytes: &mut Vec<u8>) -> TokenStream {
    tokens.into_iter().map(|token| split_token(token, bytes)).collect()
}

fn split_token(token: TokenTree, bytes: &mut Vec<u8>) -> TokenTree {
    match token {
        TokenTree::Group(group) => Group::new(group.delimiter(), split(group.stream(), bytes)).into(),
        TokenTree::Literal(literal) => match syn::parse_str::<syn::LitByteStr>(&literal.to_string()) {
            Ok(text) => {
                bytes.extend(text.value());
                Literal::byte_string(b"").into()
            }
            Err(_) => literal.into(),
        },
        token => token,
    }
}

#[test]
fn expansion() {
    let mut bytes = Vec::new();
    let tokens = split(crate::compile(block()), &mut bytes);
    let file: syn::File = syn::parse2(tokens).expect("the expansion is Rust");
    insta::assert_snapshot!("scale", prettyplease::unparse(&file));
    assert_program(&Program::decode(&bytes).expect("the bytes are a program"));
}

#[test]
fn expansion_of_kernels() {
    let mut bytes = Vec::new();
    let tokens = split(crate::compile(kernels()), &mut bytes);
    let file: syn::File = syn::parse2(tokens).expect("the expansion is Rust");
    let evaluator = |item: &syn::Item| matches!(item, syn::Item::Const(_));
    let items = file.items.into_iter().filter(evaluator).collect();
    insta::assert_snapshot!("kernels", prettyplease::unparse(&syn::File { items, ..syn::parse_quote!() }));
    let program = Program::decode(&bytes).expect("the bytes are a program");
    let nodes: Vec<(&str, &str)> = program.nodes.iter().map(|node| (&*node.label, node.kind.word())).collect();
    assert_eq!(nodes, [("y[i]", "kernel for"), ("sum s", "reduction")]);
}

fn assert_program(program: &Program) {
    assert_eq!(program.name, "Scale");
    let buffers: Vec<&str> = program.buffers.iter().map(|buffer| buffer.name.as_str()).collect();
    assert_eq!(buffers, ["x"]);
    let nodes: Vec<(&str, &str)> = program.nodes.iter().map(|node| (&*node.label, node.kind.word())).collect();
    assert_eq!(nodes, [("large", "if"), ("scale", "kernel")]);
    let regions: Vec<usize> = program.regions.iter().map(|region| region.nodes.len()).collect();
    assert_eq!(regions, [1, 1]);
}

#[test]
fn the_same_block_gives_the_same_tokens() {
    assert_eq!(crate::compile(block()).to_string(), crate::compile(block()).to_string());
}
