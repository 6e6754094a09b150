//! How often a graph's text names something.

use std::fmt::Write as _;

use proc_macro2::{Ident, TokenTree};
use rustc_hash::FxHashMap;
use syn::buffer::Cursor;

/// Each name with how often it stands in some tokens. In literals of text every word counts: a format string names values.
#[derive(Default)]
pub(crate) struct Mentions {
    counts: FxHashMap<String, u32>,
    /// Of the name that is looked at.
    text: String,
}

impl Mentions {
    /// Counts the names from here to the end of the group too.
    pub(super) fn add(&mut self, mut cursor: Cursor<'_>) {
        loop {
            if let Some((inside, _, _, next)) = cursor.any_group() {
                self.add(inside);
                cursor = next;
                continue;
            }
            let Some((token, next)) = cursor.token_tree() else { break };
            match token {
                TokenTree::Ident(name) => self.name(&name),
                TokenTree::Literal(literal) => self.words(&literal.to_string()),
                TokenTree::Group(_) | TokenTree::Punct(_) => {}
            }
            cursor = next;
        }
    }

    fn words(&mut self, literal: &str) {
        if literal.contains('{') {
            let words = literal.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.filter(|word| !word.is_empty()).for_each(|word| self.count(word));
        }
    }

    fn name(&mut self, name: &Ident) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "{name}");
        self.count(&text);
        self.text = text;
    }

    fn count(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => _ = self.counts.insert(name.to_owned(), 1),
        }
    }

    /// How often.
    pub(crate) fn of(&self, name: &str) -> u32 {
        self.counts.get(name).copied().unwrap_or(0)
    }
}
