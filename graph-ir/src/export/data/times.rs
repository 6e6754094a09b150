//! The times of a run, put into the data of its graph.

use super::{GraphData, MeasuredData, TimeData, path};

/// Gives nodes their times: by index, each with what the node took itself, a conditional with its tests. What is in its bodies is added
/// to a conditional's, and the chain that took longest is looked for.
pub fn measure(data: &mut GraphData, device: String, times: impl IntoIterator<Item = (u32, TimeData)>) {
    let mut own = vec![0; data.nodes.len()];
    for (node, time) in times {
        own[node as usize] = time.total_ns;
        data.nodes[node as usize].time = Some(time);
    }
    let total_ns = own.iter().sum();
    let (mut critical_path, critical_ns) = path::critical(data, &own);
    critical_path.retain(|node| data.nodes[*node as usize].time.is_some());
    // What a conditional holds stands behind it, so it is complete when it is added to the one around it.
    for node in (0..data.nodes.len()).rev() {
        let Some(mut time) = data.nodes[node].time else { continue };
        if !data.nodes[node].bodies.is_empty() {
            time.tests_ns = Some(own[node]);
            data.nodes[node].time = Some(time);
        }
        if let Some(owner) = data.bodies[data.nodes[node].body as usize].owner {
            data.nodes[owner as usize].time.get_or_insert_default().total_ns += time.total_ns;
        }
    }
    data.measured = Some(MeasuredData { device, total_ns, critical_path, critical_ns });
}
