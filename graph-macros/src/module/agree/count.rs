//! The number of parameters.

use graph_ir::code::Code;

use super::super::ast::Kernel;
use super::super::written::{Parameter, Written};
use crate::diagnostic::Diagnostic;

pub(super) fn differs(kernel: &Kernel, written: &Written, parameters: &[Parameter]) -> Diagnostic {
    let (name, place) = (&kernel.name, &written.place);
    let (file, _) = place.rsplit_once(':').unwrap_or((place, ""));
    let message = format!(
        "kernel `{name}` is declared with {}, and the one in `{file}` has {}",
        counted(kernel.parameters.len()),
        parameters.len()
    );
    let list: Vec<&str> = parameters.iter().map(|parameter| &*parameter.text).collect();
    let fault =
        Diagnostic::error(Code::DISAGREES, name.span(), message).note(format!("`{place}` has `({})`", list.join(", ")));
    match missing(kernel, parameters) {
        Some(missing) => fault.help(format!("declare `{missing}` too")),
        None => fault,
    }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 parameter".to_owned() } else { format!("{count} parameters") }
}

/// The only parameter of the file's that is not declared, if the others are, by name and in order.
fn missing(kernel: &Kernel, parameters: &[Parameter]) -> Option<String> {
    let declared: Vec<String> = kernel.parameters.iter().map(|parameter| parameter.name.to_string()).collect();
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_deref()).collect::<Option<_>>()?;
    let at = (0..names.len()).find(|at| declared.get(*at).is_none_or(|declared| declared != names[*at]))?;
    (declared[..at].iter().chain(&declared[at..]).eq(names[..at].iter().chain(&names[at + 1..])))
        .then(|| names[at].to_owned())
}
