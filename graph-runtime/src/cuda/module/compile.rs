//! CUDA C++ to an image for one device, by NVRTC, through the cache.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::cache::{Cache, Maker, Wanted};
use super::include;
use crate::cuda::driver;
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
    let wanted = wanted(source, names, arch);
    let version = match nvrtc::version() {
        Ok(version) => version,
        Err(reason) => {
            let kept = without_compiler(cache, &wanted, module.path).and_then(|kept| unpacked(&kept));
            return kept.ok_or_else(|| missing(module, &reason, arch, cache));
        }
    };
    let target = nvrtc::target(arch);
    let include = toolkit().map(|folder| format!("--include-path={}", folder.display()));
    let chosen: Vec<&str> = std::iter::once(&target.option).chain(&include).map(String::as_str).collect();
    let maker = Maker::nvrtc(version, chosen.iter().copied());
    if let Some(compiled) = cache.get(&wanted, &maker).and_then(|kept| unpacked(&kept)) {
        return Ok(compiled);
    }
    let options: Vec<String> = source.options.iter().chain(&chosen).map(ToString::to_string).collect();
    let request = Request { name: module.path, text: source.text, headers: source.headers, options: &options, names };
    let compiling = || format!("compiling kernel file `{}` for {}", module.path, target.option);
    let compiled = phase(compiling, || nvrtc::compile(&request, target.kind));
    let compiled = compiled.map_err(|log| refused(module, names, &log))?;
    cache.put(&wanted, &maker, &packed(&compiled));
    Ok(compiled)
}

/// What another compiler has made, for where there is none.
pub(super) fn without_compiler(cache: &Cache, wanted: &Wanted, what: &str) -> Option<Vec<u8>> {
    let driver = driver::version().map_or((i32::MAX, 0), driver::Version::parts);
    let (image, (major, minor)) = cache.of_any(wanted, driver)?;
    tracing::info!("`{what}` is taken from the cache as NVRTC {major}.{minor} has compiled it: no compiler is here");
    Some(image)
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

fn wanted(source: Source, names: &[String], arch: u32) -> Wanted {
    let counts = format!("{} {} {}", source.options.len(), names.len(), source.headers.len());
    let device = format!("compute capability {arch}");
    let fixed = [device.as_bytes(), counts.as_bytes(), source.text.as_bytes()];
    let own = source.options.iter().map(|option| option.as_bytes()).chain(names.iter().map(String::as_bytes));
    let headers = source.headers.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
    Wanted::of(fixed.into_iter().chain(own).chain(headers))
}

/// Where `#[cuda_module]` stands.
pub(super) fn place(module: &ModuleSource) -> String {
    let at = module.location;
    format!("{}:{}:{}", at.file, at.line, at.column)
}

fn missing(module: &ModuleSource, reason: &str, arch: u32, cache: &Cache) -> Error {
    Error::Unavailable(format!(
        "kernel file `{}` (module `{}`, {}) must be compiled, and {reason}\nnote: looked for on the library path and in {}{}\nhelp: \
         install the CUDA toolkit or the pip package `nvidia-cuda-nvrtc`, or compile the file to PTX and name that in `#[cuda_module]`; \
         `Device::cpu()` runs the same block without it",
        module.path,
        module.name,
        place(module),
        include::PLACES,
        not_kept(arch, cache),
    ))
}

/// That the cache has no image either.
pub(super) fn not_kept(arch: u32, cache: &Cache) -> String {
    let (major, minor) = (arch / 10, arch % 10);
    let kept = |folder: &Path| {
        let folder = folder.display();
        format!("\nnote: nothing that fits is kept in {folder} for compute capability {major}.{minor}")
    };
    cache.folder().map(kept).unwrap_or_default()
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
    fn what_is_wanted_depends_on_everything() {
        let name = ["k<int>".to_owned()];
        let first = wanted(SOURCE, &[], 90);
        assert_eq!(first, wanted(SOURCE, &[], 90));
        let others = [
            wanted(Source { text: "texts", ..SOURCE }, &[], 90),
            wanted(Source { headers: &[("a.h", "two")], ..SOURCE }, &[], 90),
            wanted(Source { headers: &[("b.h", "one")], ..SOURCE }, &[], 90),
            wanted(Source { options: &["--y"], ..SOURCE }, &[], 90),
            wanted(Source { options: &["k<int>"], ..SOURCE }, &[], 90),
            wanted(SOURCE, &name, 90),
            wanted(SOURCE, &[], 80),
        ];
        assert!(others.iter().all(|other| *other != first));
        assert_ne!(others[4], others[5], "an option and an instance");
        let as_options = Source { text: "text", headers: &[], options: &["a.h", "one"] };
        assert_ne!(wanted(as_options, &[], 90), first, "options and a header");
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
        let cache = Cache::at(Path::new("/kept"));
        let error = missing(&module(""), "NVRTC was not found", 90, &cache);
        let Error::Unavailable(text) = error else { panic!("another error") };
        for part in ["kernels/canny.cu", "CUDA_PATH", "is kept in /kept for compute capability 9.0\n", "Device::cpu()"]
        {
            assert!(text.contains(part), "{text}");
        }
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
