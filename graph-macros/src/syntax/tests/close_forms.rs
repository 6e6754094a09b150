//! Forms that come close to ours: each has a message of its own, at the token to edit.

use super::{all_said, assert_style, dump, fault, graph, said};

#[test]
fn close_forms_are_named_at_their_token() {
    for (source, wanted) in [
        ("let x = [0.0; n];", "CG0002 `[0.0; n]` `x` would be an array of the host's, not a buffer"),
        ("let x: [f32; n] = [0.0; n];", "CG0002 `[0.0; n]` a buffer is filled with one value, not with an array"),
        ("let x: [f32; 2] = [0.0, 1.0];", "CG0002 `[0.0, 1.0]` a buffer is filled with one value, not with an array"),
        ("let mut t: [u32; 3];", "CG0002 `mut` buffer `t` cannot be `mut`"),
        ("let t: [u32];", "CG0002 `[u32]` buffer `t` has no length"),
        ("let x;", "- `;` expected `:` or `=`"),
        ("let x: u32;", "- `;` expected `=`"),
        ("println!(\"{n}\");", "CG0002 `println` `println!` is a host statement: it would run once, at build"),
        ("assert_eq!(a, b);", "CG0002 `assert_eq` `assert_eq!` is a host statement: it would run once, at build"),
        ("x += 1;", "CG0002 `x` an assignment to `x` is a host statement: it would run once, at build"),
        ("self.x = res;", "CG0002 `self` expected a statement, found an expression"),
        ("sink.send(1);", "CG0002 `sink` `.send(…)` is a host statement: it would run once, at build"),
        ("unsafe { f() };", "CG0002 `unsafe` `unsafe { … }` is a host statement: it would run once, at build"),
        ("jacobi::sweep(&x);", "CG0002 `jacobi::sweep` `jacobi::sweep` is called without a grid and a block"),
        ("foo;", "CG0002 `foo` expected a statement, found the name `foo`"),
        ("x[0];", "CG0002 `x` expected a statement, found an expression"),
        ("x[0] == 1;", "CG0002 `x` expected a statement, found an expression"),
        ("x[0].abs();", "CG0002 `x` `.abs(…)` is a host statement: it would run once, at build"),
        ("x[a..b] = 1.0;", "CG0002 `a..b` a range cannot be assigned to"),
        ("fn f() {}", "CG0002 `fn` an item (`fn`) in a graph's body"),
        ("const N: usize = 4;", "CG0002 `const` an item (`const`) in a graph's body"),
        ("continue;", "CG0002 `continue` a pass cannot be cut short with `continue`"),
        ("return;", "CG0002 `return` a graph cannot be left with `return`"),
        ("break;", "CG0002 `break` `break` stands elsewhere than in the last statement of a `loop`"),
        (
            "while c { if d { break; } }",
            "CG0002 `break` `break` stands elsewhere than in the last statement of a `loop`",
        ),
        ("loop { break; }", "CG0002 `break` `break` stands elsewhere than in the last statement of a `loop`"),
        (
            "loop { if a { if b { break; } } }",
            "CG0002 `break` `break` stands elsewhere than in the last statement of a `loop`",
        ),
        (
            "loop { if a { drop(x); break; } }",
            "CG0002 `break` `break` stands elsewhere than in the last statement of a `loop`",
        ),
        ("loop { if a { break; } drop(x); }", "CG0002 `break` statements follow the `break` that ends this `loop`"),
        ("loop { if a { break; } else { drop(x); } }", "CG0002 `else` `else` behind the `break` that ends a `loop`"),
        ("'a: swap(&mut x, &mut y);", "CG0002 `'a` `swap` is no node and has no place in the order"),
        ("let t = 3 after 'a;", "CG0002 `'a` a `let` on the host's side is no node and has no place in the order"),
        ("#[inline] k<<<1, 1>>>();", "CG0002 `inline` unknown attribute in a graph"),
        ("if x[0] > 1.0 drop(x);", "- `drop` expected `{`"),
        ("if x[0] > 1.0 { } else drop(x);", "- `drop` expected `{`"),
    ] {
        let fault = fault(source);
        assert_eq!(said(&fault).replace("`'` ", "`'a` "), wanted, "{source}");
        assert_style(&fault);
    }
}

#[test]
fn helps_show_the_edit() {
    for (source, wanted) in [
        ("let x = [0.0; n];", "declare a buffer: `let x: [f32; n] = 0.0;`"),
        ("let x = [0u8; n];", "declare a buffer: `let x: [u8; n] = 0u8;`"),
        ("let x: [f32; n] = [0.0; n];", "write the value alone: `= 0.0;`"),
        ("x += 1;", "to write an element of a buffer at each launch: `x[0] += …;`"),
        ("jacobi::sweep(&x);", "launch a kernel: `jacobi::sweep<<<grid, block>>>(…);`"),
        ("copy(&a, &mut b);", "write `&out b`"),
        ("copy(&mut a, &out b);", "write `&a`"),
    ] {
        assert_eq!(fault(source).help.as_deref(), Some(wanted), "{source}");
    }
}

#[test]
fn nothing_leaves_the_function_that_evaluates_a_host_expression() {
    for (source, marked, form) in [
        ("let t = n?;", "?", "?"),
        ("let t = f().await;", "await", ".await"),
        ("let t = if a { return } else { 1 };", "return", "return"),
        ("let t: [f32; n?];", "?", "?"),
        ("if f()? {}", "?", "?"),
        ("k<<<1, 1>>>(n?);", "?", "?"),
        ("fill(&out x[..n?], 0.0);", "?", "?"),
        ("let t = if a { break } else { 1 };", "break", "break"),
        ("let t = loop { continue 'a };", "continue", "continue"),
    ] {
        assert_eq!(said(&fault(source)), format!("CG0002 `{marked}` `{form}` in a host expression"), "{source}");
    }
    for source in [
        "let t = f(|x| x?);",
        "let t = f(|x| { return x });",
        "let t = loop { break 3 };",
        "let t = 'a: loop { loop { break 'a 3 } };",
        "let t = async { f().await };",
        "let t = { fn f() -> u32 { return 3 } f() };",
    ] {
        super::one(source);
    }
}

#[test]
fn a_missing_semicolon_is_reported_where_it_belongs() {
    let (graph, diagnostics) = graph("'a: k<<<1, 1>>>(&x) 'b: k<<<1, 1>>>(&y); drop(z) let t: [f32; n]");
    let said = all_said(&diagnostics);
    let wanted = [")", ")", "]"].map(|marked| format!("- `{marked}` expected `;` behind this statement"));
    assert_eq!(said, wanted);
    assert_eq!(dump::statements(&graph.body), ["'a: k<1,1>(& x)", "'b: k<1,1>(& y)", "drop z", "buffer t: [f32; n]"]);
}

#[test]
fn what_follows_a_missing_semicolon_is_no_second_fault() {
    for source in ["drop(x) foo bar; drop(y);", "drop(x) + 3; drop(y);", "copy(&a, &out b) 3; drop(y);"] {
        let (graph, diagnostics) = graph(source);
        assert_eq!(diagnostics.len(), 1, "{source}: {:?}", all_said(&diagnostics));
        assert_eq!(dump::statements(&graph.body).last().unwrap(), "drop y", "{source}");
    }
}
