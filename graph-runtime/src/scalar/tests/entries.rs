//! The text of entries, how they are launched, and which are shared.

use graph_ir::model::{BinaryOperator as Op, Pattern, ScalarType, SymbolId};

use super::{binary, element, host, literal, with_types};
use crate::scalar::ptx::{
    Assignment, Entry, Module, Parameter, Target, fill_geometry, fill_pattern, fill_period, fill_rows,
};
use crate::scalar::typing::Types;

const ASSIGNMENT: &str = "\
.version 7.0
.target sm_70
.address_size 64

.visible .entry assign_0(
	.param .u64 access_0,
	.param .u64 access_1,
	.param .u64 host_0
)
{
	.reg .b64 %rd<4>;
	.reg .f32 %f<3>;
	ld.param.u64 %rd0, [access_1];
	cvta.to.global.u64 %rd1, %rd0;
	ld.global.f32 %f0, [%rd1];
	ld.param.f32 %f1, [host_0];
	add.rn.f32 %f2, %f0, %f1;
	ld.param.u64 %rd2, [access_0];
	cvta.to.global.u64 %rd3, %rd2;
	st.global.f32 [%rd3], %f2;
	ret;
}
";

const BRANCH: &str = "\
.version 7.0
.target sm_70
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);

.visible .entry if_0(
	.param .u64 handle_0,
	.param .u64 access_0
)
{
	.reg .pred %p<1>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [access_0];
	cvta.to.global.u64 %rd1, %rd0;
	ld.global.u8 %r0, [%rd1];
	setp.ne.u32 %p0, %r0, 0;
	selp.u32 %r1, 1, 0, %p0;
	ld.param.u64 %rd2, [handle_0];
	{
	.param .b64 handle;
	.param .b32 value;
	st.param.b64 [handle], %rd2;
	st.param.b32 [value], %r1;
	call.uni cudaGraphSetConditional, (handle, value);
	}
	ret;
}
";

fn sum(module: &mut Module, symbol: u32) -> Entry {
    let value = binary(element(1), Op::Add, host(symbol));
    with_types(&[ScalarType::F32; 8], |types| module.assignment(&value, types, ScalarType::F32)).unwrap()
}

#[test]
fn an_assignment_loads_computes_and_stores() {
    let mut module = Module::new();
    let entry = sum(&mut module, 5);
    assert_eq!(entry.parameters, [Parameter::Access(0), Parameter::Access(1), Parameter::Host(SymbolId(5))]);
    assert_eq!(module.finish(), ASSIGNMENT);
}

#[test]
fn equal_entries_are_shared() {
    let mut module = Module::new();
    assert!(module.is_empty());
    let first = sum(&mut module, 5);
    let second = sum(&mut module, 2);
    assert_eq!(first.name, second.name);
    assert_eq!(second.parameters[2], Parameter::Host(SymbolId(2)));
    let fills: Vec<String> = [1, 4, 16].iter().map(|size| module.fill(*size).unwrap().name).collect();
    assert_eq!(fills, ["fill_1"; 3]);
    assert_eq!(module.fill(12).unwrap().name, "fill_any_2");
    assert_eq!(module.finish().matches(".entry").count(), 3);
}

#[test]
fn boxes_are_filled_row_by_row() {
    let mut module = Module::new();
    let entry = module.fill_box(4).unwrap();
    assert_eq!(entry.name, "fill_rows_0");
    let expected = [Parameter::Rows, Parameter::Height, Parameter::Pitch, Parameter::Slice, Parameter::Pattern(16)];
    assert_eq!(entry.parameters[3..], expected);
    assert_eq!(module.fill_box(12).unwrap().parameters.last(), Some(&Parameter::Pattern(64)));
    assert_eq!((fill_period(&[1, 2]), fill_period(&[0; 12])), (16, 12), "small values are repeated up to 16 bytes");
    assert_eq!((fill_rows(0), fill_rows(7), fill_rows(1 << 20)), (1, 7, 65_535));
}

#[test]
fn a_test_sets_its_handle() {
    let mut module = Module::new();
    let entry = with_types(&[ScalarType::Bool], |types| module.branch(&element(0), types, Target::Node)).unwrap();
    assert_eq!(entry.parameters, [Parameter::Handle(0), Parameter::Access(0)]);
    assert_eq!(module.finish(), BRANCH);
}

