//! CG0701: an element that one index writes is touched by no other.
//!
//! Rejected:
//! ```text
//! kernel for i in 0..n { s[0] += x[i]; }
//! kernel for i in 0..n - 1 { x[i] = x[i + 1]; }
//! ```
//! Accepted:
//! ```text
//! kernel for i in 0..n { y[i] = x[i] + x[0]; }
//! kernel for i in 0..n { y[2 * i] = x[i];  y[2 * i + 1] = 0.0; }
//! kernel for (i, j) in (0..h, 0..w) { y[i * pitch + j] = x[i * w + j]; }
//! ```
//! The last one is decided when the graph is built, with numbers; that analysis repeats this one and trusts nothing of it. So is whatever
//! is no race for some numbers ([`super::sample`]): `x[i] = x[i + offset]`.
//!
//! Sound because only these are accepted: a store whose index tells all axes apart ([`super::span::told_apart`]), so that two indices
//! never store to one element; and beside it uses of the same buffer that the same argument covers, or whose elements are others.

use graph_ir::code::Code;
use proc_macro2::Ident;

use super::Body;
use super::access::Use;
use super::polynomial::Polynomial;
use super::span::{disjoint, interleaved, told_apart};
use crate::diagnostic::Diagnostic;

impl Body<'_, '_> {
    /// One report for each buffer.
    pub(super) fn refuse_races(&mut self, names: &[&Ident]) {
        if self.failed {
            return;
        }
        let mut reported = Vec::new();
        for at in 0..self.uses.len() {
            let buffer = self.uses[at].buffer;
            if !self.uses[at].writes || self.uses[at].is_target() || reported.contains(&buffer) {
                continue;
            }
            if let Some(diagnostic) = self.race(at, names) {
                reported.push(buffer);
                self.refuse(diagnostic);
            }
        }
    }

    fn race(&self, at: usize, names: &[&Ident]) -> Option<Diagnostic> {
        let store = &self.uses[at];
        let open = self.depends_on_strides(store);
        if !open && !self.apart(store, store) && !self.left_to_numbers(store, store) {
            return Some(self.shared(store, names));
        }
        let others = self.uses.iter().enumerate().filter(|(other, used)| *other != at && used.buffer == store.buffer);
        let apart = |used: &Use| {
            self.apart(store, used) || (open && self.in_step(store, used)) || self.left_to_numbers(store, used)
        };
        let other = others.map(|(_, used)| used).find(|used| !apart(used))?;
        Some(conflict(store, other, names))
    }

    /// Whether numbers decide if two indices write one element: every axis occurs, and one is multiplied by a host value. The build
    /// knows it, and has the last word.
    fn depends_on_strides(&self, store: &Use) -> bool {
        let Some(coordinates) = store.coordinates.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let strides = |axis: usize| coordinates.iter().map(move |coordinate| coordinate.stride(axis));
        let constant = |stride: Option<Polynomial>| stride.map(|stride| stride.as_constant());
        let occurs = |axis: usize| strides(axis).any(|stride| constant(stride) != Some(Some(0)));
        let linear = (0..self.axes).all(|axis| strides(axis).all(|stride| stride.is_some()));
        let named = (0..self.axes).any(|axis| strides(axis).any(|stride| constant(stride) == Some(None)));
        linear && named && (0..self.axes).all(occurs)
    }

    /// Whether the axes have the same strides in both.
    fn in_step(&self, a: &Use, b: &Use) -> bool {
        a.coordinates.iter().zip(&b.coordinates).all(|(a, b)| {
            let (Some(a), Some(b)) = (a, b) else { return false };
            (0..self.axes).all(|axis| a.stride(axis) == b.stride(axis))
        })
    }

    /// Whether equal elements of two uses mean equal indices.
    fn apart(&self, a: &Use, b: &Use) -> bool {
        let intervals = self.intervals();
        let mut told = Vec::new();
        for (a, b) in a.coordinates.iter().zip(&b.coordinates) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let never = || {
                let spans = (super::span::span(a, &intervals), super::span::span(b, &intervals));
                matches!(spans, (Some(a), Some(b)) if disjoint(&a, &b))
            };
            if interleaved(a, b) || never() {
                return true;
            }
            told.extend(told_apart(a, b, self.axes, &intervals).unwrap_or_default());
        }
        (0..self.axes).all(|axis| told.contains(&axis))
    }

    /// One element, several indices.
    fn shared(&self, store: &Use, names: &[&Ident]) -> Diagnostic {
        let Use { text, name, span, .. } = store;
        let occurs = |axis: &usize| store.coordinates.iter().flatten().any(|c| c.iterations().contains(axis));
        let missing: Vec<String> =
            (0..self.axes).filter(|axis| !occurs(axis)).map(|axis| format!("`{}`", names[axis])).collect();
        let known = store.coordinates.iter().all(Option::is_some);
        let message = format!("several indices of this kernel may write `{text}` at once");
        let diagnostic = Diagnostic::error(Code::RACE, *span, message);
        let diagnostic = match (known, missing.as_slice()) {
            (false, _) => diagnostic.note("which element that is depends on data, or on more than sums and products"),
            (true, []) => diagnostic.note("different indices may come out as the same element"),
            (true, [one]) => diagnostic.note(format!("{one} does not occur in it, and runs in parallel")),
            (true, several) => {
                diagnostic.note(format!("{} do not occur in it, and run in parallel", several.join(" and ")))
            }
        };
        let own: Vec<String> = names.iter().map(ToString::to_string).collect();
        let own = if let [one] = own.as_slice() { one.clone() } else { format!("({})", own.join(", ")) };
        if known && missing.len() == self.axes {
            let range = if names.len() == 1 { "(a..b)" } else { "(a..b, c..d)" };
            return diagnostic.help(format!("reduce: `{text} = {range}.map(|{own}| …).sum();`"));
        }
        if known && !missing.is_empty() {
            let loops = missing.join(" and ");
            return diagnostic.help(format!("loop over {loops} in the body, or launch a kernel with `&atomic {name}`"));
        }
        diagnostic.help(format!(
            "write an element of its own for each index, as `{name}[{own}]`, or launch a kernel with `&atomic {name}`"
        ))
    }
}

/// One index writes what another one touches.
fn conflict(store: &Use, other: &Use, names: &[&Ident]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let indices = names.join(", ");
    let (does, name) = (if other.writes { "written" } else { "read" }, &store.name);
    let message = format!("`{}` may be {does} while another index writes it", other.text);
    let diagnostic = Diagnostic::error(Code::RACE, other.span, message)
        .note_at(store.span, format!("`{}` is written here, for every {indices} in parallel", store.text));
    if other.writes {
        diagnostic.help("write the two in kernels of their own, one behind the other")
    } else {
        diagnostic.help(format!("write to a second buffer, or read from a copy: `copy(&{name}, &out old);`"))
    }
}
