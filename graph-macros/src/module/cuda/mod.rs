//! What a CUDA C++ file and its headers say of their kernels: just enough of the language for declarations, and nothing is guessed.

mod builtin;
mod constant;
mod items;
mod names;
mod preprocess;
mod shared;
mod signature;
#[cfg(test)]
mod spelling;
mod structs;
#[cfg(test)]
mod tests;
mod types;

use self::names::Names;
use self::preprocess::Macros;
use self::signature::Found;
use self::types::Scope;
use super::lex::{self, Kind, Token};
use super::written::Written;

/// The kernels of a file and its headers, each with its C++ name: `ns::k`. `None` for one that has several meanings.
pub(super) fn kernels(files: &[(&str, &str)], options: &[String]) -> Vec<(String, Option<Written>)> {
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let raw: Vec<Vec<Token<'_>>> = files.iter().enumerate().map(|(file, (_, text))| lex::tokens(text, file)).collect();
    let macros = Macros::of(options, &raw);
    let expanded: Vec<Vec<Token<'_>>> = raw.iter().map(|tokens| macros.expand(tokens)).collect();
    let Some(items) = expanded.iter().map(|tokens| items::all(tokens)).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let items = || items.iter().flatten();
    let names = Names::of(items().map(|(item, _)| *item));
    let packed = raw.iter().flatten().any(is_packing);
    let scope = Scope { names: &names, template: &[], packed, depth: 0 };
    let found = items().filter_map(|(item, namespaces)| signature::kernel(*item, namespaces.clone(), &scope, &paths));
    of_one_meaning(found.collect())
}

fn is_packing(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Directive(text) if text.contains("pragma") && text.contains("pack"))
}

/// Declarations and their definition are one; overloads are open.
fn of_one_meaning(found: Vec<Found<'_>>) -> Vec<(String, Option<Written>)> {
    let mut kernels: Vec<(String, Option<Found<'_>>)> = Vec::new();
    for new in found {
        let name = new.namespaces.iter().chain([&new.name]).copied().collect::<Vec<_>>().join("::");
        let Some((_, known)) = kernels.iter_mut().find(|(known, _)| *known == name) else {
            kernels.push((name, Some(new)));
            continue;
        };
        match known {
            Some(first) if first.defined && new.defined || !alike(&first.written, &new.written) => *known = None,
            Some(first) => {
                let bound = first.written.bound.take().or_else(|| new.written.bound.clone());
                if new.defined {
                    *first = new;
                }
                first.written.bound = bound;
            }
            None => {}
        }
    }
    kernels.into_iter().map(|(name, found)| (name, found.map(|found| found.written))).collect()
}

/// Whether two have parameters of the same types.
fn alike(one: &Written, other: &Written) -> bool {
    let types = |written: &Written| -> Option<Vec<_>> {
        Some(written.parameters.as_ref()?.iter().map(|parameter| parameter.ty.clone()).collect())
    };
    types(one).is_some_and(|types_of_one| Some(types_of_one) == types(other))
}
