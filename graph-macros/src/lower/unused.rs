//! Parameters and buffers that nothing mentions.

use graph_ir::finding::Finding;
use graph_ir::model::{Buffer, Family, Origin};
use graph_ir::rules::unused;

use super::Lowering;
use crate::syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

impl Lowering<'_> {
    /// What is declared and stands nowhere else in the graph's text.
    pub(super) fn unused(&mut self, graph: &ast::Graph) -> Vec<Finding> {
        let mut found = self.unused_parameters(graph);
        let accesses = self.program.nodes.iter().flat_map(|node| &node.accesses);
        let accessed: FxHashSet<_> = accesses.map(|access| self.program.family(access.buffer)).collect();
        let mut declared = FxHashMap::<_, u32>::default();
        for buffer in &self.program.buffers {
            *declared.entry(buffer.name.as_str()).or_default() += 1;
        }
        for id in self.program.buffer_ids().filter(|id| !accessed.contains(id)) {
            let Buffer { name, origin, family, place, .. } = self.program.buffer(id);
            let own = !matches!(origin, Origin::Parameter(_)) && !matches!(family, Family::Member { .. });
            let mentioned = Some(&graph.mentions.of(name)) > declared.get(name.as_str());
            if own && !mentioned && !name.starts_with('_') {
                found.push(unused::buffer(name, *place));
            }
        }
        found
    }

    fn unused_parameters(&mut self, graph: &ast::Graph) -> Vec<Finding> {
        let mut found = Vec::new();
        let lengths = self.lengths.clone();
        let buffers = graph.parameters.iter().filter(|p| matches!(p.kind, ast::ParameterKind::Buffer { .. }));
        let numbers: Vec<_> = buffers.map(|parameter| parameter.name.to_string()).collect();
        for parameter in &graph.parameters {
            let name = parameter.name.to_string();
            // The only buffer that says what a length is.
            let tells = lengths.iter().any(|(length, buffer)| {
                numbers.get(*buffer as usize) == Some(&name) && graph.mentions.of(&length.to_string()) > 1
            });
            let start = self.places.len();
            let place = self.place(parameter.name.span());
            self.levels_of_item(&parameter.attributes, start as u32..self.places.len() as u32);
            if !tells && !name.starts_with('_') && graph.mentions.of(&name) <= 1 {
                found.push(unused::parameter(&name, place));
            }
        }
        found
    }
}
