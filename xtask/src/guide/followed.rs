//! Follows every link of a built book that leads within it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::pages::plain;
use crate::Result;

/// How many pages and links there are; the links that lead nowhere are an error.
pub(super) fn all(book: &Path) -> Result<(usize, usize)> {
    let mut files = Vec::new();
    find(book, &mut files)?;
    let texts =
        files.iter().map(|file| Ok((file.clone(), fs::read_to_string(file)?))).collect::<Result<BTreeMap<_, _>>>()?;
    let anchors: BTreeMap<&Path, BTreeSet<&str>> =
        texts.iter().map(|(file, text)| (file.as_path(), attributes(text, "id").collect())).collect();
    let (mut count, mut broken) = (0, Vec::new());
    for (file, text) in &texts {
        for link in attributes(text, "href").chain(attributes(text, "src")).filter(|link| is_within(link)) {
            count += 1;
            if !leads_somewhere(link, file, &anchors) {
                broken.push(format!("\n  {}: {link}", file.strip_prefix(book).unwrap_or(file).display()));
            }
        }
    }
    if !broken.is_empty() {
        return Err(format!("{} links of the book lead nowhere:{}", broken.len(), broken.concat()).into());
    }
    Ok((files.len(), count))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            files.push(path);
        }
    }
    Ok(())
}

/// The values of an attribute of any element. mdbook writes them all in double quotes.
fn attributes<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let begin = format!(" {name}=\"");
    let places: Vec<usize> = text.match_indices(&begin).map(|(at, found)| at + found.len()).collect();
    places.into_iter().filter_map(|at| text[at..].split('"').next())
}

fn is_within(link: &str) -> bool {
    !link.is_empty()
        && !["http:", "https:", "data:", "javascript:", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}

fn leads_somewhere(link: &str, file: &Path, anchors: &BTreeMap<&Path, BTreeSet<&str>>) -> bool {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let there = if path.is_empty() { file.to_path_buf() } else { plain(&file.with_file_name("").join(path)) };
    match anchors.get(there.as_path()) {
        Some(known) => anchor.is_none_or(|anchor| known.contains(anchor)),
        None => anchor.is_none() && there.exists(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_page_and_to_a_place_in_it() {
        let anchors =
            [(Path::new("/book/a.html"), BTreeSet::from(["part"])), (Path::new("/book/b/c.html"), BTreeSet::new())]
                .into();
        let follow = |link| leads_somewhere(link, Path::new("/book/b/c.html"), &anchors);
        assert!(follow("../a.html") && follow("../a.html#part") && follow("c.html"));
        assert!(!follow("../a.html#other") && !follow("a.html") && !follow("#part"));
    }

    #[test]
    fn attributes_are_found_in_any_element() {
        let text = "<a href=\"x.html\" id=\"one\">x</a><h2 id=\"two\">";
        assert_eq!(attributes(text, "id").collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(attributes(text, "href").collect::<Vec<_>>(), ["x.html"]);
    }
}
