//! `cargo xtask macro-cost [FOLDER]`: what blocks of 100 to 10,000 statements cost, in the macro and in `cargo build`.
//!
//! The macro alone is timed by a test of graph-macros in a release build: the best of five runs in the processor's time, which is exact to
//! some milliseconds. `cargo build` is timed by `/usr/bin/time` in a package of its own, whose dependencies are built before; the
//! processor's time and the peak of the memory are what counts, since other work on the machine adds to the rest.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

pub(crate) const ABOUT: &str = "[FOLDER]: times the macro and `cargo build` for blocks of up to 10,000 statements";

/// Statements and buffers.
const SIZES: [(usize, usize); 3] = [(100, 10), (1000, 100), (10_000, 1000)];

/// Writes a statement: its number, and those of two buffers.
type Statement = fn(usize, usize, usize) -> String;

/// What the blocks are made of.
const FORMS: [(&str, Statement); 2] = [("launches", launch), ("mixed", mixed)];

const KERNEL: &str = "extern \"C\" __global__ void axpy(const float *x, float *y, float a, unsigned n) {}\n";

pub(crate) fn run(arguments: &[String]) -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no workspace")?;
    let folder = arguments.first().map_or_else(|| root.join("target/macro-cost"), PathBuf::from);
    package(root, &folder)?;
    let mut blocks = Vec::new();
    for (name, statement) in FORMS {
        for (statements, buffers) in SIZES {
            let file = folder.join(format!("{name}-{statements}.rs"));
            fs::write(&file, source(statements, buffers, statement))?;
            blocks.push((file, statements));
        }
    }
    in_the_macro(root, blocks.iter().map(|(file, _)| file))?;
    println!("{}", build(&folder, "fn main() {}\n", "empty")?);
    for (file, statements) in &blocks {
        let (name, source) = (file.file_stem().unwrap_or_default().to_string_lossy(), fs::read_to_string(file)?);
        println!("{}", build(&folder, &source, &name)?);
        println!(
            "{name}: {:.0} us a statement to expand the file in rustc",
            expand(&folder, &source)? * 1e6 / f64::from(u32::try_from(*statements)?)
        );
    }
    Ok(())
}

/// A package that depends on graph-runtime alone, with everything built.
fn package(root: &Path, folder: &Path) -> Result {
    fs::create_dir_all(folder.join("src"))?;
    let runtime = root.join("graph-runtime").display().to_string();
    let manifest = format!(
        "[package]\nname = \"macro-cost\"\nedition = \"2024\"\n[dependencies]\ngraph-runtime = {{ path = \"{runtime}\", \
         default-features = false }}\n[workspace]\n[profile.dev.build-override]\nopt-level = 3\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    fs::write(folder.join("src/k.cu"), KERNEL)?;
    fs::write(folder.join("src/main.rs"), "fn main() {}\n")?;
    succeed(cargo().arg("build").current_dir(folder))
}

/// The same launch each time, of other buffers.
fn launch(_: usize, a: usize, b: usize) -> String {
    format!("k::axpy<<<n.div_ceil(256) as u32, 256>>>(&b{a}, &mut b{b}, 2.0, n as u32);")
}

/// Every form that is frequent, none of whose numbers occurs twice.
fn mixed(number: usize, a: usize, b: usize) -> String {
    match number % 10 {
        0..5 => format!(
            "'s{number}: k::axpy<<<n.div_ceil({number} + 1) as u32, 256>>>(&b{a}, &mut b{b}, {number}.0, n as u32 - {number});"
        ),
        5 => format!("copy(&b{a}[..n / 2], &out b{b}[n / 2..n / 2 * 2]);"),
        6 => format!("fill(&out b{b}, {number}.0);"),
        7 => format!("kernel for i in 0..n {{ b{b}[i] += 2.0 * b{a}[i]; }}"),
        8 => format!("b{b}[0] = (0..n).map(|i| b{a}[i] * b{a}[i]).sum();"),
        _ => format!("if b{a}[0] > {number}.0 {{ b{b}[0] += 1.0; }}"),
    }
}

/// Half of the buffers are parameters, the others transients.
fn source(statements: usize, buffers: usize, statement: Statement) -> String {
    let parameters: Vec<String> = (0..buffers / 2).map(|index| format!("b{index}: &mut [f32; n]")).collect();
    let mut body = String::new();
    for index in buffers / 2..buffers {
        // Writing to a string cannot fail.
        let _ = writeln!(body, "let b{index}: [f32; n] = 0.0;");
    }
    for number in 0..statements {
        let (a, b) = (7 * number % buffers, (7 * number + 3 + number / buffers) % buffers);
        let _ = writeln!(body, "{}", statement(number, a, if a == b { (b + 1) % buffers } else { b }));
    }
    format!(
        "use graph_runtime::prelude::*;\n#[cuda_module(\"src/k.cu\")]\nunsafe mod k {{\n    pub fn axpy(x: &[f32; n], y: &mut [f32; n], \
         a: f32, n: u32);\n}}\ncuda_graph! {{\ngraph Large({}) {{\n{body}}}\n}}\nfn main() {{ println!(\"{{}}\", \
         Large::outline().to_dot().len()); }}\n",
        parameters.join(", ")
    )
}

fn in_the_macro<'a>(root: &Path, files: impl Iterator<Item = &'a PathBuf>) -> Result {
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    let arguments = "test --release -q -p graph-macros --lib -- --exact cost::cost --ignored --nocapture";
    succeed(cargo().args(arguments.split(' ')).env("MACRO_COST_FILES", files.join(":")).current_dir(root))
}

/// The processor's time and the memory of `cargo build` when only this file has changed.
fn build(folder: &Path, source: &str, name: &str) -> Result<String> {
    fs::write(folder.join("src/main.rs"), source)?;
    let format = format!("{name}: %U s in user mode, %S s in the kernel, %M KiB at most");
    let mut command = Command::new("/usr/bin/time");
    let output = command
        .args(["-f", &format, "cargo", "build", "-q"])
        .env(BOOTSTRAP.0, BOOTSTRAP.1)
        .current_dir(folder)
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(text.into());
    }
    Ok(text.lines().last().unwrap_or_default().to_owned())
}

/// Seconds in which rustc expands this file, the best of three: the macro, and what rustc itself does to read it and what comes of it.
fn expand(folder: &Path, source: &str) -> Result<f64> {
    let once = || -> Result<f64> {
        fs::write(folder.join("src/main.rs"), source)?;
        let arguments = ["rustc", "-q", "--", "-Ztime-passes", "-Zno-analysis"];
        let output = cargo().args(arguments).current_dir(folder).output()?;
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        let line = text.lines().find(|line| line.ends_with("macro_expand_crate")).ok_or_else(|| text.clone())?;
        let seconds = line.trim_start_matches("time:").trim_start().split(';').next().unwrap_or_default();
        Ok(seconds.parse()?)
    };
    let times = [once()?, once()?, once()?];
    Ok(times.into_iter().fold(f64::INFINITY, f64::min))
}

/// rustc tells the times of its passes to those who build it. Cargo builds everything anew for whoever sets this.
const BOOTSTRAP: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

fn cargo() -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.env(BOOTSTRAP.0, BOOTSTRAP.1);
    command
}

fn succeed(command: &mut Command) -> Result {
    if command.status()?.success() { Ok(()) } else { Err(format!("failed: {command:?}").into()) }
}
