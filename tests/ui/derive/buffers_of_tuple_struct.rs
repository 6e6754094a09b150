// Fields without names.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Linear(Buffer<f32>, Buffer<f32>);

fn main() {}
