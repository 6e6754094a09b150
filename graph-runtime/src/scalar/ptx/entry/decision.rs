//! Setting a handle, or storing or keeping what it would be set to.

use super::super::body::{Body, Register};
use super::super::parameter::Target;

/// Decides with a word.
pub(super) fn decide(body: &mut Body, target: Target, value: Register) {
    match target {
        Target::Node | Target::Row => set(body, 0, value),
        Target::Register => body.line(format_args!("mov.u32 %go, {value}")),
        Target::Memory => {
            let address = body.address("value");
            body.line(format_args!("st.global.u32 [{address}], {value}"));
        }
    }
}

/// Sets one handle.
pub(super) fn set(body: &mut Body, index: u32, value: Register) {
    let handle = body.parameter(&format!("handle_{index}"));
    body.block(&[
        &".param .b64 handle",
        &".param .b32 value",
        &format_args!("st.param.b64 [handle], {handle}"),
        &format_args!("st.param.b32 [value], {value}"),
        &"call.uni cudaGraphSetConditional, (handle, value)",
    ]);
}
