//! Developer commands: `cargo xtask <command>`.
#![expect(clippy::print_stdout, reason = "a command line program")]

mod bodies;
mod conditions;
mod cuda_versions;
mod fuzz;
mod gpu_bundle;
mod guide;
mod macro_cost;
mod planner_cost;
mod races;

use std::process::ExitCode;

/// What every command returns: an error is printed and ends the process with 1.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A command: its name, what it does in one line, and what runs it with the arguments behind its name.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result,
}

const COMMANDS: &[Command] = &[
    Command { name: "bodies", about: bodies::ABOUT, run: bodies::run },
    Command { name: "conditions", about: conditions::ABOUT, run: conditions::run },
    Command { name: "cuda-versions", about: cuda_versions::ABOUT, run: cuda_versions::run },
    Command { name: "fuzz", about: fuzz::ABOUT, run: fuzz::run },
    Command { name: "gpu-bundle", about: gpu_bundle::ABOUT, run: gpu_bundle::run },
    Command { name: "guide", about: guide::ABOUT, run: guide::run },
    Command { name: "macro-cost", about: macro_cost::ABOUT, run: macro_cost::run },
    Command { name: "planner-cost", about: planner_cost::ABOUT, run: planner_cost::run },
    Command { name: "races", about: races::ABOUT, run: races::run },
];

fn usage() -> String {
    let lines = COMMANDS.iter().map(|command| format!("\n  {:<14} {}", command.name, command.about));
    format!("usage: cargo xtask <command>{}", lines.collect::<String>())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(command) = arguments.first().and_then(|name| COMMANDS.iter().find(|command| command.name == *name)) else {
        println!("{}", usage());
        return ExitCode::from(2);
    };
    match (command.run)(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