#[test]
fn what_an_assignment_stored_the_next_one_uses() {
    let memory = |sure: bool| {
        let chain = [(1, element(0)), (2, element(1))].map(|(target, value)| {
            let (same, others) = if sure { (vec![target], vec![]) } else { (vec![], vec![target]) };
            Assignment { target, element: ScalarType::F32, value, same, others }
        });
        let mut module = Module::new();
        let entry = with_types(&[ScalarType::F32; 3], |types| module.assignments(&chain, types)).unwrap();
        assert_eq!(entry.parameters, [0, 1, 2].map(Parameter::Access));
        let text = module.finish();
        let lines = text.lines().filter(|line| line.contains("global.f32"));
        lines.map(|line| line[1..10].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(memory(true), ["ld.global", "st.global", "st.global"]);
    assert_eq!(memory(false), ["ld.global", "st.global", "ld.global", "st.global"]);
}

/// Access 0 is in a mailbox, access 1 is not.
#[test]
fn what_the_host_looks_at_is_loaded_and_stored_as_it_is() {
    let of = |access: u32| [ScalarType::U32, ScalarType::U32].get(access as usize).copied();
    let types = Types { element: &of, host: &|symbol| of(symbol.0), mailbox: &|access| access == 0 };
    let instructions = |module: Module| {
        let text = module.finish();
        let lines = text.lines().filter(|line| line.contains("global.u32"));
        lines.map(|line| line.trim().split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let mut module = Module::new();
    let entry = module.assignment(&binary(element(0), Op::Add, element(1)), &types, ScalarType::U32).unwrap();
    assert_eq!(entry.parameters, [Parameter::Access(0), Parameter::Access(1)]);
    assert_eq!(instructions(module), ["ld.volatile.global.u32", "ld.global.u32", "st.volatile.global.u32"]);
    let mut module = Module::new();
    let test = binary(element(0), Op::Eq, literal("0"));
    let chain = [Assignment { target: 1, element: ScalarType::U32, value: element(0), same: vec![1], others: vec![] }];
    module.again(Some(&test), &chain, &types, Target::Node).unwrap();
    assert_eq!(instructions(module), ["ld.volatile.global.u32", "st.global.u32"], "one look for both");
    let mut module = Module::new();
    let plain = module.branch(&test, &Types { mailbox: &|_| false, ..types }, Target::Node).unwrap();
    let mail = module.branch(&test, &types, Target::Node).unwrap();
    assert_ne!(plain.name, mail.name, "two entries, whose loads differ");
}

#[test]
fn the_host_decides_without_the_setter() {
    let mut module = Module::new();
    let test = binary(element(0), Op::Gt, literal("1.0"));
    let entry = with_types(&[ScalarType::F64], |types| module.again(Some(&test), &[], types, Target::Memory)).unwrap();
    let expected = [Parameter::Value, Parameter::State, Parameter::Limit, Parameter::Every, Parameter::Access(0)];
    assert_eq!(entry.parameters, expected);
    let ptx = module.finish();
    assert!(!ptx.contains("cudaGraphSetConditional"));
    assert!(ptx.contains("st.global.v2.u64"));
    assert!(ptx.contains("mov.f64 %fd1, 0d3FF0000000000000;"));
}

#[test]
fn a_row_has_a_handle_for_each_body() {
    let arms =
        [vec![Pattern { first: -5, last: 3 }, Pattern { first: 9, last: 9 }], vec![Pattern { first: 300, last: 400 }]];
    let mut module = Module::new();
    let mut choice = |target, otherwise| {
        let arms = arms.iter().map(Vec::as_slice);
        with_types(&[ScalarType::U8], |types| module.choice(&element(0), types, arms, otherwise, target)).unwrap()
    };
    let handles = |count: u32| (0..count).map(Parameter::Handle).chain([Parameter::Access(0)]).collect::<Vec<_>>();
    assert_eq!(choice(Target::Row, true).parameters, handles(3));
    assert_eq!(choice(Target::Row, false).parameters, handles(2));
    assert_eq!(choice(Target::Node, true).parameters, handles(1));
    let text = module.finish();
    assert!(text.contains("setp.ge.u32 %p0, %r0, 0;\n\tsetp.le.u32 %p1, %r0, 3;"), "{text}");
    assert!(!text.contains("300") && !text.contains("400"), "no `u8` is in the second arm: {text}");
}

#[test]
fn loops_without_a_test_read_nothing() {
    let mut module = Module::new();
    let entry = with_types(&[], |types| module.enter(None, types, Target::Node)).unwrap();
    assert_eq!(entry.parameters, [Parameter::Handle(0), Parameter::State, Parameter::Limit]);
    let entry = with_types(&[], |types| module.again(None, &[], types, Target::Node)).unwrap();
    assert_eq!(entry.parameters, [Parameter::Handle(0), Parameter::State, Parameter::Limit, Parameter::Every]);
}

#[test]
fn a_loop_whose_condition_is_set_only_counts_until_its_limit() {
    let mut module = Module::new();
    let entry = module.counted(Target::Node);
    assert_eq!(entry.parameters, [Parameter::Handle(0), Parameter::State, Parameter::Limit, Parameter::Every]);
    let text = module.finish();
    let (before, behind) = text.split_once("@%p0 ret;").unwrap();
    assert!(before.contains("setp.lt.u64 %p0") && before.contains("st.global.v2.u64"), "{text}");
    assert!(!before.contains("call.uni") && behind.contains("call.uni cudaGraphSetConditional"), "{text}");
}

#[test]
fn fill_values_are_repeated_up_to_the_parameter() {
    assert_eq!(fill_pattern(&[7]), [7; 16]);
    assert_eq!(fill_pattern(&[1, 2, 3, 4]), [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
    let twelve: Vec<u8> = (0..12).collect();
    let pattern = fill_pattern(&twelve);
    assert_eq!((pattern.len(), &pattern[..12]), (64, &twelve[..]));
    assert_eq!(fill_pattern(&[5; 65]).len(), 128);
    let mut module = Module::new();
    assert_eq!(module.fill(24).unwrap().parameters.last(), Some(&Parameter::Pattern(64)));
    assert_eq!(module.fill(4096).unwrap_err(), "a fill value of 4096 bytes, expected 1 to 2048");
    assert_eq!(module.fill(0).unwrap_err(), "a fill value of 0 bytes, expected 1 to 2048");
}

#[test]
fn fills_have_enough_threads_for_both_ends() {
    assert_eq!(fill_geometry(0), (1, 32));
    assert_eq!(fill_geometry(512), (1, 32));
    assert_eq!(fill_geometry(513), (1, 256));
    assert_eq!(fill_geometry(16 * 256 * 3 + 1), (4, 256));
    assert_eq!(fill_geometry(u64::MAX), (16_384, 256));
}
