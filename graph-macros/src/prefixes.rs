//! Everything that the examples, the tests and the README say, while it is being typed: a block that ends anywhere expands without a
//! panic to Rust in which every complete name is still there, at its own place, and to the same Rust each time.
//!
//! `PREFIXES=all cargo test -p graph-macros --release prefixes` looks at every prefix instead of a sample.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::module::{Disk, Files};
use crate::sources;
use crate::syntax::is_name;

/// About how many prefixes of each block and each module, unless all are asked for.
const SAMPLE: usize = 10;

/// Words of the block's grammar, and of the attributes that only the macro knows: an expansion has no use for them.
const WORDS: [&str; 48] = [
    "after",
    "allow",
    "assert",
    "atomic",
    "block",
    "bound",
    "capture",
    "cluster",
    "cooperative",
    "copy",
    "cpu",
    "deny",
    "doc",
    "drop",
    "early",
    "effects",
    "every",
    "first",
    "explicit",
    "fill",
    "graph",
    "high",
    "host",
    "kernel",
    "limit",
    "low",
    "mailbox",
    "map",
    "max",
    "min",
    "name",
    "optional",
    "out",
    "overlap",
    "priority",
    "product",
    "reason",
    "record",
    "requires",
    "sum",
    "swap",
    "wait",
    "waits",
    "warn",
    "Out",
    "Atomic",
    "Condition",
    "List",
];

/// A package somewhere else.
struct Package(PathBuf);

impl Files for Package {
    fn root(&self) -> &Path {
        &self.0
    }

    fn out_dir(&self) -> Option<&Path> {
        None
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk::package().read(path)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        Disk::package().names(folder)
    }
}

/// The first `count` tokens, with the groups that they open closed.
fn prefix(tokens: TokenStream, count: &mut usize) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens {
        if *count == 0 {
            break;
        }
        *count -= 1;
        out.push(match token {
            TokenTree::Group(group) => {
                let mut cut = Group::new(group.delimiter(), prefix(group.stream(), count));
                cut.set_span(group.span());
                TokenTree::Group(cut)
            }
            other => other,
        });
    }
    out.into_iter().collect()
}

fn size(tokens: TokenStream) -> usize {
    let inside = |token| if let TokenTree::Group(group) = token { size(group.stream()) } else { 0 };
    tokens.into_iter().map(|token| 1 + inside(token)).sum()
}

/// How long the prefixes are that are looked at: evenly apart, and the whole.
fn lengths(size: usize, number: usize) -> Vec<usize> {
    if std::env::var_os("PREFIXES").is_some_and(|wanted| wanted == "all") {
        return (0..=size).collect();
    }
    let first = number % (size / SAMPLE + 1);
    (first..size).step_by(size / SAMPLE + 1).chain([size]).collect()
}

/// Line and column of each name.
type Names = BTreeMap<String, BTreeSet<(usize, usize)>>;

/// All names of tokens; labels are none.
fn names(tokens: TokenStream, into: &mut Names) {
    let mut behind_quote = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => names(group.stream(), into),
            TokenTree::Ident(ident) if !behind_quote && is_name(ident) => {
                let start = ident.span().start();
                into.entry(ident.to_string()).or_default().insert((start.line, start.column));
            }
            _ => {}
        }
        behind_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
}

/// The names of `typed` that its expansion has lost, and those that it has somewhere else only.
fn lost(typed: &TokenStream, expansion: TokenStream) -> (Vec<String>, Vec<String>) {
    let (mut wanted, mut kept) = (Names::new(), Names::new());
    names(typed.clone(), &mut wanted);
    names(expansion, &mut kept);
    let mut moved = Vec::new();
    let mut lost = Vec::new();
    for (name, places) in wanted
        .into_iter()
        .filter(|(name, _)| !WORDS.contains(&name.as_str()) && !crate::diagnostic::lint::is_known(name))
    {
        match kept.get(&name) {
            None => lost.push(name),
            Some(there) => {
                moved.extend(places.difference(there).map(|(line, column)| format!("{name} {line}:{column}")));
            }
        }
    }
    (lost, moved)
}

/// Of an expansion that has errors everything is kept at its own place; of one without, a name at least once.
fn check(typed: &TokenStream, expand: impl Fn(&TokenStream) -> TokenStream) {
    let expansion = expand(typed);
    let text = expansion.to_string();
    assert_eq!(text, expand(typed).to_string(), "two expansions of {typed}");
    let (lost, moved) = lost(typed, expansion);
    assert!(lost.is_empty(), "{lost:?} of {typed}\n{text}");
    assert!(moved.is_empty() || !text.contains("compile_error"), "{moved:?} of {typed}\n{text}");
}

#[test]
fn blocks_expand_however_far_they_are_typed() {
    for (number, block) in sources::all_blocks().into_iter().enumerate() {
        for length in lengths(size(block.clone()), number) {
            check(&prefix(block.clone(), &mut { length }), |typed| crate::compile(typed.clone()));
        }
    }
}

#[test]
fn modules_expand_however_far_they_are_typed() {
    let mut number = 0;
    for package in ["examples", "tests"] {
        let files = Package(sources::path(package));
        let mut modules = Vec::new();
        let sources = sources::files(&files.root().join("src"));
        sources.into_iter().for_each(|file| sources::modules(file, &mut modules));
        for (arguments, item) in modules {
            number += 1;
            for length in lengths(size(item.clone()), number) {
                let expand = |typed: &TokenStream| crate::module::expand(arguments.clone(), typed, &files);
                check(&prefix(item.clone(), &mut { length }), expand);
            }
        }
    }
    assert!(number > 10, "{number} modules");
}
