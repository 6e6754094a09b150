//! How much memory transients take: the sum of their sizes, what is needed at once, and the arena. See `docs/memory.md`.
//!
//! `memory [FOLDER]`: with a folder, each graph's transients are written there too, for `benches/cpp/alloc_nodes.cu`.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use graph_ir::optimize::arena::{Conflicts, pack, work};
use graph_runtime::prelude::*;
use graph_runtime::{Pass, PlanView, Planning};

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

cuda_graph! {
    /// Each temporary is computed from the one before.
    graph Chain(x: &[f32; n], y: &out [f32; n], count: usize) {
        let t: [[f32; n]; count];
        copy(&x, &out t[0]);
        for i in 1..count {
            kernel for j in 0..n { t[i][j] = 0.5 * t[i - 1][j]; }
        }
        copy(&t[count - 1], &out y);
    }

    /// Four levels down and up again, each with half of the elements; what a level ends with on the way down is needed on the way up.
    graph UNet(image: &[f32; n], mask: &out [f32; n], n: usize) {
        let a0: [f32; n];
        let e0: [f32; n];
        kernel for i in 0..n { a0[i] = 2.0 * image[i]; }
        kernel for i in 0..n { e0[i] = a0[i] + 1.0; }
        let a1: [f32; n / 2];
        let e1: [f32; n / 2];
        kernel for i in 0..n / 2 { a1[i] = e0[2 * i] + e0[2 * i + 1]; }
        kernel for i in 0..n / 2 { e1[i] = a1[i] + 1.0; }
        let a2: [f32; n / 4];
        let e2: [f32; n / 4];
        kernel for i in 0..n / 4 { a2[i] = e1[2 * i] + e1[2 * i + 1]; }
        kernel for i in 0..n / 4 { e2[i] = a2[i] + 1.0; }
        let a3: [f32; n / 8];
        let e3: [f32; n / 8];
        kernel for i in 0..n / 8 { a3[i] = e2[2 * i] + e2[2 * i + 1]; }
        kernel for i in 0..n / 8 { e3[i] = a3[i] + 1.0; }
        let u2: [f32; n / 4];
        let d2: [f32; n / 4];
        kernel for i in 0..n / 4 { u2[i] = e3[i / 2]; }
        kernel for i in 0..n / 4 { d2[i] = u2[i] + e2[i]; }
        let u1: [f32; n / 2];
        let d1: [f32; n / 2];
        kernel for i in 0..n / 2 { u1[i] = d2[i / 2]; }
        kernel for i in 0..n / 2 { d1[i] = u1[i] + e1[i]; }
        let u0: [f32; n];
        kernel for i in 0..n { u0[i] = d1[i / 2]; }
        kernel for i in 0..n { mask[i] = u0[i] + e0[i]; }
    }

    /// What the layers of a transformer compute for one sequence: `length` positions of `width`, twelve heads.
    graph Transformer(x: &mut [f32; length * width], layers: usize, length: usize, width: usize) {
        for _ in 0..layers {
            let normed: [f32; length * width];
            let qkv: [f32; 3 * length * width];
            let scores: [f32; 12 * length * length];
            let mixed: [f32; length * width];
            kernel for i in 0..length * width { normed[i] = 0.5 * x[i]; }
            kernel for i in 0..3 * length * width { qkv[i] = normed[i / 3]; }
            kernel for i in 0..12 * length * length { scores[i] = qkv[i % (3 * length * width)]; }
            kernel for i in 0..length * width { mixed[i] = scores[i % (12 * length * length)] + qkv[i]; }
            kernel for i in 0..length * width { x[i] += mixed[i]; }
            let again: [f32; length * width];
            let hidden: [f32; 4 * length * width];
            let active: [f32; 4 * length * width];
            kernel for i in 0..length * width { again[i] = 0.5 * x[i]; }
            kernel for i in 0..4 * length * width { hidden[i] = again[i / 4]; }
            kernel for i in 0..4 * length * width { active[i] = hidden[i].max(0.0); }
            kernel for i in 0..length * width { x[i] += active[4 * i]; }
        }
    }
}

