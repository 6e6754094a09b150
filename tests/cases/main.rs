//! Small, odd programs in the language, one file per topic, on the CPU: in parallel, in shuffled orders, and finishing late.

mod control;
mod generics;
mod hosts;
mod kernels;
mod lengths;
mod literals;
mod macros;
mod names;
mod passes;
mod places;

use graph_runtime::prelude::*;

/// The CPU in every way that a missed hazard could show.
fn on_each(program: impl Fn(&Device) -> Result<()>) {
    let mut devices = vec![Device::cpu(), Device::cpu().deferred()];
    devices.extend((0..5).map(|seed| Device::cpu().shuffled(seed)));
    for device in devices {
        if let Err(error) = program(&device) {
            panic!("{error}");
        }
    }
}
