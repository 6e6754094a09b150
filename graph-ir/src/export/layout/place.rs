//! Coordinates along a row, in the way of Brandes and Köpf: items in neighbouring rows that can stand one below the other are put into
//! blocks, blocks are packed as near as they may stand, from either side and with blocks grown from above or from below, and the middle
//! of the four is taken. Lines and chains become straight. Linear in items and links.

use super::layers::Rows;
use super::order::Neighbours;

/// Between two nodes.
const NODE_GAP: f64 = 26.0;
/// Beside a line.
const LINE_GAP: f64 = 14.0;

/// The middle of each item.
pub(super) fn place(rows: &Rows, neighbours: &Neighbours) -> Vec<f64> {
    let mirrored: Vec<Vec<usize>> = rows.order.iter().map(|row| row.iter().rev().copied().collect()).collect();
    let mut packed = Vec::new();
    for (order, sign) in [(&rows.order, 1.0), (&mirrored, -1.0)] {
        let upside_down: Vec<Vec<usize>> = order.iter().rev().cloned().collect();
        for (order, towards) in [(order, &neighbours.above), (&upside_down, &neighbours.below)] {
            let side = Side { rows, order, towards };
            packed.push(side.packed().into_iter().map(|middle| middle * sign).collect::<Vec<f64>>());
        }
    }
    middles(rows, packed)
}

/// Each item between the second and the third of its four places, with the four drawings moved onto the narrowest: those packed to the
/// left by their left sides, the others by their right sides.
fn middles(rows: &Rows, mut packed: Vec<Vec<f64>>) -> Vec<f64> {
    let sides = |middles: &Vec<f64>| {
        let reach = |sign: f64| {
            let side = rows.items.iter().zip(middles).map(move |(item, middle)| sign * middle + item.size.width / 2.0);
            sign * side.fold(f64::NEG_INFINITY, f64::max)
        };
        (reach(-1.0), reach(1.0))
    };
    let narrowest = packed.iter().map(sides).min_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0)));
    let Some((left, right)) = narrowest else { return Vec::new() };
    for (at, middles) in packed.iter_mut().enumerate() {
        let (from, to) = sides(middles);
        let shift = if at < 2 { left - from } else { right - to };
        middles.iter_mut().for_each(|middle| *middle += shift);
    }
    let middle = |item: usize| {
        let mut places: Vec<f64> = packed.iter().map(|middles| middles[item]).collect();
        places.sort_by(f64::total_cmp);
        f64::midpoint(places[1], places[2])
    };
    (0..rows.items.len()).map(middle).collect()
}

/// One of the four ways to look at the rows: as if from above, packed to the left.
struct Side<'r> {
    rows: &'r Rows,
    order: &'r [Vec<usize>],
    /// By item: those in the row that comes before.
    towards: &'r [Vec<usize>],
}

impl Side<'_> {
    fn packed(&self) -> Vec<f64> {
        let blocks = self.blocks();
        let middles = self.pack(&blocks);
        blocks.iter().map(|block| middles[*block]).collect()
    }

    /// By item: the first item of its block.
    fn blocks(&self) -> Vec<usize> {
        let mut blocks: Vec<usize> = (0..self.rows.items.len()).collect();
        let mut position = vec![0; self.rows.items.len()];
        for row in self.order {
            row.iter().enumerate().for_each(|(at, item)| position[*item] = at);
        }
        for row in self.order {
            let lines = self.lines(row, &position);
            let (mut from, mut next) = (0, 0);
            for (at, &item) in row.iter().enumerate() {
                // Nothing may cross a line that is straight.
                while next < lines.len() && lines[next].1 < at {
                    from = from.max(lines[next].0 + 1);
                    next += 1;
                }
                let line = lines.get(next).filter(|line| line.1 == at);
                let until = lines.get(next).map_or(usize::MAX, |line| line.0);
                let before = match line {
                    Some(line) => (line.0 >= from).then_some(line.0),
                    None => self.nearest(item, &position, from, until),
                };
                if let Some(before) = before {
                    let above = self.before(item, before, &position);
                    blocks[item] = blocks[above];
                    from = before + 1;
                }
            }
        }
        blocks
    }

    /// The links between parts of one line that do not cross, as positions in the row before and in this one.
    fn lines(&self, row: &[usize], position: &[usize]) -> Vec<(usize, usize)> {
        let is_line = |item: usize| self.rows.items[item].node.is_none();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, &item) in row.iter().enumerate().filter(|(_, item)| is_line(**item)) {
            let same =
                |other: &&usize| is_line(**other) && self.rows.items[**other].source == self.rows.items[item].source;
            let before = self.towards[item].iter().find(same).map(|other| position[*other]);
            found.extend(
                before.filter(|before| found.last().is_none_or(|last| last.0 < *before)).map(|before| (before, at)),
            );
        }
        found
    }

    /// Of the two in the middle of those before an item, the first that may be straight above it, by position.
    fn nearest(&self, item: usize, position: &[usize], from: usize, until: usize) -> Option<usize> {
        let mut before: Vec<usize> = self.towards[item].iter().map(|other| position[*other]).collect();
        before.sort_unstable();
        let last = before.len().checked_sub(1)?;
        let middle = [before[last / 2], before[last.div_ceil(2)]];
        middle.into_iter().find(|before| (from..until).contains(before))
    }

    fn before(&self, item: usize, at: usize, position: &[usize]) -> usize {
        self.towards[item].iter().copied().find(|other| position[*other] == at).unwrap_or(item)
    }

    /// By first item of a block: its middle, as far to the left as the blocks to the left of it allow.
    fn pack(&self, blocks: &[usize]) -> Vec<f64> {
        let mut behind: Vec<Vec<(usize, f64)>> = vec![Vec::new(); blocks.len()];
        let mut waiting = vec![0_usize; blocks.len()];
        for pair in self.order.iter().flat_map(|row| row.windows(2)) {
            let (left, right) = (blocks[pair[0]], blocks[pair[1]]);
            behind[left].push((right, self.distance(pair[0], pair[1])));
            waiting[right] += 1;
        }
        let mut middles: Vec<f64> = (0..blocks.len()).map(|block| self.half(block)).collect();
        let mut ready: Vec<usize> =
            (0..blocks.len()).filter(|item| blocks[*item] == *item && waiting[*item] == 0).collect();
        while let Some(block) = ready.pop() {
            for &(right, distance) in &behind[block] {
                middles[right] = middles[right].max(middles[block] + distance);
                waiting[right] -= 1;
                if waiting[right] == 0 {
                    ready.push(right);
                }
            }
        }
        middles
    }

    fn half(&self, item: usize) -> f64 {
        self.rows.items[item].size.width / 2.0
    }

    /// Between the middles of two items side by side.
    fn distance(&self, left: usize, right: usize) -> f64 {
        let nodes = [left, right].iter().all(|item| self.rows.items[*item].node.is_some());
        self.half(left) + self.half(right) + if nodes { NODE_GAP } else { LINE_GAP }
    }
}
