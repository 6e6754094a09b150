//! Finds the edges of a photograph with one CUDA graph, on a GPU or on the CPU.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::Parser;
use examples::canny::{Canny, CannyArgs};
use examples::picture::{self, Picture};
use graph_runtime::{Device, DeviceKind, PlanView};

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// Finds the edges of a picture: blur, gradients, non-maximum suppression, double threshold, and hysteresis as a loop on the device.
#[derive(Parser)]
#[command(name = "canny")]
struct Options {
    /// A PNG or JPEG picture of any colour type [default: the photograph that comes with the examples]
    input: Option<PathBuf>,
    /// Where the edges go, as PNG or JPEG
    #[arg(default_value = "edges.png")]
    output: PathBuf,
    /// `cuda:0`, `cuda:1`, … or `cpu` [default: a CUDA device if there is one, else the CPU]
    #[arg(long)]
    device: Option<Choice>,
    /// Writes the graph as built, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// How many launches are timed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Gradients (|gx| + |gy|) above this are edges if they hang together with one above `--high`
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    low: i32,
    /// Gradients above this are edges
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..))]
    high: i32,
}

/// A device, as written on the command line.
#[derive(Clone, Copy)]
enum Choice {
    Cpu,
    Cuda(usize),
}

impl FromStr for Choice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ordinal = text.strip_prefix("cuda:").and_then(|ordinal| ordinal.parse().ok());
        match (text, ordinal) {
            ("cpu", _) => Ok(Self::Cpu),
            (_, Some(ordinal)) => Ok(Self::Cuda(ordinal)),
            _ => Err("expected `cpu` or `cuda:` and a number"),
        }
    }
}

/// What a run found out.
struct Outcome {
    edges: Picture,
    report: String,
}

fn main() -> ExitCode {
    let result = run(&Options::parse());
    match result.and_then(|report| print(&report)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // With standard error closed there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A reader that has seen enough (`| head -1`) is no error.
fn print(report: &str) -> Result<()> {
    match io::stdout().write_all(report.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Reads, runs, writes; returns what to print.
fn run(options: &Options) -> Result<String> {
    if options.low > options.high {
        return Err(format!("`--low {}` is larger than `--high {}`", options.low, options.high).into());
    }
    picture::check_ending(&options.output)?;
    let shipped = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/camera.png"));
    let input = options.input.as_deref().unwrap_or(shipped);
    let photo = picture::read(input)?;
    let (device, remark) = open(options.device)?;
    let mut report = format!("device    {}{remark}\n", device.name());
    writeln!(report, "picture   {}, {} x {}", input.display(), photo.width, photo.height)?;
    let outcome = find_edges(&device, &photo, options)?;
    report += &outcome.report;
    let found = outcome.edges.pixels.iter().filter(|value| **value != 0).count();
    picture::write(&options.output, outcome.edges)?;
    writeln!(report, "edges     {found} pixels, in {}", options.output.display())?;
    Ok(report)
}

/// The device, and what to say about the choice.
fn open(choice: Option<Choice>) -> Result<(Device, String)> {
    let device = match choice {
        Some(Choice::Cpu) => Device::cpu(),
        Some(Choice::Cuda(ordinal)) => Device::cuda(ordinal)?,
        None => Device::best()?,
    };
    let mut remark = String::new();
    if choice.is_none()
        && device.kind() == DeviceKind::Cpu
        && let Err(error) = Device::cuda(0)
    {
        let reason = error.to_string();
        write!(remark, ", as no GPU can be used: {}", reason.lines().next().unwrap_or_default())?;
    }
    Ok((device, remark))
}

fn find_edges(device: &Device, photo: &Picture, options: &Options) -> Result<Outcome> {
    let &Picture { width: w, height: h, .. } = photo;
    let image = device.buffer_from(&photo.pixels)?;
    let mut edges = device.zeros::<u8>(w * h)?;
    let (low, high) = (options.low, options.high);
    let mut graph = CannyArgs { image: &image, edges: &mut edges, low, high, w, h }.build(device)?;
    if let Some(path) = &options.dot {
        std::fs::write(path, graph.plan().to_dot())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    let first = time(&mut graph, 1)?;
    let more = time(&mut graph, options.frames)?;
    let mut report = describe(&graph.plan());
    writeln!(report, "loop      {} passes", graph.iterations(Canny::HYSTERESIS)?)?;
    let (frame, frames) = (more / options.frames, options.frames);
    writeln!(report, "time      {frame:.2?} per frame over {frames} launches, {first:.2?} for the first")?;
    Ok(Outcome { edges: Picture { width: w, height: h, pixels: graph.edges().to_vec()? }, report })
}

fn describe(plan: &PlanView) -> String {
    let (nodes, edges, width) = (plan.nodes().len(), plan.edges().len(), plan.width());
    format!("graph     {nodes} nodes, {edges} edges, up to {width} side by side\n")
}

/// How long this many launches take, one behind the other.
fn time(graph: &mut Canny<'_>, launches: u32) -> Result<Duration> {
    let start = Instant::now();
    for _ in 0..launches {
        graph.launch()?;
    }
    graph.synchronize()?;
    Ok(start.elapsed())
}
