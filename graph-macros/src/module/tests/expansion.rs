use super::{expand, pretty};

const MODULE: &str = "
    /// Docs of the module.
    #[allow(unread_kernel)]
    pub(crate) unsafe mod m {
        use rayon::prelude::*;
        const TILE: usize = 16;
        /// Docs of the kernel.
        pub fn k(x: &[f32; n * TILE], y: Out<[f32; n.div_ceil(2) - 1]>, n: u32) { y[0] = half(x[0]); }
        fn half(x: f32) -> f32 { 0.5 * x }
    }";

fn expansion() -> String {
    pretty(expand("\"kernels/k.cu\"", MODULE))
}

#[track_caller]
fn assert_has(text: &str, wanted: &str) {
    // Where lines break, and commas that follow from it, is prettyplease's to decide.
    let flat = |text: &str| text.split_whitespace().collect::<String>().replace(",)", ")").replace(",>", ">");
    assert!(flat(text).contains(&flat(wanted)), "no\n{wanted}\nin\n{text}");
}

#[test]
fn the_module_is_plain_and_keeps_the_rest() {
    let text = expansion();
    assert!(text.starts_with("/// Docs of the module.\npub(crate) mod m {"), "{text}");
    assert_has(&text, "use super::*;");
    assert_has(&text, "use rayon::prelude::*;");
    assert_has(&text, "const TILE: usize = 16;");
    assert_has(&text, "fn half(x: f32) -> f32 { 0.5 * x }");
    assert!(!text.contains("compile_error") && !text.contains("deprecated"), "{text}");
}

#[test]
fn launches_are_checked_against_a_function_and_a_struct() {
    let text = expansion();
    assert_has(&text, "pub struct k {}");
    assert_has(&text, "/// Docs of the kernel.");
    assert_has(
        &text,
        "pub fn k(x: ::graph_runtime::__private::Reads<[f32]>, y: ::graph_runtime::__private::Overwrites<[f32]>, n: u32) \
         -> ::graph_runtime::__private::Launched {",
    );
    assert_has(&text, "pub fn __p2(n: u32) -> u32 { n }");
    assert!(!text.contains("__p0") && !text.contains("__p1"), "{text}");
    assert_has(&text, "impl ::graph_runtime::__private::AnyParam for k {}");
}

#[test]
fn lengths_are_checked_arithmetic() {
    let text = expansion();
    assert_has(&text, "::core::result::Result::Ok(::graph_runtime::__private::length::mul(n, TILE)?)");
    assert_has(
        &text,
        "::graph_runtime::__private::length::sub(::graph_runtime::__private::length::div_ceil(n, 2)?, 1)?",
    );
    assert_has(&text, "let n = ::graph_runtime::__private::length::value::<u32>(\"n\", values, 0usize)?;");
    assert_has(&text, "::graph_runtime::__private::length::checked(\"n * TILE\", __length0(n))?");
}

#[test]
fn the_declaration_says_what_was_written() {
    let text = expansion();
    assert_has(
        &text,
        "name: \"k\", symbol: ::graph_runtime::__private::KernelSymbol::Name(\"k\"), module: &__CUDA_MODULE,",
    );
    assert_has(
        &text,
        "mode: ::graph_runtime::__private::Mode::Overwrite, element: ::graph_runtime::__private::buffer_layout::<f32>,",
    );
    assert_has(&text, "layout: ::graph_runtime::__private::value_layout::<u32>");
    assert_has(&text, "length: \"n * TILE\"");
    assert_has(&text, "cpu: ::core::option::Option::Some(Self::__cpu)");
    let bodiless = pretty(expand("\"kernels/k.cu\"", "unsafe mod m { pub fn k(n: u32); }"));
    assert_has(&bodiless, "cpu: ::core::option::Option::None");
    assert!(!bodiless.contains("__cpu"), "{bodiless}");
}

#[test]
fn the_entry_hands_each_argument_over_once() {
    let text = expansion();
    assert_has(&text, "fn __cpu(launch: &::graph_runtime::__private::CpuLaunch<'_>)");
    assert_has(&text, "mut y: ::graph_runtime::__private::Out<'_, [f32]>");
    assert_has(&text, "unsafe { k(launch.read(0), launch.out(1), launch.value(2)) }");
    let all = "unsafe mod m { fn k(a: &mut [u8; 1], b: Atomic<[i32; 1]>, v: [f32; 3]) {} }";
    assert_has(
        &pretty(expand("\"kernels/k.cu\"", all)),
        "unsafe { k(launch.update(0), launch.atomic(1), launch.value(2)) }",
    );
}

