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
          note: it starts at the package's folder, so that the package builds on every machine"]
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
        help: write it first: `#[cuda_module(\"kernels/name.cu\")]`";
    assert_eq!(attribute(""), [missing]);
    assert_eq!(
        attribute("out_dir = \"k.ptx\""),
        ["`out_dir = …` is not supported yet [CG0001]\nhelp: commit the kernel file, and write its path here"]
    );
    assert_eq!(
        attribute("\"kernels/k.cu\", define(N = 4), include(\"inc\")"),
        [
            "`define(…)` is not supported yet [CG0001]\nhelp: write `options(\"--define-macro=NAME=value\")`",
            "`include(…)` is not supported yet [CG0001]\n\
             help: include headers by a path relative to the kernel file: `#include \"inc/name.cuh\"`",
        ]
    );
    assert_eq!(
        attribute("\"kernels/k.cu\", option(\"-G\")"),
        ["`option` is no argument of `cuda_module` [CG0004]\nhelp: an argument with a similar name exists: `options`"]
    );
    assert_eq!(
        attribute("\"kernels/k.ptx\", options(\"-G\")"),
        ["`options(…)` has no meaning for a `.ptx` file [CG0004]\n\
          note: options are for NVRTC, which compiles `.cu` files when a graph is built"]
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
        ["`kernels/k.cu` has no kernel named `another` [CG0104]\nnote: its kernels are `k`, `mangled`"]
    );
    assert_eq!(
        declared("pub fn mangled(n: u32);"),
        ["kernel `mangled` is not `extern \"C\"` in `kernels/k.cu` [CG0104]\n\
          note: a C++ kernel has another name in the compiled module\n\
          help: write `extern \"C\"` in front of its `__global__`"]
    );
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

#[test]
fn headers_of_one_name() {
    assert_eq!(
        attribute("\"kernels/twice.cu\""),
        ["two headers that are included as `b.cuh` is not supported yet [CG0001]\n\
          note: they are `kernels/b.cuh` and `kernels/inc/b.cuh`; NVRTC looks headers up by the name in the `#include`\n\
          help: rename one of the files"]
    );
}
