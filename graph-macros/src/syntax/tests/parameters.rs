//! Rule P: what a parameter's type says; heads of graphs.

use super::{all_said, block, dump, said};

fn parameters(source: &str) -> (Vec<String>, Vec<String>) {
    let (block, diagnostics) = block(&format!("graph G({source}) {{}}"));
    diagnostics.iter().filter(|diagnostic| diagnostic.code.is_some()).for_each(super::assert_style);
    (block.graphs[0].parameters.iter().map(dump::parameter).collect(), diagnostics.iter().map(said).collect())
}

#[test]
fn buffers_and_values() {
    for (source, wanted) in [
        ("x: &[f32; n]", "x: & [f32; n]"),
        ("x: &mut [T; n + 1]", "x: &mut [T; n+1]"),
        ("x: &out [f32]", "x: &out [f32]"),
        ("x: &host [f32; n]", "x: & host [f32; n]"),
        ("x: &out host [f32; x.len()],", "x: &out host [f32; x.len()]"),
        ("x: &mut host [half::f16]", "x: &mut host [half::f16]"),
        ("d: [u32; 3]", "d: value [u32;3]"),
        ("n: usize", "n: value usize"),
        ("a: [&[T]]", "a: list & [T]"),
        ("a: [[&mut [T; n]]]", "a: list list &mut [T; n]"),
        ("a: [&out host [T]]", "a: list &out host [T]"),
        ("d: [(u32, u32)]", "d: value ::std::vec::Vec<(u32,u32)>"),
        ("f: Box<dyn Fn(u32) -> u32>", "f: value Box<dynFn(u32)->u32>"),
        ("/// the input\n x: &[f32; n]", "x: & [f32; n]"),
    ] {
        assert_eq!(parameters(source), (vec![wanted.to_owned()], vec![]), "{source}");
    }
}

#[test]
fn refused_parameters_lose_only_themselves() {
    for (source, wanted) in [
        ("a: &out Comm", "CG0002 `out` an object cannot be `&out`"),
        ("a: &mut graph_runtime::Event", "CG0002 `mut` an event is `&Event`"),
        ("a: &[T; (h,)]", "CG0002 `(h,)` a buffer has one to three dimensions"),
        ("a: &[T; (a, b, c, d)]", "CG0002 `(a, b, c, d)` a buffer has one to three dimensions"),
        ("a: &[[T; 3]; n]", "CG0001 `[T; 3]` a list of buffers is not supported yet"),
        ("a: &atomic [f32; n]", "CG0002 `atomic` a parameter cannot be `&atomic`"),
        ("a: &(u32, u32)", "CG0002 `(u32, u32)` expected a buffer's type behind `&`"),
        ("a: &&[f32; n]", "CG0002 `&` expected a buffer's type behind `&`"),
        ("a: &'a [f32; n]", "CG0002 `'a` expected a buffer's type behind `&`"),
        ("a: &[f32, n]", "CG0002 `,` expected `;` between the element's type and the length"),
        ("a: &[f32; ]", "- `]` expected the buffer's length"),
        ("a: &[f32; n m]", "- `m` expected `]`"),
        ("a", "- `,` expected `:`"),
        ("a: ", "CG0002 `,` expected the type of the parameter"),
    ] {
        let (found, said) = parameters(&format!("n: usize, {source}, x: &[f32; n]"));
        assert_eq!(found, ["n: value usize", "x: & [f32; n]"], "{source}");
        assert_eq!(said.len(), 1, "{source}: {said:?}");
        let marked = wanted.replace("`'a`", "`'`");
        assert!(said[0].starts_with(wanted) || said[0].starts_with(&marked), "{source}: {said:?}");
    }
}

#[test]
fn names_of_refused_parameters_are_kept() {
    let (block, _) = block("graph G(a: [&Layer], layer: &out Layer, x: &[f32; n]) {}");
    let names: Vec<String> = block.graphs[0].salvage.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["layer", "out", "Layer"]);
}

#[test]
fn a_head_is_like_an_items() {
    let source = "/// docs\n #[allow(dead_code)] pub(crate) graph Name<T: Element, const N: usize>(x: &mut [T; N],) where T: Copy {}";
    let (block, diagnostics) = block(source);
    assert_eq!(all_said(&diagnostics), Vec::<String>::new());
    let graph = &block.graphs[0];
    assert_eq!(graph.attributes.len(), 2);
    assert_eq!(dump::text(&graph.visibility), "pub(crate)");
    assert_eq!(graph.name, "Name");
    assert_eq!(dump::text(&graph.generics), "<T:Element,constN:usize>");
    assert_eq!(dump::text(&graph.generics.where_clause), "whereT:Copy");
}

#[test]
fn a_head_that_cannot_be_read_loses_only_its_graph() {
    for head in ["graph", "graph A", "pub grph A(a: u32)", "graph A<(a: u32)", "fn a()", "#[a] struct A"] {
        let (block, diagnostics) =
            block(&format!("graph First() {{}} {head} {{ k<<<1, 1>>>(&lost); }} pub graph Last() {{}}"));
        let names: Vec<String> = block.graphs.iter().map(|graph| graph.name.to_string()).collect();
        assert_eq!(names, ["First", "Last"], "{head}");
        assert_eq!(diagnostics.len(), 1, "{head}: {:?}", all_said(&diagnostics));
        assert!(block.salvage.iter().any(|name| name == "lost"), "{head}");
    }
}

#[test]
fn a_graph_returns_nothing() {
    let (block, diagnostics) = block("graph A(x: &[f32; n]) -> f32 { drop(x); }");
    assert_eq!(all_said(&diagnostics), ["CG0002 `-` a graph returns nothing"]);
    assert_eq!(dump::statements(&block.graphs[0].body), ["drop x"]);
}

#[test]
fn attributes_that_nothing_acts_on_are_named() {
    let (_, diagnostics) = block("#[cfg] #[derive(Clone)] graph A() {}");
    assert_eq!(
        all_said(&diagnostics),
        ["CG0002 `cfg` expected one condition behind `cfg`", "CG0002 `derive` unknown attribute in a graph",]
    );
}
