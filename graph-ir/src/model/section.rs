//! Sections: which nodes only `after` orders, and which are ordered by what they access.
//!
//! In an `#[explicit]` graph `after` is the only order of its statements. What nobody can name by a label stays ordered by what it
//! accesses, whatever the graph says: the fill of `let t: [T; n] = value;`, the copies that `swap` leaves, statements of different passes.
//! Of two nodes of a region the innermost section that holds both decides.

use serde::{Deserialize, Serialize};

use super::{NodeId, Program};

/// Index into [`Program::sections`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SectionId(pub u32);

impl SectionId {
    /// The statements of a graph.
    pub const STATEMENTS: Self = Self(0);
    /// Around them: what its declarations and its `swap`s make.
    pub const MADE: Self = Self(1);
}

/// Nodes that are ordered alike, in another section or in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The one around it.
    pub parent: Option<SectionId>,
    /// Whether `after` alone orders the nodes that have no narrower section in common.
    pub explicit: bool,
    /// The node as written in whose place they stand: a `for`, a graph inside the graph, what the host decides.
    pub owner: Option<NodeId>,
}

/// The two sections in which the nodes of a graph, or of one pass, stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sections {
    /// Of the statements.
    pub statements: SectionId,
    /// Of what declarations and `swap`s make.
    pub made: SectionId,
}

impl Default for Sections {
    fn default() -> Self {
        Self { statements: SectionId::STATEMENTS, made: SectionId::MADE }
    }
}

impl Program {
    /// Gives the graph its two sections, [`SectionId::STATEMENTS`] and [`SectionId::MADE`], if it has none.
    pub fn begin_sections(&mut self, explicit: bool) {
        if self.sections.is_empty() {
            let statements = Section { parent: Some(SectionId::MADE), explicit, owner: None };
            self.sections = vec![statements, Section { parent: None, explicit: false, owner: None }];
        }
    }

    /// Whether some order is left to `after`.
    pub fn has_explicit(&self) -> bool {
        self.sections.iter().any(|section| section.explicit)
    }

    /// Whether `after` alone orders the statements of a section.
    pub fn is_explicit(&self, section: SectionId) -> bool {
        self.sections.get(section.0 as usize).is_some_and(|section| section.explicit)
    }

    /// Whether `after` alone orders two nodes of a region.
    pub fn is_given(&self, one: NodeId, other: NodeId) -> bool {
        let (one, other) = (self.node(one).section, self.node(other).section);
        self.common_section(one, other).is_some_and(|common| self.is_explicit(common))
    }

    /// A section in another one.
    pub fn add_section(&mut self, parent: SectionId, explicit: bool, owner: Option<NodeId>) -> SectionId {
        self.sections.push(Section { parent: Some(parent), explicit, owner });
        SectionId(self.sections.len() as u32 - 1)
    }

    /// The two sections of a pass, of an arm, or of a graph inside the graph, in another one.
    pub fn add_sections(&mut self, parent: SectionId, explicit: bool, owner: Option<NodeId>) -> Sections {
        let made = self.add_section(parent, false, owner);
        Sections { statements: self.add_section(made, explicit, None), made }
    }

    /// The statement that an `after` of the section that a node shares with another one can name: the node, or what it stands in the
    /// place of.
    pub fn statement_beside(&self, node: NodeId, other: NodeId) -> NodeId {
        let (own, other) = (self.node(node).section, self.node(other).section);
        let common = self.common_section(own, other);
        let around = std::iter::successors(Some(own), |section| self.around_section(*section));
        let owners = around.take_while(|section| Some(*section) != common).filter_map(|section| self.owner(section));
        owners.last().unwrap_or(node)
    }

    fn owner(&self, section: SectionId) -> Option<NodeId> {
        self.sections.get(section.0 as usize).and_then(|section| section.owner)
    }

    /// The section around a section.
    pub fn around_section(&self, section: SectionId) -> Option<SectionId> {
        self.sections.get(section.0 as usize).and_then(|section| section.parent)
    }

    fn common_section(&self, one: SectionId, other: SectionId) -> Option<SectionId> {
        if one == other {
            return Some(one);
        }
        let around = |section| std::iter::successors(Some(section), |section| self.around_section(*section));
        around(one).find(|section| around(other).any(|one| one == *section))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_common_section_decides() {
        let mut program = Program::default();
        assert!(!program.has_explicit());
        program.begin_sections(true);
        let passes = program.add_section(SectionId::STATEMENTS, false, None);
        let [first, second] = [(); 2].map(|()| program.add_sections(passes, true, None));
        let inner = program.add_sections(first.statements, false, None);
        let given = |one, other| program.common_section(one, other).map(|common| program.is_explicit(common));
        assert_eq!(given(SectionId::STATEMENTS, SectionId::STATEMENTS), Some(true));
        assert_eq!(given(SectionId::MADE, SectionId::STATEMENTS), Some(false));
        assert_eq!(given(SectionId::STATEMENTS, second.statements), Some(true));
        assert_eq!(given(first.statements, second.statements), Some(false), "of different passes");
        assert_eq!(given(first.made, first.statements), Some(false));
        assert_eq!(given(inner.statements, first.statements), Some(true));
        assert_eq!(given(inner.statements, inner.made), Some(false));
    }
}
