//! CG0222: the function that sets conditions is declared with the parameters that it has (rule R183).
//!
//! The driver binds it by its name alone: with others it would read its condition and value from where they are not.

use graph_ir::code::Code;
use proc_macro2::Span;

use super::super::ast::{Form, Kernel};
use super::super::written::{Class, SETTER, Scalar, Setter, Type};
use crate::diagnostic::Diagnostic;

/// Bytes of a condition's handle and of the value that it is set to.
const SIZES: [u64; 2] = [8, 4];

/// The fault of a kernel that takes a condition, in a file that declares the function otherwise.
pub(in crate::module) fn check(kernel: &Kernel, setters: &[Setter]) -> Option<Diagnostic> {
    let span = taken(kernel)?;
    let wrong = setters.iter().find(|setter| !fits(setter))?;
    let Setter { place, text, .. } = wrong;
    let message =
        format!("kernel `{}` takes a condition, and its file declares `{SETTER}` otherwise than it is", kernel.name);
    let fault = Diagnostic::error(Code::SETTER, span, message);
    Some(
        fault
            .note(format!("`{place}` has `{text}`"))
            .note(
                "it takes a handle of 8 bytes and a value of 4; the driver binds it by its name, whatever is declared",
            )
            .help(format!(
                "write `extern \"C\" __device__ void {SETTER}(cudaGraphConditionalHandle handle, unsigned value);`"
            )),
    )
}

/// Where the kernel takes its condition.
pub(in crate::module) fn taken(kernel: &Kernel) -> Option<Span> {
    kernel.parameters.iter().find_map(|parameter| match parameter.form {
        Form::Condition(span) => Some(span),
        _ => None,
    })
}

fn fits(setter: &Setter) -> bool {
    let one = |(ty, bytes): (&Type, u64)| match ty {
        Type::Open => true,
        Type::Scalar(Scalar { class: Class::Float | Class::Brain | Class::Bool, .. }) | Type::Pointer { .. } => false,
        ty => ty.bytes() == Some(bytes),
    };
    setter.types.len() == SIZES.len() && setter.types.iter().zip(SIZES).all(one)
}
