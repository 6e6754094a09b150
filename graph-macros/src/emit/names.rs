//! What the names in an evaluator are: who declares each, with which type, and who mentions it last.

use std::fmt::Write as _;
use std::ops::Range;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use rustc_hash::FxHashMap;
use syn::{Expr, Pat, Type};

use super::check::located;
use super::put::put;
use super::{BufferParameter, Emission};
use crate::lower::{Check, CheckArgument, DeviceKind, Evaluation, KernelKind, identifiers, is_primitive, text};
use crate::syntax::{ast, bound_name};

/// A variable of the evaluator.
struct Name {
    ident: Ident,
    /// The same for names that are spelled the same.
    spelling: usize,
    ty: Option<TypeOf>,
    /// The block that declares it, counted from the outermost.
    level: usize,
    /// The last step of that block that mentions it.
    last: usize,
    /// The last time that it was looked for.
    seen: usize,
}

/// A type that can be written.
#[derive(Clone)]
enum TypeOf {
    Length,
    /// Of a host value, and whether it can be copied.
    Value(Type, bool),
    Reference(Type),
    /// Of a buffer, or of lists of them around it.
    Buffers(Type, usize),
    /// Of a struct of buffers, by its kind.
    Structure(TokenStream),
}

impl TypeOf {
    fn of_value(ty: &Type) -> Option<Self> {
        // What `_` stands for, rustc says where the value is.
        if identifiers(&ty.to_token_stream()).iter().any(|word| word == "_") {
            return None;
        }
        let copied = is_primitive(ty) || matches!(ty, Type::Reference(reference) if reference.mutability.is_none());
        Some(Self::Value(ty.clone(), copied))
    }

    fn of_parameter(buffer: &BufferParameter<'_>) -> Self {
        if buffer.structure {
            Self::Structure(buffer.kind())
        } else {
            Self::Buffers(buffer.element.clone(), buffer.lists)
        }
    }

    fn is_copied(&self) -> bool {
        match self {
            Self::Length | Self::Reference(_) => true,
            Self::Value(_, copied) => *copied,
            Self::Buffers(_, lists) => *lists == 0,
            Self::Structure(_) => false,
        }
    }
}

