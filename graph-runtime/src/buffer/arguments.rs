//! Everything that a graph is bound to: a tree for each parameter, and all its buffers in one list.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::Exclusion;
use super::back::Parts;
use super::bind::Binding;
use super::kind::Kind;
use super::list::Bind;
use crate::call::ObjectBinding;
use crate::element::ElementLayout;
use crate::graph::Arena;
use crate::kernel::ghost::{Ghost, GhostBuffer};

/// What is bound to a graph's parameters.
#[derive(Debug, Default)]
pub struct Arguments<'g> {
    bindings: Vec<Binding<'g>>,
    layout: Layout,
    arena: Option<Arena>,
    objects: Vec<ObjectBinding<'g>>,
}

/// What is bound, without the memory: what evaluators see.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    leaves: Vec<Leaf>,
    parameters: Vec<Parameter>,
}

/// One bound buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// As messages call it: `x`, `layers[3].qkv.w`.
    pub name: String,
    /// The parameter that it belongs to, counted among those that bind buffers.
    pub parameter: u32,
    /// Number of elements.
    pub length: usize,
    /// The element.
    pub element: ElementLayout,
    /// Device or pinned host memory.
    pub memory: Memory,
    /// Bound in the place of a buffer of a struct or a list that was bound whole.
    pub replaced: bool,
}

impl Leaf {
    /// Whether a graph cannot tell one from the other, apart from where they are.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let Self { name, parameter, length, element, memory, replaced: _ } = self;
        (name, parameter, length) == (&other.name, &other.parameter, &other.length)
            && (element, memory) == (&other.element, &other.memory)
    }
}

#[derive(Clone, Debug)]
struct Parameter {
    /// The first of its buffers.
    first: u32,
    /// As it is declared.
    name: String,
    shape: Shape,
}

/// A part of a parameter: all of it, or an item of a list.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    parameter: u32,
    indices: Vec<usize>,
    /// Its buffers.
    pub(crate) leaves: std::ops::Range<u32>,
}

/// How the buffers of a parameter are arranged.
#[derive(Clone, Debug)]
#[allow(private_interfaces, reason = "only this crate looks at what was bound")]
pub enum Shape {
    /// One buffer.
    Buffer,
    /// A list.
    List {
        /// As messages call it: `layers`.
        name: Arc<str>,
        /// In order.
        items: Vec<Shape>,
    },
    /// A struct.
    Struct(
        /// Its fields, in order.
        Vec<Shape>,
    ),
    /// A host value in a struct.
    Value(Arc<dyn Any + Send + Sync>),
    /// A struct as it was bound.
    Bound {
        /// Its fields.
        inner: Box<Shape>,
        /// The struct, if the graph owns it or shares it through an `Arc`.
        owner: Option<Owner>,
        /// How it is bound.
        exclusion: Exclusion,
    },
}

/// Keeps what buffers belong to.
pub(super) type Owner = Arc<dyn Any + Send + Sync>;

impl Shape {
    /// How many buffers it has.
    pub(super) fn buffers(&self) -> u32 {
        match self {
            Self::Buffer => 1,
            Self::List { items, .. } | Self::Struct(items) => items.iter().map(Self::buffers).sum(),
            Self::Value(_) => 0,
            Self::Bound { inner, .. } => inner.buffers(),
        }
    }

