//! Which launch runs on which lane, and behind which: time goes by, and whoever is ready and most urgent takes a lane that is free.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::Urgency;
use super::priorities::urgencies;
use super::units::Units;

/// What has come out.
pub(super) struct Dealt {
    /// How many lanes are used.
    pub(super) count: u32,
    /// By unit.
    pub(super) lane: Vec<Option<u32>>,
    /// By unit: the one in front of it on its lane.
    pub(super) front: Vec<Option<u32>>,
}

/// Deals the units onto at most `most` lanes: apart for each class, so those of two may be on one lane and not know of each other.
pub(super) fn deal(units: &Units, most: u32, urgency: Urgency) -> Dealt {
    let mut table = Table::new(units, most, urgency);
    let mut now = Some(0);
    while let Some(time) = now {
        table.admit(time);
        for class in table.waiting.keys().copied().collect::<Vec<_>>() {
            table.round(class, time);
        }
        now = table.next_time();
    }
    table.dealt
}

/// The lanes of a class.
struct Class {
    /// Those that nobody runs on from a time on.
    free: BTreeSet<(u64, u32)>,
    /// The last unit on each, and when it is over.
    last: Vec<Option<(u32, u64)>>,
}

struct Table<'u> {
    units: &'u Units,
    urgency: Vec<u64>,
    /// For how many units each still waits.
    waits: Vec<usize>,
    /// When the last of those is over.
    begin: Vec<u64>,
    /// Units that wait for nothing which is not on a lane, by the time from which on they can run.
    coming: BinaryHeap<Reverse<(u64, u32)>>,
    /// By class: units that could run now, the most urgent on top.
    waiting: BTreeMap<u32, BinaryHeap<(u64, Reverse<u32>)>>,
    classes: BTreeMap<u32, Class>,
    dealt: Dealt,
    most: u32,
}

impl<'u> Table<'u> {
    fn new(units: &'u Units, most: u32, urgency: Urgency) -> Self {
        let count = units.len();
        let waits: Vec<usize> = (0..count).map(|unit| units.before.of(unit).len()).collect();
        let coming = (0..count).filter(|unit| waits[*unit] == 0).map(|unit| Reverse((0, unit as u32))).collect();
        Self {
            units,
            urgency: urgencies(units, urgency),
            waits,
            begin: vec![0; count],
            coming,
            waiting: BTreeMap::new(),
            classes: BTreeMap::new(),
            dealt: Dealt { count: 0, lane: vec![None; count], front: vec![None; count] },
            most,
        }
    }

    /// Takes up what can run from now on. What has no lane runs at once.
    fn admit(&mut self, now: u64) {
        while let Some(Reverse((time, unit))) = self.coming.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            self.coming.pop();
            match self.units.class[unit as usize] {
                Some(class) => {
                    let urgency = self.urgency[unit as usize];
                    self.waiting.entry(class).or_default().push((urgency, Reverse(unit)));
                }
                None => _ = self.run(unit, time),
            }
        }
    }

    /// Fills the free lanes of a class: first with those that wait for the last on a lane anyway.
    fn round(&mut self, class: u32, now: u64) {
        let mut others = Vec::new();
        for unit in self.chosen(class, now) {
            match self.own_lane(unit, class) {
                Some(lane) => self.place(unit, class, lane, now),
                None => others.push(unit),
            }
        }
        for unit in others {
            if let Some(lane) = self.lanes(class).free.first().copied() {
                self.place(unit, class, lane, now);
            }
        }
    }

    /// The most urgent ones: as many as there are free lanes.
    fn chosen(&mut self, class: u32, now: u64) -> Vec<u32> {
        let wanted = self.waiting.get(&class).map_or(0, BinaryHeap::len);
        let count = self.lanes(class).free.range(..=(now, u32::MAX)).take(wanted).count();
        let Some(waiting) = self.waiting.get_mut(&class) else { return Vec::new() };
        let chosen = (0..count).filter_map(|_| waiting.pop()).map(|(_, Reverse(unit))| unit).collect();
        if waiting.is_empty() {
            self.waiting.remove(&class);
        }
        chosen
    }

    fn lanes(&mut self, class: u32) -> &mut Class {
        let most = self.most;
        self.classes.entry(class).or_insert_with(|| Class {
            free: (0..most).map(|lane| (0, lane)).collect(),
            last: vec![None; most as usize],
        })
    }

    /// Of the lanes whose last unit this one waits for, the one that was busy the longest. They are free: that one is over.
    fn own_lane(&self, unit: u32, class: u32) -> Option<(u64, u32)> {
        let known = self.classes.get(&class)?;
        let own = |(earlier, _): &(u32, u32)| {
            let lane = self.dealt.lane[*earlier as usize]?;
            let (last, over) = known.last[lane as usize]?;
            (last == *earlier && known.free.contains(&(over, lane))).then_some((over, lane))
        };
        let earlier = self.units.before.of(unit as usize).iter();
        earlier.filter_map(own).max_by_key(|(over, lane)| (*over, Reverse(*lane)))
    }

    fn place(&mut self, unit: u32, class: u32, lane: (u64, u32), now: u64) {
        let over = self.run(unit, now);
        let known = self.lanes(class);
        known.free.remove(&lane);
        known.free.insert((over, lane.1));
        let front = known.last[lane.1 as usize].replace((unit, over));
        self.dealt.front[unit as usize] = front.map(|(front, _)| front);
        self.dealt.lane[unit as usize] = Some(lane.1);
        self.dealt.count = self.dealt.count.max(lane.1 + 1);
    }

    /// A unit runs from now on. When it is over.
    fn run(&mut self, unit: u32, now: u64) -> u64 {
        let over = now.saturating_add(self.units.duration[unit as usize]);
        for &(next, _) in self.units.behind.of(unit as usize) {
            let next = next as usize;
            self.begin[next] = self.begin[next].max(over);
            self.waits[next] -= 1;
            if self.waits[next] == 0 {
                self.coming.push(Reverse((self.begin[next], next as u32)));
            }
        }
        over
    }

    /// When the next unit can run, or the next lane is free for one that could.
    fn next_time(&self) -> Option<u64> {
        let coming = self.coming.peek().map(|Reverse((time, _))| *time);
        let free = self.waiting.keys().filter_map(|class| self.classes.get(class)?.free.first().map(|(time, _)| *time));
        free.chain(coming).min()
    }
}
