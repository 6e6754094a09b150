use super::{attribute, declared, errors, expand};

#[test]
fn a_missing_file_is_looked_for() {
    assert_eq!(
        attribute("\"kernels/kk.cu\""),
        ["kernel file `kernels/kk.cu` cannot be read [CG0104]\n\
          note: looked at `/package/kernels/kk.cu`: no such file\n\
          help: a file with a similar name exists: `kernels/k.cu`"]
    );
    assert_eq!(
        attribute("\"jacobi.cu\""),
        ["kernel file `jacobi.cu` cannot be read [CG0104]\n\
          note: looked at `/package/jacobi.cu`: no such file\n\
          note: the path is relative to the package's folder"]
    );
}

#[test]
fn names_and_contents_of_files() {
    assert_eq!(
        attribute("\"kernels/k.c\""),
        [
            "`kernels/k.c` is no kernel file [CG0104]\nnote: expected a name that ends in `.cu` (CUDA C++), `.ptx` or `.cubin`"
        ]
    );
    assert_eq!(
        attribute("\"/kernels/k.cu\""),
        ["the path of a kernel file must be relative [CG0104]\n\
          note: it starts at the package's folder, so that the package builds on every machine\n\
          help: copy the file into the package, and write its path from there: `\"kernels/name.cu\"`"]
    );
    assert_eq!(
        attribute("\"kernels/latin.cu\""),
        ["kernel file `kernels/latin.cu` is not UTF-8 [CG0104]\nnote: the first byte that is not is at offset 3"]
    );
}

#[test]
fn arguments_of_the_attribute() {
    let missing = "expected the path of a kernel file [CG0104]\n\
        note: the path is relative to the package's folder, and ends in `.cu`, `.ptx` or `.cubin`\n\
        help: write it first: `#[cuda_module(\"kernels/name.cu\")]`, or `out_dir = \"name.ptx\"` for what a build script makes";
    assert_eq!(attribute(""), [missing]);
    assert_eq!(attribute("define(N = 4)"), [missing]);
    assert_eq!(
        attribute("\"kernels/k.cu\", out_dir = \"k.ptx\""),
        ["`out_dir` does not stand first [CG0004]\n\
          help: write `#[cuda_module(out_dir = \"name.ptx\")]`, without another path"]
    );
    assert_eq!(attribute("\"kernels/k.cu\", define(N = 4, FAST), include(\"inc\")"), [""; 0]);
    assert_eq!(
        attribute("\"kernels/k.cu\", define(N = f(4))"),
        ["expected a number, `true`, `false`, a name or a string [CG0004]\n\
          note: the kernel file's preprocessor gets it as it is written here\n\
          help: for anything else, write a string: `define(N = \"…\")`"]
    );
    assert_eq!(
        attribute("\"kernels/k.cu\", include(\"includes\")"),
        [
            "include folder `includes` is not there, or empty [CG0104]\nnote: the path is relative to the package's folder"
        ]
    );
    assert_eq!(
        attribute("\"kernels/k.cu\", option(\"-G\")"),
        ["`option` is no argument of `cuda_module` [CG0004]\nhelp: an argument with a similar name exists: `options`"]
    );
    assert_eq!(
        attribute("\"kernels/k.ptx\", options(\"-G\")"),
        ["`options(…)` has no meaning for a `.ptx` file [CG0004]\n\
          note: it is for NVRTC, which compiles `.cu` files when a graph is built"]
    );
    assert_eq!(attribute("\"kernels/k.cu\", options(\"-G\",),"), [""; 0]);
}

#[test]
fn kernels_that_the_file_does_not_have() {
    assert_eq!(
        declared("pub fn kk(n: u32);"),
        ["`kernels/k.cu` has no kernel named `kk` [CG0104]\nhelp: a kernel with a similar name exists: `k`"]
    );
    assert_eq!(
        declared("pub fn another(n: u32);"),
        ["`kernels/k.cu` has no kernel named `another` [CG0104]\nnote: its kernels are `k`, `mangled`, `generic`"]
    );
    assert_eq!(declared("pub fn mangled(n: u32);"), [""; 0], "it is known by its C++ name");
    let of = |path: &str, name: &str| errors(expand(path, &format!("unsafe mod m {{ pub fn {name}(n: u32); }}")));
    assert_eq!(
        of("\"kernels/k.ptx\"", "sweep"),
        ["`kernels/k.ptx` has no kernel named `sweep` [CG0104]\nnote: its kernels are `k`"]
    );
    assert_eq!(
        of("\"kernels/empty.cu\"", "k"),
        ["`kernels/empty.cu` has no kernel named `k` [CG0104]\nnote: the file has no kernel at all"]
    );
    for path in ["\"kernels/macro.cu\"", "\"kernels/k.cubin\""] {
        assert_eq!(of(path, "anything"), [""; 0]);
    }
}

/// A package without a build script.
struct WithoutScript;
impl super::super::Files for WithoutScript {
    fn root(&self) -> &std::path::Path {
        std::path::Path::new("/package")
    }
    fn out_dir(&self) -> Option<&std::path::Path> {
        None
    }
    fn read(&self, _: &std::path::Path) -> std::io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
    fn names(&self, _: &std::path::Path) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn files_that_a_build_script_makes() {
    assert_eq!(attribute("out_dir = \"made.ptx\""), [""; 0]);
    assert_eq!(
        attribute("out_dir = \"mad.ptx\""),
        ["kernel file `mad.ptx` cannot be read [CG0104]\n\
          note: looked at `/package/out/mad.ptx`: no such file\n\
          help: a file with a similar name exists: `made.ptx`"]
    );
    let item = "unsafe mod m { pub fn k(n: u32); }".parse().unwrap();
    let expanded = super::super::expand("out_dir = \"k.ptx\"".parse().unwrap(), &item, &WithoutScript);
    assert_eq!(
        errors(expanded),
        ["this package has no build script that could make a kernel file [CG0104]\n\
          note: `out_dir` is the folder that Cargo gives to `build.rs`\n\
          help: add a `build.rs` that writes `k.ptx` to `OUT_DIR`"]
    );
}

#[test]
fn headers_of_one_name() {
    assert_eq!(
        attribute("\"kernels/twice.cu\""),
        ["two headers that are included as `b.cuh` is not supported yet [CG0001]\n\
          note: they are `kernels/b.cuh` and `kernels/inc/b.cuh`; NVRTC looks headers up by the name in the `#include`\n\
          help: rename one of the files"]
    );
}
