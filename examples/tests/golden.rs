//! The graph of `canny` as text, and the pictures of the README.

use std::path::{Path, PathBuf};

use examples::canny::{Canny, CannyArgs};
use examples::picture::{self, Picture};
use graph_runtime::prelude::*;
use graph_runtime::{PlanView, Result};
use insta::assert_snapshot;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Of a 64 x 48 picture.
fn plan() -> Result<PlanView> {
    let device = Device::cpu();
    let (w, h) = (64, 48);
    let (image, mut edges) = (device.zeros(w * h)?, device.zeros(w * h)?);
    let graph = CannyArgs { image: &image, edges: &mut edges, low: 50, high: 100, w, h }.build(&device)?;
    Ok(graph.plan())
}

#[test]
fn outline() {
    assert_snapshot!("canny.outline.dot", Canny::outline().to_dot());
    assert_snapshot!("canny.outline.mermaid", Canny::outline().to_mermaid());
}

/// Without the lines of the nodes: the file changes for other reasons.
#[test]
fn plan_of_a_small_picture() -> Result<()> {
    let line = |line: &str| match line.find(".rs:") {
        Some(at) => format!("{})\n", &line[..at + 3]),
        None => format!("{line}\n"),
    };
    assert_snapshot!("canny.plan", plan()?.to_string().lines().map(line).collect::<String>());
    assert_snapshot!("canny.plan.dot", plan()?.to_dot());
    Ok(())
}

#[test]
fn the_readme_shows_the_plan() -> Result<()> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = readme.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(shown, Some(plan()?.to_mermaid().as_str()));
    Ok(())
}

#[test]
fn the_readme_shows_the_photograph_beside_its_edges() {
    let open = |path| picture::read(&root().join(path)).unwrap();
    let both = open("docs/canny.png");
    let (photo, edges) = (open("examples/data/camera.png"), open("examples/references/photo.edges-50-100.png"));
    assert_eq!((both.width, both.height), (photo.width + edges.width, photo.height));
    for (row, pixels) in both.pixels.chunks(both.width).enumerate() {
        let of = |picture: &Picture| picture.pixels[row * picture.width..][..picture.width].to_vec();
        assert_eq!(pixels, [of(&photo), of(&edges)].concat(), "row {row}");
    }
}