impl ToTokens for TypeOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Length => put!(tokens => usize),
            Self::Value(ty, _) => ty.to_tokens(tokens),
            Self::Reference(ty) => put!(tokens => &#ty),
            Self::Buffers(element, 0) => put!(tokens => __Ghost<#element>),
            Self::Buffers(element, lists) => {
                let item = Self::Buffers(element.clone(), lists - 1);
                put!(tokens => ::graph_runtime::__private::GhostList<#item>);
            }
            Self::Structure(kind) => put!(tokens => <#kind as ::graph_runtime::__private::Kind>::Ghost),
        }
    }
}

/// A block that is open.
struct Level {
    names: Vec<usize>,
    /// The step that is looked at.
    position: usize,
}

/// All names so far, and those that are visible.
pub(super) struct Names {
    all: Vec<Name>,
    spellings: FxHashMap<String, usize>,
    /// The visible names of each spelling, the innermost last.
    visible: Vec<Vec<usize>>,
    levels: Vec<Level>,
    searches: usize,
    /// Of the identifier that is looked at.
    text: String,
}

impl Names {
    /// The names of a graph's head.
    pub(super) fn of(emission: &Emission<'_>) -> Self {
        let mut names = Self {
            all: Vec::new(),
            spellings: FxHashMap::default(),
            visible: Vec::new(),
            levels: Vec::new(),
            searches: 0,
            text: String::new(),
        };
        names.enter(Vec::new());
        for object in emission.objects().filter(super::ObjectParameter::is_shared) {
            let ty = object.ty;
            names.declare(object.name, Some(TypeOf::Reference(ty.clone())));
        }
        for (name, ty) in emission.values() {
            names.declare(name, TypeOf::of_value(ty));
        }
        for buffer in emission.buffers() {
            let ty = (!emission.is_exchanged(buffer.name)).then(|| TypeOf::of_parameter(&buffer));
            names.declare(buffer.name, ty);
        }
        for (length, _) in &emission.lowered.lengths {
            names.declare(length, Some(TypeOf::Length));
        }
        for parameter in emission.graph.parameters.iter().filter(|parameter| parameter.bound.is_some()) {
            if let ast::ParameterKind::Value(ty) = &parameter.kind {
                names.declare(&bound_name(&parameter.name), TypeOf::of_value(ty));
            }
        }
        names
    }

    /// A block begins that binds these names.
    pub(super) fn enter(&mut self, bound: Vec<Ident>) {
        self.levels.push(Level { names: Vec::new(), position: 0 });
        for name in bound {
            self.declare(&name, None);
        }
    }

    /// The innermost block ends.
    pub(super) fn leave(&mut self) {
        let level = self.levels.pop();
        for name in level.into_iter().flat_map(|level| level.names) {
            self.visible[self.all[name].spelling].pop();
        }
    }

    /// The innermost block's next step is looked at.
    pub(super) fn at(&mut self, step: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.position = step;
        }
    }

    fn declare(&mut self, ident: &Ident, ty: Option<TypeOf>) {
        let (name, level) = (self.all.len(), self.levels.len() - 1);
        let innermost = &mut self.levels[level];
        innermost.names.push(name);
        let last = innermost.position;
        let spelling = *self.spellings.entry(ident.to_string()).or_insert(self.visible.len());
        if spelling == self.visible.len() {
            self.visible.push(Vec::new());
        }
        self.visible[spelling].push(name);
        self.all.push(Name { ident: ident.clone(), spelling, ty, level, last, seen: 0 });
    }

    /// What a step declares for those behind it.
    pub(super) fn declare_by(&mut self, emission: &Emission<'_>, evaluation: &Evaluation) -> Range<usize> {
        let first = self.all.len();
        match evaluation {
            Evaluation::Let { pattern, known, .. } => self.declare_let(pattern, known.as_ref()),
            Evaluation::Transient { name, element, count, .. } => {
                let fixed = !emission.is_exchanged(name);
                self.declare(name, fixed.then(|| TypeOf::Buffers((**element).clone(), usize::from(count.is_some()))));
            }
            Evaluation::Member { local, .. } | Evaluation::Passing { local, .. } => self.declare(local, None),
            Evaluation::Condition(name) => self.declare(name, None),
            Evaluation::Resize { name, .. } | Evaluation::Shaped { name, .. } => {
                let same = self.find(&name.to_string()).and_then(|known| self.all[known].ty.clone());
                self.declare(name, same);
            }
            _ => {}
        }
        first..self.all.len()
    }

    fn declare_let(&mut self, pattern: &Pat, ty: Option<&Type>) {
        if let (Pat::Ident(syn::PatIdent { by_ref: None, subpat: None, ident, .. }), Some(ty)) = (pattern, ty) {
            return self.declare(ident, TypeOf::of_value(ty));
        }
        ast::pattern_names(pattern).iter().for_each(|name| self.declare(name, None));
    }

    fn find(&self, text: &str) -> Option<usize> {
        self.visible[*self.spellings.get(text)?].last().copied()
    }

    /// The visible names that tokens mention, each with the place of the first mention.
    pub(super) fn mentioned(&mut self, tokens: &TokenStream) -> Vec<(usize, Span)> {
        self.searches += 1;
        let mut found = Vec::new();
        self.search(tokens.clone(), &mut found);
        found
    }

    /// The names that a step mentions, of which these are the tokens.
    pub(super) fn mentioned_by(
        &mut self,
        emission: &Emission<'_>,
        step: &Evaluation,
        tokens: &TokenStream,
    ) -> Vec<(usize, Span)> {
        self.searches += 1;
        let mut found = Vec::new();
        if !self.search_step(emission, step, &mut found) {
            self.search(tokens.clone(), &mut found);
        }
        #[cfg(test)]
        self.assert_complete(tokens, &found);
        found
    }

    /// No name is in the tokens that has not been found. What stands behind a dot is none.
    #[cfg(test)]
    fn assert_complete(&mut self, tokens: &TokenStream, found: &[(usize, Span)]) {
        self.searches += 1;
        let mut all = Vec::new();
        self.search(without_methods(tokens.clone()), &mut all);
        let missing = all.iter().find(|(name, _)| !found.iter().any(|(known, _)| known == name));
        let missing = missing.map(|(name, _)| &self.all[*name].ident);
        assert!(missing.is_none(), "`{}` is in `{tokens}`", missing.map_or_else(String::new, ToString::to_string));
    }

    /// Without its tokens, where what it mentions is known.
    fn search_step(&mut self, emission: &Emission<'_>, step: &Evaluation, found: &mut Vec<(usize, Span)>) -> bool {
        match step {
            Evaluation::Check(check) => {
                self.search_check(check, found);
                true
            }
            Evaluation::Device(function) => {
                if let DeviceKind::Element(target) = &function.kind {
                    self.mention_ident(target, found);
                }
                !matches!(function.kind, DeviceKind::Match(_)) && self.mention_all(function.mentioned.names(), found)
            }
            Evaluation::Kernel(function) => {
                if let KernelKind::Reduce { target, .. } = &function.kind {
                    self.mention_ident(target, found);
                }
                self.mention_all(function.mentioned.names(), found)
            }
            Evaluation::Scope(steps) => steps.iter().all(|step| self.search_step(emission, step, found)),
            step => {
                let names = step.symbol().and_then(|symbol| emission.lowered.mentions.get(&symbol));
                self.mention_all(names.map(Vec::as_slice), found)
            }
        }
    }

    fn mention_all(&mut self, names: Option<&[Ident]>, found: &mut Vec<(usize, Span)>) -> bool {
        names.into_iter().flatten().for_each(|name| self.mention_ident(name, found));
        names.is_some()
    }

    fn search_check(&mut self, check: &Check, found: &mut Vec<(usize, Span)>) {
        match check {
            Check::Launch { arguments, .. } => {
                arguments.iter().for_each(|argument| self.search_argument(argument, found));
            }
            Check::Fill { target, value } => {
                self.mention_ident(&target.name, found);
                self.search_value(value, found);
            }
            Check::Copy { from: first, to: second } | Check::Swap { left: first, right: second } => {
                self.mention_ident(&first.name, found);
                self.mention_ident(&second.name, found);
            }
            Check::Use(name) => self.mention_ident(name, found),
            Check::Overlap { .. } => {}
        }
    }

    fn search_argument(&mut self, argument: &CheckArgument, found: &mut Vec<(usize, Span)>) {
        match argument {
            CheckArgument::Buffer(buffer) => self.mention_ident(&buffer.name, found),
            CheckArgument::Value(value) => self.search_value(value, found),
            // A value of the same type stands in its place.
            CheckArgument::Hole(_) => {}
        }
    }

    fn search_value(&mut self, value: &Expr, found: &mut Vec<(usize, Span)>) {
        match text::identifier(value) {
            Some(name) => self.mention_ident(name, found),
            None if matches!(value, Expr::Lit(_)) => {}
            None => self.search(value.to_token_stream(), found),
        }
    }

    fn mention_ident(&mut self, ident: &Ident, found: &mut Vec<(usize, Span)>) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "{ident}");
        self.mention(&text, ident.span(), found);
        self.text = text;
    }

    fn search(&mut self, tokens: TokenStream, found: &mut Vec<(usize, Span)>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.mention_ident(&ident, found),
                TokenTree::Group(group) => self.search(group.stream(), found),
                TokenTree::Literal(literal) => {
                    // `"{k}"` mentions `k`.
                    let (text, span) = (literal.to_string(), literal.span());
                    for part in text.split('{').skip(1) {
                        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
                        self.mention(&part[..end], span, found);
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn mention(&mut self, text: &str, span: Span, found: &mut Vec<(usize, Span)>) {
        let Some(index) = self.find(text) else { return };
        let name = &mut self.all[index];
        if name.seen != self.searches {
            name.seen = self.searches;
            name.last = self.levels[name.level].position;
            found.push((index, span));
        }
    }

    pub(super) fn has_type(&self, name: usize) -> bool {
        self.all[name].ty.is_some()
    }

    pub(super) fn last(&self, name: usize) -> usize {
        self.all[name].last
    }

    pub(super) fn spelling(&self, name: usize) -> usize {
        self.all[name].spelling
    }

    /// `n: usize,`
    pub(super) fn parameter(&self, name: usize, tokens: &mut TokenStream) {
        let Name { ident, ty, .. } = &self.all[name];
        put!(tokens => #ident: #ty,);
    }

    /// `n,`, as an argument, at the place of a mention.
    pub(super) fn argument(&self, name: usize, place: Span, tokens: &mut TokenStream) {
        let Name { ident, ty, .. } = &self.all[name];
        let ident = located(ident, place);
        if ty.as_ref().is_some_and(TypeOf::is_copied) {
            put!(tokens => #ident,);
        } else {
            put!(tokens => ::core::clone::Clone::clone(&#ident),);
        }
    }
}

#[cfg(test)]
fn without_methods(tokens: TokenStream) -> TokenStream {
    let (mut dots, mut kept) = (0, TokenStream::new());
    for token in tokens {
        let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        let before = dots;
        dots = if is_dot { before + 1 } else { 0 };
        match token {
            TokenTree::Ident(_) if before == 1 => {}
            TokenTree::Group(group) => {
                let inner = without_methods(group.stream());
                kept.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            other => kept.extend([other]),
        }
    }
    kept
}