    /// Whether the host values of its structs are those of another one.
    fn has_values_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) => Arc::ptr_eq(one, other),
            (Self::List { items: one, .. }, Self::List { items: other, .. })
            | (Self::Struct(one), Self::Struct(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.has_values_of(other))
            }
            (Self::Bound { inner: one, .. }, Self::Bound { inner: other, .. }) => one.has_values_of(other),
            (Self::Buffer, Self::Buffer) => true,
            _ => false,
        }
    }

    fn has_structs(&self) -> bool {
        match self {
            Self::Buffer | Self::Value(_) => false,
            Self::List { items, .. } => items.first().is_some_and(Self::has_structs),
            Self::Struct(_) | Self::Bound { .. } => true,
        }
    }

    /// The name and the items of a list.
    pub(super) fn list(&self) -> (Arc<str>, &[Self]) {
        let Self::List { name, items } = self else { unreachable!("a list's shape is made where a list is bound") };
        (Arc::clone(name), items)
    }

    /// The struct that was bound.
    pub(super) fn inner(&self) -> &Self {
        let Self::Bound { inner, .. } = self else { unreachable!("a struct's shape is made where a struct is bound") };
        inner
    }

    /// A value of a struct.
    #[doc(hidden)]
    pub fn of_value<T: Send + Sync + 'static>(value: T) -> Self {
        Self::Value(Arc::new(value))
    }

    /// The fields of a struct: only generated code asks.
    #[doc(hidden)]
    pub fn fields(&self) -> &[Self] {
        let Self::Struct(fields) = self else { unreachable!("a struct's shape is made where a struct is bound") };
        fields
    }

    /// A host value in a struct: only generated code asks.
    #[doc(hidden)]
    pub fn value<T: Clone + 'static>(&self) -> T {
        match self {
            Self::Value(value) if let Some(value) = value.downcast_ref::<T>() => value.clone(),
            _ => unreachable!("a value's shape is made where the struct is bound"),
        }
    }
}

impl<'g> Arguments<'g> {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds the next parameter.
    pub fn add<K, B: Bind<'g, K>>(&mut self, name: &str, bound: B) {
        let first = self.bindings.len() as u32;
        let parameter = self.layout.parameters.len() as u32;
        let mut collector =
            Collector { arguments: self, name: name.to_owned(), parameter, exclusion: Exclusion::Shared, owner: None };
        let shape = bound.bind_into(&mut collector);
        self.layout.parameters.push(Parameter { first, name: name.to_owned(), shape });
    }

    /// Takes apart what is bound in the place of a part of a parameter.
    pub(crate) fn of_part<K, B: Bind<'g, K>>(layout: &Layout, part: &Part, bound: B) -> Self {
        let mut name = layout.parameter_name(part.parameter);
        // Writing into a string cannot fail.
        part.indices.iter().for_each(|index| _ = write!(name, "[{index}]"));
        let mut arguments = Self::new();
        let mut collector = Collector {
            arguments: &mut arguments,
            name,
            parameter: part.parameter,
            exclusion: Exclusion::Shared,
            owner: None,
        };
        let shape = bound.bind_into(&mut collector);
        arguments.layout.parameters.push(Parameter { first: 0, name: String::new(), shape });
        arguments
    }

    /// One buffer for each parameter.
    pub(crate) fn plain<'n>(bindings: Vec<Binding<'g>>, names: impl Iterator<Item = &'n str>) -> Self {
        let leaf = |(index, (binding, name)): (usize, (&Binding<'g>, &str))| Leaf::of(binding, name, index as u32);
        let leaves: Vec<_> = bindings.iter().zip(names.chain(std::iter::repeat(""))).enumerate().map(leaf).collect();
        let parameter = |first: u32| {
            let name = leaves.get(first as usize).map_or(String::new(), |leaf| leaf.name.clone());
            Parameter { first, name, shape: Shape::Buffer }
        };
        let parameters = (0..bindings.len() as u32).map(parameter).collect();
        Self { bindings, layout: Layout { leaves, parameters }, arena: None, objects: Vec::new() }
    }

    /// The graph's transients lie in an arena that other graphs use too.
    #[must_use]
    pub fn in_arena(self, arena: &Arena) -> Self {
        Self { arena: Some(arena.clone()), ..self }
    }

    /// Where the transients lie, if other graphs use it too.
    pub(crate) fn arena(&self) -> Option<&Arena> {
        self.arena.as_ref()
    }

    /// What is bound so far.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// With these objects and events.
    #[must_use]
    pub fn with_objects(self, objects: Vec<ObjectBinding<'g>>) -> Self {
        Self { objects, ..self }
    }

    /// The objects and events.
    pub(crate) fn take_objects(&mut self) -> Vec<ObjectBinding<'g>> {
        std::mem::take(&mut self.objects)
    }

    /// The buffers and how they are arranged.
    pub(crate) fn into_parts(self) -> (Vec<Binding<'g>>, Layout) {
        (self.bindings, self.layout)
    }
}