#[test]
fn files_are_embedded_and_watched() {
    let text = pretty(expand(
        "\"kernels/many.cu\", options(\"-lineinfo\", \"-G\")",
        "unsafe mod m { pub fn in_header(n: u32); }",
    ));
    let file = |path: &str| {
        format!("::core::include_str!(::core::concat!(::core::env!(\"CARGO_MANIFEST_DIR\"), \"/\", \"{path}\"))")
    };
    assert_has(&text, &format!("text: {}", file("kernels/many.cu")));
    assert_has(&text, &format!("(\"inc/a.cuh\", {})", file("kernels/inc/a.cuh")));
    assert_has(&text, &format!("(\"b.cuh\", {})", file("kernels/inc/b.cuh")));
    assert_has(&text, &format!("(\"../inc/a.cuh\", {})", file("kernels/inc/a.cuh")));
    assert_has(&text, "options: &[\"-lineinfo\", \"-G\"]");
    assert!(!text.contains("absent.h") && !text.contains("compile_error"), "{text}");
    let ptx = pretty(expand("\"kernels/k.ptx\"", "unsafe mod m { pub fn k(n: u32); }"));
    assert_has(&ptx, &format!("Ptx({})", file("kernels/k.ptx")));
    let cubin = pretty(expand("\"kernels/k.cubin\"", "unsafe mod m { pub fn anything(n: u32); }"));
    assert_has(&cubin, "Cubin(::core::include_bytes!(");
}

#[test]
fn macros_and_folders_reach_the_compiler() {
    let attribute = "\"kernels/folders.cu\", define(N = 4), include(\"inc\"), options(\"-G\")";
    let text = pretty(expand(attribute, "unsafe mod m { pub fn k(n: u32); }"));
    assert_has(&text, "options: &[\"--define-macro=N=4\", \"-G\"]");
    let file = |name: &str, path: &str| {
        format!(
            "(\"{name}\", ::core::include_str!(::core::concat!(::core::env!(\"CARGO_MANIFEST_DIR\"), \"/\", \"{path}\")))"
        )
    };
    assert_has(&text, &file("d.cuh", "kernels/d.cuh"));
    assert_has(&text, &file("e.cuh", "inc/e.cuh"));
    assert!(!text.contains("cuda_fp16") && !text.contains("inc/d.cuh"), "{text}");
    let made = pretty(expand("out_dir = \"made.ptx\"", "unsafe mod m { pub fn k(n: u32); }"));
    assert_has(&made, "Ptx(::core::include_str!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/\", \"made.ptx\")))");
}

#[test]
fn a_template_keeps_its_parameters_everywhere() {
    let item = "unsafe mod m { pub fn generic<T: Element, const N: usize>(x: &[T; n * N], n: u32) where T: Copy { } }";
    let text = pretty(expand("\"kernels/k.cu\"", item));
    assert_has(&text, "pub struct generic<T: Element, const N: usize> where T: Copy");
    assert_has(&text, "impl<T: Element, const N: usize> generic<T, N> where T: Copy,");
    assert_has(&text, "symbol: ::graph_runtime::__private::KernelSymbol::Expression(Self::__instance)");
    assert_has(
        &text,
        "::graph_runtime::__private::template::instance(\"generic\", &[
            ::graph_runtime::__private::template::type_name::<T>(), ::graph_runtime::__private::template::constant(N),])",
    );
    assert_has(&text, "unsafe { generic::<T, N>(launch.read(0), launch.value(1)) }");
}

#[test]
fn a_kernel_with_settings_declares_them() {
    let item = "unsafe mod m {
        #[name = \"k\"] #[block(32, 8)] #[requires(n % 4 == 0)] #[effects]
        pub fn other(x: &[f32; n], again: Condition, n: u32) {}
    }";
    let text = pretty(expand("\"kernels/sets.cu\"", item));
    assert_has(&text, "name: \"other\", symbol: ::graph_runtime::__private::KernelSymbol::Name(\"k\")");
    assert_has(&text, "impl ::graph_runtime::__private::FixedBlock for other");
    assert!(!text.contains("Waits"), "{text}");
    assert_has(&text, "waits: false, waits_first: false, early: &[], effects: true,");
    assert_has(&text, "fn __require0(n: u32) -> bool { n % 4 == 0 }");
    assert_has(&text, "Unmet { text: \"n % 4 == 0\", names: &[\"n\"], }");
    assert_has(&text, "other(launch.read(0), launch.condition(1), launch.value(2))");
    assert_has(&text, "again: ::graph_runtime::__private::ConditionName");
}

#[test]
fn conditions_and_lints_go_where_they_belong() {
    let item =
        "unsafe mod m { #![allow(dead_code)] use super::*; #[cfg(unix)] #[expect(clippy::x)] pub fn k(n: u32) {} }";
    let text = pretty(expand("\"kernels/k.cu\"", item));
    assert_eq!(text.matches("#[cfg(unix)]").count(), 4, "{text}");
    assert_eq!(text.matches("#[expect(clippy::x)]").count(), 1, "{text}");
    assert_eq!(text.matches("use super::*;").count(), 1, "{text}");
    assert_has(&text, "#![allow(dead_code)]");
}

#[test]
fn raw_names_and_groups_of_macro_rules() {
    let text =
        pretty(expand("\"kernels/k.cubin\"", "unsafe mod m { pub fn r#move(r#type: u32, x: (&[f32; r#type])); }"));
    assert_has(&text, "name: \"move\"");
    assert_has(&text, "value::<u32>(\"type\", values, 0usize)");
}
