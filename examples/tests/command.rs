//! The command line of `canny`: what it prints and writes, and how it refuses.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn canny(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_canny")).args(arguments).current_dir(folder).output().unwrap()
}

fn of_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The message of a run that fails as it should: one line, and exit code 1.
fn refusal(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = canny(folder.path(), arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    message.trim_end().to_owned()
}

#[test]
fn the_shipped_photograph_has_the_edges_of_opencv() {
    let folder = tempfile::tempdir().unwrap();
    let output = canny(folder.path(), &["--device", "cpu", "--frames", "2", "--dot", "graph.dot"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["512 x 512", "nodes", "8 passes", "over 2 launches", "in edges.png"] {
        assert!(printed.contains(part), "no `{part}` in\n{printed}");
    }
    let edges = |path: PathBuf| image::open(path).unwrap().to_luma8();
    assert!(edges(folder.path().join("edges.png")) == edges(of_package("references/photo.edges-50-100.png")));
    assert!(std::fs::read_to_string(folder.path().join("graph.dot")).unwrap().starts_with("digraph"));
}

#[test]
fn names_and_thresholds_can_be_given() {
    let folder = tempfile::tempdir().unwrap();
    let input = of_package("references/coffee.png");
    let thresholds = ["--low", "20", "--high", "180", "--frames", "1", "--device", "cpu"];
    let output = canny(folder.path(), &[&[input.to_str().unwrap(), "my edges.png"], &thresholds[..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let edges = |path: PathBuf| image::open(path).unwrap().to_luma8();
    assert!(edges(folder.path().join("my edges.png")) == edges(of_package("references/coffee.edges-20-180.png")));
}

#[test]
fn what_cannot_be_done_is_said() {
    assert_eq!(refusal(&["no.png"]), "error: cannot read `no.png`: No such file or directory (os error 2)");
    assert_eq!(refusal(&["--low", "9", "--high", "8"]), "error: `--low 9` is larger than `--high 8`");
    let table = of_package("references/cases.tsv");
    let table = table.to_str().unwrap();
    assert_eq!(refusal(&[table]), format!("error: `{table}` is neither a PNG nor a JPEG picture"));
    let empty = of_package("tests/pictures/no-rows.png");
    assert!(refusal(&[empty.to_str().unwrap()]).starts_with("error: `"));
    let ending = "error: cannot write `x.gif`: its name must end in `.png`, `.jpg` or `.jpeg`";
    assert_eq!(refusal(&["no.png", "x.gif"]), ending);
    let folder = "error: cannot write `no/x.png`: No such file or directory (os error 2)";
    let dot = of_package("references/dot.png");
    assert_eq!(refusal(&[dot.to_str().unwrap(), "no/x.png", "--device", "cpu"]), folder);
}

#[test]
fn a_device_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = canny(folder.path(), &["--device", "gpu"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("expected `cpu` or `cuda:` and a number"));
}
