//! Syntax tree to graph model: names are resolved, host expressions become symbols, `swap` disappears, `every` is unrolled.

mod assertion;
mod attributes;
mod bounded;
mod boxes;
mod calls;
mod casts;
mod condition;
mod conditional;
mod device_match;
mod device_read;
mod evaluation;
mod exchange;
mod expression;
mod filled;
mod host;
mod inside;
mod kernel;
mod labels;
mod launch;
mod levels;
mod member;
mod memory;
mod mentioned;
mod parameters;
mod passes;
mod scope;
mod sections;
mod statements;
mod static_type;
mod statics;
mod structs;
mod symbols;
pub(crate) mod text;
mod unused;
mod written;

use graph_ir::finding::Finding;
use graph_ir::model::{
    BufferId, Extent, Node, NodeId, NodeKind, ObjectId, Place, Program, Region, RegionId, RegionKind, SectionId, Spot,
    SymbolId,
};
use proc_macro2::{Ident, Span, TokenStream};
use rustc_hash::{FxHashMap, FxHashSet};
use syn::{ExprPath, Type};

use crate::diagnostic::{self, Diagnostics, Lines, Location};
use crate::syntax::{ast, graph_methods, optional};
use bounded::Bounded;
pub(crate) use evaluation::{
    BoundedField, CallArgument, CallEvaluation, Check, CheckArgument, CheckBuffer, ChoiceArm, DeviceFunction,
    DeviceKind, Evaluation, FieldValue, GraphEvaluation, KernelFunction, KernelKind, LengthValue,
};
pub(crate) use inside::named_in;
use labels::{Body, Labels};
use levels::Levels;
pub(crate) use levels::for_rustc;
pub(crate) use parameters::memory;
use scope::{BindingId, Scopes};
pub(crate) use static_type::{is_primitive, static_type};
use symbols::{SymbolKey, Symbols};
pub(crate) use text::identifiers;

/// A graph, lowered.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// The spans behind the program's places.
    pub(crate) places: Vec<Span>,
    /// By kernel index.
    pub(crate) kernels: Vec<KernelUse>,
    /// The graphs inside it, by index: the path of each.
    pub(crate) graphs: Vec<ExprPath>,
    pub(crate) evaluations: Vec<Evaluation>,
    /// Element types by buffer id.
    pub(crate) elements: Vec<Type>,
    /// Name and element type of each `static`, in order.
    pub(crate) statics: Vec<(Ident, Type)>,
    /// Length names bound by a parameter's buffer: the name and the parameter's buffer.
    pub(crate) lengths: Vec<(Ident, u32)>,
    /// Labels of the user's with the first node that has them.
    pub(crate) labels: Vec<(syn::Lifetime, NodeId)>,
    /// Objects that launches use, by id.
    pub(crate) held: FxHashSet<ObjectId>,
    /// Lists and structs whose buffers are swapped.
    pub(crate) exchanged: FxHashSet<String>,
    /// What becomes of warnings.
    pub(crate) levels: Levels,
    /// What nothing mentions.
    pub(crate) unused: Vec<Finding>,
    /// Whether the evaluator compares what `as` converts.
    pub(crate) has_casts: bool,
    /// The names in what is evaluated for a symbol, if they are known.
    pub(crate) mentions: FxHashMap<SymbolId, Vec<Ident>>,
}

/// A kernel that the graph launches.
pub(crate) struct KernelUse {
    pub(crate) path: ExprPath,
    /// What it is called in generated code.
    pub(crate) alias: Ident,
    /// `::<f32, 4>`
    pub(crate) generics: TokenStream,
    /// Whether an earlier use of another instance has imported it.
    pub(crate) imported: bool,
    /// Literal blocks of its launches, each where it is first written.
    pub(crate) blocks: Vec<([u64; 3], Span)>,
    /// Literal bytes of shared memory that its launches ask for, each where it is first written.
    pub(crate) shared: Vec<(u64, Span)>,
}

/// Lowers one graph. Faults go to `diagnostics`; what could be understood is returned all the same.
pub(crate) fn lower(graph: &ast::Graph, block: &ast::Block, diagnostics: &mut Diagnostics) -> Lowered {
    let mut lowering = Lowering::new(diagnostics);
    lowering.around = inside::around(graph, block);
    lowering.program.name = graph.name.to_string();
    lowering.begin_sections(&graph.attributes);
    lowering.labels.collect(&graph.body, &mut Vec::new());
    lowering.names = declared_names(graph);
    lowering.exchanged = exchange::names(&graph.body);
    lowering.methods = graph_methods(&graph.parameters);
    lowering.levels_of_item(&graph.attributes, 0..u32::MAX);
    lowering.salvaged = graph.salvage.iter().map(ToString::to_string).collect();
    let place = lowering.place(graph.name.span());
    lowering.scopes.enter();
    lowering.begin_region(RegionKind::Graph, None, place);
    lowering.parameters(graph);
    lowering.names.extend(lowering.lengths.iter().map(|(name, _)| name.to_string()));
    lowering.scopes.enter();
    lowering.statements(&graph.body);
    lowering.salvage(&graph.salvage);
    lowering.restore_parameters();
    lowering.end_region();
    let unused = lowering.unused(graph);
    Lowered { unused, ..lowering.finish() }
}

