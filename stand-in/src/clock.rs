//! What comes before what, between streams and the host.

use std::collections::BTreeMap;

use crate::objects::Id;

/// A piece of work: the stream that it was put into, and how many were before it there.
pub(crate) type Moment = (Id, u64);

/// A set of moments that holds all that comes before each of them: per stream, the last one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(BTreeMap<Id, u64>);

impl Clock {
    /// Adds a moment.
    pub(crate) fn reach(&mut self, (stream, at): Moment) {
        let known = self.0.entry(stream).or_default();
        *known = at.max(*known);
    }

    /// Adds all of another's.
    pub(crate) fn join(&mut self, other: &Self) {
        other.0.iter().for_each(|(stream, at)| self.reach((*stream, *at)));
    }

    /// Forgets all other streams.
    pub(crate) fn keep(&mut self, is_there: impl Fn(Id) -> bool) {
        self.0.retain(|stream, _| is_there(*stream));
    }

    /// Whether a moment is in it.
    pub(crate) fn has(&self, (stream, at): Moment) -> bool {
        self.0.get(&stream).is_some_and(|known| *known >= at)
    }

    /// Whether all of another's are in it.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        other.0.iter().all(|(stream, at)| self.has((*stream, *at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_through_another_clock_is_in_it() {
        let (a, b) = (Id(1), Id(2));
        let [mut first, mut second] = [Clock::default(), Clock::default()];
        first.reach((a, 3));
        assert!(first.has((a, 2)) && !first.has((a, 4)) && !first.has((b, 1)));
        second.reach((b, 1));
        assert!(!second.covers(&first));
        second.join(&first);
        assert!(second.covers(&first) && second.has((a, 3)) && second.has((b, 1)));
    }
}
