//! How often a graph's text names something.

use std::collections::HashMap;

use proc_macro2::TokenTree;
use syn::buffer::Cursor;

/// Each name with how often it stands in some tokens. In literals of text every word counts: a format string names values.
#[derive(Default)]
pub(crate) struct Mentions(HashMap<String, u32>);

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
                TokenTree::Ident(name) => self.count(name.to_string()),
                TokenTree::Literal(literal) => self.words(&literal.to_string()),
                TokenTree::Group(_) | TokenTree::Punct(_) => {}
            }
            cursor = next;
        }
    }

    fn words(&mut self, literal: &str) {
        if literal.contains('{') {
            let words = literal.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.filter(|word| !word.is_empty()).for_each(|word| self.count(word.to_owned()));
        }
    }

    fn count(&mut self, name: String) {
        *self.0.entry(name).or_default() += 1;
    }

    /// How often.
    pub(crate) fn of(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or(0)
    }
}
