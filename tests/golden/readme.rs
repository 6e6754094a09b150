//! The README against what it quotes: its block compiles as a doctest of this package, its pictures are compared in `examples`, and
//! everything else here.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// The text of every fenced block of this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let begin = format!("```{language}\n");
    text.split(&begin).skip(1).filter_map(|rest| rest.split("```").next()).map(ToOwned::to_owned).collect()
}

fn block(language: &str) -> String {
    let mut found = blocks(&read("README.md"), language);
    assert!(!found.is_empty(), "the README has no block of {language}");
    found.remove(0)
}

#[test]
fn the_refused_case_is_the_block_without_one_line() {
    let left_out = "moved[0] = 0;";
    let kept: String = block("rust").split_inclusive('\n').filter(|line| !line.contains(left_out)).collect();
    assert_eq!(read("tests/ui/memory/readme.rs"), kept);
}

#[test]
fn the_error_is_what_the_compiler_prints() {
    let printed = read("tests/ui/memory/readme.stderr");
    assert_eq!(
        block("text"),
        printed.replace("$DIR/", "").replace("tests/", "").replace("ui/memory/readme.rs", "src/main.rs")
    );
}

#[test]
fn the_kernels_in_the_block_are_those_of_the_example() {
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (quoted, whole) = (lines(&block("rust,ignore")), lines(&read("examples/src/programs/cg.rs")));
    assert!(whole.windows(quoted.len()).any(|window| window == quoted), "cg.rs has other lines than the README");
}

#[test]
fn the_commands_are_those_of_ci() {
    let ci = read(".ci/run").replace(" --locked", "");
    let steps: Vec<&str> = ci.lines().filter_map(|line| line.strip_prefix("step ")).collect();
    let commands = block("sh");
    assert_eq!(commands.lines().count(), 2);
    for command in commands.lines() {
        assert!(steps.contains(&command), "`{command}` is not a step of .ci/run");
    }
}