/// The names of parameters, transients and host values.
fn declared_names(graph: &ast::Graph) -> FxHashSet<String> {
    fn insert(found: &[Ident], names: &mut FxHashSet<String>) {
        names.extend(found.iter().map(ToString::to_string));
    }
    fn collect(body: &[ast::Statement], names: &mut FxHashSet<String>) {
        for statement in body {
            match &statement.kind {
                ast::StatementKind::Transient(buffer) | ast::StatementKind::Static(buffer) => {
                    names.insert(buffer.name.to_string());
                }
                ast::StatementKind::HostLet { pattern, .. } => insert(&ast::pattern_names(pattern), names),
                ast::StatementKind::For(host) => insert(&ast::pattern_names(&host.pattern), names),
                ast::StatementKind::If(conditional) => insert(&ast::condition_names(&conditional.condition), names),
                ast::StatementKind::Match(conditional) => {
                    conditional.arms.iter().for_each(|arm| insert(&ast::pattern_names(&arm.pattern), names));
                }
                ast::StatementKind::KernelWhile(inner) => _ = names.insert(inner.name.to_string()),
                _ => {}
            }
            statement.kind.bodies().into_iter().for_each(|(inner, _)| collect(inner, names));
        }
    }
    let mut names: FxHashSet<String> = graph.parameters.iter().map(|p| p.name.to_string()).collect();
    collect(&graph.body, &mut names);
    names
}

/// The state of lowering one graph.
struct Lowering<'d> {
    diagnostics: &'d mut Diagnostics,
    program: Program,
    places: Vec<Span>,
    /// Of the macro's call, which most places lie in.
    lines: Option<Lines>,
    scopes: Scopes,
    symbols: Symbols,
    /// Expressions that mean an extent that is known otherwise.
    aliases: FxHashMap<SymbolKey, Extent>,
    kernels: Vec<KernelUse>,
    kernel_index: FxHashMap<String, u32>,
    graphs: Vec<ExprPath>,
    /// Names of graphs of the block in which this one stands.
    around: Vec<String>,
    /// The open blocks of the evaluator.
    evaluations: Vec<Vec<Evaluation>>,
    elements: Vec<Type>,
    statics: Vec<(Ident, Type)>,
    lengths: Vec<(Ident, u32)>,
    /// The bindings of length names, and of value parameters in order.
    length_ids: FxHashSet<BindingId>,
    value_ids: Vec<BindingId>,
    held: FxHashSet<ObjectId>,
    /// The types of host values, where they are known and primitive.
    types: FxHashMap<BindingId, Type>,
    /// The graph's const parameters.
    constants: Vec<String>,
    /// Every name that the graph declares anywhere.
    names: FxHashSet<String>,
    /// Names in what could not be parsed: nothing is known about them, so nothing is said.
    salvaged: FxHashSet<String>,
    levels: Levels,
    /// Host values that have no value, because of a fault that was reported.
    broken: FxHashSet<String>,
    has_casts: bool,
    mentions: FxHashMap<SymbolId, Vec<Ident>>,
    /// Buffers of lists, by what evaluates to them.
    members: FxHashMap<SymbolId, BufferId>,
    /// Lists and structs whose buffers are swapped, by name.
    exchanged: FxHashSet<String>,
    /// Two of them between which buffers are swapped.
    joined: Vec<[BufferId; 2]>,
    /// What host values may be items of.
    items: FxHashMap<BindingId, Vec<BufferId>>,
    /// Parameters that are structs of buffers, or lists of them.
    structs: FxHashSet<BufferId>,
    labels: Labels,
    bounded: Bounded,
    /// What the graph's methods are called.
    methods: Vec<String>,
    /// The open regions, innermost last.
    regions: Vec<RegionId>,
    /// Where nodes stand now.
    section: SectionId,
    /// The bodies that we are inside of, outermost first.
    bodies: Vec<Body>,
    /// Where the last `swap` is.
    last_swap: Option<Place>,
}

