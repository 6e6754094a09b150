//! What a CUDA C++ file and its headers say of their kernels: just enough of the language for declarations, and nothing is guessed.

mod builtin;
mod constant;
mod items;
mod names;
mod preprocess;
mod setter;
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
use super::lex::{self, Kind, Place, Token};
use super::written::{File, Unread, Written};

/// A file and its headers. Kernels have their C++ names: `ns::k`.
pub(super) fn read(files: &[(&str, &str)], options: &[String]) -> File {
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let raw: Vec<Vec<Token<'_>>> = files.iter().enumerate().map(|(file, (_, text))| lex::tokens(text, file)).collect();
    let macros = Macros::of(options, &raw);
    let expanded: Vec<Vec<Token<'_>>> = raw.iter().map(|tokens| macros.expand(tokens)).collect();
    let items = match expanded.iter().map(|tokens| items::all(tokens)).collect::<Result<Vec<_>, Place>>() {
        Ok(items) => items,
        Err(at) => return File { unread: Some(unmatched(at, &paths)), ..File::default() },
    };
    let items = || items.iter().flatten();
    let names = Names::of(items().map(|(item, _)| *item));
    let packed = raw.iter().flatten().any(is_packing);
    let scope = Scope { names: &names, template: &[], packed, depth: 0 };
    let found = items().flat_map(|(item, namespaces)| signature::kernels(*item, namespaces, &scope, &paths));
    File {
        kernels: of_one_meaning(found.collect()),
        unread: raw.iter().flatten().find_map(|token| maker(token, &paths)),
        setters: items().filter_map(|(item, _)| setter::of(item.head, &scope, &paths)).collect(),
    }
}

fn unmatched(at: Place, paths: &[&str]) -> Unread {
    Unread::new(told(at, paths), "this brace has no match, or another one in each branch of an `#if`")
}

/// `#define KERNEL(name) __global__ void name(int n)`
fn maker(token: &Token<'_>, paths: &[&str]) -> Option<Unread> {
    let Kind::Directive(text) = token.kind else { return None };
    let ("define", rest) = preprocess::directive(text) else { return None };
    let (name, _) = preprocess::directive(rest);
    rest.contains("__global__").then(|| {
        Unread::new(
            told(token.place, paths),
            format!("macro `{name}` makes kernels, and what it makes was not looked at"),
        )
    })
}

/// `kernels/jacobi.cu:12`
fn told(place: Place, paths: &[&str]) -> String {
    format!("{}:{}", paths.get(place.file).unwrap_or(&""), place.line)
}

fn is_packing(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Directive(text) if text.contains("pragma") && text.contains("pack"))
}

/// Declarations and their definition are one; overloads are open.
fn of_one_meaning(found: Vec<Found<'_>>) -> Vec<(String, Result<Written, Unread>)> {
    let mut kernels: Vec<(String, Result<Found<'_>, Unread>)> = Vec::new();
    for new in found {
        let name = new.namespaces.iter().chain([&new.name]).copied().collect::<Vec<_>>().join("::");
        let Some((_, known)) = kernels.iter_mut().find(|(known, _)| *known == name) else {
            kernels.push((name, Ok(new)));
            continue;
        };
        let Ok(first) = known else { continue };
        match (&first.written, &new.written) {
            (Err(unread), _) | (_, Err(unread)) => *known = Err(unread.clone()),
            (Ok(one), Ok(other)) => {
                if first.defined && new.defined || !alike(one, other) {
                    *known = Err(overloaded(one, other));
                } else {
                    first.join(new);
                }
            }
        }
    }
    kernels.into_iter().map(|(name, found)| (name, found.and_then(|found| found.written))).collect()
}

fn overloaded(one: &Written, other: &Written) -> Unread {
    let unread = [one, other].into_iter().find_map(|written| written.parameters.as_ref().err());
    let two =
        || Unread::new(&one.place, format!("`{}` has a kernel of the same name, and both may be meant", other.place));
    unread.cloned().unwrap_or_else(two)
}

/// Whether two have parameters of the same types.
fn alike(one: &Written, other: &Written) -> bool {
    let types = |written: &Written| -> Option<Vec<_>> {
        Some(written.parameters.as_ref().ok()?.iter().map(|parameter| parameter.ty.clone()).collect())
    };
    types(one).is_some_and(|types_of_one| Some(types_of_one) == types(other))
}
