//! How wide a region is, and which of its launches are the most urgent.

use super::Urgency;
use super::units::Units;

/// The most units with a lane that stand on one level: as many, at least, can run side by side.
pub(super) fn most_at_once(units: &Units) -> usize {
    let mut level = vec![0_usize; units.len()];
    let mut counts = vec![0_usize; units.len()];
    for unit in 0..units.len() {
        counts[level[unit]] += usize::from(units.class[unit].is_some());
        for &(next, _) in units.behind.of(unit) {
            level[next as usize] = level[next as usize].max(level[unit] + 1);
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

/// How urgent each unit is.
pub(super) fn urgencies(units: &Units, urgency: Urgency) -> Vec<u64> {
    match urgency {
        Urgency::LongestPath => to_the_exit(units),
        Urgency::AsWritten => (0..units.len() as u64).rev().collect(),
    }
}

/// How long each unit and the longest path behind it take.
fn to_the_exit(units: &Units) -> Vec<u64> {
    let mut longest = vec![0_u64; units.len()];
    for unit in (0..units.len()).rev() {
        let rest = units.behind.of(unit).iter().map(|(next, _)| longest[*next as usize]).max().unwrap_or(0);
        longest[unit] = units.duration[unit].saturating_add(rest);
    }
    longest
}
