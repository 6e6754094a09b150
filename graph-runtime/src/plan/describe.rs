//! The plan as data: what graph-ir says of every graph, and what only a plan knows.

use graph_ir::export::data::{ArenaData, Described, GraphData, NodeData, PassData, measure};
use graph_ir::export::describe;
use graph_ir::model::{Access, NodeId, NodeKind};
use graph_ir::optimize::{Gate, Lanes};

use super::{By, ByLaunches, Measured, Part, Parts, Pass, Plan, Step};

impl Plan {
    /// What is launched one by one shares no launch.
    pub(super) fn describe(&self, by_launches: Option<&ByLaunches>, measured: Option<&Measured>) -> GraphData {
        let Described { mut data, nodes, buffers } = describe(&self.program, &self.edges());
        let parts = if by_launches.is_some() { Parts::default() } else { Parts::of(self) };
        data.launched = by_launches.map(ToString::to_string);
        for (node, id) in data.nodes.iter_mut().zip(&nodes) {
            self.describe_node(node, *id, &parts);
        }
        for (data, buffer) in data.buffers.iter_mut().zip(buffers) {
            let length = self.program.buffer(buffer).length();
            data.bytes = length.map(|length| length.saturating_mul(self.element(buffer).size as u64));
            let kept = parts.keeps(buffer);
            data.registers = kept.map(|launch| format!("of the launch of {}", self.program.node(launch).label));
            let offset = self.arena.offsets.get(buffer.0 as usize).copied().flatten();
            data.offset = offset.filter(|_| !self.arena.spare.contains(&buffer));
        }
        if by_launches.is_none() {
            for edge in &mut data.edges {
                edge.overlap = self.overlaps(nodes[edge.from as usize], nodes[edge.to as usize], &parts);
            }
        }
        data.passes = self.describe_passes(&nodes, &parts, by_launches.is_none());
        data.arena = Some(ArenaData {
            device: self.arena.device_bytes,
            host: self.arena.host_bytes,
            counters: self.arena.counter_bytes,
            apart: self.arena.apart,
            bound: self.arena.bound,
        });
        if let Some(Measured { device, nodes: times }) = measured {
            let time = |(at, id): (usize, &NodeId)| Some((at as u32, *times.get(id)?));
            measure(&mut data, device.clone(), nodes.iter().enumerate().filter_map(time));
        }
        data
    }

    fn describe_node(&self, data: &mut NodeData, id: NodeId, parts: &Parts<'_>) {
        data.lane = self.lane(id);
        data.launch =
            self.launch_text(parts, id).or_else(|| self.resident_text(parts, id)).or_else(|| self.merged_text(id));
        let node = self.program.node(id);
        match (self.step(id), &node.accesses[..]) {
            (Some(Step::Kernel(step)), _) => data.kernel = Some(step.declaration.name.to_owned()),
            (Some(Step::Compute(step)), _) => data.indices = Some(step.function.count()),
            (Some(Step::Copy), [_, written, ..]) | (Some(Step::Fill { .. }), [written, ..]) => {
                data.bytes = Some(self.touched_bytes(written));
            }
            _ => {}
        }
    }

    fn touched_bytes(&self, access: &Access) -> u64 {
        let elements = self.strided(access).sizes.iter().product::<u64>();
        elements.saturating_mul(self.element(access.buffer).size as u64)
    }

