//! Whether sums of multiples of bounded integers can be equal: the question behind races of kernels in the block, and its exact answer.
//!
//! Given: for each dimension of a buffer, two sums over the same iterations, of which the first `axes` are axes. Asked: are there two
//! assignments of numbers to the iterations, in which some axis differs, that give equal sums in all dimensions? The iterations within
//! one index, its inner loops, run independently in the two.
//!
//! The search goes through the unknowns from the longest stride to the shortest. An unknown takes only values that leave, for each sum,
//! a rest within what the shorter strides reach and divisible by their common divisor, so strides that nest, like those of `i * w + j`,
//! leave one or two values each. The answer is exact: a solution is found, or there is none; only a search of more than
//! `MOST_STEPS` values gives none.

/// Values that are tried before the question is given up.
const MOST_STEPS: u32 = 1 << 16;

/// From the least to the greatest number.
pub type Interval = (i128, i128);

/// Two sums in one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What each iteration is multiplied by, in the first and in the second.
    pub strides: [Vec<i128>; 2],
    /// What is added, in the first and in the second.
    pub offsets: [i128; 2],
    /// They are compared modulo this, if they are.
    pub modulus: Option<i128>,
    /// Only numbers from 0 to before this are elements.
    pub length: Option<i128>,
}

/// A condition on the unknowns: their sum is within an interval.
struct Row {
    strides: Vec<i128>,
    target: Interval,
}

/// One unknown.
struct Unknown {
    interval: Interval,
    /// By row.
    strides: Vec<i128>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// How much more an axis is in the first than in the second.
    Difference,
    /// An axis, in the first or in the second.
    Axis(usize),
    /// Nothing that has to differ.
    Inner,
}

