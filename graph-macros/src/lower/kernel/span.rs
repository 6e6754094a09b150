//! Which elements an index touches, and whether two indices can meet: arithmetic on strides and extents.

use super::polynomial::Polynomial;

/// Something that runs from `start` to `end`: an axis, or an inner loop with bounds of the host's.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub(super) start: Polynomial,
    pub(super) end: Polynomial,
}

impl Interval {
    /// How many there are; negative if there are none.
    pub(super) fn extent(&self) -> Option<Polynomial> {
        self.end.subtract(&self.start)
    }
}

/// The elements from `start` to before `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Polynomial,
    pub(super) end: Polynomial,
    /// Each of them is touched.
    pub(super) exact: bool,
}

/// What one iteration does to an index.
struct Step {
    iteration: usize,
    stride: Polynomial,
    extent: Polynomial,
}

/// The elements that an index touches while its iterations run, if every stride has a sign that is known.
pub(super) fn span(index: &Polynomial, intervals: &[Interval]) -> Option<Span> {
    let steps = steps(index, &index.iterations(), intervals)?;
    let one = Polynomial::constant(1);
    let arranged = arrange(&steps, one.clone());
    let known = steps.iter().all(|step| step.stride.as_constant().is_some());
    if arranged.is_none() && !known {
        return None;
    }
    let (mut start, mut last) = (index.offset(), index.offset());
    for step in &steps {
        let interval = &intervals[step.iteration];
        let first = step.stride.multiply(&interval.start)?;
        let end = step.stride.multiply(&interval.end.subtract(&one)?)?;
        let falls = step.stride.as_constant().is_some_and(|stride| stride < 0);
        let (low, high) = if falls { (end, first) } else { (first, end) };
        start = start.add(&low)?;
        last = last.add(&high)?;
    }
    let exact = arranged.is_some_and(|tight| tight);
    Some(Span { start, end: last.add(&one)?, exact })
}

/// The strides of some iterations, all of which must be linear in the index.
fn steps(index: &Polynomial, iterations: &[usize], intervals: &[Interval]) -> Option<Vec<Step>> {
    let step = |iteration: &usize| {
        let stride = index.stride(*iteration)?;
        Some(Step { iteration: *iteration, stride, extent: intervals.get(*iteration)?.extent()? })
    };
    iterations.iter().map(step).collect()
}

/// Whether the steps nest: each stride is at least as long as what the smaller ones reach together, beginning with `reach`. Then
/// different values of the iterations give different elements; `true` if they leave no gap.
fn arrange(steps: &[Step], reach: Polynomial) -> Option<bool> {
    let mut tight = reach.as_constant() == Some(1);
    let mut reach = reach;
    let mut left: Vec<(Polynomial, &Polynomial)> = Vec::new();
    for step in steps {
        let falls = step.stride.as_constant().is_some_and(|stride| stride < 0);
        let stride = if falls { step.stride.negate()? } else { step.stride.clone() };
        left.push((stride, &step.extent));
    }
    while !left.is_empty() {
        // The nearest one: a longer stride may fit as well, but leaves no room for this one.
        let gap =
            |stride: &Polynomial| stride.subtract(&reach).and_then(|gap| gap.as_constant()).filter(|gap| *gap >= 0);
        let next = left.iter().enumerate().filter_map(|(at, (stride, _))| Some((gap(stride)?, at))).min()?;
        let (stride, extent) = left.swap_remove(next.1);
        tight &= next.0 == 0;
        reach = stride.multiply(extent)?;
    }
    Some(tight)
}

/// The least and the greatest offset of an index within one value of its axes: what its inner loops add.
fn remainder(index: &Polynomial, axes: usize, intervals: &[Interval]) -> Option<Span> {
    let mut inner = index.clone();
    for axis in 0..axes {
        let part = index.stride(axis)?.multiply(&Polynomial::atom(super::polynomial::Atom::Iteration(axis)))?;
        inner = inner.subtract(&part)?;
    }
    span(&inner, intervals)
}

