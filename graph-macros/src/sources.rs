//! The blocks and modules that stand in the workspace's own files: what tests of the macro try it on.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// A file of the workspace, from the workspace's root.
pub(crate) fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

/// The tokens of all Rust files below a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<TokenStream> {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.extend(fs::read_to_string(&path).unwrap().parse::<TokenStream>());
        }
    }
    found
}

/// The Rust blocks of a Markdown file.
pub(crate) fn fenced(text: &str) -> Vec<TokenStream> {
    let mut blocks = text.split("```rust\n").skip(1);
    blocks.by_ref().map(|block| block.split("\n```").next().unwrap_or_default().parse().unwrap()).collect()
}

/// The blocks of the examples, of the tests' pipelines and of the README.
pub(crate) fn all_blocks() -> Vec<TokenStream> {
    let mut found = Vec::new();
    for folder in ["examples/src", "tests/src"] {
        files(&path(folder)).into_iter().for_each(|file| blocks(file, &mut found));
    }
    let readme = fs::read_to_string(path("README.md")).unwrap();
    fenced(&readme).into_iter().for_each(|file| blocks(file, &mut found));
    assert!(found.len() > 50, "{} blocks", found.len());
    found
}

/// What stands in each `cuda_graph! { … }`.
pub(crate) fn blocks(tokens: TokenStream, into: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        match index.checked_sub(2).map(|word| &tokens[word]) {
            Some(TokenTree::Ident(word)) if word == "cuda_graph" => into.push(group.stream()),
            _ => blocks(group.stream(), into),
        }
    }
}

/// The arguments of each `#[cuda_module(…)]`, and the module behind it.
pub(crate) fn modules(tokens: TokenStream, into: &mut Vec<(TokenStream, TokenStream)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        match inner.as_slice() {
            [TokenTree::Ident(word), TokenTree::Group(arguments)] if word == "cuda_module" => {
                into.push((arguments.stream(), item(&tokens[index + 1..])));
            }
            _ => modules(group.stream(), into),
        }
    }
}

/// The tokens up to and with the first `{ … }`.
fn item(tokens: &[TokenTree]) -> TokenStream {
    let brace = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace);
    let end = tokens.iter().position(brace).map_or(tokens.len(), |last| last + 1);
    tokens[..end].iter().cloned().collect()
}