/// Whether equal sums, in all dimensions at once, are those of equal axes only. `None` if that is not found out.
pub fn only_in_step(pairs: &[Pair], iterations: &[Interval], axes: usize) -> Option<bool> {
    let mut search = Search::new(pairs, iterations, axes)?;
    let rest: Vec<Interval> = search.rows.iter().map(|row| row.target).collect();
    let found = search.solve(0, &rest, &mut vec![0; search.unknowns.len()]);
    match found {
        Answer::Found => Some(false),
        Answer::Nothing => Some(true),
        Answer::TooMany => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Found,
    Nothing,
    TooMany,
}

struct Search {
    rows: Vec<Row>,
    /// The longest stride first.
    unknowns: Vec<Unknown>,
    /// By unknown and row: what those from there on reach, and their common divisor.
    reach: Vec<Vec<(Interval, i128)>>,
    /// Some axis occurs nowhere, so it may differ.
    differs: bool,
    steps: u32,
}

impl Search {
    fn new(pairs: &[Pair], iterations: &[Interval], axes: usize) -> Option<Self> {
        let bounded: Vec<bool> = pairs.iter().map(|pair| leaves(pair, iterations)).collect::<Option<_>>()?;
        let apart = bounded.iter().any(|bounded| *bounded);
        let mut search = Self { rows: Vec::new(), unknowns: Vec::new(), reach: Vec::new(), differs: false, steps: 0 };
        for (number, interval) in iterations.iter().enumerate() {
            search.iteration(pairs, (number, *interval), axes, apart)?;
        }
        search.rows(pairs, &bounded)?;
        search.unknowns.sort_by_key(|unknown| std::cmp::Reverse(unknown.strides.iter().map(|one| one.abs()).max()));
        search.reaches()?;
        Some(search)
    }

    /// The unknowns that an iteration is. `apart`: its two values are needed, not only their difference.
    fn iteration(
        &mut self,
        pairs: &[Pair],
        (number, (first, last)): (usize, Interval),
        axes: usize,
        apart: bool,
    ) -> Option<()> {
        let stride = |pair: &Pair, side: usize| pair.strides[side].get(number).copied().unwrap_or(0);
        let occurs = pairs.iter().any(|pair| stride(pair, 0) != 0 || stride(pair, 1) != 0);
        let in_step = pairs.iter().all(|pair| stride(pair, 0) == stride(pair, 1));
        let reach = last.checked_sub(first)?;
        let is_axis = number < axes;
        if !occurs {
            self.differs |= is_axis && reach > 0;
            return Some(());
        }
        if in_step && !apart {
            let strides = pairs.iter().map(|pair| stride(pair, 0)).collect();
            let role = if is_axis { Role::Difference } else { Role::Inner };
            self.unknowns.push(Unknown { interval: (-reach, reach), strides, role });
            return Some(());
        }
        for side in [0, 1] {
            let sign = if side == 0 { 1 } else { -1 };
            let strides = pairs.iter().map(|pair| stride(pair, side).checked_mul(sign)).collect::<Option<_>>()?;
            let role = if is_axis { Role::Axis(number) } else { Role::Inner };
            self.unknowns.push(Unknown { interval: (first, last), strides, role });
        }
        Some(())
    }

    /// One row for each pair; another one where numbers may be no elements; an unknown for what a modulus leaves open.
    fn rows(&mut self, pairs: &[Pair], bounded: &[bool]) -> Option<()> {
        for (number, pair) in pairs.iter().enumerate() {
            let distance = pair.offsets[1].checked_sub(pair.offsets[0])?;
            let strides = self.unknowns.iter().map(|unknown| unknown.strides[number]).collect();
            self.rows.push(Row { strides, target: (distance, distance) });
        }
        let mut moduli: Vec<(usize, i128)> =
            pairs.iter().enumerate().filter_map(|(number, pair)| Some((number, pair.modulus?))).collect();
        for (number, pair) in pairs.iter().enumerate().filter(|(number, _)| bounded[*number]) {
            // The first of each two unknowns is the first sum's.
            let own = |(at, unknown): (usize, &Unknown)| if at % 2 == 0 { unknown.strides[number] } else { 0 };
            let strides = self.unknowns.iter().enumerate().map(own).collect();
            let last = pair.length?.checked_sub(1)?;
            let target = (pair.offsets[0].checked_neg()?, last.checked_sub(pair.offsets[0])?);
            moduli.extend(pair.modulus.map(|modulus| (self.rows.len(), modulus)));
            self.rows.push(Row { strides, target });
        }
        for unknown in 0..self.unknowns.len() {
            self.unknowns[unknown].strides = self.rows.iter().map(|row| row.strides[unknown]).collect();
        }
        for (row, modulus) in moduli {
            let ((low, high), target) = (self.sum(row)?, self.rows[row].target);
            let most = target.0.checked_sub(high)?.abs().max(target.1.checked_sub(low)?.abs()) / modulus + 1;
            let mut strides = vec![0; self.rows.len()];
            strides[row] = modulus;
            self.unknowns.push(Unknown { interval: (-most, most), strides, role: Role::Inner });
        }
        Some(())
    }

    /// What all unknowns reach in a row.
    fn sum(&self, row: usize) -> Option<Interval> {
        self.unknowns.iter().try_fold((0, 0), |sum, unknown| add(sum, times(unknown.interval, unknown.strides[row])?))
    }

    fn reaches(&mut self) -> Option<()> {
        let mut reach = vec![vec![((0, 0), 0); self.rows.len()]];
        for unknown in self.unknowns.iter().rev() {
            let behind = reach.last()?;
            let next = behind.iter().zip(&unknown.strides).map(|((interval, common), stride)| {
                Some((add(*interval, times(unknown.interval, *stride)?)?, divisor(*common, *stride)))
            });
            let next = next.collect::<Option<Vec<_>>>()?;
            reach.push(next);
        }
        reach.reverse();
        self.reach = reach;
        Some(())
    }

    /// Whether the unknowns from `at` on can make up for the rest of each row.
    fn solve(&mut self, at: usize, rest: &[Interval], values: &mut Vec<i128>) -> Answer {
        let possible = rest.iter().zip(&self.reach[at]).all(|((low, high), ((least, most), common))| {
            let meets = least <= high && low <= most;
            // An equation needs a multiple of the common divisor.
            let divisible = low != high || if *common == 0 { *low == 0 } else { low % common == 0 };
            meets && divisible
        });
        if !possible || !(self.differs || self.may_differ(at, values)) {
            return Answer::Nothing;
        }
        if at == self.unknowns.len() {
            return Answer::Found;
        }
        let (mut low, mut high) = self.unknowns[at].interval;
        for ((rest, (behind, _)), stride) in rest.iter().zip(&self.reach[at + 1]).zip(&self.unknowns[at].strides) {
            let Some((least, most)) = between(*rest, *behind, *stride) else { continue };
            (low, high) = (low.max(least), high.min(most));
        }
        let mut value = low;
        while value <= high {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Answer::TooMany;
            }
            values[at] = value;
            let strides = &self.unknowns[at].strides;
            let next: Vec<Interval> = rest
                .iter()
                .zip(strides)
                .map(|(rest, stride)| (rest.0 - stride * value, rest.1 - stride * value))
                .collect();
            match self.solve(at + 1, &next, values) {
                Answer::Nothing => value += 1,
                answer => return answer,
            }
        }
        Answer::Nothing
    }

    /// Whether some axis differs, or one may still.
    fn may_differ(&self, known: usize, values: &[i128]) -> bool {
        let axes = self.unknowns.iter().enumerate().filter(|(_, unknown)| unknown.role != Role::Inner);
        axes.clone().any(|(at, unknown)| match unknown.role {
            _ if at >= known => true,
            Role::Difference => values[at] != 0,
            Role::Axis(axis) => axes
                .clone()
                .any(|(other, twin)| twin.role == Role::Axis(axis) && (other >= known || values[other] != values[at])),
            Role::Inner => false,
        })
    }
}

