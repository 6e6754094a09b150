//! `swap` of buffers of lists and structs. Which buffers are meant is known when the graph is built, so the evaluator exchanges them:
//! what is named behind the `swap` is evaluated anew.

use graph_ir::code::Code;
use graph_ir::model::{BufferId, Family, Mode, NodeId, Origin, RegionId, RegionKind, Verdict};
use graph_ir::rules::swap;
use proc_macro2::{Ident, Span};

use super::conditional::NameState;
use super::evaluation::{Check, Evaluation};
use super::launch::check_buffer;
use super::member::Named;
use super::{Lowering, structs};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{BufferArgument, Statement, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names in front of indices and fields that a body swaps.
pub(super) fn names(body: &[Statement]) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    collect(body, &mut found);
    found
}

fn collect(body: &[Statement], found: &mut FxHashSet<String>) {
    for statement in body {
        if let StatementKind::Swap { left, right, .. } = &statement.kind {
            let listed = [left, right].into_iter().filter(|side| !side.path.is_empty());
            found.extend(listed.map(|side| side.name.to_string()));
        }
        statement.kind.bodies().into_iter().for_each(|(inner, _)| collect(inner, found));
    }
}

impl Lowering<'_> {
    /// Whether a side of a `swap` is a buffer of a list or a struct.
    pub(super) fn is_in_list(&self, side: &BufferArgument) -> bool {
        !side.path.is_empty() || self.lists(&side.name) > 0 || self.leads_on(&side.name)
    }

    /// `swap(&mut l[i], &mut l[j]);`
    pub(super) fn swap_listed(&mut self, word: &Ident, left: &BufferArgument, right: &BufferArgument) {
        let (Some(a), Some(b)) = (self.side(left), self.side(right)) else { return };
        let place = self.place(word.span());
        if a.buffer == b.buffer {
            return self.report(&swap::with_itself(&self.program.buffer(a.buffer).name.clone(), place));
        }
        for side in [&a, &b] {
            let buffer = self.program.buffer(side.buffer);
            if buffer.origin == Origin::Parameter(Mode::Read) {
                let list = self.program.buffer(self.program.family(side.buffer));
                let finding = swap::read_only_list(&buffer.name, &list.name, place, list.place);
                return self.report(&finding);
            }
        }
        if self.refuse_unlike([&a, &b], place) {
            return;
        }
        let families = [&a, &b].map(|side| self.program.family(side.buffer));
        let parameter = |this: &Self, list: BufferId| matches!(this.program.buffer(list).origin, Origin::Parameter(_));
        let exchanged = Evaluation::Exchange {
            place,
            left: (structs::place(&left.name, &left.path), parameter(self, families[0])),
            right: (structs::place(&right.name, &right.path), parameter(self, families[1])),
        };
        let (left_check, right_check) = (check_buffer(left, a.name), check_buffer(right, b.name));
        self.evaluate(Evaluation::Check(Check::Swap { left: left_check, right: right_check }));
        self.evaluate(exchanged);
        self.joined.push(families);
        // The same text means another buffer from here on.
        self.scopes.rename(&left.name.to_string());
        self.scopes.rename(&right.name.to_string());
    }

    fn side(&mut self, side: &BufferArgument) -> Option<Named> {
        let name = &side.name;
        let declared = self.scopes.buffer(&name.to_string()).cloned();
        let in_list = declared.as_ref().is_some_and(|buffer| buffer.lists > 0 || buffer.structure);
        if in_list {
            return self.named(side);
        }
        if declared.is_some() && side.path.is_empty() {
            let message =
                format!("`swap` of `{name}`, which is one buffer, with a buffer of a list is not supported yet");
            let fault = Diagnostic::error(Code::NOT_YET, name.span(), message);
            self.diagnose(
                fault.help(format!("declare a list of one: `let {name}: [[T; n]; 1];`, and swap `{name}[0]`")),
            );
        } else if self.leads_on(name) {
            let message = format!("`{name}` is an item that was taken out of a list, and its place is not known");
            let fault = Diagnostic::error(Code::SWAP, name.span(), message);
            self.diagnose(fault.help("name the list: `swap(&mut l[i], &mut l[j])`"));
        } else {
            return self.named(side);
        }
        None
    }

    fn refuse_unlike(&mut self, [a, b]: [&Named; 2], place: graph_ir::model::Place) -> bool {
        let (first, second) = (self.program.buffer(a.buffer).clone(), self.program.buffer(b.buffer).clone());
        let names = [&first, &second].map(|buffer| (buffer.name.as_str(), buffer.place));
        let structure = [a, b].iter().any(|side| self.structs.contains(&self.program.family(side.buffer)));
        let mut sizes = first.shape.sizes().iter().zip(second.shape.sizes());
        let differs = first.shape.rank() == second.shape.rank()
            && sizes.any(|(one, other)| one.equals(*other) == Verdict::Refuted);
        let what = match () {
            () if !structure && first.memory != second.memory => Some("memory"),
            () if !structure && differs => Some("length"),
            () => None,
        };
        let finding = match what {
            Some(what) => {
                let [one, two] = [&first, &second].map(|buffer| self.elements_text(buffer));
                swap::unlike((names[0].0, &one, names[0].1), (names[1].0, &two, names[1].1), what, place)
            }
            None if first.region != second.region => {
                // The one that is declared further in.
                let (outer, inner) =
                    if self.is_open_in(first.region, second.region) { (&first, &second) } else { (&second, &first) };
                swap::ends_with_body(&outer.name, (&inner.name, inner.place), place)
            }
            None => return false,
        };
        self.report(&finding);
        true
    }

    /// Whether `outer` is opened before `inner` among the open regions.
    fn is_open_in(&self, outer: RegionId, inner: RegionId) -> bool {
        let depth = |region| self.regions.iter().position(|open| *open == region);
        depth(outer) <= depth(inner)
    }

    /// A body that the device decides.
    pub(super) fn device_body(
        &mut self,
        node: NodeId,
        kind: RegionKind,
        span: Span,
        statements: &[Statement],
    ) -> RegionId {
        self.begin_exchanges(statements);
        let region = self.body(node, kind, span, statements);
        self.end_exchanges(node, statements);
        region
    }

    pub(super) fn begin_exchanges(&mut self, statements: &[Statement]) {
        if !names(statements).is_empty() {
            self.evaluate(Evaluation::BodyBegins);
        }
    }

    pub(super) fn end_exchanges(&mut self, node: NodeId, statements: &[Statement]) {
        if !names(statements).is_empty() {
            self.evaluate(Evaluation::BodyEnds { node });
        }
    }

    /// Lists between which buffers are swapped are one family: any buffer of it may be any other.
    pub(super) fn join_families(&mut self) {
        let mut joined: FxHashMap<BufferId, BufferId> = FxHashMap::default();
        let find = |joined: &FxHashMap<BufferId, BufferId>, mut list: BufferId| {
            while let Some(next) = joined.get(&list) {
                list = *next;
            }
            list
        };
        let is_parameter = |list: &BufferId| matches!(self.program.buffer(*list).origin, Origin::Parameter(_));
        for pair in &self.joined {
            let [a, b] = pair.map(|list| find(&joined, list));
            // What a parameter has at first is there.
            let (list, with) = if is_parameter(&b) { (a, b) } else { (b, a) };
            if list != with {
                joined.insert(list, with);
            }
        }
        for buffer in &mut self.program.buffers {
            if let Family::Member { list, .. } = &mut buffer.family {
                *list = find(&joined, *list);
            }
        }
    }
}

/// Whether names are exchanged anywhere in a body.
fn exchanges(body: &[Statement]) -> bool {
    body.iter().any(|statement| {
        matches!(statement.kind, StatementKind::Swap { .. })
            || statement.kind.bodies().into_iter().any(|(inner, _)| exchanges(inner))
    })
}

impl Lowering<'_> {
    /// What each visible buffer name stands for before a body; nothing where the body exchanges none.
    pub(crate) fn names_before(&self, body: &[Statement]) -> NameState {
        if exchanges(body) { self.scopes.buffer_state() } else { NameState::new() }
    }
}
