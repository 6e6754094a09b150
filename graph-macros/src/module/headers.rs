//! The headers of a kernel file: beside the files that include them, and in the folders of `include(…)`.

use std::path::Path;

use syn::LitStr;

use super::ast::{Arguments, Root};
use super::attribute::not_yet;
use super::files::{Files, normalized};
use super::scan::{self, Include};
use super::source::Header;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// All headers that includes reach: quoted ones beside the file that includes them, then all in the folders. What is not there is left
/// to NVRTC, which may know it, as it knows `cuda_fp16.h`.
pub(super) fn all(arguments: &Arguments, text: &str, files: &dyn Files, diagnostics: &mut Diagnostics) -> Vec<Header> {
    let main = &arguments.path;
    let folders: Vec<String> = arguments.includes.iter().map(LitStr::value).collect();
    let mut found: Vec<Header> = Vec::new();
    let mut open = vec![(arguments.root, normalized(Path::new(&main.value())), text.to_owned())];
    while let Some((root, includer, text)) = open.pop() {
        for include in scan::includes(&text) {
            let Some((root, path, text)) = find((root, &includer), include, &folders, files) else { continue };
            if let Some(first) = found.iter().find(|header| header.name == include.name) {
                if (first.root, &first.path) != (root, &path) {
                    diagnostics.push(same_name(main, include.name, [&first.path, &path]));
                }
                continue;
            }
            let text = scan::without_comments(&text);
            open.push((root, path.clone(), text.clone()));
            found.push(Header { name: include.name.to_owned(), path, root, text });
        }
    }
    found
}

/// Where a header is, and its text.
fn find(
    (root, includer): (Root, &str),
    include: Include<'_>,
    folders: &[String],
    files: &dyn Files,
) -> Option<(Root, String, String)> {
    let beside = include.quoted.then(|| (root, Path::new(includer).with_file_name("").join(include.name)));
    let folders = folders.iter().map(|folder| (Root::Package, Path::new(folder).join(include.name)));
    beside.into_iter().chain(folders).find_map(|(root, path)| {
        let path = normalized(&path);
        let text = contents(root, &path, files)?;
        Some((root, path, text))
    })
}

fn contents(root: Root, path: &str, files: &dyn Files) -> Option<String> {
    let folder = match root {
        Root::Package => files.root(),
        Root::OutDir => files.out_dir()?,
    };
    String::from_utf8(files.read(&folder.join(path)).ok()?).ok()
}

fn same_name(main: &LitStr, name: &str, paths: [&str; 2]) -> Diagnostic {
    not_yet(main.span(), &format!("two headers that are included as `{name}`"))
        .note(format!(
            "they are `{}` and `{}`; NVRTC looks headers up by the name in the `#include`",
            paths[0], paths[1]
        ))
        .help("rename one of the files")
}
