//! Rows: what waits stands below what it waits for.

use super::flat::Size;

/// A row has this many nodes or the square root of all, whichever is more: what could stand side by side beyond that stands below.
const FEWEST: usize = 16;

/// Edges over more rows than this, all together, are drawn straight.
const MOST_BENDS: usize = 60_000;

/// A node, or the bend of a line in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The node.
    pub(super) node: Option<usize>,
    /// The node that the line comes from, or the node.
    pub(super) source: usize,
    pub(super) size: Size,
}

/// Nodes and bends in rows.
#[derive(Debug)]
pub(super) struct Rows {
    /// Nodes first, by their position.
    pub(super) items: Vec<Item>,
    /// From left to right.
    pub(super) order: Vec<Vec<usize>>,
    /// Pairs in neighbouring rows, the upper one first.
    pub(super) links: Vec<(usize, usize)>,
    /// By edge: what it leads over, its ends first and last.
    pub(super) routes: Vec<Vec<usize>>,
}

impl Rows {
    /// The nodes are in a topological order.
    pub(super) fn of(sizes: &[Size], edges: &[(usize, usize)]) -> Self {
        let row_of = assign(sizes.len(), edges);
        let count = row_of.iter().max().map_or(0, |last| last + 1);
        let items = sizes.iter().enumerate().map(|(node, size)| Item { node: Some(node), source: node, size: *size });
        let mut rows =
            Self { items: items.collect(), order: vec![Vec::new(); count], links: Vec::new(), routes: Vec::new() };
        rows.lines(&row_of, edges);
        for (item, row) in row_of.iter().enumerate() {
            rows.order[*row].push(item);
        }
        for row in &mut rows.order {
            row.sort_by_key(|item| (rows.items[*item].source, *item));
        }
        rows
    }

    /// Adds the bends: one line down from each node, up to where the last edge leaves it.
    fn lines(&mut self, row_of: &[usize], edges: &[(usize, usize)]) {
        let mut lines: Vec<Vec<usize>> = (0..row_of.len()).map(|node| vec![node]).collect();
        let bend = Size { width: 2.0, height: 0.0 };
        let mut bends = 0;
        for &(from, to) in edges {
            let between = row_of[to] - row_of[from] - 1;
            if between >= lines[from].len() && bends + between + 1 - lines[from].len() > MOST_BENDS {
                self.routes.push(vec![from, to]);
                continue;
            }
            while lines[from].len() <= between {
                let item = self.items.len();
                self.items.push(Item { node: None, source: from, size: bend });
                self.order[row_of[from] + lines[from].len()].push(item);
                self.links.extend(lines[from].last().map(|above| (*above, item)));
                lines[from].push(item);
                bends += 1;
            }
            let route = &lines[from][..=between];
            self.links.extend(route.last().map(|above| (*above, to)));
            self.routes.push(route.iter().copied().chain([to]).collect());
        }
    }
}

/// The row of each node.
fn assign(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let most = FEWEST.max(count.isqrt() + usize::from(count.isqrt().pow(2) < count));
    let mut behind = vec![Vec::new(); count];
    for &(from, to) in edges {
        behind[from].push(to);
    }
    let mut rows = vec![0; count];
    let mut full = Full { used: Vec::new(), most, next: Vec::new() };
    for node in 0..count {
        let row = full.take(rows[node]);
        rows[node] = row;
        for to in &behind[node] {
            rows[*to] = rows[*to].max(row + 1);
        }
    }
    rows
}

/// How full the rows are.
struct Full {
    used: Vec<usize>,
    most: usize,
    /// By row: one at or below it that may have room.
    next: Vec<usize>,
}

impl Full {
    /// Takes a place in the first row from this one on that has one.
    fn take(&mut self, from: usize) -> usize {
        let row = self.find(from);
        self.used[row] += 1;
        if self.used[row] == self.most {
            self.next[row] = row + 1;
        }
        row
    }

    fn find(&mut self, from: usize) -> usize {
        let mut row = from;
        loop {
            while self.used.len() <= row {
                self.next.push(self.used.len());
                self.used.push(0);
            }
            if self.next[row] == row {
                break;
            }
            row = self.next[row];
        }
        let mut at = from;
        while self.next[at] != at {
            at = std::mem::replace(&mut self.next[at], row);
        }
        row
    }
}
