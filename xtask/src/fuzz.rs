//! The tests that try random input, for a time instead of for a fixed number of inputs.

use std::process::Command;

use crate::Result;

pub(crate) const ABOUT: &str =
    "[--seconds 60]: random tokens for the macro, random programs for the rules; half of the time each";

/// Package, target, and the test's name in it.
const TARGETS: [[&str; 3]; 2] = [["graph-macros", "--lib", "fuzz::fuzz"], ["graph-ir", "--test=proof", "fuzz::fuzz"]];

pub(crate) fn run(arguments: &[String]) -> Result {
    let seconds = match arguments {
        [] => 60,
        [name, seconds] if name == "--seconds" => seconds.parse::<u64>()?,
        _ => return Err(format!("fuzz {ABOUT}").into()),
    };
    let each = seconds.div_ceil(TARGETS.len() as u64).to_string();
    for [package, target, test] in TARGETS {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let arguments = ["test", "--locked", "-p", package, target, "--", "--exact", test, "--nocapture"];
        let status = Command::new(cargo).args(arguments).env("FUZZ_SECONDS", &each).status()?;
        if !status.success() {
            return Err(format!("the fuzz test of `{package}` failed").into());
        }
    }
    Ok(())
}
