//! Every kind of entry, with every operator on every type, assembled by `ptxas` if there is one.

use std::io::Write;
use std::process::{Command, Stdio};

use graph_ir::model::{BinaryOperator as Op, Expression, Method, Pattern, ScalarType, UnaryOperator};

use super::{binary, call, cast, element, host, literal, select, unary, with_types};
use crate::scalar::facts;
use crate::scalar::ptx::{Assignment, Module, Target};

const SCALARS: [ScalarType; 11] = [
    ScalarType::Bool,
    ScalarType::U8,
    ScalarType::I8,
    ScalarType::U16,
    ScalarType::I16,
    ScalarType::U32,
    ScalarType::I32,
    ScalarType::U64,
    ScalarType::I64,
    ScalarType::F32,
    ScalarType::F64,
];

const COMPARISONS: [Op; 6] = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];
const ARITHMETIC: [Op; 5] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem];
const BITS: [Op; 3] = [Op::BitAnd, Op::BitOr, Op::BitXor];
const FLOAT_METHODS: [Method; 5] = [Method::Abs, Method::Sqrt, Method::Floor, Method::Ceil, Method::Trunc];
const FLOAT_TESTS: [Method; 3] = [Method::IsNan, Method::IsFinite, Method::IsInfinite];
const TARGETS: [Target; 3] = [Target::Node, Target::Row, Target::Memory];

/// Every expression of one operator over elements of one type, which accesses 1 and 2 have.
fn values(scalar: ScalarType) -> Vec<(Expression, ScalarType)> {
    let pair = |operator: &Op| binary(element(1), *operator, element(2));
    let mut values: Vec<_> = COMPARISONS.iter().map(|operator| (pair(operator), ScalarType::Bool)).collect();
    let mut same = vec![select(binary(element(1), Op::Eq, host(2)), element(2), host(1))];
    if scalar != ScalarType::Bool {
        same.extend(ARITHMETIC.iter().map(pair));
        same.extend([Method::Min, Method::Max].map(|method| call(method, [element(1), element(2)])));
    }
    if facts::is_float(scalar) {
        same.extend(FLOAT_METHODS.map(|method| call(method, [element(1)])));
        values.extend(FLOAT_TESTS.map(|method| (call(method, [element(1)]), ScalarType::Bool)));
    } else {
        same.extend(BITS.iter().map(pair));
        same.push(unary(UnaryOperator::Not, element(1)));
    }
    if facts::is_integer(scalar) {
        same.extend([Op::Shl, Op::Shr].map(|operator| binary(element(1), operator, element(2))));
        same.push(binary(element(1), Op::Shl, cast(host(1), ScalarType::U64)));
    }
    if facts::is_signed(scalar) || facts::is_float(scalar) {
        same.push(unary(UnaryOperator::Neg, element(1)));
        same.push(call(Method::Abs, [element(1)]));
    }
    values.extend(same.into_iter().map(|value| (value, scalar)));
    values
}

fn assignments(module: &mut Module, scalar: ScalarType) {
    let elements = [scalar; 3];
    for (value, whole) in values(scalar) {
        with_types(&elements, |types| module.assignment(&value, types, whole)).unwrap();
    }
    let constant = if facts::is_float(scalar) { literal("0.1") } else { literal("100") };
    let constant = if scalar == ScalarType::Bool { Expression::Boolean(true) } else { constant };
    with_types(&elements, |types| module.assignment(&constant, types, scalar)).unwrap();
    for target in SCALARS {
        let allowed = if scalar == ScalarType::Bool { !facts::is_float(target) } else { target != ScalarType::Bool };
        let entry = with_types(&elements, |types| module.assignment(&cast(element(1), target), types, target));
        assert_eq!(entry.is_ok(), allowed, "{scalar:?} as {target:?}");
    }
}

fn conditionals(module: &mut Module, target: Target) {
    let elements = [ScalarType::F32, ScalarType::U64, ScalarType::I16];
    let test = binary(element(0), Op::Gt, binary(host(0), Op::Rem, literal("0.5")));
    let arms = [
        vec![Pattern { first: i128::MIN, last: -1 }, Pattern { first: 7, last: 7 }],
        vec![Pattern { first: 1, last: i128::MAX }],
    ];
    let chain = [(0, ScalarType::F32, element(0)), (2, ScalarType::I16, element(2)), (0, ScalarType::F32, host(0))];
    let chain = chain.map(|(target, element, value)| Assignment {
        target,
        element,
        value,
        same: vec![target],
        others: vec![0],
    });
    with_types(&elements, |types| {
        module.assignments(&chain, types).unwrap();
        module.branch(&test, types, target).unwrap();
        for value in [element(1), element(2)] {
            module.choice(&value, types, arms.iter().map(Vec::as_slice), true, target).unwrap();
        }
        for test in [None, Some(&test)] {
            module.enter(test, types, target).unwrap();
            module.again(test, &[], types, target).unwrap();
            module.again(test, &chain, types, target).unwrap();
        }
        module.counted(target);
    });
}

fn everything() -> Module {
    let mut module = Module::new();
    for scalar in SCALARS {
        assignments(&mut module, scalar);
    }
    for target in TARGETS {
        conditionals(&mut module, target);
    }
    for size in [1, 12, 100, 2048] {
        module.fill(size).unwrap();
        module.fill_box(size).unwrap();
    }
    module.gate();
    module
}

#[test]
fn every_entry_assembles() {
    assemble(&everything().finish());
}

#[test]
fn every_entry_waits_where_kernels_overlap() {
    let mut module = everything();
    module.begin_early(true);
    let text = module.finish();
    let bodies: Vec<&str> = text.split(".visible .entry").skip(1).collect();
    // The first thing that any of their threads does, and nothing comes back to it.
    let begins = "{\n\tgriddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;\n";
    assert!(
        bodies.len() > 100
            && bodies.iter().all(|body| body.contains(begins) && body.matches("griddepcontrol").count() == 2)
    );
    assert!(!everything().finish().contains("griddepcontrol"));
    assemble(&text);
}

/// `PTXAS`, or the one on `PATH`.
pub(super) fn assembler() -> Option<Command> {
    let named = std::env::var_os("PTXAS").unwrap_or_else(|| "ptxas".into());
    Command::new(&named).arg("--version").output().ok().map(|_| Command::new(named))
}

/// Fails with what the assembler says, if there is one.
pub(super) fn assemble(text: &str) {
    let Some(mut assembler) = assembler() else {
        eprintln!("skipped: no `ptxas` on PATH, and `PTXAS` names none");
        return;
    };
    let started = assembler
        .args(["-arch=sm_90", "-c", "-o", "/dev/null", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut assembler = started.unwrap();
    assembler.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = assembler.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
