//! What valgrind's callgrind writes: how many instructions each function has executed, with those that it called.

use std::collections::HashMap;

/// The instructions of a run.
pub(super) struct Profile {
    /// By function: its own, and those of what it called.
    inclusive: HashMap<String, u64>,
}

impl Profile {
    /// Reads the [profile format](https://valgrind.org/docs/manual/cl-format.html), as far as callgrind uses it for one event.
    pub(super) fn parse(text: &str) -> Self {
        let mut names = Names::default();
        let mut inclusive: HashMap<String, u64> = HashMap::new();
        let mut function = String::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = names.resolve(name);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                // It may be named in full here, and by its number later.
                names.resolve(name);
            } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
                // Of the function itself, or, behind `calls=`, of what it called.
                let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse::<u64>().ok());
                *inclusive.entry(function.clone()).or_default() += cost.unwrap_or(0);
            }
        }
        Self { inclusive }
    }

    /// The instructions of a function that does not call itself, and of all that it called; `None` if it was not called.
    pub(super) fn inclusive(&self, function: &str) -> Option<u64> {
        self.inclusive.get(function).copied()
    }
}

/// Names stand in full where they come first: `(7) name`, then as `(7)`.
#[derive(Default)]
struct Names<'t>(HashMap<&'t str, &'t str>);

impl<'t> Names<'t> {
    fn resolve(&mut self, written: &'t str) -> String {
        let (number, name) = written.split_once(' ').map_or((written, None), |(number, name)| (number, Some(name)));
        if let Some(name) = name.filter(|_| number.starts_with('(')) {
            self.0.insert(number, name);
        }
        self.0.get(number).map_or_else(|| written.to_owned(), |name| (*name).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_its_own_instructions_and_those_of_what_it_calls() {
        let text = "version: 1\npositions: line\nevents: Ir\nsummary: 900\n\nob=(1) /p\nfl=(1) a.rs\nfn=(1) main\n10 5\n+2 7\n\
                    cfn=(2) inner thing\ncalls=3 20\n+1 600\n* 8\n\nfn=(2)\n20 400\nfi=(2) b.rs\n3 150\ncob=(2) /q\ncfn=(3) leaf\ncalls=1 0\n21 50\n";
        let profile = Profile::parse(text);
        assert_eq!(profile.inclusive("main"), Some(5 + 7 + 600 + 8));
        assert_eq!(profile.inclusive("inner thing"), Some(400 + 150 + 50));
        assert_eq!(profile.inclusive("leaf"), None, "it stands only where it is called");
    }
}
