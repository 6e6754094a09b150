//! Kernels in the block: types, text, and what an assembler says to every kind of them.

use graph_ir::model::{
    Axis, BinaryOperator as Op, Combine, Compute, Expression, Index, Local, Method, Place, Reduction, ScalarType,
    Statement,
};

use super::assembled::assemble;
use super::{binary, call, cast, element, host, literal, with_types};
use crate::scalar::compute::{Buffers, Collected, infer_compute};
use crate::scalar::facts;
use crate::scalar::ptx::{
    Entry, Module, Parameter, collecting_geometry, each_geometry, library, reduce_geometry, with_library,
};

use ScalarType::{BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

const NUMBERS: [ScalarType; 12] = [U8, I8, U16, I16, U32, I32, U64, I64, F16, BF16, F32, F64];

pub(super) fn local(index: u32) -> Expression {
    Expression::Local(index)
}

pub(super) fn at(proved: bool, coordinates: impl Into<Vec<Expression>>) -> Index {
    Index { coordinates: coordinates.into(), proved, place: Place(0) }
}

pub(super) fn load(access: u32, index: Index) -> Expression {
    Expression::Load { access, index: Box::new(index) }
}

pub(super) fn store(access: u32, index: Index, value: Expression) -> Statement {
    Statement::Store { access, index, value }
}

fn add(left: Expression, right: Expression) -> Expression {
    binary(left, Op::Add, right)
}

fn mul(left: Expression, right: Expression) -> Expression {
    binary(left, Op::Mul, right)
}

/// A body over axes that are the first locals; `names` locals follow.
pub(super) fn compute(axes: u32, names: u32, body: Vec<Statement>) -> Compute {
    let ranged = |local| Axis { local, start: literal("0"), end: literal("9") };
    let locals = (0..axes + names).map(|local| Local { name: format!("v{local}"), scalar: None }).collect();
    Compute { axes: (0..axes).map(ranged).collect(), locals, body, reduction: None }
}

pub(super) fn reduction(axes: u32, operator: Combine, value: Expression, accumulate: bool) -> Compute {
    Compute { reduction: Some(Reduction { operator, value, accumulate }), ..compute(axes, 0, Vec::new()) }
}

/// Every access is of a buffer of its own.
pub(super) fn entry(
    module: &mut Module,
    compute: &Compute,
    axes: &[ScalarType],
    elements: &[ScalarType],
    ranks: &[u8],
) -> Result<Entry, String> {
    let buffers = Buffers { first: (0..elements.len() as u32).collect(), ranks: ranks.to_vec(), ..Buffers::default() };
    with_types(elements, |types| module.compute(compute, axes, types, buffers))
}

/// `y[i] += a * x[i]`, with `a` a host value of the values' type.
fn axpy(proved: bool) -> Compute {
    let x = load(0, at(proved, [local(0)]));
    let y = load(1, at(proved, [local(0)]));
    compute(1, 0, vec![store(1, at(proved, [local(0)]), add(y, mul(cast(host(2), F32), x)))])
}

/// `for k in row[i]..row[i + 1] { sum += value[k] * p[column[k]]; } q[i] = sum;`
fn sparse() -> Compute {
    let pass = vec![Statement::Assign {
        local: 1,
        value: add(local(1), mul(load(0, at(false, [local(2)])), load(3, at(false, [load(1, at(false, [local(2)]))])))),
    }];
    let body = vec![
        Statement::Let { local: 1, value: Some(literal("0.0")) },
        Statement::For {
            local: 2,
            start: load(2, at(true, [local(0)])),
            end: load(2, at(true, [add(local(0), literal("1"))])),
            inclusive: false,
            body: pass,
        },
        store(4, at(true, [local(0)]), local(1)),
    ];
    compute(1, 2, body)
}

/// A step of the heat equation in two dimensions.
fn heat() -> Compute {
    let u = |di: &str, dj: &str| {
        let shifted = |axis: u32, by: &str| match by {
            "0" => local(axis),
            by => binary(add(local(axis), literal(by)), Op::Sub, literal("1")),
        };
        load(0, at(true, [shifted(0, di), shifted(1, dj)]))
    };
    let around = add(add(u("0", "2"), u("2", "0")), u("0", "0"));
    compute(2, 0, vec![store(1, at(true, [local(0), local(1)]), mul(around, literal("0.25")))])
}

/// `while`, `break`, `continue` and both forms of `if`.
fn flow() -> Compute {
    let positive = binary(local(1), Op::Gt, literal("0"));
    let first = binary(local(0), Op::Eq, literal("0"));
    let before = load(0, at(false, [binary(local(0), Op::Sub, literal("1"))]));
    let lazy = Expression::Select {
        condition: Box::new(first.clone()),
        then: Box::new(literal("7")),
        otherwise: Box::new(before.clone()),
    };
    let both = binary(binary(local(0), Op::Gt, literal("0")), Op::And, binary(before, Op::Gt, literal("3")));
    let body = vec![
        Statement::Let { local: 1, value: Some(lazy) },
        Statement::While {
            condition: positive,
            body: vec![
                Statement::Assign { local: 1, value: binary(local(1), Op::Sub, literal("1")) },
                Statement::If {
                    condition: first,
                    then: vec![Statement::Continue(0)],
                    otherwise: vec![Statement::Break(0)],
                },
            ],
        },
        Statement::If { condition: both, then: vec![store(1, at(true, [local(0)]), local(1))], otherwise: vec![] },
    ];
    compute(1, 1, body)
}

fn methods(scalar: ScalarType) -> Vec<(Compute, ScalarType)> {
    let x = || load(0, at(true, [local(0)]));
    let amount = || load(2, at(true, [local(0)]));
    let operand = |method: Method, index: usize| match method {
        Method::Pow | Method::RotateLeft | Method::RotateRight if index == 1 => amount(),
        Method::Powi if index == 1 => cast(amount(), I32),
        _ => x(),
    };
    let mut computes = Vec::new();
    for method in Method::ALL {
        let operands: Vec<_> = (0..method.arity()).map(|index| operand(*method, index)).collect();
        let value = call(*method, operands);
        let stored = match method {
            _ if method.is_test() => U8,
            Method::CountOnes | Method::LeadingZeros | Method::TrailingZeros => U32,
            Method::AbsDiff => facts::unsigned(scalar),
            _ => scalar,
        };
        let value = if method.is_test() { cast(value, U8) } else { value };
        computes.push((compute(1, 0, vec![store(1, at(true, [local(0)]), value)]), stored));
    }
    computes
}

#[test]
fn names_have_the_types_of_what_they_meet() {
    let buffers = Buffers { first: (0..5).collect(), ranks: vec![1; 5], ..Buffers::default() };
    let elements = [F32, U32, U32, F16, F64];
    let wrong = with_types(&elements, |types| infer_compute(&sparse(), &[U64], types, buffers));
    assert_eq!(wrong.unwrap_err(), "`=` meets `f32` and `f64`");
    let buffers = Buffers { first: (0..5).collect(), ranks: vec![1; 5], ..Buffers::default() };
    let elements = [F32, U16, U32, F16, BF16];
    let inferred = with_types(&elements, |types| infer_compute(&sparse(), &[U64], types, buffers)).unwrap();
    assert_eq!(inferred.root.locals, [U64, F32, U32]);
    assert_eq!(inferred.sites.iter().map(|site| site.access).collect::<Vec<_>>(), [0, 1, 3]);
    let alone = compute(1, 1, vec![Statement::Let { local: 1, value: None }]);
    let buffers = Buffers { first: vec![], ranks: vec![], ..Buffers::default() };
    let open = with_types(&[], |types| infer_compute(&alone, &[I32], types, buffers));
    assert_eq!(open.unwrap_err(), "`v1` has no type");
}

#[test]
fn an_axpy_moves_four_elements_at_a_time() {
    let mut module = Module::new();
    let entry = entry(&mut module, &axpy(true), &[U64], &[F32, F32, F64], &[1, 1, 1]).unwrap();
    assert_eq!(entry.lanes, 4);
    assert!(entry.sites.is_empty() && !entry.parameters.contains(&Parameter::Fault));
    let text = module.finish();
    assert_eq!(text.matches("ld.global.v4.f32").count(), 2, "{text}");
    assert_eq!(text.matches("st.global.v4.f32").count(), 1, "{text}");
    assert!(!text.contains("fma") && !text.contains("record_fault"), "{text}");
}

#[test]
fn eight_bytes_go_in_pairs_and_checked_indices_alone() {
    let mut module = Module::new();
    let doubles = entry(&mut module, &axpy(true), &[I32], &[F32, F64, F32], &[1, 1, 1]);
    assert_eq!(doubles.unwrap_err(), "`+` meets `f64` and `f32`");
    let checked = entry(&mut module, &axpy(false), &[I32], &[F32, F32, F32], &[1, 1, 1]).unwrap();
    assert_eq!((checked.lanes, checked.sites.len()), (1, 3));
    assert!(checked.parameters.contains(&Parameter::Fault) && checked.parameters.contains(&Parameter::Site));
    let copy = compute(1, 0, vec![store(1, at(true, [local(0)]), load(0, at(true, [local(0)])))]);
    assert_eq!(entry(&mut module, &copy, &[U32], &[F64, F64], &[1, 1]).unwrap().lanes, 2);
    assert_eq!(entry(&mut module, &copy, &[U32], &[F16, F16], &[1, 1]).unwrap().lanes, 4);
}

#[test]
fn what_an_index_shares_with_another_is_not_moved_together() {
    let shifted = load(0, at(true, [add(local(0), literal("1"))]));
    let body = vec![store(1, at(true, [local(0)]), add(shifted, load(0, at(true, [local(0)]))))];
    let mut module = Module::new();
    let read = entry(&mut module, &compute(1, 0, body.clone()), &[U64], &[F32, F32], &[1, 1]).unwrap();
    assert_eq!(read.lanes, 4, "both are only read");
    let buffers = Buffers { first: vec![0, 0], ranks: vec![1, 1], ..Buffers::default() };
    let same = with_types(&[F32, F32], |types| module.compute(&compute(1, 0, body), &[U64], types, buffers)).unwrap();
    assert_eq!(same.lanes, 1, "what is written is also read elsewhere");
}

#[test]
fn a_reduction_can_be_combined_by_the_kernel_behind_it() {
    for (scalar, scale) in [F32, F64, U32, I64].into_iter().zip([4, 2, 4, 2]) {
        let mut module = Module::new();
        let sum = reduction(1, Combine::Sum, load(1, at(true, [local(0)])), false);
        let left = Buffers { first: vec![0, 1], ranks: vec![1, 1], deferred: true, ..Buffers::default() };
        let sum = with_types(&[scalar; 2], |types| module.compute(&sum, &[U64], types, left)).unwrap();
        assert!(sum.parameters.contains(&Parameter::Partials));
        let value = mul(element(2), load(1, at(true, [local(0)])));
        let scaled = compute(1, 0, vec![store(1, at(true, [local(0)]), value.clone())]);
        let collected = vec![Collected { accesses: vec![2], operator: Combine::Sum, scalar }];
        let buffers =
            || Buffers { first: vec![0, 1, 2], ranks: vec![1; 3], collected: collected.clone(), ..Buffers::default() };
        let scaled = with_types(&[scalar; 3], |types| module.compute(&scaled, &[U64], types, buffers())).unwrap();
        assert_eq!(scaled.lanes, scale);
        let [address, blocks] = [Parameter::Collected(0), Parameter::CollectedBlocks(0)];
        assert!(scaled.parameters.contains(&address) && scaled.parameters.contains(&blocks));
        let again = reduction(1, Combine::Max, value, false);
        with_types(&[scalar; 3], |types| module.compute(&again, &[U64], types, buffers())).unwrap();
        assemble(&module.finish());
    }
}

#[test]
fn indices_have_as_many_numbers_as_the_buffer_has_dimensions() {
    let mut module = Module::new();
    let wrong = entry(&mut module, &heat(), &[U64, U64], &[F32, F32], &[2, 1]).unwrap_err();
    assert_eq!(wrong, "access 1 has Some(1) dimensions, and is indexed by 2");
}

#[test]
fn grids_cover_the_axes() {
    assert_eq!(each_geometry(&[1], 4), [[1, 1, 1], [32, 1, 1]]);
    assert_eq!(each_geometry(&[4096], 4), [[4, 1, 1], [256, 1, 1]]);
    assert_eq!(each_geometry(&[1 << 40], 1), [[0x7fff_ffff, 1, 1], [256, 1, 1]]);
    assert_eq!(each_geometry(&[500, 1000], 1), [[16, 125, 1], [64, 4, 1]]);
    assert_eq!(each_geometry(&[1000, 3, 5], 1), [[1, 1, 125], [8, 4, 8]]);
    assert_eq!(collecting_geometry(&[0], 1), [[1, 1, 1], [256, 1, 1]]);
    assert_eq!(collecting_geometry(&[1 << 40], 4), [[1024, 1, 1], [256, 1, 1]]);
    assert_eq!(collecting_geometry(&[1024, 1024], 1), [[16, 64, 1], [64, 4, 1]]);
    assert_eq!(reduce_geometry(0, 4), [[1, 1, 1], [256, 1, 1]]);
    assert_eq!(reduce_geometry(1 << 18, 1), [[1024, 1, 1], [256, 1, 1]]);
    assert_eq!(reduce_geometry(5000, 4), [[16, 1, 1], [128, 1, 1]]);
}

#[test]
fn libraries_have_the_functions_that_are_called() {
    let mut module = Module::new();
    for (compute, stored) in methods(F32) {
        let _ = entry(&mut module, &compute, &[U64], &[F32, stored, U32], &[1, 1, 1]);
    }
    let library = library(&module.finish()).unwrap();
    assert_eq!(library.methods.len(), 20);
    assert!(library.text.contains("float math_powf_f32(float x0, float x1) { return powf(x0, x1); }"));
    assert!(!library.text.contains("double"));
}

#[test]
fn entries_stand_behind_the_library_under_its_header() {
    for overlaps in [false, true] {
        let mut module = Module::new();
        let (compute, stored) = methods(F32).into_iter().next().unwrap();
        let _ = entry(&mut module, &compute, &[U64], &[F32, stored, U32], &[1, 1, 1]);
        module.begin_early(overlaps);
        let whole = with_library(".version 8.0\n.target sm_90\n.func f;\0", &module.finish());
        assert!(whole.starts_with(".version 8.0\n.target sm_90\n.func f;\n"), "{whole}");
        assert_eq!((whole.matches(".version").count(), whole.contains("griddepcontrol")), (1, overlaps), "{whole}");
    }
}

#[test]
fn every_kernel_assembles() {
    let mut module = Module::new();
    let mut put = |compute: &Compute, axes: &[ScalarType], elements: &[ScalarType], ranks: &[u8]| {
        entry(&mut module, compute, axes, elements, ranks).unwrap();
    };
    for proved in [true, false] {
        put(&axpy(proved), &[U64], &[F32, F32, F32], &[1, 1, 1]);
        put(&axpy(proved), &[I8], &[F16, BF16, F64], &[1, 1, 1]);
    }
    put(&sparse(), &[U64], &[F32, U32, U32, F32, F32], &[1; 5]);
    put(&sparse(), &[I32], &[F32, U64, I16, BF16, F16], &[1; 5]);
    put(&heat(), &[U64, I32], &[F64, F64], &[2, 2]);
    put(&flow(), &[U64], &[I64, I64], &[1, 1]);
    for scalar in NUMBERS {
        let copy = compute(1, 0, vec![store(1, at(true, [local(0)]), load(0, at(true, [local(0)])))]);
        put(&copy, &[U32], &[scalar, scalar], &[1, 1]);
        for operator in [Combine::Sum, Combine::Product, Combine::Min, Combine::Max] {
            put(&reduction(1, operator, load(1, at(true, [local(0)])), false), &[U64], &[scalar; 2], &[1; 2]);
            let value = mul(load(1, at(false, [local(0), local(1)])), element(2));
            put(&reduction(2, operator, value, true), &[U64, I16], &[scalar; 3], &[1, 2, 1]);
        }
    }
    let small = reduction(3, Combine::Sum, cast(local(2), U32), false);
    put(&small, &[U8, I64, U64], &[U32], &[1]);
    assemble(&module.finish());
}

#[test]
fn small_buffers_are_numbered_in_32_bits() {
    let mut module = Module::new();
    let buffers = || Buffers { first: vec![0, 1], ranks: vec![2, 2], narrow: true, ..Buffers::default() };
    let narrow = with_types(&[F64; 2], |types| module.compute(&heat(), &[U64, I32], types, buffers())).unwrap();
    assert!(narrow.narrow);
    let sum = reduction(2, Combine::Sum, load(1, at(false, [local(0), local(1)])), true);
    let buffers = Buffers { first: vec![0, 1], ranks: vec![1, 2], narrow: true, ..Buffers::default() };
    with_types(&[F64; 2], |types| module.compute(&sum, &[U64, I16], types, buffers)).unwrap();
    let text = module.finish();
    assert!(text.contains("mad.wide.u32") && !text.contains("mad.lo.u64"), "{text}");
    assemble(&text);
}

#[test]
fn every_method_assembles() {
    for scalar in NUMBERS {
        let mut module = Module::new();
        let mut taken = 0;
        for (compute, stored) in methods(scalar) {
            let entry = entry(&mut module, &compute, &[U64], &[scalar, stored, U32], &[1, 1, 1]);
            taken += u32::from(entry.is_ok());
        }
        assert!(taken >= 17, "{scalar:?}: {taken}");
        let text = module.finish();
        let Some(library) = library(&text) else {
            assemble(&text);
            continue;
        };
        // Only declared here: what defines them is compiled on a machine with a device.
        let declared = library.text.lines().map(declaration).collect::<String>();
        let header = text.find("\n\n").unwrap_or(0);
        assemble(&format!("{}\n{declared}{}", &text[..header], &text[header..]));
    }
}

/// Of a function of the library, as PTX.
fn declaration(function: &str) -> String {
    let name = function.split(['(', ' ']).find(|word| word.starts_with("math_")).unwrap();
    let bits = if name.ends_with("f64") { "b64" } else { "b32" };
    let operands = 1 + function.split(')').next().map_or(0, |head| head.matches(',').count());
    let operands: Vec<String> = (0..operands).map(|index| format!(".param .{bits} x{index}")).collect();
    format!(".extern .func (.param .{bits} value) {name}({});\n", operands.join(", "))
}

/// `r[i] -= a * q[i]` and then `new = Σ r[i]²`, put together: what is stored is summed, in vectors and one by one.
#[test]
fn kernels_that_share_a_launch_assemble() {
    let r = || load(1, at(true, [local(0)]));
    let update = compute(
        1,
        1,
        vec![
            Statement::Let { local: 1, value: Some(mul(host(0), load(0, at(true, [local(0)])))) },
            store(1, at(true, [local(0)]), binary(r(), Op::Sub, local(1))),
        ],
    );
    let sum = reduction(1, Combine::Sum, mul(r(), r()), false);
    // The sum's target is access 0 and its `r` access 1; the update's follow.
    let together = Compute::concatenated(
        &[&update, &sum],
        &|kernel, access| if kernel == 0 { access + 2 } else { access },
        &|_, symbol| symbol,
    );
    let mut module = Module::new();
    let buffers = Buffers { first: vec![0, 1, 2, 1], ranks: vec![1; 4], ..Buffers::default() };
    let entry = with_types(&[F32; 4], |types| module.compute(&together, &[U64], types, buffers)).unwrap();
    assert_eq!(entry.lanes, 4);
    let text = module.finish();
    assert!(text.contains("st.global.v4.f32"), "{text}");
    assemble(&text);
}

/// `t[i] = x[i] + x[i]`, and then `y[i] = t[i] * t[i]` or the sum of that, put together: `t` is neither stored nor loaded.
#[test]
fn what_stays_in_registers_is_not_in_memory() {
    let x = || load(0, at(true, [local(0)]));
    let doubled = compute(1, 0, vec![store(1, at(true, [local(0)]), add(x(), x()))]);
    let t = || load(1, at(true, [local(0)]));
    let squared = compute(1, 0, vec![store(0, at(true, [local(0)]), mul(t(), t()))]);
    let sum = reduction(1, Combine::Sum, mul(t(), t()), false);
    for (behind, scalar) in [(&squared, F32), (&sum, F32), (&squared, BF16), (&sum, BF16), (&squared, F16), (&sum, F16)]
    {
        // The last kernel's target is access 0 and its `t` access 1; `x` is 2 and the first one's `t` is 3.
        let access = |kernel, access| if kernel == 0 { access + 2 } else { access };
        let together = Compute::concatenated(&[&doubled, behind], &access, &|_, symbol| symbol);
        let mut module = Module::new();
        let (first, ranks, kept) = (vec![0, 1, 2, 1], vec![1; 4], vec![1, 3]);
        let buffers = Buffers { first, ranks, kept, ..Buffers::default() };
        let entry =
            with_types(&[F32, scalar, F32, scalar], |types| module.compute(&together, &[U64], types, buffers)).unwrap();
        let named = |access| entry.parameters.contains(&Parameter::Buffer(access));
        assert_eq!([0, 1, 2, 3].map(named), [behind.reduction.is_none(), false, true, false]);
        let text = module.finish();
        assert!(!text.contains("buffer_1") && !text.contains("buffer_3"), "{text}");
        // As if it had been stored: halves are rounded.
        let rounds = text.matches("cvt.rn.f16.f32").count() + text.matches("testp.notanumber.f32").count();
        assert_eq!(rounds > 0, scalar != F32, "{text}");
        assemble(&text);
    }
}
