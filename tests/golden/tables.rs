//! The tables of rules and cases: complete, and true about what they name.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "asserting on files of the repository"
)]

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::quoted::assert_quotes_cases;

/// The rules, by the numbers that the code cites.
const RULES: [RangeInclusive<u32>; 18] = [
    1..=15,
    20..=34,
    40..=60,
    70..=85,
    90..=94,
    100..=106,
    110..=115,
    120..=136,
    150..=174,
    180..=185,
    200..=210,
    220..=223,
    230..=245,
    250..=252,
    260..=260,
    270..=276,
    280..=282,
    300..=311,
];
const RULE_COUNT: usize = 190;

/// The numbers that no case has.
const NO_CASES: [u32; 23] =
    [1, 2, 14, 27, 34, 35, 38, 42, 43, 44, 45, 54, 55, 57, 60, 66, 68, 71, 77, 88, 100, 101, 119];
const CASE_COUNT: usize = 111;

/// What can be done while launches run, by the numbers of `docs/in-flight.md`.
const IN_FLIGHT: [RangeInclusive<u32>; 5] = [1..=11, 20..=34, 40..=46, 50..=60, 70..=75];

const KEPT_BY: [&str; 7] = ["macro", "rustc", "build", "launch", "made so", "promised", "not offered"];
const ACTS: [&str; 5] = ["compile", "build", "run", "shape", "test"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The cells of the rows that begin with this.
fn rows(page: &str, begins: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").map(str::to_owned).collect::<Vec<_>>());
    cells
        .filter(|cells| cells[0].starts_with(begins) && cells[0].ends_with(|last: char| last.is_ascii_digit()))
        .collect()
}

fn number(cell: &str) -> u32 {
    cell.trim_start_matches(|first: char| !first.is_ascii_digit()).parse().unwrap()
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether `path.rs` is there, and has the function of `path.rs: name`.
fn exists(named: &str) -> bool {
    let (path, function) = named.split_once(": ").map_or((named, None), |(path, function)| (path, Some(function)));
    let Ok(text) = fs::read_to_string(root().join(path)) else { return false };
    function.is_none_or(|function| text.contains(&format!("fn {function}(")))
}

/// The codes that are linked, each to its page.
fn codes(cell: &str) -> Vec<&str> {
    let codes = cell.split('[').skip(1).map(|link| link.split(']').next().unwrap());
    codes
        .inspect(|code| assert!(cell.contains(&format!("[{code}](../graph-runtime/src/errors/{code}.md)")), "{cell}"))
        .collect()
}

fn assert_true(row: &[String]) {
    let [id, .., how, code, tests] = row else { panic!("{row:?}") };
    for code in codes(code) {
        assert!(graph_ir::code::ALL.iter().any(|(known, _)| known.to_string() == code), "{id}: {code}");
    }
    for named in quoted(tests).chain(quoted(how).filter(|named| named.ends_with(".rs"))) {
        assert!(exists(named), "{id}: `{named}` is not there");
    }
}

#[test]
fn every_rule_has_its_row() {
    let rows = rows("checks.md", "R");
    let numbers: Vec<u32> = rows.iter().map(|row| number(&row[0])).collect();
    assert_eq!(numbers, RULES.into_iter().flatten().collect::<Vec<_>>());
    assert_eq!(numbers.len(), RULE_COUNT);
    for row in &rows {
        let [id, _, _, kept, _, code, tests] = &row[..] else { panic!("{row:?}") };
        assert!(KEPT_BY.contains(&kept.as_str()), "{id}: {kept}");
        if ["macro", "rustc", "build", "launch"].contains(&kept.as_str()) && number(id) != 7 {
            assert!(quoted(tests).next().is_some(), "{id} has no test");
        }
        assert!(kept != "macro" || !codes(code).is_empty(), "{id} has no code");
        assert_true(row);
    }
}

#[test]
fn every_case_has_its_row() {
    let rows = rows("cases.md", "UC-");
    let numbers: BTreeSet<u32> = rows.iter().map(|row| number(&row[0])).collect();
    let wanted: BTreeSet<u32> = (1..=134).filter(|number| !NO_CASES.contains(number)).collect();
    assert_eq!(numbers, wanted);
    assert_eq!((numbers.len(), rows.len()), (CASE_COUNT, CASE_COUNT));
    for row in &rows {
        let [id, _, seen, acts, _, _, tests] = &row[..] else { panic!("{row:?}") };
        assert!(seen.contains("](https://"), "{id}: {seen}");
        assert!(ACTS.contains(&acts.as_str()), "{id}: {acts}");
        assert!(
            !["compile", "run"].contains(&acts.as_str()) || quoted(tests).next().is_some() || id == "UC-52",
            "{id} has no test"
        );
        assert_true(row);
    }
}

#[test]
fn what_is_done_in_flight_has_its_row() {
    let rows = rows("in-flight.md", "F");
    let numbers: Vec<u32> = rows.iter().map(|row| number(&row[0])).collect();
    assert_eq!(numbers, IN_FLIGHT.into_iter().flatten().collect::<Vec<_>>());
    for row in &rows {
        let [id, _, prevented_by, tests] = &row[..] else { panic!("{row:?}") };
        assert!(!prevented_by.is_empty() && quoted(tests).next().is_some(), "{id} has no test");
        for named in quoted(tests) {
            assert!(exists(named), "{id}: `{named}` is not there");
            let refused = named.strip_prefix("tests/ui/").and_then(|case| case.strip_suffix(".rs"));
            let told = refused.is_none_or(|case| root().join(format!("tests/ui/{case}.stderr")).is_file());
            assert!(told, "{id}: `{named}` compiles, or nobody knows what is said of it");
        }
    }
}

#[test]
fn ten_failures_are_told_as_the_compiler_tells_them() {
    let path = root().join("docs/failures.md");
    let page = fs::read_to_string(&path).unwrap();
    let count = |text: &str| page.matches(text).count();
    assert_eq!([count("\n## "), count("\nUC-"), count("<!-- tests/ui/"), count("```rust\n")], [10; 4]);
    assert_quotes_cases(&path, "rust");
}
