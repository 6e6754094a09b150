//! `cargo xtask planner-cost [--bless | --large]`: what planning a graph costs in instructions, beside the committed figures.
//!
//! Times differ from machine to machine and from run to run, instructions hardly do. The program `planning` of the benches builds a graph on
//! the stand-in for the driver, valgrind's callgrind counts what each function executes, and what the three parts of a build come to for each
//! node is compared with `benches/planner-cost.txt`. The stand-in's own instructions are left out.

mod callgrind;
mod figures;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use callgrind::Profile;
use figures::{Figures, Row};

pub(crate) const ABOUT: &str =
    "[--bless | --large]: counts what planning a graph executes, and compares it with benches/planner-cost.txt";

/// Shapes and sizes that are compared.
const GRAPHS: [(&str, u32); 12] = [
    ("written", 1000),
    ("line", 100),
    ("line", 1000),
    ("line", 10_000),
    ("independent", 100),
    ("independent", 1000),
    ("independent", 10_000),
    ("stencil", 1024),
    ("stencil", 10_240),
    ("cholesky", 1540),
    ("random", 2000),
    ("layers", 1024),
];

/// What `--large` counts instead, without adding nodes, and compares with nothing.
const LARGE: [(&str, u32); 3] = [("line", 100_000), ("independent", 100_000), ("stencil", 102_400)];

/// The committed figures.
const FILE: &str = "benches/planner-cost.txt";

/// The functions of which the columns tell, without those that they call in the driver.
const EVALUATE: &str = "graph_runtime::graph::evaluated::evaluate";
const PLAN: &str = "graph_runtime::plan::build::<impl graph_runtime::plan::Plan>::new";
const ADD: &str = "graph_runtime::cuda::build::built::place";
const DRIVER: &str = "cuGraphAddNode_v2";

pub(crate) fn run(arguments: &[String]) -> Result {
    let (bless, large) = match arguments {
        [] => (false, false),
        [one] if one == "--bless" => (true, false),
        [one] if one == "--large" => (false, true),
        _ => return Err("expected nothing, `--bless` or `--large`".into()),
    };
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!(
            "skipped: valgrind is not installed, and counts the instructions; on Debian and Ubuntu: apt-get install valgrind"
        );
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no workspace")?;
    let counter = Counter::build(root)?;
    if large {
        return LARGE.iter().try_for_each(|(shape, nodes)| counter.tell(shape, *nodes));
    }
    let rows: Vec<Row> = GRAPHS.iter().map(|(shape, nodes)| counter.count(shape, *nodes)).collect::<Result<_>>()?;
    let now = Figures { rows };
    println!("{now}");
    let file = root.join(FILE);
    if bless {
        fs::write(&file, now.to_string())?;
    } else {
        compare(&now, &fs::read_to_string(&file)?.parse()?)?;
    }
    Ok(())
}

fn compare(now: &Figures, committed: &Figures) -> Result {
    let differences = now.differences(committed);
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\nnote: figures may differ by {} % from those in {FILE}\n\
         help: if that is meant, `cargo xtask planner-cost --bless` writes them anew, and the commit says why",
        differences.join("\n"),
        figures::TOLERANCE
    )
    .into())
}

/// The program, and the stand-in in the driver's place.
struct Counter {
    program: PathBuf,
    folder: PathBuf,
}

impl Counter {
    fn build(root: &Path) -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        for targets in [["benches", "--bin=planning"], ["stand-in-driver", "--lib"]] {
            let mut build = Command::new(&cargo);
            build.args(["build", "--release", "--locked", "-p"]).args(targets).current_dir(root);
            // An incremental build is another program.
            if !build.env("CARGO_INCREMENTAL", "0").status()?.success() {
                return Err(format!("`{}` could not be built", targets[0]).into());
            }
        }
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let (built, folder) = (target.join("release"), target.join("planner-cost"));
        fs::create_dir_all(&folder)?;
        for name in ["libcuda.so", "libnvrtc.so"] {
            fs::copy(built.join("libstand_in_driver.so"), folder.join(name))?;
        }
        Ok(Self { program: built.join("planning"), folder })
    }

    /// Prints the instructions for each node of one graph, on a device that runs nothing.
    fn tell(&self, shape: &str, nodes: u32) -> Result {
        let profile = self.profile(shape, nodes, None)?;
        let [evaluate, plan] = [EVALUATE, PLAN].map(|function| executed(&profile, function));
        let [evaluate, plan] = [evaluate?, plan?].map(|count| each(count, nodes));
        println!("{shape} of {nodes} nodes: evaluate {evaluate}, plan {plan}");
        Ok(())
    }

    /// The instructions for each node of one graph.
    fn count(&self, shape: &str, nodes: u32) -> Result<Row> {
        let profile = self.profile(shape, nodes, Some("cuda"))?;
        let executed = |function: &str| executed(&profile, function);
        let own = executed(ADD)?.saturating_sub(executed(DRIVER)?);
        let costs = [executed(EVALUATE)?, executed(PLAN)?, own].map(|count| each(count, nodes));
        Ok(Row { shape: shape.to_owned(), nodes, costs })
    }

    /// What building a graph executes.
    fn profile(&self, shape: &str, nodes: u32, device: Option<&str>) -> Result<Profile> {
        let file = self.folder.join(format!("{shape}-{nodes}.callgrind"));
        let mut count = Command::new("valgrind");
        count.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
        count.arg(&self.program).args([shape, &nodes.to_string()]).args(device);
        let output = count.env("LD_LIBRARY_PATH", &self.folder).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let built = text.split_whitespace().rev().nth(1).and_then(|count| count.parse::<u32>().ok());
        if !output.status.success() || built != Some(nodes) {
            return Err(format!(
                "{shape} of {nodes} nodes was not built: {text}{}",
                String::from_utf8_lossy(&output.stderr)
            )
            .into());
        }
        Ok(Profile::parse(&fs::read_to_string(&file)?))
    }
}

fn executed(profile: &Profile, function: &str) -> Result<u64> {
    let found = profile.inclusive(function);
    Ok(found.ok_or_else(|| format!("`{function}` was not executed: it may be part of another function now"))?)
}

/// Rounded.
fn each(count: u64, nodes: u32) -> u64 {
    (count + u64::from(nodes) / 2) / u64::from(nodes)
}
