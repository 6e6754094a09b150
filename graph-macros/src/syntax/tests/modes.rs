//! Rule A: modes and buffers' names.

use super::{fault, one, said};

#[test]
fn a_mode_is_a_word_only_in_front_of_a_name() {
    for (source, wanted) in [
        ("&x", "& x"),
        ("&mut x", "&mut x"),
        ("&out x", "&out x"),
        ("&atomic x", "&atomic x"),
        ("&out", "& out"),
        ("&out[1..2]", "& out[1..2]"),
        ("&out out[1..2]", "&out out[1..2]"),
        ("&atomic[..]", "& atomic[..]"),
        ("&raw", "& raw"),
        ("&out atomic", "&out atomic"),
        ("&mut out", "&mut out"),
        ("&x[a + 1..=b]", "& x[a+1..=b]"),
        ("n & m", "n&m"),
        ("|a| a + 1", "|a|a+1"),
    ] {
        assert_eq!(one(&format!("k<<<1, 1>>>({source});")), format!("k<1,1>({wanted})"));
    }
}

#[test]
fn anything_else_behind_an_ampersand_is_no_buffer() {
    for (source, marked) in [
        ("&&x", "&"),
        ("&raw const x", "raw"),
        ("&raw mut x", "raw"),
        ("&f(x)", "f"),
        ("&vec![1]", "vec"),
        ("&a::B", "a"),
        ("&x.len()", "x"),
        ("&3", "3"),
        ("&(x)", "(x)"),
        ("&mut mut x", "mut"),
        ("&out mut x", "mut"),
        ("&", ")"),
    ] {
        let said = said(&fault(&format!("k<<<1, 1>>>({source});")));
        assert_eq!(said, format!("CG0002 `{marked}` expected a buffer's name"), "{source}");
    }
}

#[test]
fn boxes_have_few_dimensions() {
    for (source, wanted) in [
        ("&x[(a..b,)]", "CG0002 `(a..b,)` a box has two or three dimensions"),
        ("&x[(a, b, c, d)]", "CG0002 `(a, b, c, d)` a box has two or three dimensions"),
    ] {
        assert_eq!(said(&fault(&format!("k<<<1, 1>>>({source});"))), wanted, "{source}");
    }
}

#[test]
fn a_mode_without_its_ampersand() {
    let fault = fault("k<<<1, 1>>>(&a, out b);");
    assert_eq!(said(&fault), "CG0002 `out` expected `&` in front of `out`");
    assert_eq!(fault.help.unwrap(), "write `&out b`");
}

#[test]
fn built_ins_say_which_mode_they_take() {
    for (source, wanted) in [
        ("copy(&a, &mut b);", "CG0002 `&` expected `&out`, found `&mut`"),
        ("copy(&mut a, &out b);", "CG0002 `&` expected `&`, found `&mut`"),
        ("copy(a, &out b);", "CG0002 `a` expected a buffer with its mode"),
        ("copy(&a);", "CG0002 `)` expected `copy(&from, &out to)`"),
        ("copy();", "CG0002 `)` expected `copy(&from, &out to)`"),
        ("copy(&a, &out b, 3);", "- `3` expected `)`"),
        ("fill(&x, 0.0);", "CG0002 `&` expected `&out`, found `&`"),
        ("fill(&out x);", "CG0002 `)` expected `fill(&out x, value)`"),
        ("swap(&a, &mut b);", "CG0002 `&` expected `&mut`, found `&`"),
        ("swap(&mut a[..2], &mut b);", "CG0002 `[..2]` `swap` exchanges whole buffers"),
        ("drop(&x);", "CG0002 `&` `drop` takes a buffer's name without `&`"),
    ] {
        assert_eq!(said(&fault(source)), wanted, "{source}");
    }
}
