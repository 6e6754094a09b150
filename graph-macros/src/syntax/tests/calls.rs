//! Closures with their arguments, and events.

use super::{all_said, dump, graph};

fn parsed(source: &str) -> Vec<String> {
    let (graph, diagnostics) = graph(source);
    assert_eq!(all_said(&diagnostics), [] as [String; 0], "{source}");
    dump::statements(&graph.body)
}

#[test]
fn closures_take_what_the_statement_is_given() {
    assert_eq!(parsed("host(&a, &mut b[1..], |a, b| b[0] = a[0]);"), ["host & a &mut b[1..] |a, b| b[0]=a[0]"]);
    assert_eq!(parsed("'l: host(|| done()) after 'k;"), ["'l: host || done() after 'k"]);
    let capture = "capture(&a, &out c, move |s, a, c: DeviceViewMut<f32>| { f(s, a, c) }, cpu = |a, c| c.fill(a[0]),);";
    assert_eq!(parsed(capture), ["capture & a &out c |s, a, c:DeviceViewMut<f32>| {f(s,a,c)} cpu |a, c| c.fill(a[0])"]);
}

#[test]
fn events_name_what_they_order() {
    assert_eq!(parsed("record(&e); wait(&e, &x, &y[..4],);"), ["record e", "wait e & x & y[..4]"]);
}

#[test]
fn the_words_are_words_only_in_front_of_parentheses() {
    assert_eq!(parsed("host<<<1, 1>>>(&x); wait<<<1, 1>>>();"), ["host<1,1>(& x)", "wait<1,1>()"]);
}

#[test]
fn faults_are_told_at_the_token() {
    let told = |source: &str| all_said(&graph(source).1);
    for (source, expected) in [
        ("host(&a);", "CG0002 `` expected `host(&a, &mut b, |a, b| { … })`"),
        ("host(&a, |a, b| f(a));", "CG0002 `b` the closure takes 2 parameters and is given 1"),
        ("capture(&a, |a| f(a));", "CG0002 `a` the closure takes 1 parameter and is given 2"),
        ("host(&atomic a, |a| f(a));", "CG0002 `atomic` `host` is given `&atomic a`"),
        ("host(&a, |a| f(a), cpu = |a| f(a));", "CG0002 `cpu` a host callback is the same on every device"),
        ("record(&mut e);", "CG0002 `mut` expected `&e`"),
        ("wait();", "CG0002 `` expected `wait(&event)`"),
    ] {
        let found = told(source);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        let (code, rest) = expected.split_at(6);
        assert!(
            found[0].starts_with(code) && found[0].ends_with(rest.rsplit("` ").next().unwrap()),
            "{source}: {found:?}"
        );
    }
}
