//! PTX text: the entries that a graph's assignments, conditionals and fills launch.
//!
//! [`Module`] collects entries and shares equal ones; [`Module::finish`] gives the text. What an entry must be launched with is said by
//! [`Entry::parameters`], in order; every parameter has 8 bytes, except [`Parameter::Pattern`]. Fills are launched with
//! [`fill_geometry`], kernels in the block with [`each_geometry`] or [`reduce_geometry`], everything else with one thread.

mod bits;
mod body;
mod cast;
mod entry;
mod expression;
mod fault;
mod float;
mod function;
mod integer;
mod method;
mod name;
mod parameter;
mod place;
mod resident;
mod statement;

use std::collections::HashMap;
use std::sync::Arc;

use graph_ir::model::{Compute, Expression, Pattern, ScalarType, SymbolId};

use self::entry::{Assigned, Key, Ranges};
pub(crate) use self::function::{Library, library, with_library};
use self::name::Names;
pub(crate) use self::parameter::{
    Entry, MOST_BLOCKS, Parameter, Target, collecting_geometry, each_geometry, fill_geometry, fill_pattern,
    fill_period, fill_rows, reduce_geometry,
};
use self::resident::Part;
pub(crate) use self::resident::Phases;
use super::compute::{Buffers, InferredCompute, infer_compute};
use super::facts;
use super::typing::{Expected, IndexSite, Inferred, Types, infer, infer_behind};

/// What every module starts with: the oldest text that has all that is used here.
const HEADER: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";

/// The same where kernels overlap.
const OVERLAPPING: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

/// What a kernel begins with there: those behind it may begin, and it waits for those in front before it touches memory.
const BEGIN: &str = "\tgriddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;\n";

/// The driver binds this function when it loads the module.
const SETTER: &str = ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n";

/// Collects entries. Entries that differ only in addresses and host values are one.
#[derive(Default)]
pub(crate) struct Module {
    names: Names,
    keys: HashMap<Key, usize>,
    entries: Vec<Entry>,
    /// What is in front of each entry's lines.
    heads: Vec<String>,
    /// By entry.
    parts: Vec<Part>,
    /// How many loops have a launch of their own, and the text of these.
    residents: usize,
    text_of_residents: String,
    /// Whether entries wait for those that they overlap with.
    overlaps: bool,
}

impl Module {
    /// A module without entries.
    #[cfg(test)]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The same for a graph of this name.
    pub(crate) fn of_graph(name: &str) -> Self {
        Self { names: Names::of_graph(name), ..Self::default() }
    }

    /// Entries that are new from here on are named after this statement.
    pub(crate) fn name_after(&mut self, label: &Arc<str>) {
        self.names.label = Some(Arc::clone(label));
    }

    /// Whether entries wait for those that they overlap with, and let others begin: for compute capability 9.0 and above. Loops in one launch
    /// do not.
    pub(crate) fn begin_early(&mut self, overlaps: bool) {
        self.overlaps = overlaps;
    }

    /// Whether there is nothing to load.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Stores the expression's value as the element of access 0, which has type `element`.
    pub(crate) fn assignment(
        &mut self,
        value: &Expression,
        types: &Types<'_>,
        element: ScalarType,
    ) -> Result<Entry, String> {
        let Inferred { root, hosts } = infer(value, types, Expected::Scalar(facts::value(element)))?;
        if (types.mailbox)(0) {
            let (same, others) = (Vec::new(), Vec::new());
            let post = Assigned { target: 0, storage: element, value: root, same, others, mailbox: true };
            return Ok(self.add(Key::Assignments(vec![post]), &hosts));
        }
        Ok(self.add(Key::Assignment(element, root), &hosts))
    }

    /// The same for several elements, one behind the other.
    pub(crate) fn assignments(&mut self, assignments: &[Assignment], types: &Types<'_>) -> Result<Entry, String> {
        let mut hosts = Vec::new();
        let assigned = assigned(assignments, types, &mut hosts)?;
        Ok(self.add(Key::Assignments(assigned), &hosts))
    }

