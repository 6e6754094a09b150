//! Whether Graphviz reads what is written for it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use graph_runtime::Result;
use tests::pipelines::jacobi::Jacobi;

use super::graphs::{Kinds, jacobi, kinds};

#[test]
fn every_graph_is_drawn() -> Result<()> {
    if Command::new("dot").arg("-V").output().is_err() {
        println!("skipped: no `dot` (Graphviz) on the PATH");
        return Ok(());
    }
    let outlines = [Jacobi::outline().to_dot(), Kinds::outline().to_dot()];
    for text in outlines.into_iter().chain([jacobi()?, kinds()?].map(|plan| plan.to_dot())) {
        let edges = text.matches(" -> ").count();
        assert_eq!(draw(&text).matches("class=\"edge\"").count(), edges, "{text}");
    }
    Ok(())
}

/// The picture as SVG.
#[track_caller]
fn draw(text: &str) -> String {
    let mut dot = Command::new("dot");
    let dot = dot.arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut dot = dot.spawn().expect("`dot` starts");
    // Dropped behind the text, so that `dot` sees its end.
    dot.stdin.take().expect("piped").write_all(text.as_bytes()).expect("`dot` reads");
    let output = dot.wait_with_output().expect("`dot` ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}\n{text}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
