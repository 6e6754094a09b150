//! Pages that show cases of `tests/ui`: behind `<!-- tests/ui/x.rs -->` stands the case's block, and then its message.
#![allow(clippy::unwrap_used, reason = "asserting on files of the repository")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compares the blocks and messages of a page with the cases that stand in front of them. `INSTA_UPDATE=always` writes them.
pub(crate) fn assert_quotes_cases(path: &Path, language: &str) {
    let page = fs::read_to_string(path).unwrap();
    let anew = written_anew(&page, language);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(path, &anew).unwrap();
        return;
    }
    let differs = page.lines().zip(anew.lines()).position(|(shown, real)| shown != real);
    let line = differs.unwrap_or_else(|| page.lines().count().min(anew.lines().count()));
    let [shown, real] = [&page, &anew].map(|text| text.lines().nth(line));
    assert!(page == anew, "{}:{}: shows {shown:?}, and tests/ui has {real:?}", path.display(), line + 1);
}

fn written_anew(page: &str, language: &str) -> String {
    let mut parts = page.split("<!-- ");
    let mut anew = parts.next().unwrap().to_owned();
    for part in parts {
        let (case, rest) = part.split_once(&format!(" -->\n```{language}\n")).unwrap();
        let behind = rest.split_once("\n```text\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().1;
        let source = fs::read_to_string(root().join(case)).unwrap();
        let block = &source[source.find("cuda_graph!").unwrap()..];
        let block = block.split("\nfn main() {}").next().unwrap().trim_end();
        let printed = fs::read_to_string(root().join(case).with_extension("stderr")).unwrap();
        let message = printed.replace("$DIR/", "").replace(case.strip_prefix("tests/").unwrap(), "src/main.rs");
        let message = message.trim_end();
        write!(anew, "<!-- {case} -->\n```{language}\n{block}\n```\n\n```text\n{message}\n```{behind}").unwrap();
    }
    anew
}