impl<'d> Lowering<'d> {
    fn new(diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            diagnostics,
            program: Program::default(),
            places: Vec::new(),
            lines: Lines::of_call(),
            scopes: Scopes::default(),
            symbols: Symbols::default(),
            aliases: FxHashMap::default(),
            kernels: Vec::new(),
            kernel_index: FxHashMap::default(),
            graphs: Vec::new(),
            around: Vec::new(),
            evaluations: vec![Vec::new()],
            elements: Vec::new(),
            statics: Vec::new(),
            lengths: Vec::new(),
            length_ids: FxHashSet::default(),
            value_ids: Vec::new(),
            held: FxHashSet::default(),
            types: FxHashMap::default(),
            constants: Vec::new(),
            names: FxHashSet::default(),
            salvaged: FxHashSet::default(),
            broken: FxHashSet::default(),
            has_casts: false,
            mentions: FxHashMap::default(),
            members: FxHashMap::default(),
            exchanged: FxHashSet::default(),
            joined: Vec::new(),
            items: FxHashMap::default(),
            structs: FxHashSet::default(),
            levels: Levels::default(),
            labels: Labels::default(),
            bounded: Bounded::default(),
            methods: Vec::new(),
            regions: Vec::new(),
            section: SectionId::STATEMENTS,
            bodies: Vec::new(),
            last_swap: None,
        }
    }

    fn finish(mut self) -> Lowered {
        self.join_families();
        let evaluations = self.evaluations.pop().unwrap_or_default();
        Lowered {
            labels: self.labels.constants(),
            levels: self.levels,
            unused: Vec::new(),
            has_casts: self.has_casts,
            mentions: self.mentions,
            program: self.program,
            places: self.places,
            kernels: self.kernels,
            graphs: self.graphs,
            evaluations,
            elements: self.elements,
            statics: self.statics,
            lengths: self.lengths,
            held: self.held,
            exchanged: if self.joined.is_empty() { FxHashSet::default() } else { self.exchanged },
        }
    }

    /// Names in what could not be parsed stay uses of what they name, for the editor.
    fn salvage(&mut self, names: &[Ident]) {
        for name in names {
            if self.scopes.find(&name.to_string()).is_some() {
                self.evaluate(Evaluation::Check(Check::Use(name.clone())));
            }
        }
    }

    /// A place for a span.
    fn place(&mut self, span: Span) -> Place {
        let known = self.lines.as_mut().and_then(|lines| lines.location(span));
        let Location { file, line, column } = known.unwrap_or_else(|| diagnostic::location(span));
        self.places.push(span);
        self.program.place(Spot { file: &file, line, column })
    }

    /// Reports a rule's finding.
    fn report(&mut self, finding: &Finding) {
        self.diagnostics.push(diagnostic::from_finding(finding, &self.places));
    }

    /// Adds a step to the evaluator.
    fn evaluate(&mut self, evaluation: Evaluation) {
        if let Some(block) = self.evaluations.last_mut() {
            block.push(evaluation);
        }
    }

    /// Runs `inner` with an evaluator block of its own and returns the block.
    fn block(&mut self, inner: impl FnOnce(&mut Self)) -> Vec<Evaluation> {
        self.evaluations.push(Vec::new());
        inner(self);
        self.evaluations.pop().unwrap_or_default()
    }

    fn region(&self) -> RegionId {
        self.regions.last().copied().unwrap_or(RegionId::GRAPH)
    }

    fn begin_region(&mut self, kind: RegionKind, owner: Option<NodeId>, place: Place) -> RegionId {
        let id = RegionId(self.program.regions.len() as u32);
        self.program.regions.push(Region { kind, owner, nodes: Vec::new(), place });
        self.regions.push(id);
        self.labels.enter();
        id
    }

    /// Ends the innermost region: its `after`s are resolved.
    fn end_region(&mut self) {
        self.resolve_labels();
        self.regions.pop();
    }

    /// Adds a node to the innermost region. Conditionals are added before their bodies, with a kind that is set later.
    fn node(&mut self, statement: &ast::Statement, span: Span, name: &str, kind: NodeKind) -> NodeId {
        let id = self.bare_node(span, name, kind);
        let label = statement.label.as_ref().map(|label| label.ident.to_string());
        let node = self.node_mut(id);
        node.labelled = label.is_some();
        if let Some(label) = label {
            node.label = label.into();
        }
        node.optional = optional(&statement.attributes).is_some();
        self.declare_label(statement, id);
        id
    }

    /// The same for what is no statement of its own.
    fn bare_node(&mut self, span: Span, name: &str, kind: NodeKind) -> NodeId {
        let id = NodeId(self.program.nodes.len() as u32);
        let region = self.region();
        let place = self.place(span);
        self.program.nodes.push(Node {
            labelled: false,
            label: name.into(),
            region,
            section: self.section,
            kind,
            accesses: Vec::new(),
            after: Vec::new(),
            optional: false,
            effects: false,
            attributes: None,
            place,
        });
        self.program.regions[region.0 as usize].nodes.push(id);
        id
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.program.nodes[id.0 as usize]
    }
}
