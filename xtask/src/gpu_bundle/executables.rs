//! Builds executables with cargo and says where they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Result;

/// Something that cargo built and that can run.
pub(super) struct Executable {
    /// The folder of its package: `graph-runtime`.
    pub(super) package: String,
    /// What it is called in the bundle: the target's name; unit tests of a library are `unit`.
    pub(super) target: String,
    /// The file.
    pub(super) path: PathBuf,
}

/// The test binaries of these packages.
pub(super) fn tests(root: &Path, packages: &[&str]) -> Result<Vec<Executable>> {
    build(root, &["test", "--no-run"], packages, true)
}

/// The programs of these packages.
pub(super) fn programs(root: &Path, packages: &[&str]) -> Result<Vec<Executable>> {
    build(root, &["build", "--bins"], packages, false)
}

fn build(root: &Path, command: &[&str], packages: &[&str], tests: bool) -> Result<Vec<Executable>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut process = Command::new(cargo);
    process.current_dir(root).args(command).args(["--release", "--message-format=json-render-diagnostics"]);
    for package in packages {
        process.args(["--package", package]);
    }
    let output = process.stdout(Stdio::piped()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("`cargo {}` failed", command.join(" ")).into());
    }
    let mut found = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if message["profile"]["test"] == tests {
            found.extend(executable(&message));
        }
    }
    Ok(found)
}

/// The executable that a message of cargo's is about, if it is about one.
fn executable(message: &Value) -> Option<Executable> {
    let path = message["executable"].as_str()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let target = &message["target"];
    let is_library = target["kind"].as_array()?.iter().any(|kind| kind == "lib");
    Some(Executable {
        package: manifest.parent()?.file_name()?.to_str()?.to_owned(),
        target: if is_library { "unit".to_owned() } else { target["name"].as_str()?.to_owned() },
        path: PathBuf::from(path),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_s_unit_tests_have_one_name() {
        let message = serde_json::json!({
            "executable": "/t/release/deps/graph_runtime-0123",
            "manifest_path": "/p/graph-runtime/Cargo.toml",
            "target": { "kind": ["lib"], "name": "graph_runtime" },
        });
        let found = executable(&message).unwrap();
        assert_eq!((found.package.as_str(), found.target.as_str()), ("graph-runtime", "unit"));
        assert_eq!(found.path, Path::new("/t/release/deps/graph_runtime-0123"));
    }

    #[test]
    fn messages_without_an_executable_are_skipped() {
        let message = serde_json::json!({ "executable": null, "manifest_path": "/p/graph-ir/Cargo.toml" });
        assert!(executable(&message).is_none());
    }
}
