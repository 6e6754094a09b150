//! A whole graph.

use serde::{Deserialize, Serialize};

use super::{
    Bound, Buffer, BufferId, Extent, Family, HostValue, LinkedGraph, Node, NodeId, Object, ObjectId, Region, RegionId,
    Section, Shape, Symbol, SymbolId, Verdict,
};

/// A place in the source: opaque here, an index into [`Program::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place(pub u32);

/// What a [`Place`] stands for. The file is an index into [`Program::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Of the path as the compiler was given it.
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// A [`Location`] as it is printed: `src/main.rs:14:9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot<'a> {
    /// Path as the compiler was given it.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl std::fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A conversion in a host expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// Of what is converted.
    pub place: Place,
    /// As written: `n as u32`.
    pub text: String,
}

/// One graph, symbolic or concrete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The graph's name.
    pub name: String,
    /// Parameters in order, then transients in text order.
    pub buffers: Vec<Buffer>,
    /// Host objects and events among the parameters, in order.
    pub objects: Vec<Object>,
    /// Region 0 is the graph's body.
    pub regions: Vec<Region>,
    /// In text order.
    pub nodes: Vec<Node>,
    /// Which nodes `after` alone orders; empty if no graph is `#[explicit]`.
    pub sections: Vec<Section>,
    /// Nodes that copy back to a parameter, at the end of the graph, what `swap` left elsewhere.
    pub restores: Vec<NodeId>,
    /// Host expressions in text order.
    pub symbols: Vec<Symbol>,
    /// Host values with a bound, in order.
    pub bounds: Vec<Bound>,
    /// What each element of a `static` is when the graph is built.
    pub statics: Vec<HostValue>,
    /// Conversions in host expressions that are compared with what they convert, in text order.
    pub casts: Vec<Cast>,
    /// The graphs that nodes of this one name, once linked.
    pub graphs: Vec<LinkedGraph>,
    /// What places stand for.
    pub locations: Vec<Location>,
    /// The files that locations name.
    pub files: Vec<String>,
    /// Whether every extent is a number, and what the host decides is decided ([`crate::concrete`]).
    pub concrete: bool,
}

impl Program {
    /// The buffer with this id.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// The object with this id.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The buffer, or the list that it is one of: two of one list may be the same.
    pub fn family(&self, id: BufferId) -> BufferId {
        match self.buffer(id).family {
            Family::Member { list, .. } => list,
            Family::Single | Family::List => id,
        }
    }

    /// Whether two ids stand for one buffer.
    pub fn same_buffer(&self, one: BufferId, other: BufferId) -> Verdict {
        let literal = |id: BufferId| matches!(self.buffer(id).family, Family::Member { literal: true, .. });
        if one == other {
            Verdict::Proved
        } else if self.family(one) != self.family(other) || literal(one) && literal(other) {
            Verdict::Refuted
        } else {
            Verdict::Open
        }
    }

    /// The conversion at this place.
    pub fn cast(&self, place: Place) -> Option<&Cast> {
        self.casts.iter().find(|cast| cast.place == place)
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The region with this id.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    /// The symbol with this id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// What a place prints as.
    pub fn location(&self, place: Place) -> Option<Spot<'_>> {
        let Location { file, line, column } = *self.locations.get(place.0 as usize)?;
        Some(Spot { file: self.files.get(file as usize)?, line, column })
    }

    /// A new place.
    pub fn place(&mut self, spot: Spot<'_>) -> Place {
        let known = self.files.iter().rposition(|file| file == spot.file);
        let file = known.unwrap_or_else(|| {
            self.files.push(spot.file.to_owned());
            self.files.len() - 1
        });
        self.locations.push(Location { file: file as u32, line: spot.line, column: spot.column });
        Place(self.locations.len() as u32 - 1)
    }

    /// An extent as a message shows it: the number, or the expression as written.
    pub fn extent_text(&self, extent: Extent) -> String {
        match extent {
            Extent::Known(value) => value.to_string(),
            Extent::Symbol(symbol) => self.symbol(symbol).text.clone(),
        }
    }

    /// A shape as it is written: `n`, `(h, w)`.
    pub fn shape_text(&self, shape: &Shape) -> String {
        let sizes: Vec<_> = shape.sizes().iter().map(|size| self.extent_text(*size)).collect();
        match &sizes[..] {
            [length] => length.clone(),
            sizes => format!("({})", sizes.join(", ")),
        }
    }

    /// All buffer ids.
    pub fn buffer_ids(&self) -> impl Iterator<Item = BufferId> + use<> {
        (0..self.buffers.len() as u32).map(BufferId)
    }

    /// The regions that are part of the graph, outermost first: region 0 and the bodies of the nodes that live regions list.
    pub fn live_regions(&self) -> Vec<RegionId> {
        let mut live = vec![RegionId::GRAPH];
        let mut next = 0;
        while next < live.len() {
            for node in &self.region(live[next]).nodes {
                live.extend(self.node(*node).kind.bodies());
            }
            next += 1;
        }
        live
    }
}
