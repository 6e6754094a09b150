//! Shows what a graph expands to where `CUDA_GRAPH_DUMP` asks for it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use graph_ir::export::dump::{Form, Target, asked, write};
use proc_macro2::TokenStream;

/// On standard error, or in a file that is named after the graph.
pub(crate) fn graph(name: &str, expansion: &TokenStream) {
    match asked(Form::Rust) {
        Some(Target::Error) => eprintln!("// What graph `{name}` expands to.\n{}", formatted(expansion)),
        Some(Target::Folder(folder)) => write(&folder, name, &[("rs", &formatted(expansion))]),
        None => {}
    }
}

/// As rustfmt writes it; on one line if there is no rustfmt.
fn formatted(expansion: &TokenStream) -> String {
    let text = expansion.to_string();
    by_rustfmt(&text).unwrap_or(text)
}

fn by_rustfmt(text: &str) -> Option<String> {
    let mut rustfmt = Command::new("rustfmt");
    let rustfmt =
        rustfmt.args(["--edition", "2024"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut rustfmt = rustfmt.spawn().ok()?;
    // Dropped behind the text, so that it ends. It is read whole before anything is written.
    rustfmt.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = rustfmt.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn the_text_is_the_expansion() {
        let expansion = quote!(pub struct Cg { x : u32 } impl Cg { const SOLVE : u32 = 3 ; });
        let read: TokenStream = formatted(&expansion).parse().unwrap();
        let tokens = |tokens: TokenStream| tokens.to_string().replace([' ', '\n', ','], "");
        assert_eq!(tokens(read), tokens(expansion));
    }
}
