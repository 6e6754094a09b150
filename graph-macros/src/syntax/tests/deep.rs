//! What is as deep, as long or as large as a block may be does not reach the end of the stack that rustc gives a macro in a debug build.

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use crate::syntax::depth::{DEEPEST, LONGEST};

/// Half of what rustc's threads have: the other half is for rustc.
const STACK: usize = 4 << 20;

/// What the macro makes of a block, on a thread like rustc's; whether it refuses it for its depth.
fn is_too_deep(block: String) -> bool {
    let compile = move || {
        let block: TokenStream = block.parse().unwrap();
        let text = crate::compile(block).to_string();
        assert!(text.contains("struct DeepArgs"), "the expansion has the shape of success");
        let errors: Vec<&str> =
            text.split("compile_error ! {").skip(1).map(|error| error.split('}').next().unwrap()).collect();
        let is_too_deep = errors.iter().any(|error| error.contains("[CG0005]"));
        assert_eq!(errors.len(), usize::from(is_too_deep), "one fault, one report: {errors:?}");
        is_too_deep
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(compile).unwrap();
    thread.join().unwrap()
}

fn graph(body: &str) -> String {
    format!("graph Deep(x: &mut [f32; 1], y: &mut [f32; n], n: usize) {{ {body} }}")
}

/// `open` so many times, `inner`, and as many times `close`.
fn nested([open, close]: [&str; 2], inner: &str, count: usize) -> String {
    graph(&format!("{}{inner}{}", open.repeat(count), close.repeat(count)))
}

/// Forms that stand in each other, with what is innermost and how many levels that and each form is.
const NESTED: [([&str; 2], &str, usize, usize); 9] = [
    (["if x[0] > 1.0 { x[0] += 1.0; ", "}"], "x[0] = 2.0;", 1, 1),
    (["while x[0] > 1.0 limit 2 { ", "x[0] += 1.0; }"], "x[0] = 2.0;", 1, 1),
    (["loop limit 2 { ", "if x[0] > 1.0 { break; } }"], "x[0] = 2.0;", 1, 1),
    (["if n > 2 { ", "}"], "x[0] = 2.0;", 1, 1),
    (["for _ in 0..2 { ", "}"], "x[0] = 2.0;", 1, 1),
    (["{ ", "}"], "x[0] = 2.0;", 1, 1),
    (["match n { 0 => { ", "} _ => {} }"], "x[0] = 2.0;", 1, 2),
    (["if x[0] == 1.0 { x[0] = 3.0; } else ", ""], "{ x[0] = 2.0; }", 2, 1),
    (["if x[0] > 1.0 { loop limit n { ", "} }"], "kernel for i in 0..n { if y[i] > (1.0) { y[i] = x[0]; } }", 3, 2),
];

#[test]
fn blocks_are_nested_as_deep_as_they_may_be() {
    for (form, inner, levels, of_each) in NESTED {
        let count = (DEEPEST - 1 - levels) / of_each;
        assert!(!is_too_deep(nested(form, inner, count)), "{form:?}");
        for count in [count + 3, 10 * DEEPEST, 100 * DEEPEST] {
            assert!(is_too_deep(nested(form, inner, count)), "{form:?}");
        }
    }
}

/// A statement around an expression, the expression's innermost part, and what stands around each part.
const EXPRESSIONS: [([&str; 2], &str, [&str; 2]); 10] = [
    (["x[0] = ", ";"], "x[0]", ["", " + x[0]"]),
    (["x[0] = ", ";"], "x[0]", ["", ".max(x[0])"]),
    (["x[0] = ", ";"], "x[0]", ["- ", ""]),
    (["kernel for i in 0..n { y[i] = ", "; }"], "y[i]", ["", " * y[i]"]),
    (["kernel for i in 0..n { y[i] = ", "; }"], "y[i]", ["- ", ""]),
    (["kernel for i in 0..n { if ", " { y[i] = 0.0; } }"], "y[i] > 1.0", ["", " && y[i] > 1.0"]),
    (["x[0] = (0..n).map(|i| ", ").sum();"], "y[i]", ["", " - y[i]"]),
    (["let m = ", "; fill(&out x, m as f32);"], "n", ["", " + n"]),
    (["let m = ", "; fill(&out x, m as f32);"], "n", ["", " as u32"]),
    (["fill(&out y, ", " as f32);"], "n", ["", ".min(n)"]),
];

#[test]
fn expressions_are_as_long_as_they_may_be() {
    for ([before, behind], inner, [left, right]) in EXPRESSIONS {
        let expression =
            |count: usize| graph(&format!("{before}{}{inner}{}{behind}", left.repeat(count), right.repeat(count)));
        let each = format!("{left}{right}").parse::<TokenStream>().unwrap().into_iter().count();
        let around = format!("{before}{inner}{behind}").parse::<TokenStream>().unwrap();
        let around = around.into_iter().count() + 30;
        assert!(!is_too_deep(expression((LONGEST - around) / each)), "{before}{left}{inner}{right}");
        for count in [LONGEST, 100 * LONGEST] {
            assert!(is_too_deep(expression(count)), "{before}{left}{inner}{right}");
        }
    }
}

#[test]
fn brackets_are_nested_as_deep_as_they_may_be() {
    for (before, [open, close], behind) in [
        ("x[0] = ", ["(", ")"], "1.0"),
        ("kernel for i in 0..n { y[i] = ", ["(", ")"], "1.0"),
        ("let m = ", ["n.min(", ")"], "n"),
        ("let m = ", ["n + (", ")"], "n"),
        ("let m = ", ["{ ", " }"], "n"),
    ] {
        let block = |count: usize| {
            let end = if before.starts_with("kernel") { "; }" } else { ";" };
            graph(&format!("{before}{}{behind}{}{end}", open.repeat(count), close.repeat(count)))
        };
        assert!(!is_too_deep(block(DEEPEST - 3)), "{before}{open}");
        for count in [DEEPEST, 100 * DEEPEST] {
            assert!(is_too_deep(block(count)), "{before}{open}");
        }
    }
}

#[test]
fn many_statements_are_not_deep() {
    let mut launches = String::new();
    let mut mixed = String::new();
    for number in 0..10_000 {
        let _ = write!(launches, "k::axpy<<<n.div_ceil(256) as u32, 256>>>(&x, &mut y, 2.0, n as u32);");
        let _ = match number % 4 {
            0 => write!(
                mixed,
                "'s{number}: k::axpy<<<{number} + 1, 256>>>(&x, &mut y, {number}.0, n as u32 - {number});"
            ),
            1 => write!(mixed, "kernel for i in 0..n {{ y[i] += x[0]; }}"),
            2 => write!(mixed, "x[0] = (0..n).map(|i| y[i] * y[i]).sum();"),
            _ => write!(mixed, "if x[0] > {number}.0 {{ x[0] += 1.0; }}"),
        };
    }
    assert!(!is_too_deep(graph(&launches)));
    assert!(!is_too_deep(graph(&mixed)));
}
