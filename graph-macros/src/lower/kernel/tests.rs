//! Bodies as data, their accesses, and what is refused.

use graph_ir::model::{Compute, Expression, Index, NodeKind, Program, Statement};

use crate::diagnostic::Diagnostics;
use crate::lower::lower;
use crate::syntax;

/// A graph with this body, and what is said about it.
fn compile(body: &str) -> (Program, Vec<String>) {
    let head = "x: &mut [f32; n], y: &out [f32; n], s: &mut [f32; 1], column: &[u32; m], a: &mut [f32; h * w], \
                h: usize, w: usize, k0: u32, dt: f32";
    let mut diagnostics = Diagnostics::default();
    let block = syntax::parse(format!("graph G({head}) {{ {body} }}").parse().unwrap(), &mut diagnostics);
    let program = lower(&block.graphs[0], &block, &mut diagnostics).program;
    let said = diagnostics.iter().map(|diagnostic| {
        let code = diagnostic.code.map_or_else(String::new, |code| format!("{code} "));
        format!("{code}`{}` {}", diagnostic.span.source_text().unwrap_or_default(), diagnostic.message)
    });
    let said = said.collect();
    (program, said)
}

fn accepted(body: &str) -> Program {
    let (program, said) = compile(body);
    assert_eq!(said, Vec::<String>::new(), "{body}");
    program
}

/// `&out y[0..n]`, with `?` behind what the kernel must check, of the first node.
fn accesses(body: &str) -> Vec<String> {
    let program = accepted(body);
    let node = &program.nodes[0];
    let NodeKind::Compute(compute) = &node.kind else { panic!("{body}") };
    let unproved = unproved(compute);
    let access = |(at, access): (usize, &graph_ir::model::Access)| {
        let range = access.footprint.outermost();
        let (start, end) = (program.extent_text(range.start), program.extent_text(range.end));
        let check = if unproved.contains(&(at as u32)) { "?" } else { "" };
        format!("{} {}[{start}..{end}]{check}", access.mode.sigil(), program.buffer(access.buffer).name)
    };
    node.accesses.iter().enumerate().map(access).collect()
}

/// The accesses whose indices are checked by the kernel.
fn unproved(compute: &Compute) -> Vec<u32> {
    let mut found = Vec::new();
    let mut visit = |part: &Expression| {
        if let Expression::Load { access, index } = part
            && !index.proved
        {
            found.push(*access);
        }
    };
    each(&compute.body, &mut visit);
    compute.reduction.iter().for_each(|reduction| reduction.value.walk(&mut visit));
    stores(&compute.body, &mut |access, index| {
        if !index.proved {
            found.push(access);
        }
    });
    found
}

