//! Forms of the language that are refused by name, each losing only its own statement.

use super::super::ast::StatementKind;
use super::super::matching;
use super::{all_said, assert_style, dump, graph, said};

const FORMS: &[(&str, &str, &str)] = &[
    ("while let Some(x) = y { k<<<1, 1>>>(); }", "while", "`while let`"),
    ("loop { if c { break 'outer; } }", "'outer", "`break` out of an outer loop"),
];

const ARMS: &[(&str, &str, &str)] = &[
    ("k => {}", "k", "`k` fits every value of the device's"),
    ("k @ _ => {}", "k", "`k` fits every value of the device's"),
    ("k @ 3.. => {}", "3..", "this range has no end, and each of its values gets a body of its own"),
    ("(k @ 1) | 2 => {}", "k", "a name in one of several alternatives"),
    ("ref k @ 1 => {}", "ref k @ 1", "a value of the device is not borrowed or changed in an arm"),
    ("Some(x) => {}", "Some(x)", "a value of the device's fits integers only"),
    ("1.5 => {}", "1.5", "a value of the device's fits integers only"),
    ("'a' => {}", "'a'", "a value of the device's fits integers only"),
];

#[test]
fn each_is_named_and_the_next_statement_stands() {
    for (source, marked, form) in FORMS {
        let (graph, diagnostics) = graph(&format!("drop(a); {source} drop(z);"));
        assert_eq!(all_said(&diagnostics), [format!("CG0001 `{marked}` {form} is not supported yet")], "{source}");
        assert_style(&diagnostics[0]);
        let help = diagnostics[0].help.as_deref().unwrap_or_default();
        assert!(!help.is_empty(), "{source}");
        let statements = dump::statements(&graph.body);
        assert_eq!((statements[0].as_str(), statements.last().unwrap().as_str()), ("drop a", "drop z"), "{source}");
        assert_eq!(statements.len(), 3, "{source}: {statements:?}");
    }
}

/// Whether the device or the host decides is not known here, so the pattern is kept.
#[test]
fn a_match_on_the_device_is_on_integers() {
    for (source, marked, message) in ARMS {
        let (graph, diagnostics) = graph(&format!("match x[0] {{ {source} }}"));
        assert!(diagnostics.is_empty(), "{source}");
        let StatementKind::Match(conditional) = &graph.body[0].kind else { panic!("a `match` expected: {source}") };
        let Err(fault) = matching::fits(&conditional.arms[0]) else { panic!("a fault expected: {source}") };
        assert_eq!(said(&fault), format!("CG0002 `{marked}` {message}"), "{source}");
        assert_style(&fault);
    }
}

#[test]
fn names_of_refused_statements_are_kept_without_keywords_and_labels() {
    let (graph, _) = graph("'a: while let Some(i) = f(n) { let mut sum = value[k]; }");
    let names: Vec<String> = graph.salvage.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["Some", "i", "f", "n", "sum", "value", "k"]);
}
