//! Random blocks: tokens of real ones, cut, doubled, exchanged and mixed. Whatever comes of it, the macro does not panic, and says the
//! same twice.
//!
//! `cargo xtask fuzz --seconds 60` goes on for a minute instead of for a fixed number of blocks.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Blocks, unless a time is asked for.
const BLOCKS: usize = 1000;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}

/// What stands in the blocks of the files below a folder.
fn blocks(folder: &Path, into: &mut Vec<TokenStream>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            blocks(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            source.parse().into_iter().for_each(|tokens| find(tokens, into));
        }
    }
}

fn find(tokens: TokenStream, into: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        match index.checked_sub(2).map(|word| &tokens[word]) {
            Some(TokenTree::Ident(word)) if word == "cuda_graph" => into.push(group.stream()),
            _ => find(group.stream(), into),
        }
    }
}

/// All tokens, those in groups too.
fn flat(tokens: TokenStream, into: &mut Vec<TokenTree>) {
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            flat(group.stream(), into);
        }
        into.push(token);
    }
}

/// The tokens with a change at about one in `rarely`.
fn changed(tokens: TokenStream, rarely: usize, donors: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = changed(group.stream(), rarely, donors, random);
                let others = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
                let other = random.below(4 * rarely);
                let mut changed = Group::new(*others.get(other).unwrap_or(&group.delimiter()), inside);
                changed.set_span(group.span());
                TokenTree::Group(changed)
            }
            other => other,
        };
        let donor = donors[random.below(donors.len())].clone();
        match random.below(6 * rarely) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.push(donor),
            3 => out.extend([token, donor]),
            4 => out.insert(random.below(out.len() + 1), token),
            5 => break,
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

#[test]
fn fuzz() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut corpus = Vec::new();
    ["examples/src", "tests/src", "tests/ui"].iter().for_each(|folder| blocks(&root.join(folder), &mut corpus));
    assert!(corpus.len() > 100, "{} blocks", corpus.len());
    let mut donors = Vec::new();
    corpus.iter().for_each(|block| flat(block.clone(), &mut donors));

    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut random = Random(17);
    let mut count = 0;
    while end.map_or(count < BLOCKS, |end| Instant::now() < end) {
        count += 1;
        let (block, rarely) = (corpus[random.below(corpus.len())].clone(), 1 << (2 + random.below(6)));
        let block = changed(block, rarely, &donors, &mut random);
        let expand = || crate::compile(block.clone()).to_string();
        let expansion = catch_unwind(AssertUnwindSafe(expand)).unwrap_or_else(|_| panic!("number {count}:\n{block}"));
        assert_eq!(expansion, expand(), "number {count}:\n{block}");
    }
    println!("{count} blocks");
}
