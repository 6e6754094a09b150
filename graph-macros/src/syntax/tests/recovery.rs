//! A fault loses its own statement, and nothing else.

use super::{all_said, dump, graph};

#[test]
fn the_statements_around_a_fault_stand() {
    for source in [
        "k<<<;",
        "k<<<1, 1>>>(&);",
        "let t: [f32;];",
        "let t = n.;",
        "if x[0] > { k<<<1, 1>>>(); }",
        "if x[0] > 1.0 { } else if { k<<<1, 1>>>(); } else { }",
        "while { k<<<1, 1>>>(); }",
        "loop limit { k<<<1, 1>>>(); }",
        "'a k<<<1, 1>>>();",
        "copy(&a, out b);",
        "x[0] = ;",
        "x[] = 1;",
        "x[a b] = 1;",
        "match x[0] { ? => {} }",
        "@ ! ~ ;",
    ] {
        let (graph, diagnostics) = graph(&format!("drop(a); {source} drop(z);"));
        assert_eq!(diagnostics.len(), 1, "{source}: {:?}", all_said(&diagnostics));
        let statements = dump::statements(&graph.body);
        assert_eq!(statements.len(), 3, "{source}: {statements:?}");
        assert_eq!((statements[0].as_str(), statements[2].as_str()), ("drop a", "drop z"), "{source}");
    }
}

#[test]
fn a_half_typed_line_does_not_eat_the_next_statement() {
    for (source, wanted) in [
        ("jacobi::sw let t: [f32; n];", "buffer t: [f32; n]"),
        ("k<<<1, 1>>> while c { drop(y); }", "while c {drop y}"),
        ("x[0] = x. 'a: k<<<1, 1>>>();", "'a: k<1,1>()"),
        ("let n = loop limit 3 {}", "loop limit 3 {}"),
        ("foo { a } drop(z);", "drop z"),
    ] {
        let (graph, diagnostics) = graph(source);
        assert_eq!(diagnostics.len(), 1, "{source}: {:?}", all_said(&diagnostics));
        assert_eq!(dump::statements(&graph.body).last().unwrap(), wanted, "{source}");
    }
}

#[test]
fn faults_in_bodies_stay_in_bodies() {
    let (graph, diagnostics) = graph("while c { drop(a); k<<<; drop(b); } if d { @ } else { drop(c); }");
    assert_eq!(diagnostics.len(), 2, "{:?}", all_said(&diagnostics));
    assert_eq!(dump::statements(&graph.body), ["while c {drop a; error; drop b}", "if d {error} else {drop c}"]);
}
