//! Buffers in structs, and in what a `let` or a `for` takes out of lists and structs: `&layers[i].qkv.w`, `&l.w`.

use graph_ir::code::Code;
use graph_ir::model::BufferId;
use proc_macro2::Ident;
use syn::{Expr, Member, Pat, parse_quote};

use super::member::Named;
use super::scope::BindingKind;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, BufferArgument, Projection};

impl Lowering<'_> {
    /// Whether fields lead on from a name: it is a struct of buffers, or an item that was taken out of a list or a struct.
    pub(super) fn leads_on(&self, name: &Ident) -> bool {
        self.is_struct(name) || !self.items_of(name).is_empty()
    }

    /// The buffer that an argument names by its fields.
    pub(super) fn of_item(&mut self, argument: &BufferArgument) -> Option<Named> {
        let name = &argument.name;
        let fields = argument.path.iter().any(|step| matches!(step, Projection::Field(_)));
        let place = place(name, &argument.path);
        if self.is_struct(name) && !fields {
            let written = text::of(&place);
            let message = format!("`{written}` is a struct of buffers, and no buffer");
            let fault = Diagnostic::error(Code::SYNTAX, name.span(), message);
            self.diagnose(fault.help(format!("name one of its buffers: `&{written}.field`")));
            return None;
        }
        let family = self.family(name)?;
        let end = match argument.path.last() {
            Some(Projection::Field(field)) => field.span(),
            Some(Projection::Index(_, span)) => *span,
            None => name.span(),
        };
        self.member(family, &place, end)
    }

    /// The parameter that a name belongs to; reports a name that may belong to more than one.
    pub(super) fn family(&mut self, name: &Ident) -> Option<BufferId> {
        if self.is_struct(name) {
            return self.buffer_or_list(name);
        }
        match self.items_of(name)[..] {
            [] => None,
            [one] => Some(one),
            [one, other, ..] => {
                let [one, other] = [one, other].map(|buffer| self.program.buffer(buffer).name.clone());
                // Once for all its uses.
                if let Some(binding) = self.scopes.find(&name.to_string()) {
                    self.items.remove(&binding.id);
                }
                self.salvaged.insert(name.to_string());
                let message = format!("`{name}` may be an item of `{one}` or of `{other}`");
                let fault = Diagnostic::error(Code::SYNTAX, name.span(), message)
                    .note("what a statement touches is known by the parameter that it belongs to")
                    .help(format!("index the lists: `for i in 0..{one}.len()`"));
                self.diagnose(fault);
                None
            }
        }
    }

    fn is_struct(&self, name: &Ident) -> bool {
        self.scopes.buffer(&name.to_string()).is_some_and(|buffer| buffer.structure)
    }

    /// What a host value may be an item of.
    fn items_of(&self, name: &Ident) -> Vec<BufferId> {
        let binding = self.scopes.find(&name.to_string());
        binding.and_then(|binding| self.items.get(&binding.id)).cloned().unwrap_or_default()
    }

    /// Declares the names of a pattern, and remembers what they may be items of.
    pub(super) fn declare_items(&mut self, pattern: &Pat, value: &Expr) {
        let mut taken = Vec::new();
        self.taken(pattern, value, &mut taken);
        for (name, families) in taken {
            let id = self.declare_host(&name);
            if !families.is_empty() {
                self.items.insert(id, families);
            }
        }
    }

    /// The names of a pattern with what they may be items of: `(i, (a, b))` of `x.iter().zip(y.iter()).enumerate()`.
    fn taken(&self, pattern: &Pat, value: &Expr, found: &mut Vec<(Ident, Vec<BufferId>)>) {
        match (pattern, text::bare(value)) {
            (Pat::Paren(inner), _) => return self.taken(&inner.pat, value, found),
            (Pat::Reference(inner), _) => return self.taken(&inner.pat, value, found),
            (Pat::Tuple(pair), Expr::MethodCall(call)) if pair.elems.len() == 2 => match &call.method {
                method if method == "zip" && call.args.len() == 1 => {
                    self.taken(&pair.elems[0], &call.receiver, found);
                    return self.taken(&pair.elems[1], &call.args[0], found);
                }
                method if method == "enumerate" => {
                    found.extend(ast::pattern_names(&pair.elems[0]).into_iter().map(|name| (name, Vec::new())));
                    return self.taken(&pair.elems[1], &call.receiver, found);
                }
                method if keeps_items(method) => return self.taken(pattern, &call.receiver, found),
                _ => {}
            },
            (Pat::Tuple(pair), Expr::Tuple(values)) if pair.elems.len() == values.elems.len() => {
                pair.elems.iter().zip(&values.elems).for_each(|(pattern, value)| self.taken(pattern, value, found));
                return;
            }
            _ => {}
        }
        let families = self.families(value);
        found.extend(ast::pattern_names(pattern).into_iter().map(|name| (name, families.clone())));
    }

    /// The lists and structs of buffers that an expression takes items out of.
    pub(super) fn families(&self, value: &Expr) -> Vec<BufferId> {
        let mut found = Vec::new();
        if !takes_items(value) {
            return found;
        }
        for name in text::identifiers(value) {
            let Some(binding) = self.scopes.find(&name) else { continue };
            let families = match &binding.kind {
                BindingKind::Buffer(buffer) if buffer.lists > 0 || buffer.structure => vec![buffer.current],
                _ => self.items.get(&binding.id).cloned().unwrap_or_default(),
            };
            found.extend(families);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a place is a field of a struct of buffers, or an item that is a buffer itself.
    pub(super) fn is_field(&self, place: &Expr) -> bool {
        let Some(name) = root(place) else { return false };
        if self.is_struct(&name) {
            return has_field(place);
        }
        let items = self.items_of(&name);
        !items.is_empty() && (has_field(place) || !items.iter().any(|buffer| self.structs.contains(buffer)))
    }

    /// Whether an expression takes something out of a struct on the host's side.
    pub(super) fn in_struct(&self, place: &Expr) -> bool {
        root(place).is_some_and(|name| self.leads_on(&name)) && has_field(place)
    }
}

/// Whether the value of an expression may be an item: `&layers[i]`, `layers.iter().rev()`, not `layers.len()` nor `0..layers.len()`.
fn takes_items(value: &Expr) -> bool {
    match text::bare(value) {
        Expr::Reference(reference) => takes_items(&reference.expr),
        Expr::Index(_) | Expr::Field(_) | Expr::Path(_) => true,
        Expr::MethodCall(call) => call.method != "len" && takes_items(&call.receiver),
        Expr::Tuple(values) => values.elems.iter().any(takes_items),
        _ => false,
    }
}

/// Whether an iterator's method passes on what it iterates over, or some of it.
fn keeps_items(method: &Ident) -> bool {
    ["iter", "into_iter", "rev", "skip", "take", "step_by", "copied", "cloned"].iter().any(|known| method == known)
}

/// `layers[i].qkv.w`
pub(super) fn place(name: &Ident, path: &[Projection]) -> Expr {
    let mut place: Expr = parse_quote!(#name);
    for step in path {
        place = match step {
            Projection::Index(index, _) => parse_quote!(#place[#index]),
            Projection::Field(field) => parse_quote!(#place.#field),
        };
    }
    place
}

/// The name that indices and fields are behind.
pub(super) fn root(place: &Expr) -> Option<Ident> {
    match text::bare(place) {
        Expr::Index(index) => root(&index.expr),
        Expr::Field(field) if matches!(field.member, Member::Named(_)) => root(&field.base),
        other => text::identifier(other).cloned(),
    }
}

fn has_field(place: &Expr) -> bool {
    match text::bare(place) {
        Expr::Index(index) => has_field(&index.expr),
        Expr::Field(_) => true,
        _ => false,
    }
}
