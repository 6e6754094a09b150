//! A graph with the graphs that its nodes name, as one program.

use std::any::TypeId;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{NodeKind, Offsets, Program as Model};

use super::Program;
use crate::element::ElementLayout;
use crate::error::{Error, Refusal, Result};
use crate::kernel::KernelDeclaration;
use crate::plan::Tables;

/// A graph that nodes of another one name: what its generated code knows.
#[derive(Clone, Copy)]
pub struct GraphEntry {
    id: TypeId,
    data: &'static [u8],
    kernels: fn() -> Vec<&'static KernelDeclaration>,
    elements: fn() -> Vec<ElementLayout>,
    graphs: fn() -> Vec<GraphEntry>,
}

impl GraphEntry {
    /// That of a program.
    pub fn of<P: Program>() -> Self {
        Self { id: TypeId::of::<P>(), data: P::DATA, kernels: P::kernels, elements: P::elements, graphs: P::graphs }
    }
}

/// Where the parts of each graph inside a graph are among those of the whole.
pub(crate) type Links = HashMap<TypeId, Offsets>;

/// A graph with the graphs inside it.
pub(crate) struct Linked {
    program: Model,
    pub(crate) tables: Tables,
    pub(crate) links: Arc<Links>,
}

impl Deref for Linked {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.program
    }
}

impl Linked {
    /// Whether a value parameter of the graph itself, and not of one inside it, is declared with a bound.
    pub(crate) fn is_bounded(&self, name: &str) -> bool {
        let own = self.links.values().map(|offsets| offsets.bounds as usize).min().unwrap_or(self.program.bounds.len());
        self.program.bounds[..own].iter().any(|bound| bound.name == name)
    }

    /// What the macro encoded for `P`, with the graphs that its nodes name. It is read once: all graphs of `P` share it.
    pub(crate) fn encoded<P: Program>() -> Result<Arc<Self>> {
        static READ: OnceLock<Mutex<HashMap<TypeId, Arc<Linked>>>> = OnceLock::new();
        let read = || READ.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read().get(&TypeId::of::<P>()) {
            return Ok(Arc::clone(known));
        }
        // Two threads may come here at once, and read the same.
        let linked = Arc::new(Self::of::<P>(decode(P::DATA)?)?);
        read().insert(TypeId::of::<P>(), Arc::clone(&linked));
        Ok(linked)
    }

    /// The program of `P` with the graphs that its nodes name.
    pub(crate) fn of<P: Program>(program: Model) -> Result<Self> {
        let tables = Tables { kernels: P::kernels(), elements: P::elements() };
        let own = program.nodes.len();
        let mut linker = Linker { program, tables, links: HashMap::new(), known: Vec::new() };
        let mut around = vec![(TypeId::of::<P>(), linker.program.name.clone())];
        let graphs = linker.all(&P::graphs(), &mut around)?;
        linker.program.rename_graphs(own, &graphs);
        let Linker { program, tables, links, .. } = linker;
        Ok(Self { program, tables, links: Arc::new(links) })
    }
}

struct Linker {
    program: Model,
    tables: Tables,
    links: Links,
    /// The graphs that are there, in order.
    known: Vec<TypeId>,
}

impl Linker {
    /// The numbers of these graphs among those of the whole.
    fn all(&mut self, entries: &[GraphEntry], around: &mut Vec<(TypeId, String)>) -> Result<Vec<u32>> {
        entries.iter().map(|entry| self.one(entry, around)).collect()
    }

    fn one(&mut self, entry: &GraphEntry, around: &mut Vec<(TypeId, String)>) -> Result<u32> {
        if let Some(index) = self.known.iter().position(|known| *known == entry.id) {
            return Ok(index as u32);
        }
        let model = decode(entry.data)?;
        if let Some(first) = around.iter().position(|(id, _)| *id == entry.id) {
            return Err(self.recursion(&around[first..], around.get(1).map(|(_, name)| name.as_str())));
        }
        around.push((entry.id, model.name.clone()));
        let graphs = self.all(&(entry.graphs)(), around)?;
        around.pop();
        let offsets = self.program.link(model, self.tables.kernels.len() as u32, &graphs);
        self.tables.kernels.extend((entry.kernels)());
        self.tables.elements.extend((entry.elements)());
        self.links.insert(entry.id, offsets);
        self.known.push(entry.id);
        Ok(self.known.len() as u32 - 1)
    }

    /// `first` is the graph through which the whole one comes to the cycle.
    fn recursion(&self, cycle: &[(TypeId, String)], first: Option<&str>) -> Error {
        let names: Vec<_> = cycle.iter().chain(cycle.first()).map(|(_, name)| format!("`{name}`")).collect();
        let program = &self.program;
        let names_it = |node: &&graph_ir::model::Node| {
            matches!(node.kind, NodeKind::Graph(_)) && first.is_none_or(|first| *node.label == *first)
        };
        let any = |node: &&graph_ir::model::Node| matches!(node.kind, NodeKind::Graph(_));
        let node = program.nodes.iter().find(names_it).or_else(|| program.nodes.iter().find(any));
        let place = node.map_or(graph_ir::model::Place(0), |node| node.place);
        let message = format!("graph {} contains itself: {}", names[0], names.join(" -> "));
        let finding = Finding::error(Code::RECURSION, place, message)
            .note("a graph inside a graph stands there with all its nodes, so there would be no end")
            .help("repeat on the device: `loop limit n { … }`, or unroll with `for`");
        Error::Refused(Refusal::new(program, vec![finding]))
    }
}

/// The program that the macro encoded.
pub(crate) fn decode(data: &[u8]) -> Result<Model> {
    Model::decode(data)
        .map_err(|error| Error::Unavailable(format!("{error}: graph-macros and graph-runtime differ in version")))
}
