//! Collects what graphs tell `tracing`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use graph_runtime::prelude::*;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};

use crate::pipelines::jacobi::JacobiArgs;

/// The fields of an event, its text among them as `message`.
pub type Told = BTreeMap<String, String>;

/// Keeps every event.
#[derive(Clone, Default)]
struct Collect(Arc<Mutex<Vec<Told>>>);

struct Fields(Told);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl Subscriber for Collect {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("graph_runtime")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields(Told::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What `work` tells, in order. One at a time: `tracing` decides once for all threads whether an event is wanted.
pub fn told(work: impl FnOnce() -> Result<()>) -> Vec<Told> {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let collect = Collect::default();
    tracing::subscriber::with_default(collect.clone(), work).unwrap();
    let told = collect.0.lock().unwrap();
    told.clone()
}

/// Builds a graph, changes it and runs it in both ways.
///
/// # Errors
/// None, unless the CPU cannot run it.
pub fn jacobi() -> Result<()> {
    let device = Device::cpu();
    let (b, mut x) = (device.zeros(100)?, device.zeros(100)?);
    let mut graph = JacobiArgs { b: &b, x: &mut x, tolerance: 1e-9 }.build(&device)?;
    graph.launch()?;
    graph.set_tolerance(1e-3)?;
    graph.launch()?;
    graph.run_eager()?;
    graph.synchronize()
}
