//! Graphs inside a graph, in an evaluator: what they are passed, and where what they record goes.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::{Program, Sink};

/// A graph that may stand inside another one: each graph has it.
#[diagnostic::on_unimplemented(message = "`{Self}` is no graph", label = "expected a graph of a `cuda_graph!` block")]
pub trait GraphInside {
    /// What it is passed, by name.
    type Call;
    /// The graph.
    type Program: Program;
    /// What stands in it.
    const SUMMARY: Summary;
    /// Its values with a bound.
    const BOUNDED: &'static [&'static str];

    /// Evaluates its host expressions with what it is passed.
    fn call(passed: Self::Call, sink: &mut Sink, node: u32);
}

/// What stands in a graph, and in the graphs inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// A `host`.
    pub host: bool,
    /// A `record` or a `wait`.
    pub event: bool,
}

impl Summary {
    /// Neither.
    pub const EMPTY: Self = Self { host: false, event: false };

    /// What the graph itself has.
    #[must_use]
    pub const fn new(host: bool, event: bool) -> Self {
        Self { host, event }
    }

    /// With a graph inside it.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { host: self.host || other.host, event: self.event || other.event }
    }
}

/// Whether a name is among those of values with a bound.
pub const fn has_bound(bounded: &[&str], name: &str) -> bool {
    let (name, mut at) = (name.as_bytes(), 0);
    while at < bounded.len() {
        let known = bounded[at].as_bytes();
        let mut same = 0;
        while same < known.len() && same < name.len() && known[same] == name[same] {
            same += 1;
        }
        if same == known.len() && same == name.len() {
            return true;
        }
        at += 1;
    }
    false
}

/// What a graph inside a graph is passed.
#[derive(Default)]
pub struct Passed {
    /// By parameter, among those that are buffers or lists of them.
    ghosts: Vec<Arc<dyn Any + Send + Sync>>,
    /// Likewise; those of the first buffers of lists, zero for structs.
    lengths: Vec<usize>,
    /// The numbers of the objects around it.
    objects: Vec<u32>,
}

impl Passed {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next parameter that is a buffer or a list.
    pub fn buffer<G: Clone + Send + Sync + 'static>(&mut self, ghost: G, length: usize) {
        self.ghosts.push(Arc::new(ghost));
        self.lengths.push(length);
    }

    /// The next object.
    pub fn object(&mut self, index: u32) {
        self.objects.push(index);
    }

    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    pub(super) fn length(&self, parameter: u32) -> usize {
        self.lengths.get(parameter as usize).copied().unwrap_or(0)
    }

    pub(super) fn ghost<G: Clone + 'static>(&self, parameter: u32) -> G {
        let ghost = self.ghosts.get(parameter as usize).and_then(|ghost| ghost.downcast_ref::<G>());
        let Some(ghost) = ghost else { unreachable!("generated code passes what it asks for") };
        ghost.clone()
    }
}

macro_rules! passed_objects {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub struct $name<T> {
                index: u32,
                object: PhantomData<fn(T) -> T>,
            }

            impl<T> $name<T> {
                /// The object with this number.
                pub fn new(index: u32) -> Self {
                    Self { index, object: PhantomData }
                }

                /// Its number.
                pub fn index(self) -> u32 {
                    self.index
                }
            }
        )*
    };
}

passed_objects! {
    /// `&log`
    SharedObject,
    /// `&mut comm`
    ExclusiveObject,
    /// `&e`, an event.
    EventObject
}

/// What the graph's own reference may be passed on as: what the other graph takes it for.
#[diagnostic::on_unimplemented(
    message = "a host object is passed on, and the graph takes something else",
    label = "no object of the type that the graph takes",
    note = "a reference is a struct of buffers if the block names a field of it, and an object elsewhere",
    note = "to pass a struct of buffers on, name a field of it in front: `let w = &model.w;`"
)]
pub trait PassedOn<P> {
    /// As the other graph takes it.
    fn passed_on(self) -> P;
}

macro_rules! passed_on {
    ($($name:ident),*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<T> PassedOn<Self> for $name<T> {
                fn passed_on(self) -> Self {
                    self
                }
            }

            /// With a second one, rustc asks what the graph takes, and says the words above if it is neither.
            #[diagnostic::do_not_recommend]
            impl<T> PassedOn<PhantomData<Self>> for $name<T> {
                fn passed_on(self) -> PhantomData<Self> {
                    PhantomData
                }
            }
        )*
    };
}

passed_on!(SharedObject, ExclusiveObject, EventObject);

impl Sink {
    /// Runs the evaluator of a graph inside the graph: what it records stays apart from what is around it.
    pub fn inside<P: Program>(&mut self, node: u32, passed: Passed, values: &P::Values) {
        let Some(offsets) = self.links.get(&TypeId::of::<P>()).copied() else { return };
        let node = self.node_id(node);
        if !self.frames.enter(node) {
            return;
        }
        for (parameter, length) in passed.lengths().iter().enumerate() {
            self.frames.now().lengths.put(offsets.buffers + parameter as u32, *length);
        }
        let objects = Arc::new(self.objects.pick(&passed.objects));
        let outer = (
            std::mem::replace(&mut self.offsets, offsets),
            std::mem::replace(&mut self.objects, objects),
            self.passed.replace(passed),
        );
        P::evaluate(values, self);
        (self.offsets, self.objects, self.passed) = outer;
        self.frames.leave();
    }

    /// A node of the graph that is evaluated, among those of the whole.
    pub(super) fn node_id(&self, node: u32) -> NodeId {
        NodeId(self.offsets.nodes + node)
    }
}
