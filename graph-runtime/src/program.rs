//! What `cuda_graph!` generates for a graph, and what its evaluator writes into.

mod again;
mod amounts;
mod calls;
mod casts;
mod changes;
mod exchanges;
mod frames;
mod inside;
mod linked;

use std::fmt::Display;
use std::sync::Arc;

use graph_ir::concrete::{FrameId, ListedBuffer, SymbolValue};
use graph_ir::model::{BufferId, Combine, NodeId, Offsets, ScalarType, SymbolId};
use smallvec::{SmallVec, smallvec};

use crate::buffer::{Kind, Layout};
use crate::call::Objects;
use crate::compute::{Axes, ComputeFunction, Elements, Reducible};
use crate::element::{DeviceValue, Element, ElementLayout, Scalar};
use crate::kernel::KernelDeclaration;
use crate::kernel::ghost::{Ghost, GhostBuffer, GhostList, Member, Passes};

pub(crate) use again::Again;
pub use amounts::{Geometry, IntoExtent};
pub use casts::Casts;
use casts::LostCast;
pub(crate) use changes::{Changes, Decision};
use frames::Frames;
pub use inside::{EventObject, ExclusiveObject, GraphInside, Passed, PassedOn, SharedObject, Summary, has_bound};
pub use linked::GraphEntry;
use linked::Links;
pub(crate) use linked::{Linked, decode};

/// More than memory has room for.
const MOST_LISTED: usize = 1 << 22;

/// A graph, as generated.
///
/// # Safety
/// The declarations that [`Program::kernels`] returns keep what `#[cuda_module]`'s `unsafe mod` promises, and their modules and CPU
/// functions are those that it generated; [`Program::DATA`] is what the macro encoded for this graph.
pub unsafe trait Program: Sized + 'static {
    /// The host parameters.
    type Values: Clone + Send + 'static;
    /// The encoded [`graph_ir::model::Program`].
    const DATA: &'static [u8];

    /// The element type of each buffer of the program.
    fn elements() -> Vec<ElementLayout>;

    /// The declaration of each kernel that launches name by index.
    fn kernels() -> Vec<&'static KernelDeclaration>;

    /// The graphs that nodes name by index.
    fn graphs() -> Vec<GraphEntry> {
        Vec::new()
    }

    /// Evaluates every host expression, in text order.
    fn evaluate(values: &Self::Values, sink: &mut Sink);

    /// Evaluates those again that depend on one value parameter, by its number among them, if they are no more than values that nodes are
    /// passed; `false` if they may be more.
    fn revalue(_values: &Self::Values, _parameter: u32, _sink: &mut Sink) -> bool {
        false
    }
}

/// A value's bytes: those of a number without an allocation.
pub(crate) type Bytes = SmallVec<[u8; 16]>;

/// The value of a host expression that is passed to a kernel, filled in, or used in a device expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedValue {
    /// The value's bytes.
    pub bytes: Bytes,
    /// Its type.
    pub layout: ElementLayout,
}

