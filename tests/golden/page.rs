//! Graphs as JSON and as a page: against the plan's other views, and in a browser.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use graph_ir::export::data::GraphData;
use graph_runtime::{Device, Outline, PlanView, Planning, Profile, Result, cuda_graph};
use insta::assert_snapshot;
use tests::pipelines::jacobi::Jacobi;
use tests::pipelines::wide::WideArgs;

use super::graphs::{Kinds, jacobi, kinds};

#[test]
fn json_holds_the_data() -> Result<()> {
    let outlines = [Jacobi::outline(), Kinds::outline()].map(|outline: Outline| (outline.to_json(), outline.data()));
    let plans = [jacobi()?, kinds()?].map(|plan| (plan.to_json(), plan.data()));
    for (json, data) in outlines.into_iter().chain(plans) {
        let read: GraphData = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(read, data);
    }
    Ok(())
}

/// Without the lines of nodes and buffers: the files change for other reasons.
#[test]
fn the_schema() -> Result<()> {
    let mut data = kinds()?.data();
    data.nodes.iter_mut().for_each(|node| node.location = None);
    data.buffers.iter_mut().for_each(|buffer| buffer.location = None);
    assert_snapshot!("kinds.plan.json", serde_json::to_string_pretty(&data).expect("it is JSON"));
    Ok(())
}

/// The same nodes and edges as the plan lists.
#[test]
fn the_data_is_the_plan() -> Result<()> {
    for plan in [jacobi()?, kinds()?] {
        let data = plan.data();
        let nodes = data.nodes.iter().map(|node| (node.label.clone(), node.kind.clone(), node.location.clone()));
        let listed = plan.nodes().into_iter().map(|node| (node.label, node.kind.to_owned(), Some(node.location)));
        assert_eq!(nodes.collect::<Vec<_>>(), listed.collect::<Vec<_>>());
        let label = |node: u32| data.nodes[node as usize].label.clone();
        let edges = data.edges.iter().map(|edge| (label(edge.from), label(edge.to), edge.reasons[0].text.clone()));
        let listed = plan.edges().into_iter().map(|edge| (edge.from, edge.to, edge.reason));
        assert_eq!(edges.collect::<Vec<_>>(), listed.collect::<Vec<_>>());
        assert_eq!(data.width as usize, plan.width());
    }
    Ok(())
}

/// The browser runs the page's script: what it made of the graph is what the plan says.
#[test]
fn a_browser_draws_the_page() -> Result<()> {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium on the PATH");
        return Ok(());
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, plan) in [("jacobi", jacobi()?), ("kinds", kinds()?), ("laned", laned()?)] {
        let path = folder.path().join(format!("{name}.html"));
        std::fs::write(&path, plan.to_html()).expect("a file");
        let drawn = dump(browser, &path);
        let data = plan.data();
        assert_eq!(drawn.matches("class=\"node kind-").count(), data.nodes.len(), "{drawn}");
        assert_eq!(drawn.matches("class=\"edge").count(), data.edges.len());
        assert_eq!(drawn.matches("class=\"buffer\"").count(), data.buffers.len());
        let of_lane = data.edges.iter().filter(|edge| edge.reasons[0].kind == "lane").count();
        assert_eq!(drawn.matches("class=\"edge of-lane").count(), of_lane);
        let on_lanes = data.nodes.iter().filter(|node| node.lane.is_some()).count();
        assert_eq!(drawn.matches("class=\"caption lane\"").count(), on_lanes);
        assert_eq!(drawn.matches(" long\"").count(), on_the_longest_chain(&plan));
        assert!(drawn.contains("<h3>"), "the panel is filled last: {drawn}");
    }
    Ok(())
}

/// 21 nodes on three lanes.
fn laned() -> Result<PlanView> {
    let device = Device::cpu().planned(Planning::default().lanes(3));
    let x = (0..7).map(|_| device.zeros::<f32>(4)).collect::<Result<Vec<_>>>()?;
    Ok(WideArgs { x, factor: 2.0, rounds: 1 }.build(&device)?.plan())
}

