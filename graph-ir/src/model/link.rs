//! A graph's parts among those of the graph that names it, with ids of their own.
//!
//! Each graph is there once, however often it is named: [`crate::concrete`] makes a copy for each time. What the evaluator records
//! under the graph's own ids is found under these by adding the [`Offsets`].

use std::sync::Arc;

use super::{
    Argument, BufferId, Dimensions, Expression, Extent, Family, HostValue, LinkedGraph, Node, NodeId, NodeKind, Object,
    ObjectId, Origin, Place, Program, RegionId, Renumber, SectionId, Shape, SymbolId, SymbolOrigin,
};

/// How many of each part stand before those of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as what they count")]
pub struct Offsets {
    pub buffers: u32,
    pub objects: u32,
    pub regions: u32,
    pub nodes: u32,
    pub symbols: u32,
    pub bounds: u32,
    pub statics: u32,
    pub locations: u32,
    pub files: u32,
    pub kernels: u32,
    pub sections: u32,
}

impl Program {
    /// Puts the parts of another graph behind this one's. `kernels` is how many declarations stand in front of the other's, `graphs[g]`
    /// what the graph `g` of its table is in [`Program::graphs`].
    pub fn link(&mut self, mut other: Self, kernels: u32, graphs: &[u32]) -> Offsets {
        self.begin_sections(false);
        other.begin_sections(false);
        let offsets = Offsets {
            buffers: self.buffers.len() as u32,
            objects: self.objects.len() as u32,
            regions: self.regions.len() as u32,
            nodes: self.nodes.len() as u32,
            symbols: self.symbols.len() as u32,
            bounds: self.bounds.len() as u32,
            statics: self.statics.len() as u32,
            locations: self.locations.len() as u32,
            files: self.files.len() as u32,
            kernels,
            sections: self.sections.len() as u32,
        };
        other.rename_graphs(usize::MAX, graphs);
        let parameters = other.parameters().count() as u32;
        offsets.program(&mut other);
        self.graphs.push(LinkedGraph {
            name: other.name,
            body: RegionId(offsets.regions),
            first: NodeId(offsets.nodes),
            statements: SectionId(offsets.sections),
            buffers: (BufferId(offsets.buffers), other.buffers.len() as u32),
            parameters,
            objects: (ObjectId(offsets.objects), other.objects.len() as u32),
            restores: other.restores,
        });
        self.buffers.append(&mut other.buffers);
        self.objects.append(&mut other.objects);
        self.regions.append(&mut other.regions);
        self.nodes.append(&mut other.nodes);
        self.sections.append(&mut other.sections);
        self.symbols.append(&mut other.symbols);
        self.bounds.append(&mut other.bounds);
        self.statics.append(&mut other.statics);
        self.casts.append(&mut other.casts);
        self.locations.append(&mut other.locations);
        self.files.append(&mut other.files);
        offsets
    }

    /// Makes the first `own` nodes, which name graphs by its table, name them by [`Program::graphs`].
    pub fn rename_graphs(&mut self, own: usize, graphs: &[u32]) {
        for node in self.nodes.iter_mut().take(own) {
            if let NodeKind::Graph(call) = &mut node.kind {
                call.graph = graphs.get(call.graph as usize).copied().unwrap_or(u32::MAX);
            }
        }
    }

    /// The buffers that the graph is bound to: its first ones.
    pub fn parameters(&self) -> impl Iterator<Item = BufferId> {
        let declared = |buffer: &BufferId| {
            let buffer = self.buffer(*buffer);
            matches!(buffer.origin, Origin::Parameter(_)) && !matches!(buffer.family, Family::Member { .. })
        };
        let own = self.graphs.first().map_or(self.buffers.len() as u32, |graph| graph.buffers.0.0);
        (0..own).map(BufferId).take_while(declared)
    }

    /// The objects that the graph is bound to.
    pub fn own_objects(&self) -> &[Object] {
        let own = self.graphs.first().map_or(self.objects.len(), |graph| graph.objects.0.0 as usize);
        &self.objects[..own]
    }
}

impl Offsets {
    fn program(&self, program: &mut Program) {
        for buffer in &mut program.buffers {
            self.shape(&mut buffer.shape);
            self.region(&mut buffer.region);
            self.place(&mut buffer.place);
            if let Origin::Static(value) = &mut buffer.origin {
                *value += self.statics;
            }
            if let Family::Member { list, symbol, .. } = &mut buffer.family {
                list.0 += self.buffers;
                symbol.0 += self.symbols;
            }
        }
        program.objects.iter_mut().for_each(|object| self.place(&mut object.place));
        for region in &mut program.regions {
            region.owner.iter_mut().for_each(|owner| owner.0 += self.nodes);
            region.nodes.iter_mut().for_each(|node| node.0 += self.nodes);
            self.place(&mut region.place);
        }
        program.nodes.iter_mut().for_each(|node| self.node(node));
        for section in &mut program.sections {
            section.parent.iter_mut().for_each(|parent| parent.0 += self.sections);
            section.owner.iter_mut().for_each(|owner| owner.0 += self.nodes);
        }
        program.restores.iter_mut().for_each(|node| node.0 += self.nodes);
        for symbol in &mut program.symbols {
            self.place(&mut symbol.place);
            if let SymbolOrigin::BoundLength(buffer) = &mut symbol.origin {
                buffer.0 += self.buffers;
            }
        }
        program.bounds.iter_mut().for_each(|bound| self.place(&mut bound.place));
        program.statics.iter_mut().for_each(|value| self.value(value));
        program.casts.iter_mut().for_each(|cast| self.place(&mut cast.place));
        program.locations.iter_mut().for_each(|location| location.file += self.files);
    }