    fn describe_passes(&self, nodes: &[NodeId], parts: &Parts<'_>, is_graph: bool) -> Vec<PassData> {
        let implied: usize = self.live_regions().map(|region| region.implied).sum();
        let shared = nodes.iter().filter(|node| matches!(parts.part(**node), Part::Behind(_) | Part::Tail)).count();
        let is_loop = |node: &NodeId| matches!(self.program.node(*node).kind, NodeKind::Loop(_));
        let resident = nodes.iter().filter(|node| is_loop(node) && self.resident(**node, parts).is_some()).count();
        let early = if is_graph { self.early_launches(parts) } else { 0 };
        let pass = |pass: Pass, count: usize, one: &str, many: &str| {
            self.pass_data(pass, count as u64, format!("{count} {}", if count == 1 { one } else { many }))
        };
        vec![
            pass(
                Pass::Unread,
                self.unread.len(),
                "fill or copy is left out: nobody reads what it writes",
                "fills and copies are left out: nobody reads what they write",
            ),
            pass(Pass::Reduction, implied, "edge follows from others", "edges follow from others"),
            pass(
                Pass::Merging,
                self.merged.len(),
                "fill or copy is done by another",
                "fills and copies are done by others",
            ),
            pass(Pass::Fusion, shared, "statement shares another's launch", "statements share another's launch"),
            pass(Pass::Registers, parts.kept(), "transient stays in registers", "transients stay in registers"),
            pass(Pass::ResidentLoops, resident, "loop runs in one launch", "loops run in one launch"),
            self.describe_lanes(),
            self.describe_gates(parts, is_graph),
            pass(
                Pass::Overlap,
                early,
                "launch begins before what it waits for is over",
                "launches begin before what they wait for is over",
            ),
            self.describe_arena(),
        ]
    }

    fn pass_data(&self, pass: Pass, count: u64, result: String) -> PassData {
        let off = !self.planning.runs(pass);
        PassData { name: pass.name().to_owned(), count, result: if off { "off".to_owned() } else { result }, off }
    }

    fn describe_lanes(&self) -> PassData {
        let regions = || self.live_regions().filter_map(|region| region.lanes.as_ref());
        let count = regions().map(|lanes| lanes.count).max().unwrap_or(0);
        let [added, implied] =
            [|lanes: &Lanes| lanes.added, |lanes: &Lanes| lanes.implied].map(|of| regions().map(of).sum::<usize>());
        let why = match self.by {
            By::Unknown => "",
            By::Asked => ", as asked for",
            By::Budget => ", for the memory budget",
            By::Tuned { estimated: false } => ", tuned",
            By::Tuned { estimated: true } => ", by how long nodes take",
            By::Outgrown => "; they were tuned for another structure",
        };
        let result = match (count, self.by) {
            (0, By::Tuned { estimated: false }) => "none: the driver chooses, which was measured to be best".to_owned(),
            (0, By::Tuned { estimated: true }) => {
                "none: the driver chooses, which is best by how long nodes take".to_owned()
            }
            (0, _) => format!("none: nothing is too wide for the driver to choose{why}"),
            (1, _) => format!("1 lane{why}: {added} edges added, {implied} edges follow from others then"),
            _ => format!("{count} lanes{why}: {added} edges added, {implied} edges follow from others then"),
        };
        self.pass_data(Pass::Lanes, u64::from(count), result)
    }

    fn describe_gates(&self, parts: &Parts<'_>, is_graph: bool) -> PassData {
        let all: Vec<&Gate> =
            if is_graph { self.launched_regions(parts).flat_map(|region| &region.gates).collect() } else { Vec::new() };
        let (starts, gates): (Vec<&Gate>, Vec<&Gate>) = all.iter().copied().partition(|gate| gate.is_start());
        let [with, without] =
            [Gate::edges, Gate::spares].map(|edges| gates.iter().map(|gate| edges(gate)).sum::<usize>());
        let what = if gates.len() == 1 { "1 gate has".to_owned() } else { format!("{} gates have", gates.len()) };
        let between = format!("{what} {with} edges in the place of {without}");
        let result = match (starts.first(), gates.is_empty()) {
            (Some(start), true) => format!("1 gate lets {} launches begin", start.behind.len()),
            (Some(start), false) => format!("{between}; 1 lets {} launches begin", start.behind.len()),
            (None, _) => between,
        };
        self.pass_data(Pass::Gates, all.len() as u64, result)
    }

    fn describe_arena(&self) -> PassData {
        let super::Arena { device_bytes, host_bytes, apart, bound, .. } = *self.arena;
        let bytes = device_bytes.saturating_add(host_bytes);
        let result = format!("transients lie in {bytes} bytes instead of {apart}; {bound} are needed at once");
        self.pass_data(Pass::Arena, u64::from(bytes < apart), result)
    }
}
