//! What mdbook's book gets beside the chapters: the reference, the pages of all codes, and what is written about the project. Links between
//! files of the repository become links between pages; a link to a file that is no page becomes its text.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::Result;

/// Where the chapters lie.
const CHAPTERS: &str = "guide/src";

/// What follows them: a title, a folder of the repository, and where its pages lie in the book.
const PARTS: [(&str, &str, &str); 3] = [
    ("The language, form by form", "docs/reference", "reference"),
    ("About the project", "docs", "docs"),
    ("The codes of errors", "graph-runtime/src/errors", "errors"),
];

/// A file that is a page of the book.
struct Page {
    title: String,
    text: String,
    /// In the book.
    path: PathBuf,
}

/// Reads the book from standard input, as mdbook gives it to its preprocessors, and writes it whole to standard output.
pub(super) fn add(root: &Path) -> Result {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut given: Value = serde_json::from_str(&text)?;
    let mut book = given.get_mut(1).ok_or("mdbook gave no book")?.take();
    let items = book["items"].as_array_mut().ok_or("mdbook's book has no chapters")?;
    let parts = PARTS.map(|(title, folder, place)| Ok((title, pages(root, Path::new(folder), Path::new(place))?)));
    let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
    let mut places: BTreeMap<PathBuf, PathBuf> =
        parts.iter().flat_map(|(_, pages)| pages).map(|(file, page)| (file.clone(), page.path.clone())).collect();
    let chapters = items.iter().filter_map(|item| item["Chapter"]["path"].as_str());
    places.extend(chapters.map(|path| (Path::new(CHAPTERS).join(path), PathBuf::from(path))));
    for chapter in items.iter_mut().filter_map(|item| item.get_mut("Chapter")) {
        let path = chapter["path"].as_str().map(PathBuf::from).ok_or("a chapter has no file")?;
        let text = chapter["content"].as_str().ok_or("a chapter has no text")?;
        chapter["content"] = linked(text, &Path::new(CHAPTERS).join(&path), &path, &places).into();
    }
    for (title, pages) in parts {
        items.push(json!({ "PartTitle": title }));
        items.extend(pages.iter().map(|(file, page)| chapter(file, page, &places)));
    }
    io::stdout().write_all(serde_json::to_string(&book)?.as_bytes())?;
    Ok(())
}

fn chapter(file: &Path, page: &Page, places: &BTreeMap<PathBuf, PathBuf>) -> Value {
    // rustdoc knows such a block for Rust, mdbook does not.
    let text = page.text.replace("\n```compile_fail\n", "\n```rust,compile_fail\n");
    json!({ "Chapter": {
        "name": page.title, "content": linked(&text, file, &page.path, places), "number": null, "sub_items": [],
        "path": page.path, "source_path": null, "parent_names": [],
    } })
}

/// The pages of a folder, by their files. An index comes first.
fn pages(root: &Path, folder: &Path, place: &Path) -> Result<Vec<(PathBuf, Page)>> {
    let names = fs::read_dir(root.join(folder))?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    let mut names: Vec<_> =
        names.into_iter().filter(|name| Path::new(name).extension() == Some(OsStr::new("md"))).collect();
    names.sort_by_key(|name| (name != "README.md", name.clone()));
    let page = |name: &OsStr| -> Result<(PathBuf, Page)> {
        let file = folder.join(name);
        let text = fs::read_to_string(root.join(&file))?;
        let title =
            text.lines().find_map(|line| line.strip_prefix("# ")).ok_or("a page has no title")?.replace('`', "");
        let path = place.join(if name == "README.md" { OsStr::new("index.md") } else { name });
        Ok((file, Page { title, text, path }))
    };
    names.iter().map(|name| page(name)).collect()
}

/// The text of a file with its links to files of the repository as links from the page `place`.
fn linked(text: &str, file: &Path, place: &Path, places: &BTreeMap<PathBuf, PathBuf>) -> String {
    let (mut made, mut done) = (String::new(), 0);
    let mut open: Option<(usize, usize, String)> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.contains(':') && !dest_url.starts_with('#') => {
                open = Some((range.start, range.start + 1, dest_url.to_string()));
            }
            Event::End(TagEnd::Link) => {
                let Some((start, inner, target)) = open.take() else { continue };
                made.push_str(&text[done..start]);
                let label = &text[start + 1..inner];
                match page_of(&target, file, place, places) {
                    Some(page) => made.extend(["[", label, "](", &page, ")"]),
                    None => made.push_str(label),
                }
                done = range.end;
            }
            _ => {
                if let Some((_, inner, _)) = &mut open {
                    *inner = range.end;
                }
            }
        }
    }
    made + &text[done..]
}

/// Where a link of a file leads in the book, if it leads to a page.
fn page_of(target: &str, file: &Path, place: &Path, places: &BTreeMap<PathBuf, PathBuf>) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let page = places.get(&plain(&file.parent()?.join(path)))?;
    let up = place.parent()?.components().map(|_| "..");
    let way = up.chain(page.components().filter_map(|part| part.as_os_str().to_str())).collect::<Vec<_>>().join("/");
    Some(anchor.map_or(way.clone(), |anchor| format!("{way}#{anchor}")))
}

/// A path without `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked_from_a_page(text: &str) -> String {
        let places = [("docs/a.md", "docs/a.md"), ("guide/src/b.md", "b.md")];
        let places = places.map(|(file, page)| (PathBuf::from(file), PathBuf::from(page))).into();
        linked(text, Path::new("docs/a.md"), Path::new("docs/a.md"), &places)
    }

    #[test]
    fn links_lead_to_pages_or_become_their_text() {
        assert_eq!(linked_from_a_page("see [`b`](../guide/src/b.md#part) there"), "see [`b`](../b.md#part) there");
        assert_eq!(linked_from_a_page("in [the *code*](../src/main.rs)."), "in the *code*.");
        let unchanged = "[far](https://example.org), [here](#part), `[no](link.md)`";
        assert_eq!(linked_from_a_page(unchanged), unchanged);
    }

    #[test]
    fn links_by_name_are_resolved() {
        let text = "[CG1] and [`T`]\n\n[CG1]: ../guide/src/b.md\n[`T`]: ../src/t.rs\n";
        assert!(linked_from_a_page(text).starts_with("[CG1](../b.md) and `T`\n"), "{}", linked_from_a_page(text));
    }

    #[test]
    fn tables_keep_their_form() {
        let text = "| a | b |\n|---|---|\n| [x](a.md) | [y](../x.rs) |\n";
        assert_eq!(linked_from_a_page(text), "| a | b |\n|---|---|\n| [x](../docs/a.md) | y |\n");
    }
}
