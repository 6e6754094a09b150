use super::super::written::{Bound, Class, Scalar, Type, Written};
use super::read;

fn of(text: &str, name: &str) -> Written {
    read("k.ptx", text).kernels.into_iter().find(|(known, _)| known == name).unwrap().1.unwrap()
}

const TEXT: &str = ".version 8.0\n.shared .align 4 .b8 used[100];\n.extern .shared .align 16 .b8 dynamic[];\n\
    .shared .align 4 .f32 unused[7];\n.visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u64 .ptr .global .align 4 k_param_1,\n\
    \t.param .f32 k_param_2,\n\t.param .align 8 .b8 k_param_3[24],\n\t.param .u32 n\n)\n.maxntid 64, 2, 1\n.minnctapersm 2\n{\n\
    .reg .f32 %f<2>;\n.shared .align 4 .b8 own[16][2];\nld.shared.f32 %f1, [used+4];\nret;\n}\n.entry none\n{ ret; }\n.entry two() .reqntid 32 { ret; }";

#[test]
fn parameters_are_sizes_and_sometimes_more() {
    let parameters = of(TEXT, "k").parameters.unwrap();
    let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
    let wanted = [
        Type::Bytes(8),
        Type::Pointer { constant: None, to: Box::new(Type::Open) },
        Type::Scalar(Scalar::new(Class::Float, 4)),
        Type::Bytes(24),
        Type::Scalar(Scalar::new(Class::Unsigned, 4)),
    ];
    assert_eq!(types, wanted);
    let third = &parameters[3];
    assert_eq!((third.name.as_deref(), &*third.text), (Some("k_param_3"), ".param .align 8 .b8 k_param_3[24]"));
    assert_eq!(third.place, "k.ptx:9");
}

#[test]
fn bounds_and_shared_memory() {
    let k = of(TEXT, "k");
    assert_eq!(k.bound, Some(Bound { threads: 128, text: ".maxntid 64, 2, 1".to_owned() }));
    assert_eq!(k.shared, 16 * 2 + 100);
    assert_eq!(k.place, "k.ptx:5");
    let none = of(TEXT, "none");
    assert_eq!((none.parameters, none.bound, none.shared), (Ok(vec![]), None, 0));
    assert_eq!(of(TEXT, "two").bound.unwrap().threads, 32);
}

#[test]
fn unfinished_texts_have_no_entries() {
    for text in ["", ".", ".entry", ".func", ".func (", ".func cudaGraphSetConditional"] {
        let file = read("k.ptx", text);
        assert!(file.kernels.is_empty() && file.setters.is_empty(), "{text}");
    }
    for text in [".entry k", ".entry k(", ".entry k(.param .u32 n", ".entry k() .maxntid"] {
        let (name, written) = read("k.ptx", text).kernels.pop().unwrap();
        let unread = written.unwrap_err();
        assert_eq!((&*name, &*unread.place, &*unread.reason), ("k", "k.ptx:1", "the entry does not end"), "{text}");
    }
    let unread = of(".entry k(\n.param .quad n\n) { ret; }", "k").parameters.unwrap_err();
    assert_eq!((&*unread.place, &*unread.reason), ("k.ptx:2", "`.param .quad n` is no parameter that could be read"));
}

#[test]
fn the_function_that_sets_conditions() {
    let text = ".extern .func other(.param .b32 a);\n.extern .func cudaGraphSetConditional\n(\n.param .b64 a,\n.param .b32 b\n)\n;";
    let [setter] = &read("k.ptx", text).setters[..] else { panic!("one") };
    assert_eq!((&*setter.place, &setter.types[..]), ("k.ptx:2", &[Type::Bytes(8), Type::Bytes(4)][..]));
    assert_eq!(setter.text, "cudaGraphSetConditional(.param .b64 a, .param .b32 b)");
}
