use super::super::written::{Bound, Class, Layout, Scalar, Type, Written};
use super::read;

fn of(text: &str) -> Vec<(String, Written)> {
    let kernels = read(&[("k.cu", text)], &[]).kernels;
    kernels.into_iter().filter_map(|(name, written)| Some((name, written.ok()?))).collect()
}

fn one(text: &str) -> Written {
    let mut found = of(text);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0).1
}

/// The types of the kernel's parameters.
fn types(text: &str) -> Option<Vec<Type>> {
    Some(one(text).parameters.ok()?.into_iter().map(|parameter| parameter.ty).collect())
}

fn number(class: Class, bytes: u64) -> Type {
    Type::Scalar(Scalar::new(class, bytes))
}

fn pointer(constant: bool, to: Type) -> Type {
    Type::Pointer { constant: Some(constant), to: Box::new(to) }
}

fn structure(bytes: u64, align: u64) -> Type {
    Type::Struct { layout: Some(Layout { bytes, align }) }
}

#[test]
fn a_kernel_is_read_as_written() {
    let text = "\nextern \"C\" __global__ void\n__launch_bounds__(32 * 8, 2) sweep(const float *__restrict__ x,\n    unsigned n = 3) {\n\
                __shared__ float tile[32][33], *row; extern __shared__ int rest[]; __shared__ Unknown u; }";
    let sweep = one(text);
    assert_eq!(sweep.place, "k.cu:3");
    assert_eq!(sweep.bound, Some(Bound { threads: 256, text: "__launch_bounds__(32 * 8, 2)".to_owned() }));
    assert_eq!(sweep.shared, 32 * 33 * 4 + 8);
    let parameters = sweep.parameters.unwrap();
    let said = |at: usize| (parameters[at].name.as_deref(), &*parameters[at].text, &*parameters[at].place);
    assert_eq!(said(0), (Some("x"), "const float *__restrict__ x", "k.cu:3"));
    assert_eq!(said(1), (Some("n"), "unsigned n", "k.cu:4"));
}

#[test]
fn numbers_in_every_spelling() {
    use Class::{Bool, Brain, Float, Signed, Unsigned};
    for (text, wanted) in [
        ("unsigned long long int", number(Unsigned, 8)),
        ("long unsigned int long", number(Unsigned, 8)),
        ("long long", number(Signed, 8)),
        ("const int", number(Signed, 4)),
        ("int const volatile", number(Signed, 4)),
        ("unsigned", number(Unsigned, 4)),
        ("short int", number(Signed, 2)),
        ("unsigned char", number(Unsigned, 1)),
        ("char", number(Signed, 1)),
        ("bool", number(Bool, 1)),
        ("double", number(Float, 8)),
        ("size_t", number(Unsigned, 8)),
        ("std::uint64_t", number(Unsigned, 8)),
        ("::cuda::std::int16_t", number(Signed, 2)),
        ("__half", number(Float, 2)),
        ("__nv_bfloat16", number(Brain, 2)),
        ("cudaGraphConditionalHandle", number(Unsigned, 8)),
        ("float4", Type::Vector(Scalar::new(Float, 4), 4)),
        ("mine::size_t", Type::Open),
        ("Traits<T>::type", Type::Open),
        ("unknown_t", Type::Open),
    ] {
        let text = format!("__global__ void k({text} x) {{}}");
        assert_eq!(types(&text), Some(vec![wanted]), "{text}");
    }
}

