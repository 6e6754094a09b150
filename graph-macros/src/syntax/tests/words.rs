//! Rules K, T and W: words are words only where nothing else can stand.

use super::{accepted, all_said, fault, graph, one, said};

#[test]
fn bounds_stand_behind_a_complete_expression() {
    for (source, wanted) in [
        ("while limit[0] > limit limit limit every 2 {}", "while limit[0]>limit limit limit every 2 {}"),
        ("while every limit every every 3 {}", "while every limit every every 3 {}"),
        ("while x[0] > 1.0 limit 10_000 {}", "while x[0]>1.0 limit 10_000 {}"),
        ("while x[0] > 1.0 every 2 {}", "while x[0]>1.0 every 2 {}"),
        ("loop limit n * 2 every 2 {}", "loop limit n*2 every 2 {}"),
        ("loop {}", "loop {}"),
        ("while (x as u32) < y {}", "while (xasu32)<y {}"),
        ("while x[0] > (S { a: 1 }).a {}", "while x[0]>(S{a:1}).a {}"),
    ] {
        assert_eq!(one(source), wanted, "{source}");
    }
}

#[test]
fn every_takes_a_host_expression() {
    let source = "while limit[0] > limit limit limit every every {}";
    assert_eq!(one(source), "while limit[0]>limit limit limit every by every {}");
}

#[test]
fn bounds_in_the_wrong_order_or_twice() {
    for (source, wanted) in [
        ("while c every 2 limit 10 {}", "CG0002 `limit` expected `limit` in front of `every`"),
        ("loop limit 1 limit 2 {}", "CG0002 `limit` `limit` is written twice"),
        ("while x[0] > 1.0limit 10 {}", "CG0002 `1.0limit` expected a space in front of `limit`"),
        ("while c max 10 {}", "- `max` expected `{`, `limit` or `every`"),
        ("while c after 'a {}", "- `after` expected `{`: `after` stands behind the body"),
    ] {
        let fault = fault(source);
        assert_eq!(said(&fault), wanted, "{source}");
    }
    assert_eq!(fault("while x[0] > 1.0limit 10 {}").help.unwrap(), "write `1.0 limit`");
}

#[test]
fn after_stands_behind_a_complete_statement() {
    for (source, wanted) in [
        ("k<<<1, 1>>>() after 'a, 'b;", vec!["k<1,1>() after 'a after 'b"]),
        ("x[0] = after after 'x;", vec!["x[0] = after after 'x"]),
        ("'w: while c {} after 'b; 'c: k<<<1, 1>>>();", vec!["'w: while c {} after 'b", "'c: k<1,1>()"]),
        ("while c {}; k<<<1, 1>>>();", vec!["while c {}", "k<1,1>()"]),
        ("while c {} after<<<1, 1>>>();", vec!["while c {}", "after<1,1>()"]),
        ("if c {} after[0] = 1;", vec!["if c {}", "after[0] = 1"]),
        ("copy(&a, &out b) after 'x;", vec!["copy & a &out b after 'x"]),
        ("loop limit 3 {} after 'x;", vec!["loop limit 3 {} after 'x"]),
        (
            "for (i, x) in l.iter().enumerate().rev() { drop(t); } after 'x;",
            vec!["for (i,x) in l.iter().enumerate().rev() {drop t} after 'x"],
        ),
        ("let ws: [[u8; n]; 8]; a[i][j] = 1.0;", vec!["buffer ws: [u8; n] times 8", "a[i][j] = 1.0"]),
        ("k<<<1, 1>>>(&layers[i].qkv.w, &mut a[i + 1][..n]);", vec!["k<1,1>(& layers[i].qkv.w, &mut a[i+1][..n])"]),
        ("let (w, h): (u32, u32) = dim[i];", vec!["host (w,h):(u32,u32) = dim[i]"]),
        ("if n > 1 && let Some(x) = y {}", vec!["if n>1&&letSome(x)=y {}"]),
        ("match n { Some(k) if k > 2 => {} _ => {} }", vec!["match n Some(k) if k>2 => {}  => {}"]),
        ("match x[0] { _ => {} } after 'x;", vec!["match x[0]  => {} after 'x"]),
    ] {
        assert_eq!(accepted(source), wanted, "{source}");
    }
}