fn each(body: &[Statement], visit: &mut impl FnMut(&Expression)) {
    for statement in body {
        match statement {
            Statement::Let { value, .. } => value.iter().for_each(|value| value.walk(visit)),
            Statement::Assign { value, .. } | Statement::Store { value, .. } => value.walk(visit),
            Statement::If { condition, then, otherwise } => {
                condition.walk(visit);
                each(then, visit);
                each(otherwise, visit);
            }
            Statement::For { start, end, body, .. } => {
                start.walk(visit);
                end.walk(visit);
                each(body, visit);
            }
            Statement::While { condition, body } => {
                condition.walk(visit);
                each(body, visit);
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }
}

fn stores(body: &[Statement], visit: &mut impl FnMut(u32, &Index)) {
    for statement in body {
        match statement {
            Statement::Store { access, index, .. } => visit(*access, index),
            Statement::If { then, otherwise, .. } => {
                stores(then, visit);
                stores(otherwise, visit);
            }
            Statement::For { body, .. } | Statement::While { body, .. } => stores(body, visit),
            _ => {}
        }
    }
}

/// The data of the first node, one statement after another.
fn data(body: &str) -> String {
    let program = accepted(body);
    let NodeKind::Compute(compute) = &program.nodes[0].kind else { panic!("{body}") };
    let reduced = compute.reduction.iter().map(|r| format!("{:?} {}", r.operator, shown(&program, &r.value)));
    compute.body.iter().map(|statement| said(&program, statement)).chain(reduced).collect::<Vec<_>>().join("; ")
}

fn block(program: &Program, body: &[Statement]) -> String {
    format!("{{ {} }}", body.iter().map(|statement| said(program, statement)).collect::<Vec<_>>().join("; "))
}

fn said(program: &Program, statement: &Statement) -> String {
    match statement {
        Statement::Let { local, value: None } => format!("let ${local}"),
        Statement::Let { local, value: Some(value) } => format!("let ${local} = {}", shown(program, value)),
        Statement::Assign { local, value } => format!("${local} = {}", shown(program, value)),
        Statement::Store { access, index, value } => {
            format!("{access}[{}] = {}", coordinates(program, index), shown(program, value))
        }
        Statement::If { condition, then, otherwise } => {
            let (then, otherwise) = (block(program, then), block(program, otherwise));
            format!("if {} {then} else {otherwise}", shown(program, condition))
        }
        Statement::For { local, start, end, inclusive, body } => {
            let (start, end) = (shown(program, start), shown(program, end));
            let dots = if *inclusive { "..=" } else { ".." };
            format!("for ${local} in {start}{dots}{end} {}", block(program, body))
        }
        Statement::While { condition, body } => format!("while {} {}", shown(program, condition), block(program, body)),
        Statement::Break(0) => "break".to_owned(),
        Statement::Continue(0) => "continue".to_owned(),
        Statement::Break(loops) => format!("break {loops}"),
        Statement::Continue(loops) => format!("continue {loops}"),
    }
}

fn coordinates(program: &Program, index: &Index) -> String {
    index.coordinates.iter().map(|part| shown(program, part)).collect::<Vec<_>>().join(", ")
}

fn shown(program: &Program, expression: &Expression) -> String {
    let show = |part: &Expression| shown(program, part);
    match expression {
        Expression::Literal { text, suffix } => {
            format!("{text}{}", suffix.map_or_else(String::new, |suffix| format!("{suffix:?}").to_lowercase()))
        }
        Expression::Boolean(value) => value.to_string(),
        Expression::Neutral(operator) => format!("{operator:?}"),
        Expression::Element(access) => format!("{access}[]"),
        Expression::Local(local) => format!("${local}"),
        Expression::Load { access, index } => format!("{access}[{}]", coordinates(program, index)),
        Expression::Host(symbol) => format!("`{}`", program.symbol(*symbol).text),
        Expression::Unary { operator, operand } => format!("{operator:?}({})", show(operand)),
        Expression::Binary { operator, left, right } => format!("{operator:?}({}, {})", show(left), show(right)),
        Expression::Cast { operand, target } => format!("{target:?}({})", show(operand)),
        Expression::Call { method, operands } => {
            format!("{method:?}({})", operands.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Expression::Select { condition, then, otherwise } => {
            format!("({} ? {} : {})", show(condition), show(then), show(otherwise))
        }
    }
}

#[test]
fn an_index_of_an_axis_has_its_range() {
    assert_eq!(accesses("kernel for i in 0..n { y[i] = x[i]; }"), ["& x[0..n]", "&out y[0..n]"]);
    let shifted = accesses("kernel for i in 1..n - 1 { y[i] = x[i - 1] + x[i + 1] + dt; }");
    assert_eq!(shifted, ["& x[0..n - 2]", "& x[2..n]", "&out y[1..n - 1]"]);
    assert_eq!(
        accesses("kernel for i in 0..n { y[i] = x[0] * x[n - 1]; }"),
        ["& x[0..1]", "& x[n - 1..n]", "&out y[0..n]"]
    );
    assert_eq!(accesses("kernel for i in 0..=7 { y[i] = x[7 - i]; }"), ["& x[0..8]", "&out y[0..8]"]);
    assert_eq!(
        accesses("kernel for i in 0..n { let j = i + 1; y[i] = column[j as usize] as f32; }")[0],
        "& column[1..n + 1]"
    );
}

#[test]
fn what_depends_on_data_or_may_not_happen_is_the_whole_buffer() {
    assert_eq!(
        accesses("kernel for i in 0..n { y[i] = x[column[i] as usize]; }"),
        ["& column[0..n]", "& x[0..n]?", "&out y[0..n]"]
    );
    assert_eq!(accesses("kernel for i in 0..n { if i > 0 { y[i] = x[i - 1]; } }"), ["& x[0..n]?", "&mut y[0..n]"]);
    assert_eq!(accesses("kernel for i in 0..n { y[i] = if i > 0 { x[i - 1] } else { 0.0 }; }")[0], "& x[0..n]?");
    assert_eq!(
        accesses("kernel for i in 0..n { y[i] = 1.0; if i > 2 && x[i + 2] > 0.0 { y[i] = 2.0; } }"),
        ["&out y[0..n]", "& x[0..n]?"]
    );
    assert_eq!(accesses("kernel for i in 0..4 { if dt > 0.0 { y[i] = 1.0; } }"), ["&mut y[0..n]?"]);
}

#[test]
fn old_contents_are_needed_only_if_they_are_read() {
    assert_eq!(accesses("kernel for i in 0..n { x[i] += 1.0; }"), ["&mut x[0..n]"]);
    assert_eq!(accesses("kernel for i in 0..n { x[i] = 0.0; x[i] += dt; }"), ["&out x[0..n]"]);
    assert_eq!(
        accesses("kernel for i in 0..n { if dt > 0.0 { x[i] = 0.0; } else { x[i] = 1.0; } y[i] = x[i]; }")[0],
        "&mut x[0..n]"
    );
    assert_eq!(accesses("kernel for i in 0..n { for k in 0..h { y[i] = 0.0; } }"), ["&mut y[0..n]"]);
}

#[test]
fn flattened_indices_and_inner_loops() {
    assert_eq!(accesses("kernel for (i, j) in (0..h, 0..w) { a[i * w + j] = 0.0; }"), ["&out a[0..h * w]"]);
    assert_eq!(accesses("kernel for i in 0..h { for j in 0..w { a[i * w + j] = 0.0; } }"), ["&out a[0..h * w]"]);
    assert_eq!(
        accesses("kernel for (i, j) in (1..h - 1, 1..w - 1) { a[i * w + j] = 0.0; }"),
        ["&mut a[w + 1..h * w - w - 1]"]
    );
    let product =
        "kernel for i in 0..h { let mut sum = 0.0; for k in 0..w { sum += a[i * w + k] * x[k]; } y[i] = sum; }";
    assert_eq!(accesses(product), ["& a[0..h * w]", "& x[0..w]", "&out y[0..h]"]);
    assert_eq!(
        data(product),
        "let $1 = 0.0; for $2 in 0..`w` { $1 = Add($1, Mul(0[Add(Mul($0, `w`), $2)], 1[$2])) }; 2[$0] = $1"
    );
}

#[test]
fn reductions() {
    assert_eq!(accesses("s[0] = (0..n).map(|i| x[i] * x[i]).sum();"), ["&out s[0..1]", "& x[0..n]"]);
    assert_eq!(accesses("s[0] += (0..n).map(|i| x[i]).sum();"), ["&mut s[0..1]", "& x[0..n]"]);
    assert_eq!(accesses("s[0] = (0..n).map(|i| x[i] * s[0]).max();"), ["&out s[0..1]", "& x[0..n]", "& s[0..1]"]);
    assert_eq!(
        data("s[0] = (0..n).map(|i| { let d = x[i] - dt; d * d }).sum();"),
        "let $1 = Sub(1[$0], `dt`); Sum Mul($1, $1)"
    );
    assert_eq!(accesses("s[0] = (0..h, 0..w).map(|(i, j)| a[i * w + j]).product();")[1], "& a[0..h * w]");
}

#[test]
fn values_that_may_not_be_there_are_loaded_in_statements() {
    assert_eq!(
        data("kernel for i in 0..n { y[i] = if i > 0 { x[i - 1] } else { dt }; }"),
        "let $1; if Gt($0, 0) { $1 = 0[Sub($0, 1)] } else { $1 = `dt` }; 1[$0] = $1"
    );
    assert_eq!(
        data("kernel for i in 0..n { y[i] = if dt > 0.0 { 1.0 } else { dt }; }"),
        "0[$0] = (Gt(`dt`, 0.0) ? 1.0 : `dt`)"
    );
    assert_eq!(
        data("kernel for i in 0..n { let mut k = i; while k > 0 && x[k] > 0.0 { k -= 1; } y[i] = k as f32; }"),
        "let $1 = $0; while true { let $2 = Gt($1, 0); if $2 { $2 = Gt(0[$1], 0.0) } else {  }; \
         if Not($2) { break } else {  }; $1 = Sub($1, 1) }; 1[$0] = F32($1)"
    );
}

#[test]
fn races_are_refused() {
    let race = |body: &str| {
        let (_, said) = compile(body);
        assert_eq!(said.len(), 1, "{body}: {said:?}");
        said.into_iter().next().unwrap()
    };
    assert_eq!(
        race("kernel for i in 0..n { s[0] += x[i]; }"),
        "CG0701 `s[0]` several indices of this kernel may write `s[0]` at once"
    );
    assert_eq!(
        race("kernel for (i, j) in (0..h, 0..w) { y[i] += a[i * w + j]; }"),
        "CG0701 `y[i]` several indices of this kernel may write `y[i]` at once"
    );
    assert_eq!(
        race("kernel for i in 0..n - 1 { x[i] = x[i + 1]; }"),
        "CG0701 `x[i + 1]` `x[i + 1]` may be read while another index writes it"
    );
    assert_eq!(
        race("kernel for i in 0..n { y[column[i] as usize] = 1.0; }"),
        "CG0701 `y[column[i] as usize]` several indices of this kernel may write `y[column[i] as usize]` at once"
    );
    assert_eq!(
        race("kernel for i in 0..n { x[i] = 1.0; y[i] = x[0]; }"),
        "CG0701 `x[0]` `x[0]` may be read while another index writes it"
    );
}

#[test]
fn near_misses_of_races_are_accepted() {
    for body in [
        "kernel for i in 0..h { x[2 * i] = 0.0; x[2 * i + 1] = 1.0; }",
        "kernel for i in 0..h { x[i] = x[i + h]; }",
        "kernel for i in 0..n { x[n - 1 - i] = 0.0; }",
        "kernel for i in 1..n { x[i] = x[0]; }",
        "kernel for (i, j) in (0..h, 0..w) { a[(i * w + j)] *= 2.0; }",
        "kernel for i in 0..h { for k in 0..w { a[i * w + k] -= a[i * w]; } }",
        "kernel for (i, j) in (0..h, 0..w) { a[i * n + j] = 0.0; }",
        "kernel for i in 0..h { x[i * w] = x[i * w + 1]; }",
    ] {
        accepted(body);
    }
}

#[test]
fn faults_are_named_once() {
    let cases = [
        ("kernel for i in 0..n { y[i] = f(x[i]); }", "CG0702 `f` function `f` cannot run on the device"),
        ("kernel for i in 0..n { return; }", "CG0702 `return` a body cannot be left with `return`"),
        ("kernel for i in 0..n { y[i] = x; }", "CG0702 `x` buffer `x` is used without an index"),
        ("kernel for i in 0..n { println!(\"{i}\"); }", "CG0702 `println` macro `println!` cannot run on the device"),
        (
            "kernel for i in 0..n { let [a, b] = [1, 2]; y[i] = a; }",
            "CG0702 `[a, b]` expected one name behind `let`, or as many as values",
        ),
        (
            "kernel for i in 0..n { let (a, mut b) = (1, 2, 3); b += 1; }",
            "CG0702 `(a, mut b)` expected one name behind `let`, or as many as values",
        ),
        ("kernel for i in 0..n { dt = 1.0; }", "CG0702 `dt` host value `dt` is assigned to"),
        ("kernel for i in 0..n { sum += x[i]; }", "CG0702 `sum` no `let` in this body declares `sum`"),
        ("kernel for i in 0..n { let v = x[i]; }", "CG0703 `kernel` this `kernel for` writes no buffer"),
        ("kernel for i in 0..n { y[i] = z[i]; }", "CG0101 `z` no buffer named `z` in this graph"),
        (
            "kernel for i in 0..s[0] { y[i] = 0.0; }",
            "CG0207 `s[0]` `s[0]` is on the device, and this is evaluated when the graph is built",
        ),
        (
            "kernel for i in 0..n { y[i] = x[i - 1]; }",
            "CG0205 `x[i - 1]` `x[i - 1]` is used in front of the first element of `x`",
        ),
        ("kernel for (i, j) in 0..n { y[i] = 0.0; }", "CG0002 `(i, j)` 2 names for 1 range"),
        ("kernel for i in n { y[i] = 0.0; }", "CG0002 `n` expected a range with both ends"),
        ("s[0] = (0..n).filter(|i| x[i] > 0.0).sum();", "CG0002 `filter` `.filter(…)` is no part of a reduction"),
        ("s[0] -= (0..n).map(|i| x[i]).sum();", "CG0002 `-=` `-=` does not go with `.sum()`"),
    ];
    for (body, fault) in cases {
        assert_eq!(compile(body).1, [fault], "{body}");
    }
}

#[test]
fn an_empty_range_is_no_fault() {
    assert_eq!(accesses("kernel for i in 0..0 { y[i] = x[i - 1]; }"), ["& x[0..n]?", "&out y[0..0]"]);
}

#[test]
fn matches_are_one_condition_after_another() {
    let body = "kernel for i in 0..n { match column[i] { 0 => { y[i] = 1.0; } 1 | 3..=5 => y[i] = 2.0, _ => {} } }";
    let one = "if Eq($1, 0) { 1[$0] = 1.0 } else { ";
    let two = "if Or(Eq($1, 1), And(Ge($1, 3), Le($1, 5))) { 1[$0] = 2.0 } else {  } }";
    assert_eq!(data(body), format!("let $1 = 0[$0]; {one}{two}"));
}

#[test]
fn inner_reductions_are_loops() {
    let body = "kernel for i in 0..h { y[i] = (0..w).map(|k| a[i * w + k]).max() * dt; }";
    let row = "0[Add(Mul($0, `w`), $2)]";
    assert_eq!(data(body), format!("let $1 = Max; for $2 in 0..`w` {{ $1 = Max($1, {row}) }}; 1[$0] = Mul($1, `dt`)"));
    assert_eq!(accesses(body), ["& a[0..h * w]", "&out y[0..h]"]);
}