/// The axes that two indices in one dimension tell apart: equal values of the two mean equal values of these axes. The first `axes`
/// intervals are those of axes.
pub(super) fn told_apart(a: &Polynomial, b: &Polynomial, axes: usize, intervals: &[Interval]) -> Option<Vec<usize>> {
    let mine: Vec<usize> = a.iterations().into_iter().filter(|iteration| *iteration < axes).collect();
    for axis in 0..axes {
        if a.stride(axis)? != b.stride(axis)? {
            return None;
        }
    }
    let (first, second) = (remainder(a, axes, intervals)?, remainder(b, axes, intervals)?);
    let ends = [first.end, second.end];
    let starts = [first.start, second.start];
    let mut running = a.iterations();
    running.extend(b.iterations());
    let running: Vec<&Interval> = running.iter().filter_map(|iteration| intervals.get(*iteration)).collect();
    let [end, _] = ordered(&ends, &running)?;
    let [_, start] = ordered(&starts, &running)?;
    let reach = end.subtract(start)?;
    arrange(&steps(a, &mine, intervals)?, reach)?;
    Some(mine)
}

/// The greater and the smaller of two.
fn ordered<'p>([a, b]: &'p [Polynomial; 2], running: &[&Interval]) -> Option<[&'p Polynomial; 2]> {
    if not_negative(&a.subtract(b)?, running) {
        return Some([a, b]);
    }
    not_negative(&b.subtract(a)?, running).then_some([b, a])
}

/// Whether an amount is not negative, given that each of these intervals has something in it: otherwise nothing is touched.
fn not_negative(amount: &Polynomial, running: &[&Interval]) -> bool {
    let one = Polynomial::constant(1);
    let above = |interval: &&Interval| amount.subtract(&interval.extent()?.subtract(&one)?);
    amount.surely_not_negative() || running.iter().filter_map(above).any(|rest| rest.surely_not_negative())
}

/// Whether two spans surely have no element in common.
pub(super) fn disjoint(a: &Span, b: &Span) -> bool {
    let before = |a: &Span, b: &Span| b.start.subtract(&a.end).is_some_and(|gap| gap.surely_not_negative());
    before(a, b) || before(b, a)
}

