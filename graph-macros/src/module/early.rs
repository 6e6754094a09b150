//! `#[early(w, b)]`: which parameters a kernel reads before it waits for the kernels that it overlaps with.

use graph_ir::code::Code;
use graph_ir::model::Mode;
use proc_macro2::Ident;
use syn::ext::IdentExt as _;

use super::ast::{Form, Kernel, Parameter};
use super::nearest;
use super::settings::{Early, Settings};
use crate::diagnostic::{Diagnostic, Diagnostics};

impl Kernel {
    /// Where the parameters stand that it reads before it waits.
    pub(super) fn early(&self) -> Vec<usize> {
        let named = self.settings.early.iter().flat_map(|early| &early.buffers);
        named.filter_map(|name| self.parameters.iter().position(|parameter| parameter.name == *name)).collect()
    }
}

/// Each name is that of a buffer whose contents the kernel reads, and stands once.
pub(super) fn check(settings: &Settings, parameters: &[Parameter], faults: &mut Diagnostics) {
    let Some(Early { span, buffers }) = &settings.early else { return };
    if settings.waits.is_none() {
        let fault = Diagnostic::error(Code::DECLARATION, *span, "`#[early]` stands on a kernel that does not wait");
        let note = "it names what a kernel reads before `griddepcontrol.wait`; one without it is never begun early";
        faults.push(fault.note(note).help("declare the kernel `#[waits]` too, or remove `#[early]`"));
    }
    for (index, name) in buffers.iter().enumerate() {
        if buffers[..index].contains(name) {
            let fault = Diagnostic::error(Code::DECLARATION, name.span(), format!("`{name}` is named twice"));
            faults.push(fault.help("remove one of them"));
        } else {
            faults.extend(unfit(name, parameters));
        }
    }
}

fn unfit(name: &Ident, parameters: &[Parameter]) -> Option<Diagnostic> {
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == *name) else {
        let fault = Diagnostic::error(Code::DECLARATION, name.span(), format!("no parameter is named `{name}`"));
        let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.unraw().to_string()).collect();
        let near = nearest::of(&name.to_string(), names.iter().map(String::as_str));
        return Some(match near {
            Some(near) => fault.help(format!("a parameter with a similar name exists: `{near}`")),
            None => fault.note(format!("the parameters are {}", list(&names))),
        });
    };
    let why = match &parameter.form {
        Form::Buffer { mode: Mode::Read | Mode::Update, .. } | Form::Unknown => return None,
        Form::Buffer { .. } => "what the kernel writes, it writes behind its wait",
        Form::List { .. } => "a list is read behind the wait",
        Form::Value(_) | Form::Condition(_) => "a value is no memory that the kernel would have to wait for",
    };
    let fault = format!("`{name}` is no buffer that is read early");
    Some(
        Diagnostic::error(Code::DECLARATION, name.span(), fault)
            .note(why)
            .help(format!("remove `{name}` from `#[early(…)]`")),
    )
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
