//! Builds one graph: `planning SHAPE SIZE [cuda [BUILDS]]`, such as `planning stencil 1024`, on a CUDA device or on one that runs nothing.
//!
//! `cargo xtask planner-cost` counts what the parts of a build execute. With `BUILDS` it prints what they take for each node, as one JSON object:
//! medians in microseconds, of all builds but the first.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::error::Error;
use std::time::Duration;

use benches::shapes::{LayersArgs, Shape, WrittenArgs, cholesky, independent, line, nodes, random, stencil};
use benches::{median, row};
use graph_runtime::{BuildTimings, Device};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shape, size, rest @ ..] = &arguments[..] else { return Err("expected SHAPE SIZE".into()) };
    let (device, builds) = match rest {
        [] => (Device::dry(), None),
        [_] => (Device::cuda(0)?, None),
        [_, builds, ..] => (Device::cuda(0)?, Some(builds.parse::<usize>()?)),
    };
    let size = size.parse()?;
    let (count, first) = build(shape, size, &device)?;
    let Some(builds) = builds else {
        println!("{shape} of {count} nodes");
        return Ok(());
    };
    let again = (1..builds).map(|_| Ok(build(shape, size, &device)?.1)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let timings = if again.is_empty() { vec![first] } else { again };
    let part = |of: fn(&BuildTimings) -> Duration| median(timings.iter().map(of)) / count as f64;
    let figures = [
        ("nodes", count as f64),
        ("evaluate", part(|timings| timings.evaluate)),
        ("plan", part(|timings| timings.plan)),
        ("lower", part(|timings| timings.lower)),
        ("add", part(|timings| timings.add_nodes)),
        ("instantiate", part(|timings| timings.instantiate)),
    ];
    println!("{}", row("planning", &format!("{shape} {count}"), "cuda_graph!", &figures, true));
    Ok(())
}

/// Builds a graph of about so many nodes. Returns how many they are, and what it took.
fn build(shape: &str, size: usize, device: &Device) -> Result<(usize, BuildTimings), Box<dyn Error>> {
    if shape == "layers" {
        // All of a row wait for all of the row before.
        let wide = 32;
        let x: Vec<_> = (0..=size / wide).map(|_| device.zeros::<u32>(1)).collect::<Result<_, _>>()?;
        return Ok((size / wide * wide, LayersArgs { x, wide, cycles: 0 }.build(device)?.timings()));
    }
    if shape == "written" {
        let x = device.zeros::<u32>(1)?;
        return Ok((1000, WrittenArgs { x }.build(device)?.timings()));
    }
    let shape: Shape = match shape {
        "line" => line(size),
        "independent" => independent(size),
        "stencil" => stencil(64, size / 64),
        "random" => random(100, size / 100),
        "cholesky" => (1..1000).map(cholesky).find(|shape| shape.nodes.len() >= size).ok_or("too large")?,
        _ => return Err(format!("no shape is called `{shape}`").into()),
    };
    let count = shape.nodes.len();
    Ok((count, nodes(device, &shape, vec![0; count])?.timings()))
}
