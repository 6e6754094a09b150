//! The bodies of conditionals, and what the host repeats in them: arms of a `match` by value, the passes between two tests of a loop.

use super::{InstanceId, Missing, Placer, Stand, SymbolValue, WRITTEN, missing};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{
    Arm, BufferId, Each, LoopHead, Node, NodeId, NodeKind, Pattern, Program, Region, RegionId, RegionKind, SymbolId,
};
use crate::rules::swap;
use crate::rules::unreachable_arm::never_runs;

/// Bodies of one conditional node, at most.
const MOST_ARMS: usize = 1024;

/// Passes between two tests, at most: as many as a literal behind `every` may ask for.
const MOST_PASSES: usize = 1000;

impl Placer<'_> {
    /// The bodies of a conditional or a loop.
    pub(super) fn bodies(&mut self, own: NodeId, node: &mut Node, at: InstanceId) -> Result<(), Missing> {
        let word = node.kind.word();
        if let NodeKind::Match { arms, otherwise, .. } = &mut node.kind {
            self.arms(own, arms, at)?;
            if arms.is_empty() && otherwise.is_none() {
                *otherwise = Some(self.idle_arm(own));
                return Ok(());
            }
            return otherwise.as_mut().map_or(Ok(()), |rest| self.body(own, rest, word, at));
        }
        if let NodeKind::Loop(head) = &mut node.kind {
            self.every(head, at);
        }
        for region in node.kind.bodies_mut() {
            self.body(own, region, word, at)?;
        }
        Ok(())
    }

    /// One body: where it is, or a copy for a pass.
    pub(super) fn body(
        &mut self,
        own: NodeId,
        region: &mut RegionId,
        word: &str,
        at: InstanceId,
    ) -> Result<(), Missing> {
        let body = *region;
        if at != WRITTEN {
            *region = RegionId(self.program.regions.len() as u32);
            let copied = self.source.region(body);
            let copied = Region { owner: Some(own), nodes: Vec::new(), ..copied.clone() };
            self.program.regions.push(copied);
        }
        self.fill(*region, body, word, at)
    }

    /// Puts what the nodes of a body become into a region.
    pub(super) fn fill(&mut self, region: RegionId, body: RegionId, word: &str, at: InstanceId) -> Result<(), Missing> {
        let before = self.exchanged.len();
        let mut nodes = Vec::new();
        self.region(body, (region, &mut nodes), at)?;
        self.program.regions[region.0 as usize].nodes = nodes;
        self.refuse_exchanged(before, body, word, at);
        Ok(())
    }

    /// A body that the device decides must end with the names that it began with.
    fn refuse_exchanged(&mut self, before: usize, body: RegionId, word: &str, at: InstanceId) {
        let mut first: Vec<(BufferId, Stand)> = Vec::new();
        for (buffer, stood) in self.exchanged.split_off(before) {
            if !first.iter().any(|(known, _)| *known == buffer) {
                first.push((buffer, stood));
            }
        }
        let outside = |buffer: BufferId| !inside(self.source, self.source.buffer(buffer).region, body);
        let left: Vec<_> = first
            .into_iter()
            .filter(|(buffer, stood)| outside(*buffer) && self.stands_for(*buffer) != *stood)
            .collect();
        if left.is_empty() {
            return;
        }
        let names: Vec<&str> = left.iter().map(|(buffer, _)| self.source.buffer(*buffer).name.as_str()).collect();
        let place = self.source.region(body).place;
        let passes = first_exchange(self.source, body).unwrap_or(place);
        let every = match self.source.region(body).owner.map(|owner| &self.source.node(owner).kind) {
            Some(NodeKind::Loop(head)) => head.every_by,
            _ => None,
        };
        self.findings.push(match every {
            None => swap::left_by_passes(&names, word, place, passes),
            Some(every) => {
                let count = self.values.passes(self.instances[at as usize].frame, every).len();
                swap::left_by_every(&names, count, place, self.source.node(every).place)
            }
        });
        for (buffer, stood) in left {
            self.stands.insert(buffer, stood);
        }
    }

    /// The arms of a `match`, those of the host's by their values. A value that an earlier arm fits has none.
    pub(super) fn arms(&mut self, own: NodeId, arms: &mut Vec<Arm>, at: InstanceId) -> Result<(), Missing> {
        let mut placed: Vec<Arm> = Vec::with_capacity(arms.len());
        let mut by_host = false;
        for mut arm in std::mem::take(arms) {
            match arm.each {
                // What the host says of the earlier arms may leave this one nothing: that is no fault.
                None if by_host && never_runs(&placed, &arm.patterns) => {}
                None => {
                    self.body(own, &mut arm.body, "match", at)?;
                    placed.push(arm);
                }
                Some(each) => {
                    by_host = true;
                    self.each(own, &arm, each, at, &mut placed)?;
                }
            }
        }
        *arms = placed;
        Ok(())
    }

    fn each(
        &mut self,
        own: NodeId,
        arm: &Arm,
        each: Each,
        at: InstanceId,
        placed: &mut Vec<Arm>,
    ) -> Result<(), Missing> {
        let source = self.source;
        let NodeKind::For { body, .. } = source.node(each.passes).kind else { return Ok(()) };
        let outer = self.instances[at as usize].clone();
        let frames = self.values.passes(outer.frame, each.passes);
        let place = source.region(arm.body).place;
        let section = self.passes_section(each.passes, at);
        if frames.len() + placed.len() > MOST_ARMS {
            let message = format!("this arm stands for {} values", frames.len());
            let finding = Finding::error(Code::VALUE, place, message)
                .note(format!("each value gets a body of its own, and a `match` has at most {MOST_ARMS}"));
            self.findings.push(finding.help("fit a smaller range, and leave the other values to `_`"));
            return Ok(());
        }
        for (number, frame) in frames.into_iter().enumerate() {
            let pass = self.enter_pass(each.passes, &outer, (frame, number), section);
            let patterns = match each.value {
                None => arm.patterns.clone(),
                Some(symbol) => vec![self.value(symbol, pass)?],
            };
            if never_runs(placed, &patterns) {
                continue;
            }
            let region = RegionId(self.program.regions.len() as u32);
            self.program.regions.push(Region {
                owner: Some(own),
                nodes: Vec::new(),
                ..source.region(arm.body).clone()
            });
            self.fill(region, body, "match", pass)?;
            placed.push(Arm { patterns, body: region, each: None });
        }
        Ok(())
    }

    /// A conditional has at least one body, whatever the host says.
    pub(super) fn idle_arm(&mut self, own: NodeId) -> RegionId {
        let place = self.program.node(own).place;
        self.program.regions.push(Region { kind: RegionKind::Arm, owner: Some(own), nodes: Vec::new(), place });
        RegionId(self.program.regions.len() as u32 - 1)
    }

    fn value(&self, symbol: SymbolId, at: InstanceId) -> Result<Pattern, Missing> {
        let frame = self.instances[at as usize].frame;
        match self.values.value(frame, symbol) {
            Some(SymbolValue::Extent(value)) => Ok(Pattern { first: value.into(), last: value.into() }),
            _ => Err(missing(&self.source.symbols, frame, symbol, "the value of an arm")),
        }
    }

    /// How many passes a loop makes between two tests.
    pub(super) fn every(&mut self, head: &mut LoopHead, at: InstanceId) {
        let Some(passes) = head.every_by.take() else { return };
        let frame = self.instances[at as usize].frame;
        let count = self.values.passes(frame, passes).len();
        head.every = count as u32;
        if !(1..=MOST_PASSES).contains(&count) {
            let message = format!("`every` is {count}, expected a number of passes from 1 to {MOST_PASSES}");
            let finding = Finding::error(Code::VALUE, self.source.node(passes).place, message);
            self.findings.push(finding.note("the body is built once for each pass between two tests"));
        }
    }
}

/// Whether a region is `body` or stands in it.
fn inside(program: &Program, mut region: RegionId, body: RegionId) -> bool {
    loop {
        if region == body {
            return true;
        }
        let Some(owner) = program.region(region).owner else { return false };
        region = program.node(owner).region;
    }
}

/// The first `for` in a body that exchanges names.
fn first_exchange(program: &Program, body: RegionId) -> Option<crate::model::Place> {
    program.region(body).nodes.iter().map(|node| program.node(*node)).find_map(|node| match &node.kind {
        NodeKind::For { swapped, .. } if !swapped.is_empty() => Some(node.place),
        kind => kind.bodies().into_iter().find_map(|inner| first_exchange(program, inner)),
    })
}
