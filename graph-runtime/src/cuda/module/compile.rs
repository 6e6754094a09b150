//! CUDA C++ to an image for one device, by NVRTC, through the cache.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::cache::{Cache, Key};
use super::include;
use crate::cuda::nvrtc::{self, Compiled, Request};
use crate::error::{Error, Result};
use crate::kernel::ModuleSource;
use crate::progress::phase;

/// The text of a kernel file and what it is compiled with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The file.
    pub(super) text: &'static str,
    /// Its quoted includes.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The user's options.
    pub(super) options: &'static [&'static str],
}

/// The image of a kernel file for compute capability `arch` (90 for 9.0), with what each of these C++ names is called in it.
pub(super) fn compile(
    module: &ModuleSource,
    source: Source,
    names: &[String],
    arch: u32,
    cache: &Cache,
) -> Result<Compiled> {
    let version = nvrtc::version().map_err(|reason| missing(module, &reason))?;
    let target = nvrtc::target(arch);
    let options = options(&target.option, toolkit(), source.options);
    let key = key(source, &options, names, version);
    if let Some(compiled) = cache.get(&key).and_then(|kept| unpacked(&kept)) {
        return Ok(compiled);
    }
    let request = Request { name: module.path, text: source.text, headers: source.headers, options: &options, names };
    let compiling = || format!("compiling kernel file `{}` for {}", module.path, target.option);
    let compiled = phase(compiling, || nvrtc::compile(&request, target.kind));
    let compiled = compiled.map_err(|log| refused(module, names, &log))?;
    cache.put(&key, &packed(&compiled));
    Ok(compiled)
}

/// The names, each on a line, an empty line, and the image.
fn packed(compiled: &Compiled) -> Vec<u8> {
    let mut kept: Vec<u8> = Vec::with_capacity(compiled.image.len() + 1);
    for name in &compiled.lowered {
        kept.extend_from_slice(name.as_bytes());
        kept.push(b'\n');
    }
    kept.push(b'\n');
    kept.extend_from_slice(&compiled.image);
    kept
}

fn unpacked(mut kept: &[u8]) -> Option<Compiled> {
    let mut lowered = Vec::new();
    loop {
        let end = kept.iter().position(|byte| *byte == b'\n')?;
        let (name, rest) = (&kept[..end], &kept[end + 1..]);
        kept = rest;
        if name.is_empty() {
            return Some(Compiled { image: kept.to_vec(), lowered });
        }
        lowered.push(String::from_utf8(name.to_vec()).ok()?);
    }
}

fn toolkit() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(include::headers).as_deref()
}

fn options(target: &str, toolkit: Option<&Path>, own: &[&str]) -> Vec<String> {
    let include = toolkit.map(|folder| format!("--include-path={}", folder.display()));
    let own = own.iter().map(ToString::to_string);
    std::iter::once(target.to_owned()).chain(own).chain(include).collect()
}

fn key(source: Source, options: &[String], names: &[String], version: (i32, i32)) -> Key {
    let version = format!("NVRTC {}.{}", version.0, version.1);
    let counts = format!("{} {} {}", options.len(), names.len(), source.headers.len());
    let headers = source.headers.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
    let fixed = [version.as_bytes(), counts.as_bytes(), source.text.as_bytes()];
    let own = options.iter().chain(names).map(String::as_bytes);
    Key::of(fixed.into_iter().chain(own).chain(headers))
}

/// Where `#[cuda_module]` stands.
pub(super) fn place(module: &ModuleSource) -> String {
    let at = module.location;
    format!("{}:{}:{}", at.file, at.line, at.column)
}

fn missing(module: &ModuleSource, reason: &str) -> Error {
    Error::Unavailable(format!(
        "kernel file `{}` (module `{}`, {}) must be compiled, and {reason}\nnote: looked for on the library path and in {}\nhelp: \
         install the CUDA toolkit or the pip package `nvidia-cuda-nvrtc`, or compile the file to PTX and name that in `#[cuda_module]`; \
         `Device::cpu()` runs the same block without it",
        module.path,
        module.name,
        place(module),
        include::PLACES,
    ))
}

