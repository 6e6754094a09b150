//! What entries are called: as profilers show them, after the graph and the statement that first needs them.
//!
//! An entry that several statements share has one name. Names have no lines, so that a change elsewhere in a file leaves the text, and with
//! it what the driver has compiled of it before, as it is.

use std::sync::Arc;

/// Longer parts are cut.
const LONGEST: usize = 48;

/// Of a module.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    graph: String,
    /// Of the statement.
    pub(super) label: Option<Arc<str>>,
}

impl Names {
    pub(super) fn of_graph(name: &str) -> Self {
        Self { graph: name.to_owned(), label: None }
    }

    /// `Cg_residual_each_3`; the number alone makes it unique.
    pub(super) fn name(&self, word: &str, number: usize) -> String {
        let mut name = part(&self.graph);
        if let Some(label) = &self.label {
            name += &part(label);
        }
        format!("{name}{word}_{number}")
    }
}

/// The letters and digits of ASCII, with one `_` for what is between them and one behind; nothing of nothing.
fn part(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut part: String = words.collect::<Vec<_>>().join("_");
    part.truncate(LONGEST);
    if !part.is_empty() {
        part.push('_');
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_block_in_letters_that_ptx_has() {
        let mut names = Names::of_graph("Cg");
        assert_eq!(names.name("fill", 0), "Cg_fill_0");
        for (label, name) in [
            ("residual", "Cg_residual_each_3"),
            ("moved[0]", "Cg_moved_0_each_3"),
            ("a[2, 1]", "Cg_a_2_1_each_3"),
            ("größer", "Cg_gr_er_each_3"),
            ("…", "Cg_each_3"),
        ] {
            names.label = Some(Arc::from(label));
            assert_eq!(names.name("each", 3), name);
        }
        names.label = Some(Arc::from("x".repeat(200)));
        assert_eq!(names.name("each", 3).len(), "Cg_".len() + LONGEST + "_each_3".len());
        assert_eq!(Names::default().name("each", 3), "each_3");
    }
}
