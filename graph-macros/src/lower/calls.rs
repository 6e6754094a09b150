//! `host`, `capture`, `record` and `wait`.

use std::collections::BTreeSet;

use graph_ir::code::Code;
use graph_ir::model::{Access, Call, Mode, NodeKind, Object, ObjectId, ObjectKind};
use graph_ir::rules::names;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::evaluation::{CallArgument, CallEvaluation, Evaluation};
use super::launch::check_buffer;
use super::scope::BindingKind;
use super::{Lowering, text};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{self, BufferArgument, Closure, Statement};

impl Lowering<'_> {
    /// Declares `log: &Logger`, `comm: &mut Comm` or `e: &Event`.
    pub(crate) fn object_parameter(&mut self, name: &Ident, kind: ObjectKind) {
        let id = ObjectId(self.program.objects.len() as u32);
        let place = self.place(name.span());
        self.program.objects.push(Object { name: name.to_string(), kind, place });
        let binding = self.scopes.fresh();
        self.declare(name, binding, BindingKind::Object(id));
    }

    /// `host(…)` and `capture(…)`.
    pub(crate) fn call(&mut self, statement: &Statement, call: &ast::Call) {
        let host = !call.loaded && call.word == "host";
        let mut parts = Parts::default();
        for argument in &call.arguments {
            self.call_argument(argument, &mut parts);
        }
        let mut closures = vec![(&call.closure, host)];
        closures.extend(call.cpu.as_ref().map(|cpu| (cpu, true)));
        for (closure, held) in closures {
            self.names_of(closure, held, &mut parts);
        }
        let exclusive: Vec<ObjectId> = parts.exclusive.iter().copied().collect();
        let inner = Call { exclusive, cpu: host || call.cpu.is_some() };
        let (kind, word) = if host { (NodeKind::Host(inner), "host") } else { (NodeKind::Capture(inner), "capture") };
        let named = parts.accesses.iter().find(|access| access.mode.writes()).or(parts.accesses.first());
        let label = match named {
            _ if call.loaded => call.word.to_string(),
            Some(access) => format!("{word} {}", self.program.buffer(access.buffer).name),
            None => word.to_owned(),
        };
        let node = self.node(statement, call.word.span(), &label, kind);
        let effects = host || parts.accesses.is_empty();
        let added = self.node_mut(node);
        added.accesses = parts.accesses;
        added.effects = effects;
        if !parts.broken {
            self.evaluate(Evaluation::Call(CallEvaluation {
                node,
                host,
                loaded: call.loaded,
                arguments: parts.arguments,
                values: parts.values.into_iter().collect(),
                hosts: parts.hosts,
                shared: parts.shared,
                closure: call.closure.clone(),
                cpu: call.cpu.clone(),
            }));
        }
    }

    fn call_argument(&mut self, argument: &BufferArgument, parts: &mut Parts) {
        let Some(object) = self.scopes.object(&argument.name.to_string()) else {
            match self.access(argument) {
                Some((access, name)) => {
                    parts.arguments.push(CallArgument::Buffer(check_buffer(argument, name)));
                    parts.accesses.push(access);
                }
                None => parts.broken = true,
            }
            return;
        };
        match (self.program.object(object).kind, argument.mode.kind) {
            (ObjectKind::Shared, Mode::Read) => parts.arguments.push(CallArgument::Shared(object)),
            (ObjectKind::Exclusive, Mode::Update) => {
                parts.arguments.push(CallArgument::Exclusive(object));
                if !parts.exclusive.insert(object) {
                    self.refuse_twice(argument);
                    parts.broken = true;
                }
            }
            (kind, mode) => {
                self.refuse_object_mode(argument, object, kind, mode);
                parts.broken = true;
            }
        }
    }

    fn refuse_twice(&mut self, argument: &BufferArgument) {
        let message = format!("the closure is given `&mut {}` twice", argument.name);
        let fault = Diagnostic::error(Code::OBJECT, argument.name.span(), message);
        self.diagnose(fault.help("pass it once"));
    }

    fn refuse_object_mode(&mut self, argument: &BufferArgument, object: ObjectId, kind: ObjectKind, mode: Mode) {
        let name = &argument.name;
        let (what, help) = match kind {
            ObjectKind::Shared => ("an object that is shared", format!("write `&{name}`, or declare it `&mut`")),
            ObjectKind::Exclusive => ("an object that is used alone", format!("write `&mut {name}`")),
            ObjectKind::Event => ("an event", format!("write `record(&{name})` or `wait(&{name})` in front")),
        };
        let sigil = if mode == Mode::Read { "&".to_owned() } else { format!("{} ", mode.sigil()) };
        let declared = self.places[self.program.object(object).place.0 as usize];
        let message = format!("`{sigil}{name}` is passed to a closure, and `{name}` is {what}");
        let fault = Diagnostic::error(Code::OBJECT, argument.mode.word.unwrap_or(name.span()), message);
        self.diagnose(fault.note_at(declared, format!("`{name}` is declared here")).help(help));
    }

    /// What a closure sees of the block's names. `held`: it runs in launches, which the graph's borrows may not outlive.
    fn names_of(&mut self, closure: &Closure, held: bool, parts: &mut Parts) {
        for part in &parts.arguments {
            if let (true, CallArgument::Shared(object) | CallArgument::Exclusive(object)) = (held, part) {
                self.held.insert(*object);
            }
        }
        let parameters: BTreeSet<String> = closure.parameters.iter().flat_map(text::identifiers).collect();
        for name in idents(&closure.body) {
            let spelled = name.to_string();
            let Some(binding) = self.scopes.find(&spelled).filter(|_| !parameters.contains(&spelled)) else { continue };
            let (kind, id) = (binding.kind.clone(), binding.id);
            match kind {
                BindingKind::Buffer(_) | BindingKind::Condition(_) => {}
                BindingKind::Host => {
                    if !parts.hosts.contains(&name) {
                        parts.hosts.push(name);
                        parts.values.extend(self.depends_on(id));
                    }
                }
                BindingKind::Object(object) => self.object_in_closure(&name, object, held, parts),
            }
        }
        // `format!("{by}")` depends on `by` too. A word that is no name there makes no difference but another capture.
        for word in words_of_texts(&closure.body).difference(&parameters) {
            let host = self.scopes.find(word).filter(|binding| matches!(binding.kind, BindingKind::Host));
            let id = host.map(|binding| binding.id);
            parts.values.extend(id.into_iter().flat_map(|id| self.depends_on(id)));
        }
    }

    fn object_in_closure(&mut self, name: &Ident, object: ObjectId, held: bool, parts: &mut Parts) {
        match self.program.object(object).kind {
            ObjectKind::Shared => {
                if held {
                    self.held.insert(object);
                }
                if !parts.shared.iter().any(|(known, _)| known == name) {
                    parts.shared.push((name.clone(), object));
                }
            }
            ObjectKind::Exclusive => {
                let message = format!("`{name}` is used in a closure that is not given it");
                let declared = self.places[self.program.object(object).place.0 as usize];
                let fault = Diagnostic::error(Code::OBJECT, name.span(), message)
                    .note_at(declared, format!("`{name}` is used alone: the order of its uses is kept"))
                    .help(format!("pass it: `&mut {name}`, and give the closure a parameter for it"));
                self.diagnose(fault);
                parts.broken = true;
            }
            ObjectKind::Event => {
                let message = format!("event `{name}` is used in a closure");
                let fault = Diagnostic::error(Code::OBJECT, name.span(), message);
                self.diagnose(fault.help(format!("write `record(&{name});` or `wait(&{name});` as a statement")));
                parts.broken = true;
            }
        }
    }

    /// The value parameters that a host name may depend on: itself, none for a length, all for a `let`.
    fn depends_on(&self, binding: super::scope::BindingId) -> Vec<u32> {
        if self.length_ids.contains(&binding) {
            return Vec::new();
        }
        match self.value_ids.iter().position(|known| *known == binding) {
            Some(index) => vec![index as u32],
            None => (0..self.value_ids.len() as u32).collect(),
        }
    }

    /// `record(&e, &x);` and `wait(&e);`
    pub(crate) fn event(&mut self, statement: &Statement, word: &Ident, event: &Ident, buffers: &[BufferArgument]) {
        let accesses = buffers.iter().filter_map(|buffer| self.access(buffer));
        let accesses: Vec<Access> = accesses.map(|(access, _)| access).collect();
        let Some(object) = self.event_named(event) else { return };
        if accesses.len() < buffers.len() {
            return;
        }
        let kind = if word == "record" { NodeKind::Record(object) } else { NodeKind::Wait(object) };
        let node = self.node(statement, word.span(), &format!("{word} {event}"), kind);
        self.node_mut(node).accesses = accesses;
    }

    fn event_named(&mut self, name: &Ident) -> Option<ObjectId> {
        let spelled = name.to_string();
        let found = self.scopes.object(&spelled);
        if let Some(object) = found
            && self.program.object(object).kind == ObjectKind::Event
        {
            return found;
        }
        if self.salvaged.contains(&spelled) {
            return None;
        }
        let place = self.place(name.span());
        if let Some(binding) = self.scopes.find(&spelled) {
            let declared = self.places[binding.place.0 as usize];
            let fault = Diagnostic::error(Code::OBJECT, name.span(), format!("`{name}` is no event"));
            let fault = fault.note_at(declared, format!("`{name}` is declared here"));
            self.diagnose(fault.help("take an event as a parameter: `e: &Event`"));
        } else {
            let events = self.program.objects.iter().filter(|object| object.kind == ObjectKind::Event);
            let known: Vec<_> = events.map(|object| (object.name.clone(), object.place)).collect();
            let known: Vec<_> = known.iter().map(|(name, place)| (name.as_str(), *place)).collect();
            self.report(&names::unknown_event(&spelled, place, &known));
        }
        None
    }

    /// Reports a host expression that names an object which only closures may use.
    pub(crate) fn refuse_exclusive(&mut self, expression: &impl ToTokens) -> bool {
        if self.program.objects.is_empty() {
            return false;
        }
        let used = |name: &Ident| {
            let object = self.scopes.object(&name.to_string())?;
            let declared = self.program.object(object);
            (declared.kind != ObjectKind::Shared).then_some((name.clone(), declared.kind, declared.place))
        };
        let Some((name, kind, place)) = idents(expression).iter().find_map(used) else { return false };
        let what = if kind == ObjectKind::Event { "an event" } else { "used alone" };
        let message = format!("`{name}` is {what}, and a host expression cannot use it");
        let declared: Span = self.places[place.0 as usize];
        let fault = Diagnostic::error(Code::OBJECT, name.span(), message);
        let fault = fault.note_at(declared, format!("`{name}` is declared here"));
        self.diagnose(match kind {
            ObjectKind::Event => fault,
            _ => fault.help(format!("declare `{name}` with `&`, or take the value as a parameter")),
        });
        true
    }
}

/// What a call is made of.
#[derive(Default)]
struct Parts {
    accesses: Vec<Access>,
    arguments: Vec<CallArgument>,
    exclusive: BTreeSet<ObjectId>,
    hosts: Vec<Ident>,
    shared: Vec<(Ident, ObjectId)>,
    values: BTreeSet<u32>,
    broken: bool,
}

/// What may be a name in the strings of some tokens.
fn words_of_texts(tokens: &impl ToTokens) -> BTreeSet<String> {
    fn collect(tokens: proc_macro2::TokenStream, found: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
                    found.extend(words.filter(|_| text.contains('{')));
                }
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(tokens.to_token_stream(), &mut found);
    found
}

/// Every identifier in some tokens, with its span.
pub(super) fn idents(tokens: &impl ToTokens) -> Vec<Ident> {
    fn collect(tokens: proc_macro2::TokenStream, found: &mut Vec<Ident>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(ident) => found.push(ident),
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(tokens.to_token_stream(), &mut found);
    found
}