/// A device expression as Rust: the new element's or the test's bits.
pub type ScalarFunction = Arc<dyn Fn(&Elements<'_>) -> u64 + Send + Sync>;

/// What the evaluator has found out.
#[derive(Default)]
pub struct Sink {
    lengths: Vec<usize>,
    layout: Arc<Layout>,
    frames: Frames,
    /// Transients of lists so far.
    listed: u32,
    casts: Vec<LostCast>,
    bounds: Bounds,
    exchanged: exchanges::Exchanged,
    pub(crate) objects: Arc<Objects>,
    /// How often values were set: all at once, then each by itself.
    versions: Vec<u64>,
    links: Arc<Links>,
    /// Where the parts of the graph that is evaluated are among those of the whole.
    offsets: Offsets,
    /// What it is passed, if it stands inside another one.
    passed: Option<Passed>,
    /// What has come out otherwise, while a part is evaluated again.
    again: Option<Box<Again>>,
}

/// What the evaluator says about values with a bound.
#[derive(Default)]
struct Bounds {
    /// Whether each takes its bound.
    taken: bool,
    /// Whether there is any.
    any: bool,
    /// Those that are larger, with themselves and their bounds as text.
    beyond: Vec<(u32, String, String)>,
}

impl Sink {
    /// A sink for a program whose parameters are bound to buffers of these lengths.
    pub fn new(lengths: Vec<usize>) -> Self {
        Self { lengths, ..Self::default() }
    }

    /// A sink for a program that is bound so.
    pub fn of(layout: Arc<Layout>) -> Self {
        Self { lengths: layout.leaves().iter().map(|leaf| leaf.length).collect(), layout, ..Self::default() }
    }

    /// The same for a program with objects, and with how often its values were set.
    pub(crate) fn with_objects(self, objects: Arc<Objects>, versions: Vec<u64>) -> Self {
        Self { objects, versions, ..self }
    }

    /// The same for a program with graphs inside it.
    pub(crate) fn with_links(self, links: &Arc<Links>) -> Self {
        Self { links: Arc::clone(links), ..self }
    }

    /// The objects that the graph is bound to.
    pub fn objects(&self) -> Arc<Objects> {
        Arc::clone(&self.objects)
    }

    /// What the program is bound to.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is bound to a parameter, counted among those that bind buffers.
    pub fn bound<K: Kind>(&self, parameter: u32) -> K::Ghost {
        let passed = self.passed.as_ref().map(|passed| passed.ghost::<K::Ghost>(parameter));
        passed.unwrap_or_else(|| self.layout.ghost::<K>(parameter))
    }

    /// The numbers of elements bound to the parameters, by buffer id.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The number of elements bound to a buffer parameter.
    pub fn length(&self, buffer: u32) -> usize {
        if let Some(passed) = &self.passed {
            return passed.length(buffer);
        }
        let leaf = if self.layout.parameters() == 0 { buffer } else { self.layout.leaves_of(buffer).start };
        let own = self.layout.parameters() == 0 || !self.layout.leaves_of(buffer).is_empty();
        self.lengths.get(leaf as usize).copied().filter(|_| own).unwrap_or(0)
    }

    /// The number of elements of a buffer that a parameter of the graph, or of one inside it, is.
    pub(crate) fn bound_length(&self, frame: FrameId, buffer: BufferId) -> usize {
        let inside = self.frames.find(frame, |frame| frame.lengths.get(buffer.0)).copied();
        inside.unwrap_or_else(|| self.length(buffer.0))
    }

    /// A list of transients.
    pub fn transients<T>(&mut self, buffer: u32, name: &str, count: usize, length: usize) -> GhostList<Ghost<T>> {
        let count = count.min(MOST_LISTED);
        let first = self.listed;
        self.listed += count as u32;
        self.frames.now().listed.put(self.offsets.buffers + buffer, (first, count as u32));
        let ghost = |number| Ghost::new(length).of(GhostBuffer::Transient(first + number));
        GhostList::new(Arc::from(name), (0..count as u32).map(ghost).collect())
    }

    /// Records which buffer of a list is meant, or that the whole list is.
    pub fn member<M: Member>(&mut self, symbol: u32, member: &M) -> M::Own {
        if let Some(value) = member.value() {
            self.set(symbol, value);
        }
        if let Some(buffers) = member.scattered() {
            let symbol = self.symbol_id(symbol).0;
            self.frames.now().scattered.put(symbol, buffers);
        }
        member.own()
    }

    /// Records which buffer a graph inside the graph is passed, if it is one.
    pub fn passing<G: Passes>(&mut self, symbol: u32, passed: &G) -> G {
        let listed = match passed.single() {
            Some(GhostBuffer::Bound(leaf)) => Some(ListedBuffer::Bound(leaf)),
            Some(GhostBuffer::Transient(number)) => Some(ListedBuffer::Transient(number)),
            Some(GhostBuffer::Nowhere) | None => None,
        };
        self.set(symbol, listed.map_or(SymbolValue::Other, SymbolValue::Buffer));
        passed.clone()
    }

    /// The first of the transients of a list, and how many there are.
    pub(crate) fn listed(&self, frame: FrameId, list: BufferId) -> Option<(u32, u32)> {
        self.frames.find(frame, |frame| frame.listed.get(list.0)).copied()
    }

    /// The same in which each value with a bound takes it: what the graph needs at most.
    #[must_use]
    pub fn at_bounds(mut self) -> Self {
        self.bounds.taken = true;
        self
    }

    /// A value with a bound, as the rest of the evaluation sees it.
    pub fn bounded<T: PartialOrd + Clone + Display>(&mut self, index: u32, value: T, bound: T) -> T {
        self.bounds.any = true;
        if self.bounds.taken {
            return bound;
        }
        if value > bound {
            self.bounds.beyond.push((self.offsets.bounds + index, value.to_string(), bound.to_string()));
        }
        value
    }

    /// Whether any value has a bound.
    pub fn has_bounds(&self) -> bool {
        self.bounds.any
    }

    /// Values that are larger than their bounds: the index, the value and the bound.
    pub fn beyond(&self) -> &[(u32, String, String)] {
        &self.bounds.beyond
    }

    /// Records a message.
    pub fn text(&mut self, symbol: u32, text: String) {
        let symbol = self.symbol_id(symbol).0;
        self.frames.now().texts.put(symbol, text);
    }

    /// A message.
    pub fn message(&self, frame: FrameId, symbol: SymbolId) -> Option<&str> {
        self.frames.find(frame, |frame| frame.texts.get(symbol.0)).map(String::as_str)
    }

    /// Records a length, an end of a range, a limit or an index.
    pub fn extent(&mut self, symbol: u32, value: impl IntoExtent) {
        if let Some(extent) = value.into_extent() {
            self.set(symbol, SymbolValue::Extent(extent));
        } else {
            let symbol = self.symbol_id(symbol);
            self.frames.now().negative.push(symbol);
        }
    }

    /// Records a grid or a block.
    pub fn dimensions(&mut self, symbol: u32, value: impl Geometry) {
        self.set(symbol, SymbolValue::Dimensions(value.dimensions()));
    }

    /// Records a host condition.
    pub fn flag(&mut self, symbol: u32, value: bool) {
        self.set(symbol, SymbolValue::Flag(value));
    }

    /// Records which arm of a `match` of the host's is taken.
    pub fn choice(&mut self, symbol: u32, arm: u32) {
        self.set(symbol, SymbolValue::Choice(arm));
    }

    /// Begins a pass of a `for`. No pass is begun if there are too many, which the build refuses.
    #[must_use]
    pub fn enter(&mut self, node: u32) -> bool {
        let node = self.node_id(node);
        match &mut self.again {
            Some(again) => again.enter(&mut self.frames, node),
            None => self.frames.enter(node),
        }
    }

    /// Ends the pass.
    pub fn leave(&mut self) {
        self.frames.leave();
    }

    /// Takes over what `as` lost.
    pub fn take_casts(&mut self, casts: &Casts) {
        if let Some(again) = &mut self.again {
            again.changes.other |= !casts.lost().is_empty();
            return;
        }
        let lost = casts.lost().into_iter();
        let places = self.offsets.locations;
        self.casts.extend(lost.map(|lost| LostCast { place: lost.place + places, ..lost }));
    }

    /// Records an argument, a fill value or a host value in a device expression.
    pub fn value<T: DeviceValue>(&mut self, symbol: u32, value: T) {
        let mut bytes: Bytes = smallvec![0; size_of::<T>()];
        value.store(&mut bytes);
        self.put_value(symbol, TypedValue { bytes, layout: ElementLayout::of::<T>() });
    }

    /// Records a value that is an element of a buffer.
    pub fn element<T: Element>(&mut self, symbol: u32, value: T) {
        let bytes = Bytes::from_slice(bytemuck::bytes_of(&value));
        self.put_value(symbol, TypedValue { bytes, layout: ElementLayout::of::<T>() });
    }

    /// The buffer parameter with this index, for lengths and type checks.
    pub fn parameter<T: 'static>(&self, buffer: u32) -> Ghost<T> {
        let passed = self.passed.as_ref().map(|passed| passed.ghost::<Ghost<T>>(buffer));
        passed.unwrap_or_else(|| Ghost::new(self.length(buffer)).of(GhostBuffer::Bound(buffer)))
    }

    /// An amount that was recorded before; zero if it was negative, which the build refuses.
    pub fn recorded(&self, symbol: u32) -> usize {
        match self.symbol(self.frames.current(), self.symbol_id(symbol)) {
            Some(SymbolValue::Extent(value)) => usize::try_from(value).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// Records a host value in a device expression.
    pub fn scalar_value<S: Scalar>(&mut self, symbol: u32, value: S) {
        self.value(symbol, value);
    }

    /// Records a node's device expression as a function.
    pub fn scalar<S: Scalar>(&mut self, node: u32, function: impl Fn(&Elements<'_>) -> S + Send + Sync + 'static) {
        let function: ScalarFunction = Arc::new(move |elements: &Elements<'_>| function(elements).to_bits());
        let (node, function) = (self.node_id(node), (S::SCALAR, function));
        match &mut self.again {
            Some(again) => again.function(&mut self.frames, node, function),
            None => self.frames.now().functions.put(node.0, function),
        }
    }

    /// Records a `kernel for`.
    pub fn kernel_for<A: Axes>(
        &mut self,
        node: u32,
        axes: A,
        body: impl Fn(&Elements<'_>, A::Index) + Send + Sync + 'static,
    ) {
        self.put_compute(node, ComputeFunction::each(axes, body));
    }

    /// Records a reduction: `s[0] = (…).map(…).sum();`
    pub fn reduce<A: Axes, V: Reducible>(
        &mut self,
        node: u32,
        operator: Combine,
        axes: A,
        value: impl Fn(&Elements<'_>, A::Index) -> V + Send + Sync + 'static,
    ) {
        self.put_compute(node, ComputeFunction::reduction(operator, false, axes, value));
    }

    /// Records a reduction in which the old value takes part: `s[0] += (…).map(…).sum();`
    pub fn reduce_into<A: Axes, V: Reducible>(
        &mut self,
        node: u32,
        operator: Combine,
        axes: A,
        value: impl Fn(&Elements<'_>, A::Index) -> V + Send + Sync + 'static,
    ) {
        self.put_compute(node, ComputeFunction::reduction(operator, true, axes, value));
    }

    /// The `count` nodes from `copy` on are an unrolled pass's copies of those from `original` on.
    pub fn repeat(&mut self, original: u32, count: u32, copy: u32) {
        self.frames.repeat(self.node_id(original).0, count, self.node_id(copy).0);
    }

    /// What was recorded for a symbol, in a frame or in one around it.
    pub fn symbol(&self, frame: FrameId, symbol: SymbolId) -> Option<SymbolValue> {
        self.frames.find(frame, |frame| frame.symbols.get(symbol.0)).copied()
    }

    /// The typed value of a symbol.
    pub fn typed(&self, frame: FrameId, symbol: SymbolId) -> Option<&TypedValue> {
        self.frames.find(frame, |frame| frame.typed.get(symbol.0))
    }

    /// The frame that has the typed value or the message that a node of this frame sees.
    pub(crate) fn holder(&self, frame: FrameId, symbol: SymbolId) -> Option<FrameId> {
        let typed = self.frames.climb(frame, |frame| frame.typed.get(symbol.0)).map(|(frame, _)| frame);
        typed.or_else(|| self.frames.climb(frame, |frame| frame.texts.get(symbol.0)).map(|(frame, _)| frame))
    }

    /// The frame that has the amount that a node or a buffer of this frame sees.
    pub(crate) fn amount_holder(&self, frame: FrameId, symbol: SymbolId) -> Option<FrameId> {
        self.frames.climb(frame, |frame| frame.symbols.get(symbol.0)).map(|(frame, _)| frame)
    }

    /// Where the indices of a node's kernel in the block are: in which frame, of which node.
    pub(crate) fn compute_holder(&self, frame: FrameId, node: NodeId) -> Option<(FrameId, NodeId)> {
        let node = self.frames.original(node);
        self.frames.climb(frame, |frame| frame.computes.get(node.0)).map(|(frame, _)| (frame, node))
    }

    /// The type of a symbol in a device expression.
    pub fn scalar_type(&self, frame: FrameId, symbol: SymbolId) -> Option<ScalarType> {
        self.typed(frame, symbol).and_then(|value| value.layout.scalar)
    }

    /// A node's device expression, and its type.
    pub fn function(&self, frame: FrameId, node: NodeId) -> Option<(ScalarType, ScalarFunction)> {
        let node = self.frames.original(node);
        self.frames.find(frame, |frame| frame.functions.get(node.0)).cloned()
    }

    /// A node's kernel in the block.
    pub(crate) fn compute(&self, frame: FrameId, node: NodeId) -> Option<ComputeFunction> {
        let node = self.frames.original(node);
        self.frames.find(frame, |frame| frame.computes.get(node.0)).cloned()
    }

    /// Whether a symbol that must be an amount came out negative.
    pub fn is_negative(&self, frame: FrameId, symbol: SymbolId) -> bool {
        self.frames.find(frame, |frame| frame.negative.contains(&symbol).then_some(&())).is_some()
    }

    /// The frames of a `for`'s passes.
    pub fn passes(&self, frame: FrameId, node: NodeId) -> Vec<FrameId> {
        self.frames.passes(frame, self.frames.original(node))
    }

    /// The `for` that made too many passes.
    pub fn endless(&self) -> Option<NodeId> {
        self.frames.endless()
    }

    /// What `as` lost, each place once.
    pub(crate) fn lost_casts(&self) -> &[LostCast] {
        &self.casts
    }

    fn symbol_id(&self, symbol: u32) -> SymbolId {
        SymbolId(self.offsets.symbols + symbol)
    }

    fn set(&mut self, symbol: u32, value: SymbolValue) {
        let symbol = self.symbol_id(symbol);
        match &mut self.again {
            Some(again) => again.symbol(&mut self.frames, symbol, value),
            None => self.frames.now().symbols.put(symbol.0, value),
        }
    }

    fn put_value(&mut self, symbol: u32, value: TypedValue) {
        let id = self.symbol_id(symbol);
        if let Some(again) = &mut self.again {
            return again.value(&mut self.frames, id, value);
        }
        self.set(symbol, SymbolValue::Other);
        self.frames.now().typed.put(id.0, value);
    }

    fn put_compute(&mut self, node: u32, compute: ComputeFunction) {
        let node = self.node_id(node);
        match &mut self.again {
            Some(again) => again.compute(&mut self.frames, node, compute),
            None => self.frames.now().computes.put(node.0, compute),
        }
    }
}
