//! `every k`: the body, k times over, with the names that `swap` exchanged.

use graph_ir::model::{BufferId, NodeId, NodeKind, RegionId, RegionKind, SectionId};
use rustc_hash::FxHashMap;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote};

use super::evaluation::Evaluation;
use super::{Lowering, exchange};
use crate::syntax::ast::{Every, Statement};

/// Where the first pass begins and ends in the program's tables.
#[derive(Clone, Copy)]
struct Pass {
    nodes: (u32, u32),
    regions: (u32, u32),
    buffers: (u32, u32),
    sections: (u32, u32),
}

/// What pass number `number` (from 0) makes of the first pass's ids.
struct Renumbering<'a> {
    pass: Pass,
    number: u32,
    /// What the first pass turned each buffer that is declared outside into.
    swapped: &'a [(BufferId, BufferId)],
}

impl Renumbering<'_> {
    fn shift((start, end): (u32, u32), id: u32, number: u32) -> u32 {
        if (start..end).contains(&id) { id + (end - start) * number } else { id }
    }

    fn node(&self, id: NodeId) -> NodeId {
        NodeId(Self::shift(self.pass.nodes, id.0, self.number))
    }

    fn region(&self, id: RegionId) -> RegionId {
        RegionId(Self::shift(self.pass.regions, id.0, self.number))
    }

    fn section(&self, id: SectionId) -> SectionId {
        SectionId(Self::shift(self.pass.sections, id.0, self.number))
    }

    fn buffer(&self, id: BufferId) -> BufferId {
        let mut id = id;
        for _ in 0..self.number {
            id = self.swapped.iter().find(|(from, _)| *from == id).map_or(id, |(_, to)| *to);
        }
        BufferId(Self::shift(self.pass.buffers, id.0, self.number))
    }

    fn kind(&self, kind: &mut NodeKind) {
        for body in kind.bodies_mut() {
            *body = self.region(*body);
        }
        match kind {
            NodeKind::For { swapped, .. } => {
                for (from, to) in swapped {
                    (*from, *to) = (self.buffer(*from), self.buffer(*to));
                }
            }
            NodeKind::Match { arms, .. } => {
                for each in arms.iter_mut().filter_map(|arm| arm.each.as_mut()) {
                    each.passes = self.node(each.passes);
                }
            }
            NodeKind::Loop(head) => head.every_by = head.every_by.map(|passes| self.node(passes)),
            _ => {}
        }
    }
}

/// A loop's body, as often as `every` says.
pub(crate) struct Repeated {
    /// How often it stands in the program.
    pub(crate) every: u32,
    /// What makes the passes if the host says how many there are.
    pub(crate) every_by: Option<NodeId>,
    /// What one pass turns each buffer that is declared outside into, unless the build exchanges names.
    pub(crate) swapped: Vec<(BufferId, BufferId)>,
}

impl Repeated {
    /// One pass between two tests.
    pub(crate) fn once() -> Self {
        Self { every: 1, every_by: None, swapped: Vec::new() }
    }
}