#[test]
fn pointers_and_which_side_is_constant() {
    let float = || number(Class::Float, 4);
    for (text, wanted) in [
        ("const float *x", pointer(true, float())),
        ("float const *const __restrict__ x", pointer(true, float())),
        ("float *const x", pointer(false, float())),
        ("float *", pointer(false, float())),
        ("const float x[]", pointer(true, float())),
        ("float x[16]", pointer(false, float())),
        ("float **x", pointer(false, pointer(false, float()))),
        ("const float *const *x", pointer(true, pointer(true, float()))),
        ("const T *x", pointer(true, Type::Open)),
        ("void *x", pointer(false, Type::Void)),
        ("const __grid_constant__ float x", float()),
        ("[[maybe_unused]] float *x", pointer(false, float())),
        ("real *x", pointer(false, number(Class::Float, 8))),
        ("in_t x", pointer(true, float())),
        ("const float &x", Type::Open),
        ("grid_t x", Type::Open),
    ] {
        let text = format!(
            "typedef double real; using in_t = const float *; typedef float grid_t[4];\n\
             template <typename T> __global__ void k({text}) {{}}"
        );
        assert_eq!(types(&text), Some(vec![wanted]), "{text}");
    }
}

#[test]
fn structs_are_laid_out_as_cpp_does() {
    for (text, wanted) in [
        ("struct S { unsigned x, y, width, height; };", structure(16, 4)),
        ("struct S { char a; double b; char c; };", structure(24, 8)),
        ("struct S { float4 a; float b[3]; };", structure(32, 16)),
        ("struct S { float3 a; const float *p; };", structure(24, 8)),
        ("typedef struct { short a; } S;", structure(2, 2)),
        ("typedef struct Tag { int a[N][2]; } S; constexpr int N = 3;", structure(24, 4)),
        ("struct alignas(16) S { int a; int f() const { return a; } static int g; };", structure(16, 16)),
        ("struct Inner { double d; int i; }; struct S { Inner inner; char c; };", structure(24, 8)),
        ("class S { public: S(int); bool operator<(S) const; private: int a; };", structure(4, 4)),
        ("struct S {};", structure(1, 1)),
        ("struct S { int a : 3; };", Type::Struct { layout: None }),
        ("struct S : Base { int a; };", Type::Struct { layout: None }),
        ("struct S { virtual void f(); };", Type::Struct { layout: None }),
        ("struct S {\n#ifdef A\nint a;\n#endif\n};", Type::Struct { layout: None }),
        ("struct S { Unknown u; };", Type::Struct { layout: None }),
        ("#pragma pack(1)\nstruct S { char a; int b; };", Type::Struct { layout: None }),
        ("union S { int a; float b; };", Type::Open),
        ("struct S { int a; };\n#if A\nstruct S { long long a; };\n#endif\n", Type::Open),
        ("struct S;", Type::Open),
    ] {
        let text = format!("{text} __global__ void k(S s) {{}}");
        assert_eq!(types(&text), Some(vec![wanted]), "{text}");
    }
    assert_eq!(
        types("template <class T> struct S { T *t; }; __global__ void k(S<float> s) {}"),
        Some(vec![Type::Struct { layout: None }])
    );
}

#[test]
fn what_may_be_several_parameters_is_open() {
    for text in [
        "__global__ void k(ARGUMENTS) {}",
        "#define ARGUMENTS(x) x\n__global__ void k(ARGUMENTS(int a), int b) {}",
        "__global__ void k(int n\n#ifdef WIDE\n, int m\n#endif\n) {}",
        "template <class... T> __global__ void k(T... all) {}",
        "__global__ void k(int n EXTRA) {}",
        "__global__ void k(void (*f)(int)) {}",
    ] {
        assert_eq!(types(text), None, "{text}");
    }
    assert_eq!(types("__global__ void k(void) {}"), Some(vec![]));
    assert_eq!(types("__global__ void k() {}"), Some(vec![]));
}

#[test]
fn kernels_of_two_meanings_are_not_told() {
    assert!(of("__global__ void k(int n) {} __global__ void k(float x) {}").is_empty());
    assert!(of("#if A\n__global__ void k(int n) {\n#else\n__global__ void k(long n) {\n#endif\n}").is_empty());
    assert!(of("__global__ void FOO(1) k(int n) {}").is_empty());
    let both = one("__global__ void __launch_bounds__(64) k(int); __global__ void k(int n) { __shared__ int a[2]; }");
    assert_eq!((both.bound.map(|bound| bound.threads), both.shared), (Some(64), 8));
    let names: Vec<String> =
        of("namespace a { __global__ void k(int) {} namespace { __global__ void k(float) {} } }\n\
            namespace b { __global__ void k(int n) {} }")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["b::k"], "an unnamed namespace has the names of the one around it");
}