#[test]
fn after_wants_labels() {
    let without_quote = fault("k<<<1, 1>>>() after a;");
    assert_eq!(said(&without_quote), "CG0002 `a` expected a label behind `after`");
    assert_eq!(without_quote.help.unwrap(), "labels start with a quote: `'a`");
    assert_eq!(said(&fault("k<<<1, 1>>>() after ;")), "CG0002 `;` expected a label behind `after`");
    assert_eq!(said(&fault("while c {} after 'b")), "- `b` expected `;` behind this statement");
}

#[test]
fn built_in_words_are_built_in_only_in_front_of_parentheses() {
    assert_eq!(one("fill<<<1, 1>>>(&x);"), "fill<1,1>(& x)");
    assert_eq!(one("drop[0] = 1.0;"), "drop[0] = 1.0");
    assert_eq!(
        said(&fault("self::copy(&a, &out b);")),
        "CG0002 `self::copy` `self::copy` is called with its arguments in a row"
    );
    assert_eq!(one("copy { a: &a, n };"), "copy { a: & a, n: n }");
}

#[test]
fn arms_need_braces() {
    let fault = fault("match x[0] { 0 => k<<<1, 1>>>(&x), 1 => {} }");
    assert_eq!(said(&fault), "CG0002 `k` the body of an arm needs braces");
    let (graph, _) = graph("match x[0] { 0 => k<<<1, 1>>>(&x), 1 => {} }");
    assert_eq!(super::dump::statements(&graph.body), ["match x[0] 1..=1 => {}"]);
}

#[test]
fn a_bar_behind_while_is_a_condition_that_a_kernel_sets() {
    assert_eq!(one("while |c| { step<<<1, 1>>>(&x, c); }"), "while |c| {step<1,1>(& x, c)}");
    assert_eq!(one("while |c| limit 3 { step<<<1, 1>>>(&x, c); }"), "while |c| limit 3 {step<1,1>(& x, c)}");
    let wanted = "CG0002 `a` expected one name between `|` and `|`";
    assert_eq!(said(&fault("while |a, b| { step<<<1, 1>>>(&x, a); }")), wanted);
}

#[test]
fn conditions_and_bodies() {
    for (source, wanted) in [
        (
            "if n > 2 { drop(x); } else if x[0] == 1.0 {} else { {} }",
            "if n>2 {drop x} else {if x[0]==1.0 {} else {{}}}",
        ),
        ("loop limit 9 { k<<<1, 1>>>(); if x[0] < 1.0 { break; } }", "loop limit 9 {k<1,1>()} until x[0]<1.0"),
        ("'l: loop { if c { break 'l } }", "'l: loop {} until c"),
        ("loop { if a {} if b { break; }; }", "loop {if a {}} until b"),
        (
            "match s[0] { 0 => {} 1 | 2 => {}, 3..8 => {} -4..=-2 | 0xff => {} b'a' => {} 9.. => {} _ => {} }",
            "match s[0] 0..=0 => {} 1..=1 | 2..=2 => {} 3..=7 => {} -4..=-2 | 255..=255 => {} 97..=97 => {} \
          9..=170141183460469231731687303715884105727 => {}  => {}",
        ),
        ("swap(&mut a, &mut b);", "swap &mut a &mut b"),
        ("fill(&out x[1..], if n > 1 { 0.0 } else { 1.0 });", "fill &out x[1..] ifn>1{0.0}else{1.0}"),
        ("copy(&a[..n], &out b[n..=m],);", "copy & a[..n] &out b[n..=m]"),
        ("x[i + 1] <<= 3;", "x[i+1] <<= 3"),
        ("x[0] = (a[0] + 1.0).max(b[0]);", "x[0] = (a[0]+1.0).max(b[0])"),
        ("let t = n.div_ceil(16);", "host t: = n.div_ceil(16)"),
        ("let t: host [T; n + 1] = 0.5;", "buffer t: host [T; n+1] = 0.5"),
        ("let t: (u32, u32) = (1, 2);", "host t:(u32,u32) = (1,2)"),
        ("let t: host = h;", "host t:host = h"),
    ] {
        assert_eq!(one(source), wanted, "{source}");
    }
}

#[test]
fn attributes_and_documentation_are_kept() {
    let (graph, diagnostics) =
        graph("#![allow(unread_result)] /// what it does\n #[allow(dead_code)] 'a: k<<<1, 1>>>();");
    assert_eq!(all_said(&diagnostics), Vec::<String>::new());
    assert_eq!(graph.attributes.len(), 1);
    assert_eq!(super::dump::text(&graph.attributes[0]), "#[allow(unread_result)]");
    assert_eq!(graph.body[0].attributes.len(), 2);
}
