//! Graphs: built once, launched often.

mod alias;
mod apart;
mod arena;
mod cache;
mod change;
mod check;
mod compared;
mod contents;
mod dump;
mod durations;
mod evaluated;
mod events;
mod explain;
mod figures;
mod label;
mod launcher;
mod looked_at;
mod memory;
mod objects;
mod outline;
mod own_memory;
mod replace;
mod replicas;
mod statics;
mod switch;
mod ticket;
mod timings;
mod tune;
mod tune_by;
mod tuning;
mod turns;
mod update;
mod uses;
mod views;
mod watch;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use graph_ir::model::{NodeId, NodeKind, Program as Model};

use crate::buffer::{Arguments, Binding, Layout};
use crate::call::{ObjectBinding, Objects};
use crate::device::{Device, Executable, Fence};
use crate::error::{Error, NodeName, Result};
use crate::plan::{How, LoopState, Patching, PlanView, SharedPlan, Step};
use crate::program::{Linked, Program};
use crate::progress::{phase, range};

pub use arena::Arena;
pub use cache::{Cache, CacheFigures};
pub use durations::Durations;
pub use figures::MemoryFigures;
pub use label::{Exit, Label};
pub use launcher::{Launchable, Launcher};
pub use outline::{Obligation, Outline};
pub use replicas::Replicas;
pub use ticket::Ticket;
pub use timings::BuildTimings;
pub(crate) use timings::timed;
pub use tuning::{Candidate, Tuning};
pub use update::{Touched, Update};

use arena::ArenaTurn;
use evaluated::Evaluated;
use memory::GraphMemory;
use objects::HeldObjects;

/// A graph that is built for a device and bound to buffers.
///
/// Launches are asynchronous where the device is; each waits for the one before and for whatever its buffers still wait for. Dropping
/// a graph does not wait: the buffers know what is still running. Leaking it leaks memory and breaks nothing.
///
/// It is `Send` but not `Sync`: one thread at a time may talk to the driver about it.
pub struct Graph<'g, P: Program> {
    device: Device,
    symbolic: Arc<Linked>,
    values: P::Values,
    /// What the plan was made of.
    evaluated: Evaluated,
    plan: SharedPlan,
    /// By which passes it was made, and is when it is made again.
    how: How,
    /// Of the plan, once a setter has needed it.
    patching: Option<Patching>,
    memory: GraphMemory<'g>,
    /// How what is bound is arranged.
    layout: Arc<Layout>,
    /// Borrowed ones for `'g`.
    objects: HeldObjects,
    /// How often values were set: all at once, then each by itself.
    versions: Vec<u64>,
    executable: Box<dyn Executable>,
    fence: Arc<dyn Fence>,
    /// The launches up to this one have left their loops' counters elsewhere.
    counted_from: u64,
    /// Of the last plan.
    timings: BuildTimings,
    /// What the last change came to.
    last_update: Option<Update>,
    /// A change has begun and not ended: it panicked.
    halfway: bool,
    /// Statements that are switched off.
    disabled: BTreeSet<Label>,
}

impl<'g, P: Program> Graph<'g, P> {
    /// Evaluates the host expressions, checks and plans the graph, and makes it ready to launch.
    ///
    /// # Errors
    /// If the rules refuse it with these lengths and values, if a buffer lies on another device, or if the device refuses it.
    #[doc(hidden)]
    pub fn build(device: &Device, values: P::Values, bindings: Vec<Binding<'g>>) -> Result<Self> {
        Self::build_objects(device, values, bindings, Vec::new())
    }

    /// The same for a graph with objects or events.
    ///
    /// # Errors
    /// As [`Graph::build`], and if an event belongs to another device.
    #[doc(hidden)]
    pub fn build_objects(
        device: &Device,
        values: P::Values,
        bindings: Vec<Binding<'g>>,
        objects: Vec<ObjectBinding<'g>>,
    ) -> Result<Self> {
        let program = Linked::encoded::<P>()?;
        let arguments = Self::plain(&program, bindings).with_objects(objects);
        Self::build_all(device, program, values, arguments)
    }