/// Whether the first sum may be no element.
fn leaves(pair: &Pair, iterations: &[Interval]) -> Option<bool> {
    let Some(length) = pair.length else { return Some(false) };
    if let Some(modulus) = pair.modulus {
        return Some(length < modulus);
    }
    let mut sum = (pair.offsets[0], pair.offsets[0]);
    for (interval, stride) in iterations.iter().zip(&pair.strides[0]) {
        sum = add(sum, times(*interval, *stride)?)?;
    }
    Some(sum.0 < 0 || sum.1 >= length)
}

fn add(a: Interval, b: Interval) -> Option<Interval> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

fn times((low, high): Interval, factor: i128) -> Option<Interval> {
    let ends = (low.checked_mul(factor)?, high.checked_mul(factor)?);
    Some((ends.0.min(ends.1), ends.0.max(ends.1)))
}

/// The values of an unknown that leave a rest within what is behind it.
fn between((low, high): Interval, (least, most): Interval, stride: i128) -> Option<Interval> {
    let (from, to) = (low - most, high - least);
    match stride {
        0 => None,
        1.. => Some((up(from, stride), from_below(to, stride))),
        _ => Some((up(-to, -stride), from_below(-from, -stride))),
    }
}

fn up(value: i128, by: i128) -> i128 {
    value.div_euclid(by) + i128::from(value.rem_euclid(by) != 0)
}