fn refused(module: &ModuleSource, names: &[String], log: &str) -> Error {
    let mut text = format!(
        "kernel file `{}` does not compile (module `{}`, {})\n{}",
        module.path,
        module.name,
        place(module),
        log.trim_end()
    );
    if !names.is_empty() {
        text += "\nnote: it is compiled with these instances: `";
        text += &names.join("`, `");
        text += "`";
    }
    if let Some(header) = missing_header(log) {
        text.push_str(&about_header(&header));
    }
    Error::Module(text)
}

/// The header that NVRTC could not open: `cuda_fp16.h`.
fn missing_header(log: &str) -> Option<String> {
    let line = log.lines().find(|line| line.contains("not open source file"))?;
    Some(line.split('"').nth(1)?.to_owned())
}

fn about_header(header: &str) -> String {
    match toolkit() {
        Some(folder) => format!(
            "\nnote: `{header}` was looked for beside the file that includes it, among the headers that `#[cuda_module]` embedded, and in \
             {}",
            folder.display()
        ),
        None => format!(
            "\nnote: no CUDA toolkit headers were found (looked in {})\nhelp: if `{header}` is one of the toolkit's, install the toolkit or \
             the pip package `nvidia-cuda-runtime`, or set CUDA_PATH",
            include::PLACES
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{ModuleCode, SourceLocation};

    const SOURCE: Source = Source { text: "text", headers: &[("a.h", "one")], options: &[] };

    fn module(text: &'static str) -> ModuleSource {
        let location = SourceLocation { file: "src/main.rs", line: 3, column: 1 };
        let code = ModuleCode::Source { text, headers: &[], options: &[] };
        ModuleSource { name: "canny", path: "kernels/canny.cu", code, location }
    }

    #[test]
    fn the_key_depends_on_everything() {
        let option = ["--x".to_owned()];
        let key = |source, options: &[String], version| key(source, options, &[], version);
        let first = key(SOURCE, &option, (12, 8));
        assert_eq!(first, key(SOURCE, &option, (12, 8)));
        assert_ne!(first, super::key(SOURCE, &option, &["k<int>".to_owned()], (12, 8)));
        assert_ne!(first, super::key(SOURCE, &[], &option, (12, 8)));
        let others = [
            key(Source { text: "texts", ..SOURCE }, &option, (12, 8)),
            key(Source { headers: &[("a.h", "two")], ..SOURCE }, &option, (12, 8)),
            key(Source { headers: &[("b.h", "one")], ..SOURCE }, &option, (12, 8)),
            key(SOURCE, &["--y".to_owned()], (12, 8)),
            key(SOURCE, &[], (12, 8)),
            key(SOURCE, &option, (12, 9)),
        ];
        assert!(others.iter().all(|other| *other != first));
    }

    #[test]
    fn an_option_is_not_taken_for_a_header() {
        let moved = Source { text: "text", headers: &[], options: &[] };
        let as_options = ["a.h".to_owned(), "one".to_owned()];
        assert_ne!(key(SOURCE, &[], &[], (12, 8)), key(moved, &as_options, &[], (12, 8)));
    }

    #[test]
    fn names_and_image_come_back() {
        for lowered in [vec![], vec!["_Z1kIfEvT_".to_owned(), "k".to_owned()]] {
            let compiled = Compiled { image: b"\x7fELF\n\n\0".to_vec(), lowered };
            assert_eq!(unpacked(&packed(&compiled)), Some(compiled));
        }
        assert_eq!(unpacked(b"k"), None);
        assert_eq!(unpacked(b"k\nl"), None);
    }

    #[test]
    fn templates_are_instantiated_by_name() {
        if nvrtc::version().is_err() {
            return;
        }
        let text = "namespace a { template <typename T, int N> __global__ void k(T *x) { x[0] = T(N); } }\n__global__ void plain(int n) {}";
        let source = Source { text, headers: &[], options: &[] };
        let names = ["a::k<float, 4>", "a::k<double, -2>", "plain"].map(str::to_owned);
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let compiled = compile(&module(text), source, &names, 90, &cache).unwrap();
        // Itanium's names, as any C++ compiler mangles them.
        assert_eq!(compiled.lowered, ["_ZN1a1kIfLi4EEEvPT_", "_ZN1a1kIdLin2EEEvPT_", "_Z5plaini"]);
        assert_eq!(compile(&module(text), source, &names, 90, &cache).unwrap(), compiled, "from the cache");
        let unknown = compile(&module(text), source, &["a::l<float>".to_owned()], 90, &cache).unwrap_err().to_string();
        assert!(unknown.contains("compiled with these instances: `a::l<float>`"), "{unknown}");
    }

    #[test]
    fn a_compile_error_has_the_path_and_the_log() {
        let error = refused(&module(""), &[], "kernels/canny.cu(2): error: expected a \";\"\n");
        let text = error.to_string();
        assert!(
            text.starts_with("kernel file `kernels/canny.cu` does not compile (module `canny`, src/main.rs:3:1)\n"),
            "{text}"
        );
        assert!(text.ends_with("kernels/canny.cu(2): error: expected a \";\""), "{text}");
    }

    #[test]
    fn a_missing_header_is_explained() {
        let log = "kernels/canny.cu(1): catastrophic error: cannot open source file \"cuda_fp16.h\"\n  #include <cuda_fp16.h>";
        assert_eq!(missing_header(log).as_deref(), Some("cuda_fp16.h"));
        assert!(refused(&module(""), &[], log).to_string().contains("\nnote: "));
        assert_eq!(missing_header("error: x"), None);
    }

    #[test]
    fn no_compiler_is_unavailable_and_says_what_to_do() {
        let Error::Unavailable(text) = missing(&module(""), "NVRTC was not found") else { panic!("another error") };
        assert!(
            text.contains("kernels/canny.cu") && text.contains("CUDA_PATH") && text.contains("Device::cpu()"),
            "{text}"
        );
    }

    #[test]
    fn source_becomes_an_elf_image_where_there_is_a_compiler() {
        if nvrtc::version().is_err() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let text = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1.0f; }";
        let source = Source { text, headers: &[], options: &[] };
        let image = compile(&module(text), source, &[], 90, &cache).unwrap();
        assert_eq!(&image.image[..4], b"\x7fELF");
        assert_eq!(compile(&module(text), source, &[], 90, &cache).unwrap(), image);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let broken = Source { text: "__global__ void k( { }", ..source };
        let error = compile(&module(broken.text), broken, &[], 90, &cache).unwrap_err().to_string();
        assert!(error.contains("kernels/canny.cu(1): error"), "{error}");
    }

    #[test]
    fn embedded_headers_are_found_by_name_where_there_is_a_compiler() {
        if nvrtc::version().is_err() {
            return;
        }
        let text = "#include \"inc/a.h\"\nextern \"C\" __global__ void k(int* x) { x[0] = A + B; }";
        let headers: &[(&str, &str)] = &[("inc/a.h", "#include \"b.h\"\n#define A 1"), ("b.h", "#define B 2")];
        let source = Source { text, headers, options: &["--use_fast_math"] };
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        assert!(
            compile(&module(text), source, &[], 90, &cache)
                .is_ok_and(|compiled| compiled.image.starts_with(b"\x7fELF"))
        );
    }

    #[test]
    fn half_precision_is_found_or_explained() {
        if nvrtc::version().is_err() {
            return;
        }
        let text = "#include <cuda_fp16.h>\nextern \"C\" __global__ void k(__half* x) { x[0] = __float2half(1.0f); }";
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let compiled = compile(&module(text), Source { text, headers: &[], options: &[] }, &[], 90, &cache);
        match toolkit() {
            Some(_) => assert!(compiled.is_ok_and(|compiled| compiled.image.starts_with(b"\x7fELF"))),
            None => assert!(compiled.unwrap_err().to_string().contains("set CUDA_PATH")),
        }
    }
}