/// Whether two indices surely never meet because all their strides are multiples of a number that does not divide their distance.
pub(super) fn interleaved(a: &Polynomial, b: &Polynomial) -> bool {
    let distance = |a: &Polynomial, b: &Polynomial| a.offset().subtract(&b.offset())?.as_constant();
    let stride = |index: &Polynomial, iteration| index.stride(iteration)?.as_constant();
    let strides = [a, b].into_iter().flat_map(|index| index.iterations().into_iter().map(move |i| stride(index, i)));
    let common = strides.collect::<Option<Vec<i128>>>().map(|strides| strides.into_iter().fold(0, divisor));
    match (common, distance(a, b)) {
        (Some(common), Some(distance)) if common != 0 => distance % common != 0,
        _ => false,
    }
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::{Atom, Hosts, of, of_host};
    use super::*;

    /// `i` and `j` are axes, `k` is an inner loop; other names are the host's.
    fn index(source: &str) -> Polynomial {
        let mut hosts = Hosts::new();
        of(&syn::parse_str(source).unwrap(), &mut |leaf| {
            let place = ["i", "j", "k"].iter().position(|name| *name == crate::lower::text::of(leaf));
            place.map_or_else(|| of_host(leaf, &mut hosts), |place| Some(Polynomial::atom(Atom::Iteration(place))))
        })
        .unwrap()
    }

    fn intervals(bounds: [(&str, &str); 3]) -> Vec<Interval> {
        bounds.iter().map(|(start, end)| Interval { start: index(start), end: index(end) }).collect()
    }

    fn touched(source: &str, bounds: [(&str, &str); 3]) -> Option<(String, String, bool)> {
        span(&index(source), &intervals(bounds)).map(|span| (span.start.text(), span.end.text(), span.exact))
    }

    fn said(start: &str, end: &str, exact: bool) -> (String, String, bool) {
        (start.to_owned(), end.to_owned(), exact)
    }

    #[test]
    fn one_axis() {
        let bounds = [("1", "n - 1"), ("0", "w"), ("0", "m")];
        assert_eq!(touched("i", bounds), Some(said("1", "n - 1", true)));
        assert_eq!(touched("i + 1", bounds), Some(said("2", "n", true)));
        assert_eq!(touched("i - 1", bounds), Some(said("0", "n - 2", true)));
        assert_eq!(touched("n - 1 - i", bounds), Some(said("1", "n - 1", true)));
        assert_eq!(touched("2 * i + 1", bounds), Some(said("3", "2 * n - 2", false)));
        assert_eq!(touched("i + off", bounds), Some(said("off + 1", "n + off - 1", true)));
        assert_eq!(touched("i * i", bounds), None);
    }

    #[test]
    fn flattened_axes() {
        let bounds = [("a", "b"), ("0", "w"), ("0", "m")];
        let (start, end, exact) = touched("i * w + j", bounds).unwrap();
        assert!(exact && index(&start) == index("a * w") && index(&end) == index("b * w"));
        assert!(touched("(i * w + j) * m + k", bounds).unwrap().2);
        assert_eq!(touched("i * m + j", bounds), None, "rows of another width");
        let inner = [("0", "h"), ("1", "w - 1"), ("0", "m")];
        let (start, end, exact) = touched("i * w + j", inner).unwrap();
        assert!(!exact && start == "1" && index(&end) == index("h * w - 1"));
    }

    #[test]
    fn what_tells_axes_apart() {
        let bounds = intervals([("0", "h"), ("0", "w"), ("0", "3")]);
        let apart = |a: &str, b: &str| told_apart(&index(a), &index(b), 2, &bounds);
        assert_eq!(apart("i", "i"), Some(vec![0]));
        assert_eq!(apart("i", "i + 1"), None);
        assert_eq!(apart("2 * i", "2 * i + 1"), Some(vec![0]));
        assert_eq!(apart("i * w + j", "i * w + j"), Some(vec![0, 1]));
        assert_eq!(apart("i * h + j", "i * h + j"), None);
        assert_eq!(apart("3 * i + k", "3 * i"), Some(vec![0]));
        assert_eq!(apart("2 * i + k", "2 * i + k"), None);
        assert_eq!(apart("i + j", "i + j"), None);
        assert_eq!(apart("n - i", "n - i"), Some(vec![0]));
        let rows = intervals([("0", "h"), ("0", "1"), ("0", "m")]);
        let apart = |a: &str, b: &str| told_apart(&index(a), &index(b), 1, &rows);
        assert_eq!(apart("i * m + k", "i * m"), Some(vec![0]));
        assert_eq!(apart("i * m + k", "i * m + m"), None);
    }

    /// Small numbers decide: what is said to be disjoint, told apart or exact is.
    #[test]
    fn brute_force_agrees() {
        let sources = ["i", "i + 1", "2 * i", "2 * i + 1", "3 * i + j", "i * 4 + j", "7 - i", "i + j", "4 * i + 2 * j"];
        let bounds = [("0", "3"), ("0", "2"), ("0", "1")];
        let value = |source: &str, i: i128, j: i128| {
            let index = index(source);
            let stride = |axis| index.stride(axis).unwrap().as_constant().unwrap();
            stride(0) * i + stride(1) * j + index.offset().as_constant().unwrap()
        };
        let all = || (0..3).flat_map(|i| (0..2).map(move |j| (i, j)));
        for a in sources {
            let elements: std::collections::BTreeSet<i128> = all().map(|(i, j)| value(a, i, j)).collect();
            let (start, end, exact) = touched(a, bounds).unwrap();
            let whole: Vec<i128> = (start.parse().unwrap()..end.parse().unwrap()).collect();
            assert_eq!((elements.first(), elements.last()), (whole.first(), whole.last()), "{a}");
            assert!(!exact || elements.len() == whole.len(), "{a}");
            for b in sources {
                let meet = |told: &[usize]| {
                    all().any(|x| {
                        all().any(|y| {
                            let differ = (told.contains(&0) && x.0 != y.0) || (told.contains(&1) && x.1 != y.1);
                            differ && value(a, x.0, x.1) == value(b, y.0, y.1)
                        })
                    })
                };
                let told = told_apart(&index(a), &index(b), 2, &intervals(bounds));
                assert!(told.is_none_or(|told| !meet(&told)), "{a} and {b}");
                let never = all().all(|x| all().all(|y| value(a, x.0, x.1) != value(b, y.0, y.1)));
                assert!(!interleaved(&index(a), &index(b)) || never, "{a} and {b}");
                let spans = [a, b].map(|source| span(&index(source), &intervals(bounds)).unwrap());
                assert!(!disjoint(&spans[0], &spans[1]) || never, "{a} and {b}");
            }
        }
    }
}
