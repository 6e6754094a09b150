//! The signatures of a file's `extern "C"` kernels.

use std::fmt::Write as _;

/// PTX with the kernels of a file, whose bodies are empty; or what cannot be read.
pub(super) fn ptx(text: &str) -> Result<String, String> {
    let text = code_of(text);
    let mut ptx = ".version 8.0\n.target sm_80\n.address_size 64\n".to_owned();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("__global__") {
        let (before, kernel) = rest.split_at(at);
        let open = kernel.find('{').ok_or("a kernel has no body")?;
        let (head, body) = kernel.split_at(open);
        let body = &body[..end_of(body)];
        if !is_template(before) {
            ptx.push_str(&entry(&text, head, body)?);
        }
        rest = &kernel[open + body.len()..];
    }
    Ok(ptx)
}

/// What a kernel waits with for those that it overlaps.
const WAITS: [&str; 2] = ["griddepcontrol.wait", "cudaGridDependencySynchronize"];

/// The functions of a file that wait so.
fn waiting(text: &str) -> impl Iterator<Item = &str> {
    text.split("__device__").skip(1).filter_map(|function| {
        let (head, rest) = function.split_once('{')?;
        let waits = WAITS.iter().any(|word| rest[..end_of(&function[head.len()..]) - 1].contains(word));
        let name = head.split('(').next()?.split_whitespace().last()?;
        waits.then_some(name)
    })
}

/// Without comments and lines of the preprocessor.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        code.push_str(&rest[..at]);
        rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
    }
    code.push_str(rest);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn end_of(body: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    body.len()
}

/// Whether a declaration that ends here begins with `template`.
fn is_template(before: &str) -> bool {
    let start = before.rfind(['}', ';']).map_or(0, |at| at + 1);
    before[start..].contains("template")
}

fn entry(text: &str, head: &str, body: &str) -> Result<String, String> {
    let close = head.rfind(')').ok_or("a kernel has no parameters")?;
    let open = opening(head, close).ok_or("a kernel has no parameters")?;
    let name =
        head[..open].split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).rfind(|word| !word.is_empty());
    let name = name.ok_or("a kernel has no name")?;
    let parameters = parameters(&head[open + 1..close]).enumerate().map(|(index, parameter)| {
        let (size, align) = layout(text, parameter)
            .ok_or_else(|| format!("the stand-in for NVRTC does not know the type of `{parameter}`"))?;
        Ok(format!("\t.param .align {align} .b8 {name}_param_{index}[{size}]"))
    });
    let parameters = parameters.collect::<Result<Vec<_>, String>>()?.join(",\n");
    let mut entry = format!(".visible .entry {name}(\n{parameters}\n)\n");
    if let Some(threads) = bounds(head) {
        let written = writeln!(entry, ".maxntid {threads}, 1, 1");
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
    }
    let waits =
        WAITS.iter().any(|word| body.contains(word)) || waiting(text).any(|name| body.contains(&format!("{name}(")));
    entry.push_str(if waits { "{\n\tgriddepcontrol.wait;\n\tret;\n}\n" } else { "{\n\tret;\n}\n" });
    Ok(entry)
}

