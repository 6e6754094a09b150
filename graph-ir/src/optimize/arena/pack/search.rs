//! A search for offsets below a limit, by trying and taking back.
//!
//! Buffers are placed by rising offsets, each at the lowest place that those in its way leave. So a buffer need not be tried that another
//! one fits below: the other comes first. And a way is over as soon as some buffers that are needed at once do not fit between the lowest
//! place that one of them has and the limit. Without an end to the work the search is complete: if it finds nothing, there is nothing.

use super::together::Together;

/// What a search has come to.
pub(super) enum Outcome {
    /// Offsets, all ends within the limit.
    Found(Vec<u64>),
    /// There are none.
    Nothing,
    /// The work is used up.
    Stopped,
}

/// What is searched.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) sizes: &'a [u64],
    /// What is needed at once with each.
    pub(super) neighbours: &'a [Vec<usize>],
    pub(super) together: &'a Together,
}

/// A search that is under way.
pub(super) struct Search<'a> {
    problem: Problem<'a>,
    /// Of those that would lie equally low, the lowest number is tried first.
    ranks: &'a [u64],
    limit: u64,
    /// Where a buffer lies; the lowest place that is left of one that is not placed.
    offsets: Vec<u64>,
    is_left: Vec<bool>,
    left: usize,
    /// By set: the bytes of its buffers that are not placed.
    rest: Vec<u64>,
    /// Buffers that were looked at.
    pub(super) looks: usize,
}

/// One buffer that is placed, and what it changed.
struct Placed {
    buffer: usize,
    offset: u64,
    raised: Vec<(usize, u64)>,
}

/// A place in the order of rising offsets.
struct Level {
    /// Who may come here, the next one last.
    open: Vec<usize>,
    /// Who does.
    placed: Option<Placed>,
    /// The offset of who came before.
    from: u64,
}

impl<'a> Search<'a> {
    /// No more than `limit` bytes. The sizes of all buffers together are a number.
    pub(super) fn new(problem: Problem<'a>, ranks: &'a [u64], limit: u64) -> Self {
        let is_left: Vec<bool> = problem.sizes.iter().map(|size| *size > 0).collect();
        let left = is_left.iter().filter(|is_left| **is_left).count();
        let (offsets, rest) = (vec![0; is_left.len()], problem.together.bytes.clone());
        Self { problem, ranks, limit, offsets, is_left, left, rest, looks: 0 }
    }

    /// Places at most so many buffers, counted each time, and looks at not many more than so many.
    pub(super) fn run(&mut self, mut tries: usize, looks: usize) -> Outcome {
        let mut levels = vec![self.level(0)];
        while let Some(level) = levels.last_mut() {
            if let Some(placed) = level.placed.take() {
                self.take_back(placed);
            }
            let Some(buffer) = level.open.pop() else {
                levels.pop();
                continue;
            };
            if tries == 0 || self.looks > looks {
                return Outcome::Stopped;
            }
            tries -= 1;
            let offset = self.offsets[buffer].max(level.from);
            let placed = self.place(buffer, offset);
            if !self.fits(offset) {
                self.take_back(placed);
                continue;
            }
            level.placed = Some(placed);
            if self.left == 0 {
                return Outcome::Found(std::mem::take(&mut self.offsets));
            }
            let next = self.level(offset);
            levels.push(next);
        }
        Outcome::Nothing
    }

    /// Who may come next: whoever begins below the end of each other that is left.
    fn level(&mut self, from: u64) -> Level {
        let place = |buffer: usize| self.offsets[buffer].max(from);
        let left = || (0..self.is_left.len()).filter(|buffer| self.is_left[*buffer]);
        let roof = left().map(|buffer| place(buffer) + self.problem.sizes[buffer]).min().unwrap_or(0);
        let mut open: Vec<usize> = left().filter(|buffer| place(*buffer) < roof).collect();
        open.sort_unstable_by_key(|buffer| std::cmp::Reverse((place(*buffer), self.ranks[*buffer], *buffer)));
        self.looks += self.is_left.len();
        Level { open, placed: None, from }
    }

    fn place(&mut self, buffer: usize, offset: u64) -> Placed {
        let Problem { sizes, neighbours, together } = self.problem;
        let end = offset + sizes[buffer];
        let placed = Placed { buffer, offset: self.offsets[buffer], raised: Vec::new() };
        self.offsets[buffer] = offset;
        self.is_left[buffer] = false;
        self.left -= 1;
        let low = |other: &&usize| self.is_left[**other] && self.offsets[**other] < end;
        let raised: Vec<_> =
            neighbours[buffer].iter().filter(low).map(|other| (*other, self.offsets[*other])).collect();
        raised.iter().for_each(|(other, _)| self.offsets[*other] = end);
        together.of[buffer].iter().for_each(|set| self.rest[*set] -= sizes[buffer]);
        self.looks += neighbours[buffer].len();
        Placed { raised, ..placed }
    }

    fn take_back(&mut self, placed: Placed) {
        let Placed { buffer, offset, raised } = placed;
        raised.into_iter().for_each(|(other, offset)| self.offsets[other] = offset);
        self.offsets[buffer] = offset;
        self.is_left[buffer] = true;
        self.left += 1;
        let Problem { sizes, together, .. } = self.problem;
        together.of[buffer].iter().for_each(|set| self.rest[*set] += sizes[buffer]);
    }

    /// Whether those of each set that are left fit above the lowest place that one of them has, which is at `from` or above.
    fn fits(&mut self, from: u64) -> bool {
        for (set, rest) in self.problem.together.sets.iter().zip(&self.rest) {
            if *rest == 0 {
                continue;
            }
            let Some(room) = self.limit.checked_sub(*rest).filter(|room| *room >= from) else { return false };
            self.looks += set.len();
            // One that may lie in the room is enough.
            if !set.iter().any(|buffer| self.is_left[*buffer] && self.offsets[*buffer] <= room) {
                return false;
            }
        }
        true
    }
}
