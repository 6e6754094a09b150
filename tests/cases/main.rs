//! Small, odd programs in the language, one file per topic, on the CPU: in parallel, in shuffled orders, and finishing late.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::needless_for_each,
    clippy::multiple_bound_locations,
    clippy::precedence,
    clippy::allow_attributes_without_reason,
    reason = "odd programs on purpose, with exact values"
)]

mod configurations;
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
mod reported;

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