    /// The same in an arena.
    ///
    /// # Errors
    /// As [`Graph::build_in`] and [`Graph::build_objects`].
    #[doc(hidden)]
    pub fn build_objects_in(
        arena: &Arena,
        device: &Device,
        values: P::Values,
        bindings: Vec<Binding<'g>>,
        objects: Vec<ObjectBinding<'g>>,
    ) -> Result<Self> {
        let program = Linked::encoded::<P>()?;
        let arguments = Self::plain(&program, bindings).with_objects(objects).in_arena(arena);
        Self::build_all(device, program, values, arguments)
    }

    /// The same, with transients in an arena that other graphs use too.
    ///
    /// # Errors
    /// As [`Graph::build`], and if the arena lies on another device.
    #[doc(hidden)]
    pub fn build_in(arena: &Arena, device: &Device, values: P::Values, bindings: Vec<Binding<'g>>) -> Result<Self> {
        let program = Linked::encoded::<P>()?;
        let arguments = Self::plain(&program, bindings).in_arena(arena);
        Self::build_all(device, program, values, arguments)
    }

    /// The same for parameters that are lists or structs.
    ///
    /// # Errors
    /// As [`Graph::build`].
    #[doc(hidden)]
    pub fn build_with(device: &Device, values: P::Values, arguments: Arguments<'g>) -> Result<Self> {
        Self::build_all(device, Linked::encoded::<P>()?, values, arguments)
    }

    /// The same for a program that is not encoded.
    ///
    /// # Safety
    /// The program is one that the macro would make: a whole access covers exactly its buffer, and transients are named in their scope
    /// only. What depends on numbers is checked here.
    ///
    /// # Errors
    /// As [`Graph::build`].
    #[doc(hidden)]
    pub unsafe fn build_model(
        device: &Device,
        symbolic: Model,
        values: P::Values,
        bindings: Vec<Binding<'g>>,
    ) -> Result<Self> {
        let arguments = Self::plain(&symbolic, bindings);
        Self::build_all(device, Arc::new(Linked::of::<P>(symbolic)?), values, arguments)
    }

    /// The same in an arena.
    ///
    /// # Safety
    /// As [`Graph::build_model`].
    ///
    /// # Errors
    /// As [`Graph::build_in`].
    #[doc(hidden)]
    pub unsafe fn build_model_in(
        arena: &Arena,
        device: &Device,
        symbolic: Model,
        values: P::Values,
        bindings: Vec<Binding<'g>>,
    ) -> Result<Self> {
        let arguments = Self::plain(&symbolic, bindings).in_arena(arena);
        Self::build_all(device, Arc::new(Linked::of::<P>(symbolic)?), values, arguments)
    }