    /// Records a fault unless the test holds.
    pub(crate) fn assertion(&mut self, test: &Expression, types: &Types<'_>) -> Result<Entry, String> {
        let Inferred { root, hosts } = infer(test, types, Expected::Scalar(ScalarType::Bool))?;
        Ok(self.add(Key::Assert(root), &hosts))
    }

    /// `if`: sets handle 0 to 1 and handle 1 to 0 if the test holds, else the other way round. Only [`Target::Row`] has handle 1.
    pub(crate) fn branch(&mut self, test: &Expression, types: &Types<'_>, target: Target) -> Result<Entry, String> {
        let Inferred { root, hosts } = infer(test, types, Expected::Scalar(ScalarType::Bool))?;
        Ok(self.add(Key::Branch(target, root), &hosts))
    }

    /// `match`: sets the index of the first arm with a pattern that holds the value, or else the number of arms, which is the index of
    /// the default body if there is one. [`Target::Row`] has a handle for each arm, then one for the default body if `otherwise`, and
    /// sets the one of that index to 1 and the others to 0.
    pub(crate) fn choice<'p>(
        &mut self,
        value: &Expression,
        types: &Types<'_>,
        arms: impl IntoIterator<Item = &'p [Pattern]>,
        otherwise: bool,
        target: Target,
    ) -> Result<Entry, String> {
        let Inferred { root, hosts } = infer(value, types, Expected::Integer)?;
        let arms: Vec<Ranges> = arms.into_iter().map(|arm| entry::ranges(arm, root.scalar)).collect();
        Ok(self.add(Key::Choice { target, value: root, arms, otherwise }, &hosts))
    }

    /// Before a loop's node: starts the counters at zero, and decides whether there is a first pass. `test` is `None` for `loop`, which
    /// does not test before its first pass.
    pub(crate) fn enter(
        &mut self,
        test: Option<&Expression>,
        types: &Types<'_>,
        target: Target,
    ) -> Result<Entry, String> {
        let (root, hosts) = test_of(test, types)?;
        Ok(self.add(Key::Enter(target, root), &hosts))
    }

    /// At the end of a loop's body: counts the passes, and decides whether there is another. `test` is `None` for a `loop` without
    /// `break`. Before that the assignments are made.
    pub(crate) fn again(
        &mut self,
        test: Option<&Expression>,
        assignments: &[Assignment],
        types: &Types<'_>,
        target: Target,
    ) -> Result<Entry, String> {
        let (root, mut hosts) = test_of(test, types)?;
        let assigned = assigned(assignments, types, &mut hosts)?;
        Ok(self.add(Key::Again(target, assigned, root), &hosts))
    }

    /// At the end of the body of a loop whose condition a kernel has set: counts the passes, and ends the loop at its limit.
    pub(crate) fn counted(&mut self, target: Target) -> Entry {
        self.add(Key::Counted(target), &[])
    }

    /// Sets every element of access 0 to a pattern of `size` bytes.
    pub(crate) fn fill(&mut self, size: usize) -> Result<Entry, String> {
        let capacity = parameter::capacity(size)
            .ok_or_else(|| format!("a fill value of {size} bytes, expected 1 to {}", parameter::LARGEST_PATTERN))?;
        let key = if capacity == parameter::PERIODIC { Key::Fill } else { Key::FillAny(capacity) };
        Ok(self.add(key, &[]))
    }

    /// A kernel in the block, whose axes have these types.
    pub(crate) fn compute(
        &mut self,
        compute: &Compute,
        axes: &[ScalarType],
        types: &Types<'_>,
        buffers: Buffers,
    ) -> Result<Entry, String> {
        let InferredCompute { root, hosts, sites } = infer_compute(compute, axes, types, buffers)?;
        let entry = self.add(Key::Compute(Box::new(root)), &hosts);
        Ok(Entry { sites, ..entry })
    }

    /// Sets every element of access 0, a box, to a pattern of `size` bytes.
    pub(crate) fn fill_box(&mut self, size: usize) -> Result<Entry, String> {
        let capacity = parameter::capacity(size)
            .ok_or_else(|| format!("a fill value of {size} bytes, expected 1 to {}", parameter::LARGEST_PATTERN))?;
        Ok(self.add(Key::FillRows(capacity), &[]))
    }

    /// Does nothing.
    pub(crate) fn gate(&mut self) -> Entry {
        self.add(Key::Gate, &[])
    }

    /// The module's text.
    #[cfg(test)]
    pub(crate) fn finish(self) -> String {
        self.finish_without(&|_| false)
    }

    /// The module's text without some of the entries: those that are launched only as parts of others.
    pub(crate) fn finish_without(self, omitted: &dyn Fn(&str) -> bool) -> String {
        let mut text = String::new();
        for (head, part) in self.heads.iter().zip(&self.parts).filter(|(_, part)| !omitted(&part.name)) {
            text += head;
            text += if self.overlaps { BEGIN } else { "" };
            text += &part.lines;
            text += "}\n";
        }
        text += &self.text_of_residents;
        let setter = if text.contains("call.uni cudaGraphSetConditional") { SETTER } else { "" };
        let remainder = if float::needs_remainder(&text) { float::REMAINDER } else { "" };
        let record = if fault::needs_record(&text) { fault::RECORD } else { "" };
        let header = if self.overlaps { OVERLAPPING } else { HEADER };
        format!("{header}{setter}{remainder}{record}{text}")
    }

    fn add(&mut self, key: Key, hosts: &[SymbolId]) -> Entry {
        let index = match self.keys.get(&key) {
            Some(index) => *index,
            None => self.write(key, hosts.len()),
        };
        self.entries[index].with_hosts(hosts)
    }

    fn write(&mut self, key: Key, hosts: usize) -> usize {
        let index = self.entries.len();
        let name = self.names.name(key.word(), index);
        let parameters = key.parameters(hosts);
        self.heads.push(parameter::head(&name, &parameters, &key.directive()));
        let lines = key.text(&parameters);
        self.parts.push(Part { name: name.clone(), parameters: parameters.clone(), lines });
        let sites: Vec<IndexSite> = Vec::new();
        self.entries.push(Entry { name, parameters, sites, lanes: key.lanes(), narrow: key.narrow() });
        self.keys.insert(key, index);
        index
    }
}

