//! Runs the programs of `examples::programs`, checks their results and times their launches.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use examples::programs::{ALL, Program, Report};
use graph_runtime::Device;

/// Runs programs, checks their results and times their launches; `CUDA_GRAPH_DEVICE` chooses the device.
#[derive(Parser)]
#[command(name = "programs")]
struct Options {
    /// Which [default: all]
    names: Vec<String>,
    /// How often each launch is timed
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: u32,
    /// Lists the programs
    #[arg(long)]
    list: bool,
}

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // With standard error closed there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all checks hold.
fn run(options: &Options) -> Result<bool> {
    let mut out = io::stdout().lock();
    if options.list {
        for program in ALL {
            writeln!(out, "{:<16} {}", program.name, program.about)?;
        }
        return Ok(true);
    }
    let device = Device::best()?;
    writeln!(out, "device           {}", device.name())?;
    let mut all_hold = true;
    for program in chosen(&options.names)? {
        let mut report = Report::timed(options.rounds);
        writeln!(out, "\n{:<16} {}", program.name, program.about)?;
        if let Err(error) = (program.run)(&device, &mut report) {
            all_hold = false;
            writeln!(out, "  error: {error}")?;
        }
        all_hold &= tell(&mut out, &report)?;
    }
    Ok(all_hold)
}

fn chosen(names: &[String]) -> Result<Vec<&'static Program>> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let find = |name: &String| {
        let found = ALL.iter().find(|program| program.name == *name);
        found.ok_or_else(|| format!("there is no program `{name}`; `--list` lists them").into())
    };
    names.iter().map(find).collect()
}

fn tell(out: &mut impl io::Write, report: &Report) -> Result<bool> {
    for check in &report.checks {
        let verdict = if check.holds() { "ok" } else { "WRONG" };
        writeln!(out, "  {verdict:<6} {:<40} error {:.1e}, allowed {:.1e}", check.what, check.worst, check.allowed)?;
    }
    for timing in &report.timings {
        write!(out, "  time   {:<40} {:.2?}", timing.what, timing.median)?;
        if let (Some((what, median)), Some(ratio)) = (&timing.beside, timing.ratio()) {
            write!(out, ", {what} {median:.2?}: {ratio:.2} times as long")?;
        }
        writeln!(out)?;
    }
    Ok(report.checks.iter().all(examples::programs::Check::holds))
}