/// The nodes of the chain, and the edges between those of one body.
fn on_the_longest_chain(plan: &PlanView) -> usize {
    let data = plan.data();
    let path = &data.longest_path;
    let bodies: std::collections::BTreeSet<u32> = path.iter().map(|node| data.nodes[*node as usize].body).collect();
    2 * path.len() - bodies.len()
}

#[allow(clippy::print_stdout, reason = "a test")]
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| runs(name))
}

fn runs(browser: &str) -> bool {
    Command::new(browser).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The page as it is once its script has run.
fn dump(browser: &str, page: &Path) -> String {
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"];
    let output = Command::new(browser).args(flags).arg(format!("file://{}", page.display())).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The times of a run are in the JSON and on the page as the profile has them, of loops by pass and in all.
#[test]
fn a_profile_is_drawn_with_its_times() -> Result<()> {
    let profile = profiled()?;
    let plan = profile.plan();
    let data = plan.data();
    let ns = |time: Duration| time.as_nanos() as u64;
    for node in profile.nodes() {
        let found =
            data.nodes.iter().find(|data| data.location.as_deref() == Some(&node.name.location)).expect("a node");
        let time = found.time.expect("it ran");
        let own = time.tests_ns.unwrap_or(time.total_ns);
        assert_eq!(
            (time.runs, own, time.longest_ns),
            (node.runs as u64, ns(node.total), ns(node.longest)),
            "{}",
            node.name
        );
    }
    let [turns] = profile.loops() else { panic!("one loop expected: {profile}") };
    let head = data.nodes.iter().find(|node| node.label == "turns").expect("the loop");
    let passes = head.time.expect("it ran").passes.expect("it made passes");
    let times: Vec<u64> = turns.passes.iter().map(|pass| ns(*pass)).collect();
    assert_eq!((passes.count, passes.total_ns), (3, times.iter().sum()));
    assert_eq!((Some(&passes.shortest_ns), Some(&passes.longest_ns)), (times.iter().min(), times.iter().max()));
    let measured = data.measured.as_ref().expect("it was measured");
    assert_eq!((measured.total_ns, &*measured.device), (ns(profile.total()), &*Device::cpu().name()));
    // `beside` waits for nothing: the chain is that of `x`, or it.
    let chain: Vec<&str> = measured.critical_path.iter().map(|node| &*data.nodes[*node as usize].label).collect();
    let known = [&["begin", "turns", "halve"][..], &["begin", "turns", "down"], &["beside"]];
    assert!(known.contains(&&chain[..]), "{chain:?}");
    assert_eq!(serde_json::from_str::<GraphData>(&plan.to_json()).expect("it is JSON"), data);
    let page = plan.to_html();
    for node in profile.nodes() {
        assert!(page.contains(&format!("\"runs\":{},\"total_ns\":", node.runs)), "{}", node.name);
        assert!(page.contains(&format!("\"longest_ns\":{}", ns(node.longest))), "{}", node.name);
    }
    let Some(browser) = browser() else {
        println!("skipped: no Chromium on the PATH");
        return Ok(());
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("profile.html");
    std::fs::write(&path, page).expect("a file");
    let drawn = dump(browser, &path);
    assert_eq!(drawn.matches("--heat:").count(), data.nodes.len());
    for shown in ["Critical path</button>", " in all nodes on CPU", "body · ran 3 × "] {
        assert!(drawn.contains(shown), "{shown}: {drawn}");
    }
    Ok(())
}

cuda_graph! {
    graph Turns(x: &mut [f32; n], y: &mut [f32; n], left: &mut [u32; 1]) {
        'begin: kernel for i in 0..n { x[i] += 1.0; }
        'beside: kernel for i in 0..n { y[i] += 1.0; }
        'turns: while left[0] > 0 limit 10 {
            'halve: kernel for i in 0..n { x[i] = 0.5 * x[i]; }
            'down: left[0] -= 1;
        }
    }
}

fn profiled() -> Result<Profile> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.buffer_from(&[8.0_f32; 4])?, device.zeros::<f32>(4)?);
    let mut left = device.buffer_from(&[3_u32])?;
    TurnsArgs { x: &mut x, y: &mut y, left: &mut left }.build(&device)?.profile()
}
