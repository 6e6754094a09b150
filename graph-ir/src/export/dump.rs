//! What the environment variable `CUDA_GRAPH_DUMP` asks for.

use std::path::{Path, PathBuf};
use std::sync::Once;

/// The variable's name.
pub const VARIABLE: &str = "CUDA_GRAPH_DUMP";

/// What can be shown of each graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The graph as the macro sees it, at each build.
    Outline,
    /// The graph as it is launched, at each build.
    Plan,
    /// What the macro expands to, when it is compiled.
    Rust,
}

/// Where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard error.
    Error,
    /// Files in this folder, which are named after the graph.
    Folder(PathBuf),
}

/// Where a form of each graph goes, if the variable asks for it. What it asks for that is none is told on standard error, once.
pub fn asked(form: Form) -> Option<Target> {
    static TOLD: Once = Once::new();
    let value = std::env::var_os(VARIABLE)?;
    match parse(&value.to_string_lossy()) {
        Ok(asked) => asked.into_iter().find(|(asked, _)| *asked == form).map(|(_, target)| target),
        Err(error) => {
            TOLD.call_once(|| eprintln!("warning: {error}"));
            None
        }
    }
}

/// Writes files of a graph into a folder, each by the end of its name, and makes the folder. What goes wrong is told on standard error:
/// nothing else depends on these files.
pub fn write(folder: &Path, name: &str, files: &[(&str, &str)]) {
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        files.iter().try_for_each(|(end, text)| std::fs::write(folder.join(format!("{name}.{end}")), text))
    });
    if let Err(error) = written {
        eprintln!("warning: graph `{name}` cannot be written to `{}`: {error}", folder.display());
    }
}

/// `plan`, `plan=folder`, `outline,plan=folder`. An empty text asks for nothing.
fn parse(text: &str) -> Result<Vec<(Form, Target)>, String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| parse_item(item).ok_or_else(|| unknown(item))).collect()
}

fn parse_item(item: &str) -> Option<(Form, Target)> {
    let (form, folder) = item.split_once('=').map_or((item, None), |(form, folder)| (form, Some(folder)));
    let form = match form.trim() {
        "outline" => Form::Outline,
        "plan" => Form::Plan,
        "rust" => Form::Rust,
        _ => return None,
    };
    match folder.map(str::trim) {
        Some("") => None,
        Some(folder) => Some((form, Target::Folder(folder.into()))),
        None => Some((form, Target::Error)),
    }
}

fn unknown(item: &str) -> String {
    format!(
        "{VARIABLE} asks for `{item}`, and nothing is shown\n\
         help: ask for `outline`, `plan` or `rust`, or for several with a comma between them; `plan=FOLDER` writes files"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_go_to_standard_error_or_to_a_folder() {
        assert_eq!(parse(""), Ok(vec![]));
        assert_eq!(parse("plan"), Ok(vec![(Form::Plan, Target::Error)]));
        let folder = |path: &str| Target::Folder(path.into());
        let both = vec![(Form::Outline, folder("some/folder")), (Form::Rust, Target::Error)];
        assert_eq!(parse(" outline=some/folder, rust"), Ok(both));
    }

    #[test]
    fn anything_else_is_refused_with_what_there_is() {
        for text in ["plans", "PLAN", "plan=", "=x", "plan;rust", "plan,outlin"] {
            let error = parse(text).unwrap_err();
            let item = text.split(',').next_back().unwrap();
            assert!(error.starts_with(&format!("CUDA_GRAPH_DUMP asks for `{item}`")), "{error}");
            assert!(error.contains("`outline`, `plan` or `rust`"), "{error}");
        }
    }
}
