//! Where the nodes of a graph are drawn: what waits stands below what it waits for, bodies are boxes inside their conditional.
//!
//! Each body is laid out by itself, inner ones first, in the way of Sugiyama: `layers` gives each node a row, `order` places the nodes
//! of a row so that few edges cross, `place` gives them coordinates. An edge over several rows has a bend in each of them; all edges from
//! one node share one line down to where they leave it, so a buffer that many nodes read is one line and not many. Near-linear in nodes
//! and bends. Crates that do this drop the bends or the order of the text, and know no boxes in boxes.
//!
//! All lengths are in CSS pixels. The same data gives the same layout.
#![expect(clippy::cast_precision_loss, reason = "lengths are drawn, and rounded to pixels")]

mod caption;
mod flat;
mod layers;
mod order;
mod place;
#[cfg(test)]
mod tests;

pub(super) use caption::duration;
use serde::Serialize;

use self::flat::{Flat, Size};
use super::data::GraphData;

/// Of a node without bodies, and of the head of one with bodies.
const NODE_HEIGHT: f64 = 46.0;
/// Around what is in a body.
const BODY_PADDING: f64 = 16.0;
/// Of a body's title.
const BODY_TITLE: f64 = 26.0;
/// A body of nothing.
const EMPTY: Size = Size { width: 96.0, height: 34.0 };
/// Around and between the bodies of a conditional.
const BODY_GAP: f64 = 14.0;
/// Bodies beyond this stand in another line, unless one of them is wider.
const BODIES_WIDTH: f64 = 1800.0;

/// A rectangle: left, top, width, height.
pub type Rectangle = [i64; 4];

/// A drawing of a [`GraphData`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// Of the whole.
    pub size: [i64; 2],
    /// By node.
    pub nodes: Vec<Rectangle>,
    /// By body; the graph's own is the whole.
    pub bodies: Vec<Rectangle>,
    /// By edge: from the lower side of one node to the upper side of another. Between two points of one x it is a straight line,
    /// else a curve that begins and ends vertically.
    pub edges: Vec<Vec<[i64; 2]>>,
    /// By node: what stands below its label.
    pub captions: Vec<String>,
    /// By body: what stands above it.
    pub titles: Vec<String>,
}

/// Lays a graph out.
pub fn layout(data: &GraphData) -> Layout {
    let captions: Vec<String> = data.nodes.iter().map(|node| caption::caption(node, data.measured.as_ref())).collect();
    let titles: Vec<String> = data.bodies.iter().map(|body| caption::title(body, &data.nodes)).collect();
    let sizes = data.nodes.iter().zip(&captions);
    let sizes = sizes.map(|(node, caption)| Size { width: caption::width(&node.label, caption), height: NODE_HEIGHT });
    let mut edges = vec![Vec::new(); data.bodies.len()];
    for (at, edge) in data.edges.iter().enumerate() {
        edges[data.nodes[edge.to as usize].body as usize].push(at);
    }
    let inner = vec![None; data.bodies.len()];
    let (sizes, offsets) = (sizes.collect(), vec![(0.0, 0.0); data.bodies.len()]);
    let mut boxes = Boxes { data, titles: &titles, sizes, offsets, inner };
    // Bodies stand behind what they belong to.
    for body in (0..data.bodies.len()).rev() {
        boxes.body(body, &edges[body]);
    }
    let mut layout = boxes.drawn(&edges, captions);
    layout.titles = titles;
    layout
}

/// What is known while bodies are laid out.
struct Boxes<'d> {
    data: &'d GraphData,
    titles: &'d [String],
    /// By node: grows when its bodies are known.
    sizes: Vec<Size>,
    /// By body: its upper left corner from that of its conditional.
    offsets: Vec<(f64, f64)>,
    /// By body.
    inner: Vec<Option<Flat>>,
}