impl Layout {
    /// All bound buffers, parameter by parameter.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Whether a plan cannot tell what is bound from what is bound there, apart from where it is.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let pairs = self.leaves.iter().zip(&other.leaves);
        self.leaves.len() == other.leaves.len() && pairs.into_iter().all(|(one, other)| one.is_like(other))
    }

    /// Whether the structs have the same host values.
    pub(crate) fn has_values_of(&self, other: &Self) -> bool {
        let pairs = self.parameters.iter().zip(&other.parameters);
        self.parameters.len() == other.parameters.len()
            && pairs.into_iter().all(|(one, other)| one.shape.has_values_of(&other.shape))
    }

    fn parameter_name(&self, parameter: u32) -> String {
        self.parameters.get(parameter as usize).map_or(String::new(), |parameter| parameter.name.clone())
    }

    /// How many parameters bind buffers.
    pub fn parameters(&self) -> usize {
        self.parameters.len()
    }

    /// Whether a parameter is a struct, or a list of structs.
    pub(crate) fn has_structs(&self) -> bool {
        self.parameters.iter().any(|one| one.shape.has_structs())
    }

    /// Whether a parameter is a buffer by itself, not a list or a struct.
    pub fn is_buffer(&self, parameter: u32) -> bool {
        self.parameters.get(parameter as usize).is_some_and(|one| matches!(one.shape, Shape::Buffer))
    }

    /// The buffers of a parameter: indices into [`Layout::leaves`].
    pub fn leaves_of(&self, parameter: u32) -> std::ops::Range<u32> {
        let start = self.parameters.get(parameter as usize).map_or(0, |one| one.first);
        let next = self.parameters.get(parameter as usize + 1);
        start..next.map_or(self.leaves.len() as u32, |one| one.first)
    }

    /// The buffer of a list at these indices, or what is wrong with them.
    pub(crate) fn leaf(&self, parameter: u32, indices: &[usize]) -> Result<u32, String> {
        let parameter = &self.parameters[parameter as usize];
        let (mut shape, mut leaf) = (&parameter.shape, parameter.first);
        for &index in indices {
            let Shape::List { name, items } = shape else { break };
            let Some(item) = items.get(index) else {
                return Err(format!("index {index} is out of bounds: the list `{name}` has {} items", items.len()));
            };
            leaf += items[..index].iter().map(Shape::buffers).sum::<u32>();
            shape = item;
        }
        Ok(leaf)
    }

    /// The same with another buffer in the place of one.
    pub(crate) fn with(&self, leaf: u32, binding: &Binding<'_>) -> Self {
        let mut layout = self.clone();
        if let Some(old) = layout.leaves.get_mut(leaf as usize) {
            *old = Leaf { replaced: true, ..Leaf::of(binding, &old.name, old.parameter) };
        }
        layout
    }

    /// What leads to a part of a parameter: the name, and its buffers. `None` of it is no list of lists so deep.
    pub(crate) fn part(&self, parameter: u32, indices: &[usize]) -> Result<Part, String> {
        let first = self.leaf(parameter, indices)?;
        let mut shape = &self.parameters[parameter as usize].shape;
        for &index in indices {
            if let Shape::List { items, .. } = shape {
                shape = &items[index];
            }
        }
        Ok(Part { parameter, indices: indices.to_vec(), leaves: first..first + shape.buffers() })
    }

    /// The same with something else in the place of a part. Returns what was there, with its buffers.
    pub(crate) fn replace(&self, part: &Part, with: Self) -> (Self, Shape, Vec<Leaf>) {
        let mut layout = self.clone();
        let (range, added) = (part.leaves.start as usize..part.leaves.end as usize, with.leaves.len() as u32);
        let leaves = layout.leaves.splice(range, with.leaves).collect();
        let removed = part.leaves.end - part.leaves.start;
        for later in &mut layout.parameters[part.parameter as usize + 1..] {
            later.first = later.first - removed + added;
        }
        let mut shape = &mut layout.parameters[part.parameter as usize].shape;
        for &index in &part.indices {
            if let Shape::List { items, .. } = shape {
                shape = &mut items[index];
            }
        }
        let new = with.parameters.into_iter().next().map_or(Shape::Struct(Vec::new()), |parameter| parameter.shape);
        let old = std::mem::replace(shape, new);
        (layout, old, leaves)
    }

    /// All of it, for what is given back.
    pub(crate) fn give_back(self, bindings: Vec<Binding<'_>>) -> Parts<'_> {
        Parts::new(self.leaves, bindings, self.parameters.into_iter().map(|parameter| parameter.shape).collect())
    }

    /// The ghost of a parameter.
    pub(crate) fn ghost<K: Kind>(&self, parameter: u32) -> K::Ghost {
        let parameter = &self.parameters[parameter as usize];
        K::ghost(&parameter.shape, &mut GhostReader { layout: self, next: parameter.first })
    }
}