    fn node(&self, node: &mut Node) {
        self.region(&mut node.region);
        node.section.0 += self.sections;
        for access in &mut node.accesses {
            access.buffer.0 += self.buffers;
            for range in access.footprint.ranges_mut() {
                self.extent(&mut range.start);
                self.extent(&mut range.end);
            }
            self.place(&mut access.place);
        }
        for after in &mut node.after {
            after.target.0 += self.nodes;
            self.place(&mut after.place);
        }
        if let Some(attributes) = &mut node.attributes {
            attributes.cluster.iter_mut().for_each(|cluster| self.place(&mut cluster.place));
            attributes.cooperative.iter_mut().for_each(|place| self.place(place));
            attributes.overlap.iter_mut().for_each(|place| self.place(place));
        }
        self.place(&mut node.place);
        self.kind(&mut node.kind);
        node.kind.bodies_mut().into_iter().for_each(|body| self.region(body));
    }

    /// Everything but bodies.
    fn kind(&self, kind: &mut NodeKind) {
        match kind {
            NodeKind::Kernel(launch) => {
                launch.kernel += self.kernels;
                self.dimensions(&mut launch.grid);
                self.dimensions(&mut launch.block);
                launch.shared.iter_mut().for_each(|shared| self.extent(shared));
                launch.arguments = launch.arguments.iter().map(|argument| self.argument(argument)).collect();
            }
            NodeKind::Copy => {}
            NodeKind::Fill { value } => self.value(value),
            NodeKind::Scalar { value } => *value = self.expression(value),
            NodeKind::Compute(compute) => {
                *compute = Arc::new(self.renumber(|renumber| renumber.compute(compute)));
            }
            NodeKind::Host(call) | NodeKind::Capture(call) => self.objects(&mut call.exclusive),
            NodeKind::Record(event) | NodeKind::Wait(event) => event.0 += self.objects,
            NodeKind::Graph(call) => {
                call.objects.iter_mut().for_each(|(_, object)| object.0 += self.objects);
                self.objects(&mut call.exclusive);
            }
            NodeKind::Assert { test, message } => {
                self.test(test);
                message.iter_mut().for_each(|message| message.0 += self.symbols);
            }
            NodeKind::If { test, .. } => self.test(test),
            NodeKind::Match { test, arms, .. } => {
                self.test(test);
                for each in arms.iter_mut().filter_map(|arm| arm.each.as_mut()) {
                    each.passes.0 += self.nodes;
                    each.value.iter_mut().for_each(|value| value.0 += self.symbols);
                }
            }
            NodeKind::Loop(head) => {
                head.every_by.iter_mut().for_each(|passes| passes.0 += self.nodes);
                head.test.iter_mut().for_each(|test| self.test(test));
                head.limit.iter_mut().for_each(|limit| self.extent(limit));
                self.place(&mut head.place);
            }
            NodeKind::HostIf { condition: symbol, .. } | NodeKind::HostMatch { choice: symbol, .. } => {
                symbol.0 += self.symbols;
            }
            NodeKind::For { swapped, .. } => {
                for (from, to) in swapped {
                    from.0 += self.buffers;
                    to.0 += self.buffers;
                }
            }
        }
    }

    fn test(&self, test: &mut super::Test) {
        test.value = self.expression(&test.value);
        self.place(&mut test.place);
    }

    fn argument(&self, argument: &Argument) -> Argument {
        let mut argument = argument.clone();
        if let Argument::Value(value) = &mut argument {
            self.value(value);
        }
        argument
    }

    fn value(&self, value: &mut HostValue) {
        if let HostValue::Symbol(symbol) = value {
            symbol.0 += self.symbols;
        }
    }

    fn dimensions(&self, dimensions: &mut Dimensions) {
        dimensions.sizes.iter_mut().for_each(|size| self.extent(size));
        dimensions.symbol.iter_mut().for_each(|symbol| symbol.0 += self.symbols);
        self.place(&mut dimensions.place);
    }

    fn expression(&self, expression: &Expression) -> Expression {
        self.renumber(|renumber| renumber.expression(expression))
    }

    fn renumber<R>(&self, apply: impl FnOnce(&Renumber<'_>) -> R) -> R {
        apply(&Renumber {
            access: &|access| access,
            local: &|local| local,
            host: &|symbol| SymbolId(symbol.0 + self.symbols),
            place: &|place| Place(place.0 + self.locations),
        })
    }

    fn shape(&self, shape: &mut Shape) {
        shape.sizes_mut().iter_mut().for_each(|size| self.extent(size));
    }

    fn extent(&self, extent: &mut Extent) {
        if let Extent::Symbol(symbol) = extent {
            symbol.0 += self.symbols;
        }
    }

    fn objects(&self, objects: &mut [ObjectId]) {
        objects.iter_mut().for_each(|object| object.0 += self.objects);
    }

    fn region(&self, region: &mut RegionId) {
        region.0 += self.regions;
    }

    fn place(&self, place: &mut Place) {
        place.0 += self.locations;
    }
}