impl Lowering<'_> {
    /// Lowers a loop's body into the innermost region.
    pub(crate) fn repeated(&mut self, every: Option<&Every>, body: &[Statement]) -> Repeated {
        match every {
            Some(Every::Host(every)) => Repeated { every_by: Some(self.made_by_host(every, body)), ..Repeated::once() },
            // The passes name other buffers, so each is evaluated.
            Some(Every::Literal(number)) if !exchange::names(body).is_empty() => {
                let every = parse_quote!(#number);
                Repeated { every_by: Some(self.made_by_host(&every, body)), ..Repeated::once() }
            }
            Some(Every::Literal(number)) => {
                let every = number.base10_parse().unwrap_or(1);
                Repeated { every, every_by: None, swapped: self.passes(every, body) }
            }
            None => Repeated { swapped: self.passes(1, body), ..Repeated::once() },
        }
    }

    /// The passes of a loop as those of a `for` of the host's: they are the only node of the loop's body.
    fn made_by_host(&mut self, every: &Expr, body: &[Statement]) -> NodeId {
        let node = self.bare_node(every.span(), "passes", NodeKind::Copy);
        let help = "pass the value to the graph as a parameter";
        let refused = self.mentions_broken(every) || self.refuse_device_read(every, help);
        self.refuse_varying(every, "this `every`");
        let count = self.checked(every);
        self.symbols.enter_branch();
        self.scopes.enter();
        let outside = self.names_before(body);
        let mut region = RegionId::GRAPH;
        let place = self.place(every.span());
        let steps = self.block(|this| {
            region = this.begin_region(RegionKind::Pass, Some(node), place);
            this.statements(body);
            this.end_region();
        });
        let swapped = self.take_swapped(&outside);
        self.scopes.leave("loop");
        self.symbols.leave_branch();
        if !refused {
            let pattern = parse_quote!(_);
            let iterable = parse_quote!(0..#count);
            self.evaluate(Evaluation::For { node, pattern, iterable, guard: None, steps });
        }
        self.node_mut(node).kind = NodeKind::For { body: region, swapped };
        node
    }

    /// Lowers the user's body once and repeats the result until there are `every` passes. Returns what one pass turns each buffer
    /// that is declared outside into.
    pub(crate) fn passes(&mut self, every: u32, body: &[Statement]) -> Vec<(BufferId, BufferId)> {
        let outside = self.names_before(body);
        let section = self.section;
        let passes = self.passes_section(every);
        let [nodes, regions, buffers, sections] = self.lengths_of_tables();
        self.begin_pass(passes);
        self.statements(body);
        self.resolve_pending();
        let end = self.lengths_of_tables();
        let pass = Pass {
            nodes: (nodes, end[0]),
            regions: (regions, end[1]),
            buffers: (buffers, end[2]),
            sections: (sections, end[3]),
        };
        self.section = section;
        let now: FxHashMap<BufferId, BufferId> =
            self.names_before(body).into_iter().map(|(_, declared, current)| (declared, current)).collect();
        let swapped: Vec<(BufferId, BufferId)> = outside
            .iter()
            .filter_map(|(_, declared, before)| Some((*before, *now.get(declared)?)))
            .filter(|(before, after)| before != after)
            .collect();
        for number in 1..every {
            self.repeat(&Renumbering { pass, number, swapped: &swapped });
        }
        if every > 1 {
            let last = Renumbering { pass, number: every - 1, swapped: &swapped };
            self.scopes.for_each_buffer(|buffer| buffer.current = last.buffer(buffer.current));
        }
        swapped
    }

    fn lengths_of_tables(&self) -> [u32; 4] {
        let program = &self.program;
        let lengths = [program.nodes.len(), program.regions.len(), program.buffers.len(), program.sections.len()];
        lengths.map(|length| length as u32)
    }

    fn repeat(&mut self, renumbering: &Renumbering<'_>) {
        let Pass { nodes, regions, buffers, sections } = renumbering.pass;
        for id in sections.0..sections.1 {
            let mut section = self.program.sections[id as usize];
            section.parent = section.parent.map(|parent| renumbering.section(parent));
            self.program.sections.push(section);
        }
        for id in buffers.0..buffers.1 {
            let mut buffer = self.program.buffers[id as usize].clone();
            buffer.region = renumbering.region(buffer.region);
            self.program.buffers.push(buffer);
            self.elements.push(self.elements[id as usize].clone());
        }
        for id in regions.0..regions.1 {
            let mut region = self.program.regions[id as usize].clone();
            region.owner = region.owner.map(|owner| renumbering.node(owner));
            region.nodes.iter_mut().for_each(|node| *node = renumbering.node(*node));
            self.program.regions.push(region);
        }
        let body = self.region();
        for id in nodes.0..nodes.1 {
            let mut node = self.program.nodes[id as usize].clone();
            node.region = renumbering.region(node.region);
            node.section = renumbering.section(node.section);
            renumbering.kind(&mut node.kind);
            node.accesses.iter_mut().for_each(|access| access.buffer = renumbering.buffer(access.buffer));
            node.after.iter_mut().for_each(|after| after.target = renumbering.node(after.target));
            if node.region == body {
                let id = NodeId(self.program.nodes.len() as u32);
                self.program.regions[body.0 as usize].nodes.push(id);
            }
            self.program.nodes.push(node);
        }
        let first = nodes.0 + (nodes.1 - nodes.0) * renumbering.number;
        self.evaluate(Evaluation::Repeat { original: nodes.0, count: nodes.1 - nodes.0, copy: first });
    }
}
