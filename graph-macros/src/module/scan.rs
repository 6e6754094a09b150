//! Just enough of CUDA C++ and PTX to find kernels and includes in a text.

use super::lex::{self, Kind, Token};

/// A kernel in a `.cu` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kernel {
    pub(super) name: String,
    /// Whether the module knows it by this name.
    pub(super) extern_c: bool,
    /// Whether it is one for each choice of parameters.
    pub(super) template: bool,
}

/// The text with a space for each comment; line breaks stay, also inside comments.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let length = if first == '"' || first == '\'' { lex::quoted(rest) } else { first.len_utf8() };
            kept.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        };
        kept.push(' ');
        kept.extend(rest[..length].chars().filter(|character| *character == '\n'));
        rest = &rest[length..];
    }
    kept
}

/// A name in an `#include`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Include<'a> {
    pub(super) name: &'a str,
    /// `"…"`, as opposed to `<…>`.
    pub(super) quoted: bool,
}

/// The names in `#include`s, of a text without comments.
pub(super) fn includes(text: &str) -> Vec<Include<'_>> {
    text.lines().filter_map(include).collect()
}

fn include(line: &str) -> Option<Include<'_>> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let name = directive.strip_prefix("include")?.trim_start();
    let quoted = name.strip_prefix('"').and_then(|name| name.split_once('"'));
    let angled = || name.strip_prefix('<').and_then(|name| name.split_once('>'));
    let (found, quoted) = quoted.map(|found| (found, true)).or_else(|| angled().map(|found| (found, false)))?;
    Some(Include { name: found.0, quoted })
}

/// Whether a macro of the text defines kernels, whose names a scan cannot know.
pub(super) fn defines_kernels(text: &str) -> bool {
    let logical = text.replace("\\\r\n", " ").replace("\\\n", " ");
    logical.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|directive| directive.starts_with("define") && directive.contains("__global__"))
    })
}

/// The kernels of a CUDA C++ text without comments.
pub(super) fn kernels(text: &str) -> Vec<Kernel> {
    let tokens = lex::tokens(text, 0);
    let mut found: Vec<Kernel> = Vec::new();
    // For each open brace, whether it is that of an `extern "C" {`.
    let mut braces = Vec::new();
    let (mut extern_c, mut template) = (false, false);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Word("extern") => {
                extern_c |= tokens.get(index + 1).is_some_and(|next| next.kind == Kind::Text("\"C\""));
            }
            Kind::Word("template") => template = true,
            Kind::Mark('{') => {
                braces.push(extern_c);
                (extern_c, template) = (false, false);
            }
            Kind::Mark('}') => {
                braces.pop();
                (extern_c, template) = (false, false);
            }
            Kind::Mark(';') => (extern_c, template) = (false, false),
            Kind::Word("__global__") => {
                if let Some(name) = name(&tokens[index + 1..]) {
                    let extern_c = extern_c || braces.contains(&true);
                    found.push(Kernel { name: name.to_owned(), extern_c, template });
                }
            }
            _ => {}
        }
    }
    found
}

/// The word in front of the parameters: `void __launch_bounds__(256) sweep(`.
fn name<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    let mut depth = 0_usize;
    for pair in tokens.windows(2) {
        match pair[0].kind {
            Kind::Mark('(') => depth += 1,
            Kind::Mark(')') => depth = depth.saturating_sub(1),
            Kind::Mark(';' | '{' | '}') => return None,
            Kind::Word(word) if pair[1].is('(') && depth == 0 && !word.starts_with("__") => return Some(word),
            _ => {}
        }
    }
    None
}

/// The kernels of a PTX text without comments.
pub(super) fn entries(text: &str) -> Vec<String> {
    let tokens = lex::tokens(text, 0);
    let entry = |window: &[Token<'_>]| match window {
        [dot, entry, name] if dot.is('.') && entry.is_word("entry") => name.word().map(str::to_owned),
        _ => None,
    };
    tokens.windows(3).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, bool)> {
        kernels(&without_comments(text)).into_iter().map(|kernel| (kernel.name, kernel.extern_c)).collect()
    }

    #[test]
    fn kernels_and_how_they_are_linked() {
        let text = r#"
            // extern "C" __global__ void commented(int n) {}
            /* __global__ void
               also_commented(int n) {} */
            extern "C" __global__ void plain(float *x) { if (x) { x[0] = '{'; } }
            extern "C" __global__ __launch_bounds__(256, 2) void bounded(float *x);
            extern "C" __global__ void __launch_bounds__(128) behind(float *x) {}
            __global__ void mangled(int n) {}
            extern "C" {
                __global__ void in_block(int n) { printf("} // no comment"); }
                __device__ float f(float x) { return x; }
            }
            namespace a { template <typename T> __global__ void generic(T n) {} }
            __device__ void none(int n) {}
        "#;
        let wanted = [
            ("plain", true),
            ("bounded", true),
            ("behind", true),
            ("mangled", false),
            ("in_block", true),
            ("generic", false),
        ];
        assert_eq!(names(text), wanted.map(|(name, extern_c)| (name.to_owned(), extern_c)));
    }

    #[test]
    fn templates_are_told_from_plain_kernels() {
        let text = "template <class T> struct S; __global__ void plain(int n) {}\n\
                    template <typename T, int N>\n__global__ void __launch_bounds__(N) generic(T n) {}\n__global__ void last(int n);";
        let found: Vec<_> = kernels(text).into_iter().map(|kernel| (kernel.name, kernel.template)).collect();
        let wanted = [("plain", false), ("generic", true), ("last", false)];
        assert_eq!(found, wanted.map(|(name, template)| (name.to_owned(), template)));
    }

    #[test]
    fn digit_separators_and_unfinished_texts() {
        assert_eq!(names("int n = 1'000;\nextern \"C\" __global__ void k(int n) {}"), [("k".to_owned(), true)]);
        for text in ["", "__global__", "__global__ void", "\"", "/*", "/", "'", "extern", "__global__ void k", "}}"] {
            assert_eq!(names(text), []);
        }
    }

    #[test]
    fn both_kinds_of_includes() {
        let text = "#include \"a.h\"\n  # include  \"inc/b.cuh\" \n#include <cuda_fp16.h>\n// #include \"c.h\"\nx = \"#include\";\n#include \"open\n";
        let of = |name, quoted| Include { name, quoted };
        assert_eq!(
            includes(&without_comments(text)),
            [of("a.h", true), of("inc/b.cuh", true), of("cuda_fp16.h", false)]
        );
    }

    #[test]
    fn macros_that_define_kernels() {
        assert!(defines_kernels("#define KERNEL(name) \\\n  extern \"C\" __global__ void name(int n)\nKERNEL(a) {}"));
        assert!(!defines_kernels("#define N 4\nextern \"C\" __global__ void a(int n) {}"));
    }

    #[test]
    fn entries_of_ptx() {
        let text =
            ".version 8.0\n// .entry commented(\n.visible .entry sweep(\n.param .u64 p)\n{ ret; }\n.entry $odd(){ret;}";
        assert_eq!(entries(&without_comments(text)), ["sweep", "$odd"]);
    }
}