impl Leaf {
    fn of(binding: &Binding<'_>, name: &str, parameter: u32) -> Self {
        let memory = binding.allocation.memory();
        let (length, element) = (binding.length, binding.element);
        Self { name: name.to_owned(), parameter, length, element, memory, replaced: false }
    }
}

/// Takes what one parameter is bound to apart.
pub struct Collector<'c, 'g> {
    arguments: &'c mut Arguments<'g>,
    /// Of what is taken apart now.
    name: String,
    parameter: u32,
    /// How the struct that is taken apart is bound.
    exclusion: Exclusion,
    /// What keeps it.
    owner: Option<Owner>,
}

impl<'g> Collector<'_, 'g> {
    /// One buffer.
    pub(super) fn buffer(&mut self, binding: Binding<'g>) -> Shape {
        self.arguments.layout.leaves.push(Leaf::of(&binding, &self.name, self.parameter));
        self.arguments.bindings.push(binding);
        Shape::Buffer
    }

    /// A list: `collect` takes one item apart.
    pub(super) fn list<I>(&mut self, items: impl Iterator<Item = I>, collect: impl Fn(I, &mut Self) -> Shape) -> Shape {
        let name = Arc::from(self.name.as_str());
        let item = |(index, item)| self.inside(format_args!("[{index}]"), |inside| collect(item, inside));
        Shape::List { name, items: items.enumerate().map(item).collect() }
    }

    /// A struct that is bound so: `collect` takes it apart.
    pub(super) fn structure(
        &mut self,
        exclusion: Exclusion,
        owner: Option<Owner>,
        collect: impl FnOnce(&mut Self) -> Shape,
    ) -> Shape {
        let outer = (std::mem::replace(&mut self.exclusion, exclusion), std::mem::replace(&mut self.owner, owner));
        let inner = Box::new(collect(self));
        let owner = std::mem::replace(&mut self.owner, outer.1);
        self.exclusion = outer.0;
        Shape::Bound { inner, owner, exclusion }
    }

    /// A field of a struct: only generated code has fields.
    #[doc(hidden)]
    pub fn field(&mut self, name: &str, collect: impl FnOnce(&mut Self) -> Shape) -> Shape {
        self.inside(format_args!(".{name}"), collect)
    }

    /// How the struct that is taken apart is bound.
    pub(super) fn exclusion(&self) -> Exclusion {
        self.exclusion
    }

    /// What keeps the struct that is taken apart, if the graph shares it.
    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner.clone()
    }

    fn inside(&mut self, name: std::fmt::Arguments<'_>, collect: impl FnOnce(&mut Self) -> Shape) -> Shape {
        let length = self.name.len();
        // Writing into a string cannot fail.
        _ = self.name.write_fmt(name);
        let shape = collect(self);
        self.name.truncate(length);
        shape
    }
}

/// Makes the ghosts of one parameter, buffer by buffer.
pub struct GhostReader<'l> {
    layout: &'l Layout,
    next: u32,
}

impl GhostReader<'_> {
    /// The next buffer.
    pub fn buffer<T>(&mut self) -> Ghost<T> {
        let leaf = self.next;
        self.next += 1;
        let length = self.layout.leaves.get(leaf as usize).map_or(0, |leaf| leaf.length);
        Ghost::new(length).of(GhostBuffer::Bound(leaf))
    }
}
