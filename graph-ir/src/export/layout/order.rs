//! The order in each row: few lines cross.

use super::layers::Rows;

/// How often the rows are gone through.
const SWEEPS: usize = 10;

/// Neighbours of items in the row above and in the row below.
pub(super) struct Neighbours {
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

impl Neighbours {
    pub(super) fn of(rows: &Rows) -> Self {
        let mut neighbours =
            Self { above: vec![Vec::new(); rows.items.len()], below: vec![Vec::new(); rows.items.len()] };
        for &(upper, lower) in &rows.links {
            neighbours.below[upper].push(lower);
            neighbours.above[lower].push(upper);
        }
        neighbours
    }
}

/// Sorts each row by where its items' neighbours stand, downwards and upwards in turn, and keeps the best.
pub(super) fn order(rows: &mut Rows, neighbours: &Neighbours) {
    let mut place = vec![0.0; rows.items.len()];
    let mut best = (crossings(rows, neighbours), rows.order.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        for row in &rows.order {
            number(row, &mut place);
        }
        let count = rows.order.len();
        for step in 0..count {
            let downwards = sweep % 2 == 0;
            let row = &mut rows.order[if downwards { step } else { count - 1 - step }];
            let towards = if downwards { &neighbours.above } else { &neighbours.below };
            let mean = |item: usize| match &towards[item][..] {
                [] => place[item],
                of => of.iter().map(|other| place[*other]).sum::<f64>() / of.len() as f64,
            };
            let means: Vec<(f64, usize)> = row.iter().map(|item| (mean(*item), *item)).collect();
            let mut sorted = means;
            sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
            *row = sorted.into_iter().map(|(_, item)| item).collect();
            number(row, &mut place);
        }
        let crossings = crossings(rows, neighbours);
        if crossings < best.0 {
            best = (crossings, rows.order.clone());
        }
    }
    rows.order = best.1;
}

/// Places between 0 and 1, so that rows of different lengths compare.
fn number(row: &[usize], place: &mut [f64]) {
    for (at, item) in row.iter().enumerate() {
        place[*item] = (at as f64 + 0.5) / row.len() as f64;
    }
}

/// How many pairs of links cross.
fn crossings(rows: &Rows, neighbours: &Neighbours) -> u64 {
    let mut position = vec![0; rows.items.len()];
    for row in &rows.order {
        row.iter().enumerate().for_each(|(at, item)| position[*item] = at);
    }
    let between = |pair: &[Vec<usize>]| {
        let mut passed = Counts(vec![0; pair[1].len() + 1]);
        let mut found = 0;
        let mut seen = 0;
        for item in &pair[0] {
            let below: Vec<usize> = neighbours.below[*item].iter().map(|lower| position[*lower]).collect();
            found += below.iter().map(|at| seen - passed.up_to(*at)).sum::<u64>();
            below.iter().for_each(|at| passed.add(*at));
            seen += below.len() as u64;
        }
        found
    };
    rows.order.windows(2).map(between).sum()
}

/// Counts by position, with sums from the left (Fenwick).
struct Counts(Vec<u64>);

impl Counts {
    fn add(&mut self, at: usize) {
        let mut at = at + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many stand at this position or left of it.
    fn up_to(&self, at: usize) -> u64 {
        let (mut at, mut sum) = (at + 1, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::flat::Size;
    use super::*;

    #[test]
    fn crossings_are_counted_pair_by_pair() {
        let size = Size { width: 10.0, height: 10.0 };
        // 0, 1, 2 above 3, 4, 5: each pair of the complete bipartite graph of 3 and 3 crosses 9 times.
        let edges: Vec<_> = (0..3).flat_map(|from| (3..6).map(move |to| (from, to))).collect();
        let rows = Rows::of(&[size; 6], &edges);
        assert_eq!(crossings(&rows, &Neighbours::of(&rows)), 9);
    }

    #[test]
    fn lines_that_need_not_cross_do_not() {
        let size = Size { width: 10.0, height: 10.0 };
        // 0 -> 5, 1 -> 4, 2 -> 3.
        let mut rows = Rows::of(&[size; 6], &[(2, 3), (1, 4), (0, 5)]);
        let neighbours = Neighbours::of(&rows);
        assert_eq!(crossings(&rows, &neighbours), 3);
        order(&mut rows, &neighbours);
        assert_eq!(crossings(&rows, &neighbours), 0);
    }
}