/// Where and why what the file says of its one kernel, or of all, could not be read.
fn unread(text: &str) -> (String, String) {
    let file = read(&[("k.cu", text)], &[]);
    let of_kernel = |(_, written): (String, Result<Written, _>)| match written {
        Ok(written) => written.parameters.err(),
        Err(unread) => Some(unread),
    };
    let unread = file.kernels.into_iter().find_map(of_kernel).or(file.unread).unwrap();
    (unread.place, unread.reason)
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    for (text, place, reason) in [
        (
            "\n__global__ void k(int a,\nARGUMENTS) {}",
            "k.cu:3",
            "`ARGUMENTS` may be a parameter's type, or a macro of a header that was not found",
        ),
        (
            "#define A(x) x\n__global__ void k(A(int a), int b) {}",
            "k.cu:2",
            "macro `A` takes arguments, or stands for more than one text",
        ),
        (
            "__global__ void k(int n\n#ifdef WIDE // always\n, int m\n#endif\n) {}",
            "k.cu:2",
            "`#ifdef WIDE // always` may change the kernel's declaration",
        ),
        (
            "template <class... T>\n__global__ void k(T... all) {}",
            "k.cu:1",
            "`...` stands for any number of parameters",
        ),
        ("__global__ void k(void (*f)(int)) {}", "k.cu:1", "`void(*f)(int)` is no parameter that could be read"),
        (
            "__global__ void A(1)\nk(int n) {}",
            "k.cu:1",
            "more than one name in front of a parenthesis may be the kernel's",
        ),
        (
            "__global__ void k(int n) {}\n__global__ void k(float n) {}",
            "k.cu:1",
            "`k.cu:2` has a kernel of the same name, and both may be meant",
        ),
        (
            "#if A\n__global__ void k(int n) {\n#else\n__global__ void k(long n) {\n#endif\n}",
            "k.cu:2",
            "this brace has no match, or another one in each branch of an `#if`",
        ),
        (
            "#define K(name) __global__ void name(int n)\nK(k) {}",
            "k.cu:1",
            "macro `K` makes kernels, and what it makes was not looked at",
        ),
    ] {
        assert_eq!(unread(text), (place.to_owned(), reason.to_owned()), "{text}");
    }
}

#[test]
fn the_function_that_sets_conditions() {
    let text = "typedef unsigned long long H;\nextern \"C\" __device__ void\ncudaGraphSetConditional(H handle, unsigned value);\n\
                __global__ void k(H h) { cudaGraphSetConditional(h, 1); }";
    let [setter] = &read(&[("k.cu", text)], &[]).setters[..] else { panic!("one") };
    let wanted = [number(Class::Unsigned, 8), number(Class::Unsigned, 4)];
    assert_eq!((&*setter.place, &setter.types[..]), ("k.cu:3", &wanted[..]));
    assert_eq!(setter.text, "cudaGraphSetConditional(H handle, unsigned value)");
}

#[test]
fn bounds_that_are_not_known_are_not_told() {
    for text in [
        "template <int N> __global__ void __launch_bounds__(N) k(int n) {}",
        "__global__ void __launch_bounds__(THREADS) k(int n) {}",
        "__global__ void k(int n) {}",
    ] {
        assert_eq!(one(text).bound, None, "{text}");
    }
}

#[test]
fn unfinished_texts_have_no_kernels() {
    for text in [
        "",
        "__global__",
        "__global__ void k(",
        "__global__ void k(int n) {",
        "template <",
        "struct",
        "using",
        "typedef",
    ] {
        assert!(of(text).is_empty(), "{text}");
    }
}
