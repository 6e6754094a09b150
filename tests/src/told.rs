//! Collects what graphs tell `tracing`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use graph_runtime::Result;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

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

    fn event(&self, event: &Event<'_>) {
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