impl Boxes<'_> {
    /// Lays a body out whose nodes have their sizes, and makes room for it if it is the first of its conditional.
    fn body(&mut self, body: usize, edges: &[usize]) {
        let nodes = &self.data.bodies[body].nodes;
        let sizes: Vec<Size> = nodes.iter().map(|node| self.sizes[*node as usize]).collect();
        let position = |node: u32| nodes.binary_search(&node).ok();
        let pairs = edges.iter().filter_map(|edge| {
            let edge = &self.data.edges[*edge];
            Some((position(edge.from)?, position(edge.to)?))
        });
        self.inner[body] = Some(Flat::of(&sizes, &pairs.collect::<Vec<_>>()));
        if let Some(owner) = self.data.bodies[body].owner
            && self.data.nodes[owner as usize].bodies.first() == Some(&(body as u32))
        {
            self.conditional(owner as usize);
        }
    }

    /// Puts the bodies of a conditional side by side below its head.
    fn conditional(&mut self, node: usize) {
        let bodies = &self.data.nodes[node].bodies;
        let sizes: Vec<Size> = bodies.iter().map(|body| self.body_size(*body as usize)).collect();
        let widest = sizes.iter().map(|size| size.width).fold(BODIES_WIDTH, f64::max);
        let (mut x, mut y, mut line, mut width) = (BODY_GAP, NODE_HEIGHT, 0.0_f64, self.sizes[node].width);
        for (body, size) in bodies.iter().zip(sizes) {
            if x > BODY_GAP && x + size.width > widest + BODY_GAP {
                (x, y, line) = (BODY_GAP, y + line + BODY_GAP, 0.0);
            }
            self.offsets[*body as usize] = (x, y);
            x += size.width + BODY_GAP;
            (line, width) = (line.max(size.height), width.max(x));
        }
        self.sizes[node] = Size { width, height: y + line + BODY_GAP };
    }

    fn body_size(&self, body: usize) -> Size {
        let content = self.inner[body].as_ref().map_or(EMPTY, |inner| inner.size);
        let title = caption::title_width(&self.titles[body]);
        let width = content.width.max(title).max(EMPTY.width) + 2.0 * BODY_PADDING;
        Size { width, height: content.height.max(EMPTY.height) + BODY_TITLE + BODY_PADDING }
    }

    fn drawn(self, edges: &[Vec<usize>], captions: Vec<String>) -> Layout {
        let data = self.data;
        let whole = self.inner[0].as_ref().map_or(EMPTY, |inner| inner.size);
        let mut layout = Layout {
            size: [round(whole.width), round(whole.height)],
            nodes: vec![[0; 4]; data.nodes.len()],
            bodies: vec![[0, 0, round(whole.width), round(whole.height)]; data.bodies.len()],
            edges: vec![Vec::new(); data.edges.len()],
            captions,
            titles: Vec::new(),
        };
        let mut corners = vec![(0.0, 0.0); data.nodes.len()];
        for (body, inner) in self.inner.iter().enumerate() {
            let Some(inner) = inner else { continue };
            let (mut x, mut y) = (0.0, 0.0);
            if let Some(owner) = data.bodies[body].owner {
                let ((left, top), (right, below)) = (corners[owner as usize], self.offsets[body]);
                let size = self.body_size(body);
                layout.bodies[body] = rectangle((left + right, top + below), size);
                let content = inner.size.width;
                (x, y) = (left + right + (size.width - content) / 2.0, top + below + BODY_TITLE);
            }
            for (node, corner) in data.bodies[body].nodes.iter().zip(&inner.corners) {
                corners[*node as usize] = (x + corner.0, y + corner.1);
                layout.nodes[*node as usize] = rectangle(corners[*node as usize], self.sizes[*node as usize]);
            }
            for (edge, points) in edges[body].iter().zip(&inner.routes) {
                layout.edges[*edge] = points.iter().map(|point| [round(x + point.0), round(y + point.1)]).collect();
            }
        }
        layout
    }
}

fn rectangle((left, top): (f64, f64), size: Size) -> Rectangle {
    [round(left), round(top), round(left + size.width) - round(left), round(top + size.height) - round(top)]
}

fn round(length: f64) -> i64 {
    length.round() as i64
}
