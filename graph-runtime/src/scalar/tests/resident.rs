//! Loops in one launch.

use graph_ir::model::{BinaryOperator as Op, Combine, ScalarType};

use super::assembled::assemble;
use super::computes::{at, compute, entry, load, local, reduction, store};
use super::{binary, call, element, host, literal, with_types};
use crate::scalar::ptx::{Entry, Module, Phases, Target};
use graph_ir::model::Method;

/// A sum, a kernel behind it, a fill, and a test that sets an element before it; with the loop's launch and which entries are in it alone.
fn solver(method: Option<Method>) -> (Module, String, Vec<Entry>) {
    let mut module = Module::new();
    let value = load(1, at(true, [local(0)]));
    let value = match method {
        Some(method) => call(method, [value]),
        None => value,
    };
    let types = [ScalarType::F32; 2];
    let sum =
        entry(&mut module, &reduction(1, Combine::Sum, value, false), &[ScalarType::U64], &types, &[1, 1]).unwrap();
    let double = compute(
        1,
        0,
        vec![store(0, at(false, [local(0)]), binary(load(0, at(false, [local(0)])), Op::Mul, literal("2.0")))],
    );
    let double = entry(&mut module, &double, &[ScalarType::U32], &[ScalarType::F32], &[1]).unwrap();
    let fill = module.fill(4).unwrap();
    let test = binary(element(0), Op::Gt, host(0));
    let [enter, again] = with_types(&types, |types| {
        [module.enter(Some(&test), types, Target::Register), module.again(Some(&test), &[], types, Target::Register)]
    })
    .map(Result::unwrap);
    let pass = vec![
        (sum.name.as_str(), false),
        (double.name.as_str(), true),
        (fill.name.as_str(), true),
        (sum.name.as_str(), false),
    ];
    let name = module.resident(&Phases { enter: &enter.name, pass, again: &again.name }, 512).unwrap();
    (module, name, vec![enter, sum, double, fill, again])
}

#[test]
fn the_parts_of_a_loop_assemble_in_one_launch() {
    let (module, name, parts) = solver(None);
    let text = module.finish_without(&|name| parts.iter().any(|part| part.name == name));
    assert_eq!(text.matches(".entry").count(), 1, "{text}");
    assert!(text.contains(&format!(".entry {name}(")), "{text}");
    assemble(&text);
}

#[test]
fn blocks_wait_where_they_are_told_and_around_tests() {
    let (module, ..) = solver(None);
    let text = module.finish();
    let whole = &text[text.find(".entry resident_0").unwrap()..];
    // In front of two kernels; of the first test and of the last one.
    assert_eq!(whole.matches("red.release.gpu.global.add").count(), 4, "{whole}");
    assert_eq!(whole.matches("st.release.gpu.global").count(), 2, "{whole}");
    // In front of each of these, a block that is alone goes on.
    assert_eq!(whole.matches("@%own_p4 bra ALONE_").count(), 2, "{whole}");
    assert_eq!(whole.matches("@%own_p4 bra DECIDE;").count(), 2, "{whole}");
    assert_eq!(whole.matches("@%own_p4 bra COME;").count(), 2, "{whole}");
    assert!(!whole.contains("%ctaid.y") && whole.matches("%ctaid.x").count() == 1, "{whole}");
    assert!(!whole.contains("[access_") && !whole.contains("[count_"), "each has names of its own: {whole}");
}

#[test]
fn functions_of_the_library_are_called_from_loops_too() {
    let (module, ..) = solver(Some(Method::Exp));
    let text = module.finish_without(&|name| !name.starts_with("resident"));
    assert_eq!(crate::scalar::ptx::library(&text).unwrap().methods, ["exp"]);
    assert!(text.contains("[result]") && !text.contains("[phase1_result]"), "{text}");
}

#[test]
fn more_parameters_than_a_launch_has_are_too_many() {
    let (mut module, _, parts) = solver(None);
    let pass = vec![(parts[1].name.as_str(), true); 40];
    let phases = Phases { enter: &parts[0].name, pass, again: &parts[4].name };
    assert_eq!(module.resident(&phases, 512), None);
}