    /// One buffer for each parameter.
    fn plain(symbolic: &Model, bindings: Vec<Binding<'g>>) -> Arguments<'g> {
        let names: Vec<_> = check::parameters(symbolic).map(|buffer| buffer.name.clone()).collect();
        Arguments::plain(bindings, names.iter().map(String::as_str))
    }

    fn build_all(
        device: &Device,
        symbolic: Arc<Linked>,
        values: P::Values,
        mut arguments: Arguments<'g>,
    ) -> Result<Self> {
        let arena = arguments.arena().cloned();
        let (objects, versions) = (HeldObjects::new(Objects::new(arguments.take_objects())), Vec::new());
        let (bindings, layout) = arguments.into_parts();
        let layout = Arc::new(layout);
        arena.as_ref().map_or(Ok(()), |arena| arena.check(device, &symbolic.name))?;
        check::objects(device, &symbolic, objects.table())?;
        check::bindings(device, &symbolic, &symbolic.tables.elements, &layout, &bindings)?;
        let evaluated = Evaluated::of::<P>(&symbolic, &values, &layout, (objects.table(), &versions))?;
        let how = How::of(device);
        let (plan, planned) = evaluated.plan(&symbolic, &how)?;
        let plan = Arc::new(plan);
        let timings = BuildTimings { evaluate: evaluated.time, plan: planned, ..BuildTimings::default() };
        dump::graph(&symbolic, &plan, device);
        check::shared_writes(&plan, &layout, &bindings)?;
        let asked = |error| figures::asked(error, &plan, device);
        let mut memory = GraphMemory::new(device, arena, &plan, bindings).map_err(asked)?;
        let building = || format!("building graph `{}` of {} nodes", symbolic.name, plan.node_count());
        let mut executable =
            phase(building, || device.backend().build(Arc::clone(&plan), memory.bindings(&plan))).map_err(asked)?;
        memory.register(&plan, &mut *executable)?;
        let fence = executable.fence();
        let (device, counted_from, halfway, disabled) = (device.clone(), 0, false, BTreeSet::new());
        let graph = Self {
            device,
            symbolic,
            values,
            evaluated,
            plan,
            how,
            patching: None,
            memory,
            layout,
            objects,
            versions,
            executable,
            fence,
            counted_from,
            timings,
            last_update: None,
            halfway,
            disabled,
        };
        events::built(&graph);
        events::by_launches(&graph);
        Ok(graph)
    }

    /// Where the time of the last build or change went.
    pub fn timings(&self) -> BuildTimings {
        let device = self.executable.timings();
        BuildTimings { evaluate: self.timings.evaluate, plan: self.timings.plan, ..device }
    }

    /// What the last setter, rebind or [`Graph::update_from`] came to; `None` before the first, and after one that was refused the one
    /// before it.
    pub fn last_update(&self) -> Option<&Update> {
        self.last_update.as_ref()
    }

    /// Launches the graph once. Waits for nothing where the device can run on its own.
    pub fn launch(&mut self) -> Result<()> {
        if let Some(launcher) = self.device.launcher().cloned() {
            return launcher.launch(self);
        }
        self.launch_once()
    }

    fn launch_once(&mut self) -> Result<()> {
        self.whole()?;
        let _range = range(|| format!("launch {}", self.symbolic.name));
        self.in_turn(|executable| executable.launch())
    }

    /// Launches when no other graph uses what this one shares with it.
    fn in_turn(&mut self, launch: impl FnOnce(&mut dyn Executable) -> Result<()>) -> Result<()> {
        self.in_turn_with(|_| (), |executable, ()| launch(executable))
    }

    /// The same with what is made of the graph once its turn has come: its memory is then where the launch uses it.
    fn in_turn_with<T>(
        &mut self,
        prepare: impl FnOnce(&Self) -> T,
        launch: impl FnOnce(&mut dyn Executable, T) -> Result<()>,
    ) -> Result<()> {
        let arena = self.memory.arena().cloned();
        let turn = arena.as_ref().map(Arena::turn);
        if let Some(turn) = &turn {
            self.follow(turn)?;
        }
        if self.executable.one_by_one() {
            self.make_spare()?;
        }
        self.memory.follow_borrowers(&mut *self.executable)?;
        let prepared = prepare(self);
        let launched = self.memory.turns().launch(&mut *self.executable, |executable| launch(executable, prepared));
        launched.map_err(|error| figures::asked(error, &self.plan, &self.device))?;
        events::launched(self);
        Ok(())
    }

    /// Moves to the memory that the arena has now.
    fn follow(&mut self, arena: &ArenaTurn<'_>) -> Result<()> {
        let Some(replaced) = self.memory.follow(arena, &mut *self.executable)? else { return Ok(()) };
        let updated = self.executable.update(Arc::clone(&self.plan), self.memory.bindings(&self.plan));
        updated.map(drop).inspect_err(|_| self.memory.restore(replaced))
    }

    /// Makes sure that there is memory for what stays in registers where launches are shared: nodes are run one by one.
    fn make_spare(&mut self) -> Result<()> {
        if self.memory.spare_bytes() >= self.plan.arena.spare_bytes {
            return Ok(());
        }
        let made = self.memory.spare(&self.device, &self.plan, &mut *self.executable);
        let made = made.map_err(|error| figures::asked(error, &self.plan, &self.device))?;
        let updated = self.executable.update(Arc::clone(&self.plan), self.memory.bindings(&self.plan));
        updated.map(drop).inspect_err(|_| self.memory.restore(made))
    }

    /// How much memory the graph uses beside the buffers that are bound to it.
    pub fn memory(&self) -> MemoryFigures {
        MemoryFigures::of(&self.plan, &self.memory)
    }

    /// Waits for all launches so far.
    pub fn synchronize(&self) -> Result<()> {
        self.fence.wait(self.fence.launched())
    }

    /// Runs node by node, conditions decided on the host, waiting behind each node. An error names the node.
    pub fn run_eager(&mut self) -> Result<()> {
        self.whole()?;
        self.make_spare()?;
        events::eager(self);
        self.in_turn(|executable| executable.run_eager(None))
    }

    /// How many passes the labelled loop made in the last launch, which this waits for.
    pub fn iterations(&self, label: Label) -> Result<u64> {
        Ok(self.loop_state(label)?.passes)
    }

    /// How the labelled loop ended in the last launch, which this waits for.
    pub fn exit(&self, label: Label) -> Result<Exit> {
        Ok(match self.loop_state(label)?.exit {
            LoopState::CONDITION => Exit::Condition,
            LoopState::LIMIT => Exit::Limit,
            _ => Exit::NotRun,
        })
    }

    fn loop_state(&self, label: Label) -> Result<LoopState> {
        let (written, instance) = self.labelled(label)?;
        let Some(node) = instance.filter(|node| matches!(self.plan.step(*node), Some(Step::Loop(_)))) else {
            return Err(Error::Label(self.no_loop(written, instance)));
        };
        if self.fence.launched() == self.counted_from {
            return Ok(LoopState { passes: 0, exit: LoopState::NOT_RUN });
        }
        self.synchronize()?;
        self.executable.loop_state(node)
    }

    /// The node that a label names, as written, and what it has become.
    fn labelled(&self, label: Label) -> Result<(NodeId, Option<NodeId>)> {
        let program = &self.symbolic;
        let Some(mut path) = label.path() else {
            return Err(Error::Label(
                "the label leads through more graphs and passes than a label can hold".to_owned(),
            ));
        };
        let mut first = 0;
        for (node, _) in &mut path {
            node.0 += first;
            let graph = match program.nodes.get(node.0 as usize).map(|node| &node.kind) {
                Some(NodeKind::Graph(call)) => program.graphs.get(call.graph as usize),
                _ => None,
            };
            first = graph.map_or(u32::MAX / 2, |graph| graph.first.0);
        }
        let Some((written, passes)) = path.pop() else { return Err(Error::Label("the label is empty".to_owned())) };
        if let Some((outer, _)) = path.last().filter(|_| written.0 as usize >= program.nodes.len()) {
            let known = (outer.0 as usize) < program.nodes.len();
            let name = if known { NodeName::of(program, *outer).to_string() } else { "a statement".to_owned() };
            return Err(Error::Label(format!("{name} names no graph, so there is no label in it")));
        }
        Ok((written, self.plan.origins.instance(&path, written, &passes)))
    }

    fn no_loop(&self, written: NodeId, instance: Option<NodeId>) -> String {
        match instance.filter(|node| self.plan.step(*node).is_some()) {
            Some(_) => format!("{} is no loop: it has no passes", NodeName::of(&self.symbolic, written)),
            None => self.not_planned(written),
        }
    }

    /// What is launched.
    pub fn plan(&self) -> PlanView {
        PlanView::new(Arc::clone(&self.plan), self.executable.by_launches())
    }

    /// For messages.
    #[cfg(feature = "cuda")]
    pub(crate) fn name(&self) -> &str {
        &self.symbolic.name
    }

    /// Where it is built.
    pub fn device(&self) -> &Device {
        &self.device
    }

    fn whole(&self) -> Result<()> {
        if self.halfway {
            let name = &self.symbolic.name;
            let what = format!("graph `{name}` cannot run: a change of its values or buffers panicked half-way");
            return Err(Error::Panicked(format!("{what}\nhelp: build it anew")));
        }
        Ok(())
    }
}

impl<P: Program> fmt::Debug for Graph<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} on {:?})", self.symbolic.name, self.device)
    }
}