/// An assignment among several.
pub(crate) struct Assignment {
    /// The access whose element is assigned.
    pub(crate) target: u32,
    /// What it is stored as.
    pub(crate) element: ScalarType,
    /// Its new value.
    pub(crate) value: Expression,
    /// The accesses of the same element.
    pub(crate) same: Vec<u32>,
    /// The accesses of what may be the same element.
    pub(crate) others: Vec<u32>,
}

/// Their host values are added to `hosts`.
fn assigned(assignments: &[Assignment], types: &Types<'_>, hosts: &mut Vec<SymbolId>) -> Result<Vec<Assigned>, String> {
    let typed = |Assignment { target, element, value, same, others }: &Assignment| {
        let known = std::mem::take(hosts);
        let inferred = infer_behind(value, types, Expected::Scalar(facts::value(*element)), known)?;
        *hosts = inferred.hosts;
        let (same, others) = (same.clone(), others.clone());
        let mailbox = (types.mailbox)(*target);
        Ok(Assigned { target: *target, storage: *element, value: inferred.root, same, others, mailbox })
    };
    assignments.iter().map(typed).collect()
}

fn test_of(
    test: Option<&Expression>,
    types: &Types<'_>,
) -> Result<(Option<super::typing::Typed>, Vec<SymbolId>), String> {
    let Some(test) = test else { return Ok((None, Vec::new())) };
    let Inferred { root, hosts } = infer(test, types, Expected::Scalar(ScalarType::Bool))?;
    Ok((Some(root), hosts))
}
