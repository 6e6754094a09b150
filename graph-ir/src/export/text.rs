//! A graph as lines of text.

use std::fmt::{self, Write};

use super::data::{ArenaData, EdgeData, GraphData, MeasuredData, PassData};
use super::layout::duration;

/// More nodes of the longest chain than this are not listed.
const LISTED: usize = 24;

/// The figures of the graph, then each node with what it waits for below it, bodies further in.
pub fn text(data: &GraphData) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(data, &mut text);
    text
}

fn write_text(data: &GraphData, text: &mut String) -> fmt::Result {
    let GraphData { name, nodes, edges, longest_path, width, .. } = data;
    writeln!(text, "graph {name}: {} nodes, {} edges, at most {width} side by side", nodes.len(), edges.len())?;
    if let Some(launched) = &data.launched {
        writeln!(text, "launched as: {launched}")?;
    }
    if !longest_path.is_empty() {
        writeln!(text, "longest chain, of {}: {}", longest_path.len(), chain(data, longest_path))?;
    }
    if let Some(MeasuredData { device, total_ns, critical_path, critical_ns }) = &data.measured {
        let (total, critical) = (duration(*total_ns), duration(*critical_ns));
        writeln!(text, "measured on {device}: {total}, each node alone")?;
        writeln!(text, "critical path, {critical}: {}", chain(data, critical_path))?;
    }
    for PassData { name, result, .. } in data.passes.iter().filter(|pass| pass.count > 0 || pass.off) {
        writeln!(text, "{name}: {result}")?;
    }
    if let Some(ArenaData { device, host, counters, .. }) = data.arena {
        writeln!(text, "arena: {} bytes on the device, {host} bytes pinned", device.saturating_add(counters))?;
    }
    write_nodes(data, text)
}

/// The labels of its first nodes.
fn chain(data: &GraphData, path: &[u32]) -> String {
    let labels: Vec<&str> = path.iter().take(LISTED).map(|node| &*data.nodes[*node as usize].label).collect();
    labels.join(" -> ") + if path.len() > LISTED { " -> …" } else { "" }
}

fn write_nodes(data: &GraphData, text: &mut String) -> fmt::Result {
    let mut waits: Vec<Vec<&EdgeData>> = vec![Vec::new(); data.nodes.len()];
    for edge in &data.edges {
        waits[edge.to as usize].push(edge);
    }
    let mut depths: Vec<usize> = Vec::with_capacity(data.nodes.len());
    for (node, waits) in data.nodes.iter().zip(waits) {
        let depth = data.bodies[node.body as usize].owner.map_or(1, |owner| depths[owner as usize] + 1);
        depths.push(depth);
        let indent = "  ".repeat(depth);
        let location = node.location.as_deref().map(|location| format!(", {location}")).unwrap_or_default();
        let time = node.time.map(|time| format!(": {}", duration(time.total_ns))).unwrap_or_default();
        let lane = node.lane.map(|lane| format!(", lane {lane}")).unwrap_or_default();
        writeln!(text, "{indent}{} ({}{location}{lane}){time}", node.label, node.kind)?;
        if let Some(launch) = &node.launch {
            writeln!(text, "{indent}  = {launch}")?;
        }
        for edge in waits {
            writeln!(text, "{indent}  <- {}: {}", data.nodes[edge.from as usize].label, edge.reasons[0].text)?;
        }
    }
    Ok(())
}
