use super::{errors, expand, pretty};

/// The headlines of the errors of a kernel with these parameters.
fn headlines(path: &str, kernel: &str, parameters: &str) -> Vec<String> {
    let item = format!("unsafe mod m {{ pub fn {kernel}({parameters}); }}");
    let errors = errors(expand(&format!("\"kernels/{path}\""), &item));
    errors.iter().map(|error| error.lines().next().unwrap().to_owned()).collect()
}

fn typed(parameters: &str) -> Vec<String> {
    headlines("typed.cu", "k", parameters)
}

#[test]
fn declarations_that_agree() {
    for parameters in [
        "x: &[f32; n], y: Out<[f32; n]>, n: u32",
        "x: &[f32; n], y: &mut [f32; n], n: i32",
        "x: &[[f32; 2]; 4], y: Atomic<[f32; n]>, n: u32",
        "x: &[Vertex; 1], y: Out<[Vertex; 1]>, n: Count",
        "x: &[f32; 1], y: Out<[f32; 1]>, n: [u32; 1]",
    ] {
        assert_eq!(typed(parameters), [""; 0], "{parameters}");
    }
}

#[test]
fn numbers_of_parameters() {
    let full = errors(expand("\"kernels/typed.cu\"", "unsafe mod m { pub fn k(x: &[f32; n], n: u32); }"));
    assert_eq!(
        full,
        ["kernel `k` is declared with 2 parameters, and the one in `kernels/typed.cu` has 3 [CG0217]\n\
          note: `kernels/typed.cu:2` has `(const float *x, float *y, unsigned n)`\n\
          help: declare `y` too"]
    );
    assert_eq!(
        typed("x: &[f32; 1], y: u32, n: u32, m: u32"),
        ["kernel `k` is declared with 4 parameters, and the one in `kernels/typed.cu` has 3 [CG0217]"]
    );
}

#[test]
fn parameters_that_differ() {
    for (parameters, wanted) in [
        ("x: &[f32; n], y: Out<[f32; n]>, n: u64", "`n: u64` has 8 bytes, and 4 in the kernel file [CG0217]"),
        ("x: &[f32; n], y: Out<[f32; n]>, n: [u32; 2]", "`n: [u32; 2]` has 8 bytes, and 4 in the kernel file [CG0217]"),
        ("x: &[f32; 1], y: u32, n: u32", "`y: u32` is a pointer in the kernel file [CG0217]"),
        ("x: &[f32; 1], y: u64, n: u32", "`y: u64` is a pointer in the kernel file [CG0217]"),
        ("x: &[f32; 1], y: &[f32; 1], n: u32", "`y` is only read here, and the kernel file may write it [CG0217]"),
        ("x: Out<[f32; 1]>, y: Out<[f32; 1]>, n: u32", "`x` is written here, and `const` in the kernel file [CG0217]"),
        ("x: &[f32; 1], y: &mut [f32; 1], n: f32", "`n: f32` is an integer in the kernel file [CG0217]"),
        (
            "x: &[f32; 1], y: &mut [f32; 1], n: &[u32; 1]",
            "`n` is a buffer here, and a number of 4 bytes in the kernel file [CG0217]",
        ),
        ("x: &[f64; n], y: Out<[f32; n]>, n: u32", "an element of `x` has 8 bytes, and 4 in the kernel file [CG0217]"),
        (
            "x: &[u32; n], y: Out<[f32; n]>, n: u32",
            "an element of `x` is an integer here, and a floating-point number in the kernel file [CG0217]",
        ),
        ("x: &[f32; n], y: &mut List<[f32]>, n: u32", "`y` is a list here, and a pointer in the kernel file [CG0217]"),
    ] {
        assert_eq!(typed(parameters), [wanted], "{parameters}");
    }
    let exchanged = typed("x: &[f32; 1], y: u32, n: Out<[f32; 1]>");
    assert_eq!(exchanged, ["`y: u32` is a pointer in the kernel file [CG0217]"], "once for two that are exchanged");
}

#[test]
fn structs_vectors_halves_lists_and_conditions() {
    let rich = |crop: &str, f: &str, h: &str, c: &str, b: &str| {
        let parameters = format!(
            "crop: {crop}, f: &[{f}; 1], h: &[{h}; 1], r: &[Rect; 1], l: &mut List<[f32]>, c: {c}, v: &[f64; 1], b: &[{b}; 1]"
        );
        headlines("rich.cu", "k", &parameters)
    };
    assert_eq!(rich("Rect", "f32", "f16", "Condition", "u8"), [""; 0]);
    assert_eq!(rich("[u32; 4]", "[f32; 4]", "u16", "u64", "i8"), [""; 0]);
    assert_eq!(
        rich("[u32; 3]", "f32", "f16", "u64", "u8"),
        ["`crop: [u32; 3]` has 12 bytes, and 16 in the kernel file [CG0217]"]
    );
    assert_eq!(
        rich("Rect", "f64", "f16", "u64", "u8"),
        ["an element of `f` has 8 bytes, and 4 in the kernel file [CG0217]"]
    );
    assert_eq!(
        rich("Rect", "f32", "bf16", "u64", "u8"),
        ["an element of `h` is a `bfloat16` here, and a floating-point number in the kernel file [CG0217]"]
    );
    assert_eq!(rich("Rect", "f32", "f16", "u32", "u8"), ["`c: u32` has 4 bytes, and 8 in the kernel file [CG0217]"]);
    assert_eq!(
        rich("Rect", "f32", "f16", "u64", "u32"),
        ["an element of `b` has 4 bytes, and 1 in the kernel file [CG0217]"]
    );
}

