//! One body: nodes that are boxes of any size, and lines between them.

use super::layers::{Item, Rows};
use super::order::{Neighbours, order};
use super::place::place;

/// Between two rows, at least.
const NEAREST: f64 = 34.0;
/// Between two rows, at most.
const FARTHEST: f64 = 110.0;
/// How much farther rows are apart for lines that go sideways.
const SLOPE: f64 = 0.06;

/// Width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A body that is laid out, from its upper left corner.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) size: Size,
    /// By node: its upper left corner.
    pub(super) corners: Vec<(f64, f64)>,
    /// By edge.
    pub(super) routes: Vec<Vec<(f64, f64)>>,
}

impl Flat {
    /// The nodes are in a topological order; edges are positions among them.
    pub(super) fn of(sizes: &[Size], edges: &[(usize, usize)]) -> Self {
        let mut rows = Rows::of(sizes, edges);
        let neighbours = Neighbours::of(&rows);
        order(&mut rows, &neighbours);
        let mut middle = place(&rows, &neighbours);
        let edge = |item: &Item, middle: f64, side: f64| middle + side * item.size.width / 2.0;
        let sides = |side: f64| rows.items.iter().zip(&middle).map(move |(item, middle)| edge(item, *middle, side));
        let left = sides(-1.0).fold(f64::INFINITY, f64::min);
        let right = sides(1.0).fold(f64::NEG_INFINITY, f64::max);
        middle.iter_mut().for_each(|middle| *middle -= left);
        let bands = bands(&rows, &middle);
        let height = bands.last().map_or(0.0, |band| band.1);
        let size = Size { width: if sizes.is_empty() { 0.0 } else { right - left }, height };
        let band_of = band_of(&rows, &bands);
        let corner = |node: usize| (middle[node] - sizes[node].width / 2.0, band_of[node].0);
        let corners = (0..sizes.len()).map(corner).collect();
        let route = |route: &Vec<usize>| points(&rows, route, &middle, &band_of);
        Self { size, corners, routes: rows.routes.iter().map(route).collect() }
    }
}

/// The upper and the lower side of each row.
fn bands(rows: &Rows, middle: &[f64]) -> Vec<(f64, f64)> {
    let mut sideways = vec![0.0_f64; rows.order.len()];
    let mut row_of = vec![0; rows.items.len()];
    for (at, row) in rows.order.iter().enumerate() {
        row.iter().for_each(|item| row_of[*item] = at);
    }
    for &(upper, lower) in &rows.links {
        let widest = &mut sideways[row_of[upper]];
        *widest = widest.max((middle[upper] - middle[lower]).abs());
    }
    let mut top = 0.0;
    let band = |(row, sideways): (&Vec<usize>, f64)| {
        let height = row.iter().map(|item| rows.items[*item].size.height).fold(0.0, f64::max);
        let band = (top, top + height);
        top = band.1 + (NEAREST + SLOPE * sideways).min(FARTHEST);
        band
    };
    rows.order.iter().zip(sideways).map(band).collect()
}

fn band_of(rows: &Rows, bands: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut of = vec![(0.0, 0.0); rows.items.len()];
    for (row, band) in rows.order.iter().zip(bands) {
        row.iter().for_each(|item| of[*item] = *band);
    }
    of
}

/// From below the first to above the last, through the bends, which pass their rows vertically.
fn points(rows: &Rows, route: &[usize], middle: &[f64], band_of: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (at, &item) in route.iter().enumerate() {
        let ((top, bottom), x) = (band_of[item], middle[item]);
        if at > 0 {
            points.push((x, top));
        }
        if at == 0 {
            points.push((x, top + rows.items[item].size.height));
        }
        if at + 1 < route.len() {
            points.push((x, bottom));
        }
    }
    points.dedup();
    points
}
