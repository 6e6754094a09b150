//! Random blocks: tokens of real ones, cut, doubled, exchanged and mixed. Whatever comes of it, the macro does not panic, and says the
//! same twice.
//!
//! `cargo xtask fuzz --seconds 60` goes on for a minute instead of for a fixed number of blocks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::sources;

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
    let mut corpus = Vec::new();
    for folder in ["examples/src", "tests/src", "tests/ui"] {
        sources::files(&sources::path(folder)).into_iter().for_each(|file| sources::blocks(file, &mut corpus));
    }
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
