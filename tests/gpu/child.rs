//! Tests that need a process of their own: the binary runs itself again, for one test.

use std::ffi::OsStr;
use std::process::{Child, Command, Output, Stdio};

const VARIABLE: &str = "CUDA_GRAPH_TEST_CHILD";
const DONE: &str = "the child came to its end";

/// Whether this process was started by [`start`].
pub(crate) fn is_child() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// The last thing that a child does.
pub(crate) fn done() {
    println!("{DONE}");
}

/// Starts this binary for one test, by its full name, with these variables beside the ones that are there.
pub(crate) fn start(test: &str, variables: &[(&str, &OsStr)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads", "1"]).env(VARIABLE, "1");
    command.envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for a child, which must come to its end and exit as a test that passes.
pub(crate) fn finish(child: Child) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(
        status.success() && stdout.contains(DONE) && !stderr.contains("panicked"),
        "{status}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
    );
}

/// Both.
pub(crate) fn run(test: &str, variables: &[(&str, &OsStr)]) {
    finish(start(test, variables));
}