fn from_below(value: i128, by: i128) -> i128 {
    value.div_euclid(by)
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pair(a: &[i128], b: &[i128], offsets: [i128; 2]) -> Pair {
        Pair { strides: [a.to_vec(), b.to_vec()], offsets, modulus: None, length: None }
    }

    #[test]
    fn what_nests_is_decided_at_any_size() {
        let (h, w) = (1 << 20, 1 << 20);
        let image = [(0, h - 1), (0, w - 1)];
        assert_eq!(only_in_step(&[pair(&[w, 1], &[w, 1], [0, 0])], &image, 2), Some(true));
        assert_eq!(only_in_step(&[pair(&[w - 1, 1], &[w - 1, 1], [0, 0])], &image, 2), Some(false));
        assert_eq!(only_in_step(&[pair(&[w, 1], &[w, 1], [0, w * h])], &image, 2), Some(true));
        assert_eq!(only_in_step(&[pair(&[2], &[2], [0, 1])], &[(0, 1 << 40)], 1), Some(true));
        // A line turned round in its two halves, and across the middle.
        assert_eq!(only_in_step(&[pair(&[1], &[-1], [0, 99])], &[(0, 49)], 1), Some(true));
        assert_eq!(only_in_step(&[pair(&[1], &[-1], [0, 99])], &[(0, 50)], 1), Some(false));
        assert_eq!(only_in_step(&[pair(&[0, 1], &[0, 1], [0, 0])], &image, 2), Some(false), "an axis occurs nowhere");
    }

    #[test]
    fn a_transposed_element_is_another_index() {
        let square = [(0, 7), (0, 7)];
        let rows = pair(&[1, 0], &[0, 1], [0, 0]);
        let columns = pair(&[0, 1], &[1, 0], [0, 0]);
        assert_eq!(only_in_step(&[rows.clone(), columns.clone()], &square, 2), Some(false));
        assert_eq!(only_in_step(&[rows, columns], &[(0, 3), (4, 7)], 2), Some(true), "above the diagonal only");
    }

    fn sums() -> impl Strategy<Value = (Vec<Pair>, Vec<Interval>)> {
        let one = (prop::array::uniform6(-4..=9_i128), prop::array::uniform2(-3..20_i128), 0..4_u8, 1..60_i128);
        let pairs = prop::collection::vec(one, 1..3).prop_map(|all| {
            let of = |(strides, offsets, kind, length): ([i128; 6], [i128; 2], u8, i128)| Pair {
                strides: [strides[..3].to_vec(), if kind == 0 { strides[..3].to_vec() } else { strides[3..].to_vec() }],
                offsets,
                modulus: (kind > 1).then_some(16),
                length: (kind % 2 == 1).then_some(length),
            };
            all.into_iter().map(of).collect()
        });
        let intervals = prop::collection::vec((0..3_i128, 0..5_i128).prop_map(|(low, more)| (low, low + more)), 3);
        (pairs, intervals)
    }

    fn every(intervals: &[Interval]) -> Vec<Vec<i128>> {
        intervals.iter().fold(vec![Vec::new()], |all, (low, high)| {
            let with =
                |before: &Vec<i128>| (*low..=*high).map(|next| [&before[..], &[next]].concat()).collect::<Vec<_>>();
            all.iter().flat_map(with).collect()
        })
    }

    fn brute(pairs: &[Pair], intervals: &[Interval], axes: usize) -> bool {
        let value = |pair: &Pair, side: usize, at: &[i128]| {
            pair.strides[side].iter().zip(at).map(|(a, b)| a * b).sum::<i128>() + pair.offsets[side]
        };
        let meets = |a: &[i128], b: &[i128]| {
            pairs.iter().all(|pair| {
                let (a, b) = (value(pair, 0, a), value(pair, 1, b));
                let element = pair.modulus.map_or(a, |modulus| a.rem_euclid(modulus));
                let inside = pair.length.is_none_or(|length| (0..length).contains(&element));
                inside && pair.modulus.map_or(a == b, |modulus| (a - b) % modulus == 0)
            })
        };
        let all = every(intervals);
        all.iter().all(|a| all.iter().all(|b| a[..axes] == b[..axes] || !meets(a, b)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn small_numbers_agree((pairs, intervals) in sums(), axes in 1..3_usize) {
            prop_assert_eq!(only_in_step(&pairs, &intervals, axes), Some(brute(&pairs, &intervals, axes)));
        }
    }
}
