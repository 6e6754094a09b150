//! The table of lines in the README, counted again.

#![expect(clippy::panic, reason = "tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// Lines that are code.
fn code(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// Items that begin with `head`, up to the brace that closes them.
fn items<'s>(source: &'s str, head: &'s str) -> impl Iterator<Item = &'s str> {
    source.match_indices(head).map(|(at, _)| {
        let item = &source[at..];
        &item[..item.find("\n}\n").map_or(item.len(), |end| end + 2)]
    })
}

/// The paths of kernel files in `#[cuda_module("…")]`.
fn kernel_files(source: &str) -> impl Iterator<Item = &str> {
    source.split("#[cuda_module(\"").skip(1).filter_map(|rest| rest.split('"').next())
}

/// The files of a program: those in the folder of a `mod.rs`, or one.
fn sources(path: &Path) -> Vec<PathBuf> {
    let Some(folder) = path.parent().filter(|_| path.ends_with("mod.rs")) else { return vec![path.to_owned()] };
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path()).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines(folder: &Path, program: &str) -> usize {
    sources(&folder.join(program)).iter().map(|source| lines_of(folder, &read(source))).sum()
}

fn lines_of(folder: &Path, source: &str) -> usize {
    let rust: usize = ["#[cuda_module(", "cuda_graph! {"].iter().flat_map(|head| items(source, head)).map(code).sum();
    let mut files: Vec<PathBuf> = kernel_files(source).map(|file| folder.join(file)).collect();
    let mut next = 0;
    while let Some(file) = files.get(next) {
        let new: Vec<PathBuf> = headers(file).into_iter().filter(|header| !files.contains(header)).collect();
        files.extend(new);
        next += 1;
    }
    rust + files.iter().map(|file| code(&read(file))).sum::<usize>()
}

/// The headers that a kernel file includes from beside it.
fn headers(file: &Path) -> Vec<PathBuf> {
    let text = read(file);
    let names = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    names.map(|name| file.with_file_name(name)).collect()
}

#[test]
fn the_readme_counts_lines_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !folder.join("src").exists() {
        return println!("skipped: the sources are not here");
    }
    let readme = include_str!("../README.md");
    let rows = readme.lines().filter(|line| line.contains(".rs) |") && line.starts_with("| ["));
    let mut rows = rows.map(|row| {
        let program = row.split("](").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
        let counted = row.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
        (program, counted.parse().unwrap_or(0), lines(folder, program))
    });
    let wrong: Vec<(&str, usize, usize)> = rows.by_ref().filter(|(_, told, counted)| told != counted).collect();
    assert!(wrong.is_empty(), "file, lines told, lines counted: {wrong:?}");
}