/// The bracket that the one at `close` closes.
fn opening(head: &str, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    head[..=close].bytes().enumerate().rev().find_map(|(at, byte)| {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

fn parameters(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|one| !one.is_empty() && *one != "void")
}

/// The number in `__launch_bounds__(128)`.
fn bounds(head: &str) -> Option<u32> {
    let at = head.find("__launch_bounds__(")? + "__launch_bounds__(".len();
    head[at..].split([',', ')']).next()?.trim().parse().ok()
}

/// Size and alignment of a parameter or a field.
fn layout(text: &str, declaration: &str) -> Option<(usize, usize)> {
    if declaration.contains('*') {
        return Some((8, 8));
    }
    let declaration = without_arguments(declaration);
    let (declaration, count) = match declaration.split_once('[') {
        Some((before, count)) => (before, count.trim_end_matches(']').trim().parse().ok()?),
        None => (declaration.as_str(), 1_usize),
    };
    let mut words: Vec<&str> = declaration
        .split_whitespace()
        .filter(|word| !["const", "struct", "__restrict__", "__grid_constant__"].contains(word))
        .collect();
    // The last word is the name.
    words.pop();
    let (size, align) = plain(&words.join(" ")).or_else(|| structure(text, words.first()?))?;
    Some((size * count, align))
}

/// `List from` for `List<const float> from`.
fn without_arguments(declaration: &str) -> String {
    match (declaration.find('<'), declaration.rfind('>')) {
        (Some(start), Some(end)) if start < end => format!("{}{}", &declaration[..start], &declaration[end + 1..]),
        _ => declaration.to_owned(),
    }
}

fn plain(name: &str) -> Option<(usize, usize)> {
    let same = |size| Some((size, size));
    match name {
        "char" | "signed char" | "unsigned char" | "bool" | "int8_t" | "uint8_t" => same(1),
        "short" | "unsigned short" | "__half" | "half" | "__nv_bfloat16" | "int16_t" | "uint16_t" => same(2),
        "int" | "unsigned" | "unsigned int" | "float" | "int32_t" | "uint32_t" => same(4),
        "long"
        | "unsigned long"
        | "long long"
        | "unsigned long long"
        | "double"
        | "size_t"
        | "int64_t"
        | "uint64_t"
        | "cudaGraphConditionalHandle"
        | "float2"
        | "uint2"
        | "int2" => same(8),
        "float4" | "uint4" | "int4" => same(16),
        _ => None,
    }
}

/// A struct that the file declares.
fn structure(text: &str, name: &str) -> Option<(usize, usize)> {
    let at = text.find(&format!("struct {name} {{"))?;
    let fields = text[at..].split_once('{')?.1.split_once('}')?.0;
    let (mut end, mut widest) = (0_usize, 1);
    for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let (first, rest) = field.split_once(',').map_or((field, None), |(first, rest)| (first, Some(rest)));
        let (size, align) = layout(text, first)?;
        let count = 1 + rest.map_or(0, |rest| rest.split(',').count());
        (end, widest) = (end.next_multiple_of(align) + size * count, widest.max(align));
    }
    Some((end.next_multiple_of(widest), widest))
}

#[cfg(test)]
mod tests {
    use super::ptx;
    use crate::ptx::entries;

    #[test]
    fn a_signature_becomes_an_entry() {
        let text = "__device__ void held() { asm volatile(\"griddepcontrol.wait;\"); }\n#define N 4 // __global__\nstruct Pair { float a; double b; unsigned c, d; };\n/* __global__ */\n\
                    extern \"C\" __global__ void __launch_bounds__(128) mix(const float *x, unsigned n, Pair pair, unsigned long long h) {\n\
                    if (n) { x; } held(); }\n\
                    template <typename T> struct List { const T* items; unsigned long long count; };\n\
                    template <typename T> __global__ void other(T t) {}\n\
                    extern \"C\" __global__ void all(List<const float> of) {}\nextern \"C\" __global__ void none() {}";
        let found = entries(&ptx(text).unwrap()).unwrap();
        assert_eq!(found.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["mix", "all", "none"]);
        assert_eq!(found[0].parameters, [(0, 8), (8, 4), (16, 24), (40, 8)]);
        assert_eq!(found[1].parameters, [(0, 16)]);
        assert_eq!((found[0].threads, found[0].waits, found[2].waits), (Some(128), true, false));
    }

    #[test]
    fn an_unknown_type_is_told() {
        let log = ptx("extern \"C\" __global__ void odd(Thing thing) {}").unwrap_err();
        assert_eq!(log, "the stand-in for NVRTC does not know the type of `Thing thing`");
    }
}
