//! The guide against what it quotes. Its blocks are doctests of this package (`tests/build.rs`), but for those that are refused.
#![allow(clippy::unwrap_used, reason = "asserting on files of the repository")]

use std::fs;
use std::path::PathBuf;

use crate::quoted::{assert_quotes_cases, root};

fn chapters() -> Vec<PathBuf> {
    let paths = fs::read_dir(root().join("guide/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    paths.sort();
    paths
}

#[test]
fn refused_blocks_are_cases_with_what_the_compiler_prints() {
    chapters().iter().for_each(|path| assert_quotes_cases(path, "rust,ignore"));
}

#[test]
fn every_block_of_rust_is_compiled() {
    for path in chapters() {
        let text = fs::read_to_string(&path).unwrap();
        let mut before = "";
        let mut inside = false;
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```") {
                inside = !inside;
                let compiled = ["rust", "rust,no_run"].contains(&language);
                let case = language == "rust,ignore" && before.starts_with("<!-- tests/ui/");
                let other = ["cpp", "python", "text"].contains(&language);
                assert!(!inside || compiled || case || other, "{}: a block of `{language}`", path.display());
            }
            before = line;
        }
        assert!(!inside, "{}: a block does not end", path.display());
    }
}

#[test]
fn the_kernel_is_that_of_the_file() {
    let page = fs::read_to_string(root().join("guide/src/first-graph.md")).unwrap();
    let shown = page.split("```cpp\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(fs::read_to_string(root().join("tests/kernels/guide.cu")).unwrap().contains(shown));
}

#[test]
fn the_filter_is_that_which_runs_on_every_device() {
    let page = fs::read_to_string(root().join("guide/src/from-cuda.md")).unwrap();
    let block = page.split("```rust\n").nth(1).and_then(|rest| rest.split("\nfn main").next()).unwrap();
    let shown = &block[block.find("#[cuda_module").unwrap()..];
    assert!(fs::read_to_string(root().join("tests/src/pipelines/guide.rs")).unwrap().contains(shown));
}

#[test]
fn every_chapter_is_in_the_book_and_short() {
    let summary = fs::read_to_string(root().join("guide/src/SUMMARY.md")).unwrap();
    for path in chapters() {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("]({name})")), "SUMMARY.md lacks {name}");
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 260, "{name} has {lines} lines: split it");
    }
}
