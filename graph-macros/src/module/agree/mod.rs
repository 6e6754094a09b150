//! CG0217: a kernel is declared as its file has it; and what the file says about its launches.
//!
//! Compared are the number of parameters, their class (pointer, integer, number with a fraction, struct) and size, what pointers point to, and
//! `const` against `&`. What the file leaves open agrees with everything: the build compares the loaded kernel's sizes.

mod block;
mod buffer;
mod count;
mod declared;
mod parameters;
mod setter;
mod shared;
mod size;
mod unread;
mod value;

use graph_ir::code::Code;

use super::ast::{Facts, Form, Kernel, Parameter as Declared};
use super::written::{Parameter, Written};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lower::text;

pub(super) use parameters::too_many;
pub(super) use setter::{check as setter, taken};
pub(super) use size::{Rule, Size};
pub(super) use unread::told as unread;

/// Whether two parameters agree.
enum Answer {
    Yes,
    /// Only rustc knows the size.
    Size(Box<Size>),
    /// What differs, and the edit.
    No(String, String),
}

/// Compares a declaration with the file's kernel. Keeps what launches are compared with.
pub(super) fn check(kernel: &mut Kernel, written: &Written) -> Diagnostics {
    let mut faults = Diagnostics::default();
    faults.extend(block::check(kernel, written));
    faults.extend(shared::check(kernel, written));
    let mut facts = Facts {
        threads: block::threads(written),
        large_block: block::too_large(kernel, written),
        shared: Some((written.shared, written.place.clone())),
        ..Facts::default()
    };
    if let Ok(parameters) = &written.parameters {
        if kernel.parameters.len() == parameters.len() {
            compare(kernel, parameters, &mut facts, &mut faults);
        } else {
            faults.push(count::differs(kernel, written, parameters));
        }
    }
    kernel.facts = facts;
    faults
}

/// Each fault of `const`; of types only the first, since two of them often are one exchange.
fn compare(kernel: &Kernel, parameters: &[Parameter], facts: &mut Facts, faults: &mut Diagnostics) {
    let mut typed = false;
    for (declared, written) in kernel.parameters.iter().zip(parameters) {
        let answer = match &declared.form {
            Form::Buffer { mode, element, .. } => match buffer::mode(declared, *mode, written) {
                Some(fault) => {
                    faults.push(fault);
                    continue;
                }
                None => buffer::elements(declared, element, written, kernel),
            },
            Form::List { .. } => value::list(declared, written),
            Form::Value(ty) => value::of(declared, ty, written, kernel),
            Form::Condition(_) => value::condition(declared, written),
            Form::Unknown => Answer::Yes,
        };
        match answer {
            Answer::Yes => {}
            Answer::Size(size) => facts.sizes.push(*size),
            Answer::No(..) if typed => {}
            Answer::No(message, help) => {
                typed = true;
                faults.push(fault(declared, written, message).help(help));
            }
        }
    }
}

fn fault(declared: &Declared, written: &Parameter, message: String) -> Diagnostic {
    Diagnostic::error(Code::DISAGREES, declared.name.span(), message).note(line(written))
}

/// Where the file has the parameter, and how.
fn line(written: &Parameter) -> String {
    format!("`{}` has `{}`", written.place, written.text)
}

/// `n: u32`
fn declaration(declared: &Declared, ty: &syn::Type) -> String {
    format!("{}: {}", declared.name, text::of(ty))
}