fn main() -> Result {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let device = Device::cpu();
    let unfused = device.clone().planned(Planning::default().without(Pass::Fusion));
    for (how, device) in [("as planned", &device), ("without fusion", &unfused)] {
        println!("{how:<34} {:>7} {:>14} {:>14} {:>14} {:>9}", "buffers", "sum", "at once", "arena", "arena/at once");
        chain(device, folder.as_deref())?;
        unet(device, folder.as_deref())?;
        transformer(device, folder.as_deref())?;
        println!();
    }
    println!("{:<12} {:>7} {:>16} {:>16} {:>16}", "minimalloc", "buffers", "in a build", "four times", "seconds");
    INSTANCES.iter().try_for_each(|(name, text)| instance(name, text))
}

fn chain(device: &Device, folder: Option<&Path>) -> Result {
    let n = 4 << 20;
    let (x, mut y) = (device.zeros(n)?, device.zeros(n)?);
    let graph = ChainArgs { x: &x, y: &mut y, count: 66 }.build(device)?;
    show("chain of 66, 16 MiB each", &graph.plan(), folder)
}

fn unet(device: &Device, folder: Option<&Path>) -> Result {
    let n = 8 << 20;
    let (image, mut mask) = (device.zeros(n)?, device.zeros(n)?);
    let graph = UNetArgs { image: &image, mask: &mut mask, n }.build(device)?;
    show("U-net of 4 levels, 32 MiB", &graph.plan(), folder)
}

fn transformer(device: &Device, folder: Option<&Path>) -> Result {
    let (layers, length, width) = (12, 1024, 768);
    let mut x = device.zeros(length * width)?;
    let graph = TransformerArgs { x: &mut x, layers, length, width }.build(device)?;
    show("transformer, 12 layers, 1024 x 768", &graph.plan(), folder)
}

fn show(name: &str, plan: &PlanView, folder: Option<&Path>) -> Result {
    let data = plan.data();
    let arena = data.arena.as_ref().ok_or("a plan has an arena")?;
    let transients = || data.buffers.iter().filter(|buffer| buffer.origin == "transient");
    let ratio = arena.device as f64 / arena.bound as f64;
    let (count, sum, bound, device) = (transients().count(), arena.apart, arena.bound, arena.device);
    println!("{name:<34} {count:>7} {sum:>14} {bound:>14} {device:>14} {ratio:>9.3}");
    let Some(folder) = folder else { return Ok(()) };
    let mut spans = format!("{}\n", data.nodes.len());
    for buffer in transients() {
        if let (Some(bytes), Some([first, last])) = (buffer.bytes, buffer.live) {
            writeln!(spans, "{bytes} {first} {last}")?;
        }
    }
    std::fs::create_dir_all(folder)?;
    let file = name.split([' ', ',']).next().unwrap_or(name);
    Ok(std::fs::write(folder.join(format!("{file}.spans")), spans)?)
}

macro_rules! instances {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../data/minimalloc/", $name, ".1048576.csv")))),*]
    };
}

const INSTANCES: [(&str, &str); 11] = instances!("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K");

/// All are feasible in so many units.
const CAPACITY: u64 = 1 << 20;

fn instance(name: &str, text: &str) -> Result {
    let mut rows = text.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect::<Result<Vec<_>>>()?;
    rows.sort_unstable();
    let spans: Vec<(u64, u64)> = rows.iter().map(|[lower, upper, _, _]| (*lower, *upper)).collect();
    let sizes: Vec<u64> = rows.iter().map(|row| row[3]).collect();
    let conflicts = Conflicts::of_spans(&spans);
    // As in a build, and four times as long.
    let [short, long] = [1, 4].map(|times| {
        let work = times * work(sizes.len());
        let begin = Instant::now();
        (pack(&sizes, 1, &conflicts, work).bytes as f64 / CAPACITY as f64, begin.elapsed().as_secs_f64())
    });
    println!("{name:<12} {:>7} {:>16.4} {:>16.4} {:>7.2} {:>8.2}", rows.len(), short.0, long.0, short.1, long.1);
    Ok(())
}

/// `id,lower,upper,size`: the span, the number, the size.
fn row(line: &str) -> Result<[u64; 4]> {
    let numbers = line.split(',').map(|number| number.trim().parse::<u64>()).collect::<Result<Vec<_>, _>>()?;
    let [id, lower, upper, size] = numbers[..] else { return Err(format!("`{line}` is no buffer").into()) };
    Ok([lower, upper, id, size])
}