#[test]
fn sizes_that_only_rustc_knows() {
    let item = "unsafe mod m { pub fn k(crop: Crop, f: &[Four; 1], h: &[f16; 1], r: &[Rect; 1], l: &mut List<[f32]>, c: Condition, \
                v: &[f64; 1], b: &[u8; 1]); }";
    let text = pretty(expand("\"kernels/rich.cu\"", item));
    assert!(text.contains("if ::core::mem::size_of::<Crop>() != 16"), "{text}");
    assert!(text.contains("if ::core::mem::size_of::<Four>() % 4 != 0"), "{text}");
    assert!(text.contains("if ::core::mem::size_of::<Rect>() != 16"), "{text}");
    assert_eq!(text.matches("size_of").count(), 4, "three of them, and all parameters together:\n{text}");
    let message = "`crop: Crop` does not have the 16 bytes of the kernel file's [CG0217]\\nnote: `kernels/rich.cu:2` has `Rect crop`";
    assert!(text.contains(message), "{text}");
    assert!(text.contains("256u32"), "{text}");
}

#[test]
fn blocks_that_the_file_does_not_allow() {
    let parameters = "crop: Crop, f: &[f32; 1], h: &[f16; 1], r: &[Rect; 1], l: &mut List<[f32]>, c: Condition, v: &[f64; 1], b: &[u8; 1]";
    let fixed = |block: &str| {
        errors(expand("\"kernels/rich.cu\"", &format!("unsafe mod m {{ #[block({block})] pub fn k({parameters}); }}")))
    };
    for block in ["256", "16, 16", "SIZE", "1024, SIZE"] {
        assert_eq!(fixed(block), [""; 0], "{block}");
    }
    assert_eq!(
        fixed("32, 16"),
        ["kernel `k` is declared with a block of 512 threads, more than it can run with [CG0218]\n\
          note: `kernels/rich.cu:2` has `__launch_bounds__(32 * 8)`\n\
          help: fix a block of at most 256 threads, or raise the bound in the file"]
    );
}

#[test]
fn shared_memory_that_no_kernel_gets() {
    assert_eq!(
        errors(expand("\"kernels/rich.cu\"", "unsafe mod m { pub fn big(n: i32); }")),
        ["kernel `big` declares 49160 bytes of shared memory, more than the 49152 that it can [CG0219]\n\
          note: `kernels/rich.cu:6` is where the kernel begins\n\
          help: take it as `extern __shared__`, and ask for the bytes in the launch: `<<<grid, block, bytes>>>`"]
    );
}

#[test]
fn entries_of_ptx() {
    let entry = |parameters: &str| headlines("typed.ptx", "k", parameters);
    assert_eq!(entry("x: &mut [f32; 1], by: f32"), [""; 0]);
    assert_eq!(entry("x: &[f64; 1], by: Real"), [""; 0]);
    assert_eq!(entry("x: &mut [f32; 1], by: f64"), ["`by: f64` has 8 bytes, and 4 in the kernel file [CG0217]"]);
    assert_eq!(
        entry("x: &mut [f32; 1]"),
        ["kernel `k` is declared with 1 parameter, and the one in `kernels/typed.ptx` has 2 [CG0217]"]
    );
    assert_eq!(entry("x: u32, by: f32"), ["`x: u32` has 4 bytes, and 8 in the kernel file [CG0217]"]);
}

#[test]
fn conditions_are_set_by_the_function_as_it_is() {
    let kernel = |file: &str| errors(expand(file, "unsafe mod m { pub fn k(c: Condition); }"));
    assert_eq!(kernel("\"kernels/setter.cu\""), [""; 0]);
    assert_eq!(
        kernel("\"kernels/setter.ptx\""),
        [
            "kernel `k` takes a condition, and its file declares `cudaGraphSetConditional` otherwise than it is [CG0222]\n\
          note: `kernels/setter.ptx:1` has `cudaGraphSetConditional(.param .b64 c, .param .b64 v)`\n\
          note: it takes a handle of 8 bytes and a value of 4; the driver binds it by its name, whatever is declared\n\
          help: write `extern \"C\" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);`"
        ]
    );
}

#[test]
fn what_could_not_be_read_is_told_once_for_each_kernel() {
    let kernel = |attribute: &str| {
        errors(expand("\"kernels/k.cu\"", &format!("{attribute} unsafe mod m {{ pub fn k(n: u32); }}")))
    };
    assert_eq!(kernel(""), [""; 0], "a warning is no error");
    assert_eq!(kernel("#[allow(unread_kernel)]"), [""; 0]);
    assert_eq!(
        kernel("#[deny(unread_kernel)]"),
        ["kernel `k` is not compared with `kernels/k.cu`, which could not be read [CG0221]\n\
          note: `kernels/k.cu:1`: `ARGUMENTS` may be a parameter's type, or a macro of a header that was not found\n\
          note: the number and the sizes of its parameters are compared when a graph is built\n\
          note: `#[deny(unread_kernel)]` makes it an error (unknown:1:8)\n\
          help: write the kernel's parameters out in the file, or `#[allow(unread_kernel)]` in front of the declaration"]
    );
}
