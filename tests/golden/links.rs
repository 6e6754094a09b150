//! Every link between files of the repository leads to a file, and to a heading where it names one.
#![allow(clippy::unwrap_used, reason = "asserting on files of the repository")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::quoted::root;

/// All pages, but for what was built.
fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !name.starts_with("target") && name != "gpu-bundle" {
            find_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

fn links(text: &str) -> Vec<String> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    let links = events.filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    links.filter(|link| !link.contains(':')).collect()
}

/// What headings are called in links, by forges and by mdbook.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut anchors, mut heading) = (BTreeSet::new(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|heading| anchor(&heading))),
            Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
            _ => {}
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Why a link of a page leads nowhere, if it does.
fn fault(page: &Path, text: &str, link: &str) -> Option<String> {
    let (path, named) = link.split_once('#').map_or((link, None), |(path, named)| (path, Some(named)));
    let there = page.parent().unwrap().join(path);
    if !path.is_empty() && !there.exists() {
        return Some("no such file".to_owned());
    }
    let named = named?;
    let other = if path.is_empty() { text.to_owned() } else { fs::read_to_string(&there).ok()? };
    let known = anchors(&other);
    (!known.contains(named)).then(|| format!("no such heading among {known:?}"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = Vec::new();
    find_pages(&root(), &mut pages);
    let (mut faults, mut count) = (Vec::new(), 0);
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text) {
            count += 1;
            faults.extend(fault(page, &text, &link).map(|fault| format!("\n{}: {link}: {fault}", page.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.concat());
    assert!(count > 400, "{count} links in {} pages: where are the others?", pages.len());
}

#[test]
fn a_broken_link_is_found() {
    let page = root().join("guide/src/SUMMARY.md");
    let text = "# What is `x`, and why?\n\n[a](#what-is-x-and-why) [b](first-graph.md#order) [c](no.md) [d](first-graph.md#no) `[e](no.md)`\n";
    let found = links(text);
    assert_eq!(found, ["#what-is-x-and-why", "first-graph.md#order", "no.md", "first-graph.md#no"]);
    let faults = found.iter().map(|link| fault(&page, text, link).is_some()).collect::<Vec<_>>();
    assert_eq!(faults, [false, false, true, true]);
}
