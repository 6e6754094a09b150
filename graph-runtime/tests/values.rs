//! Structs that are passed by value: the bytes that kernels see.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use graph_runtime::__private::Sink;
use graph_runtime::DeviceValue;
use graph_runtime::graph_ir::concrete::FrameId;
use graph_runtime::graph_ir::model::SymbolId;

#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
struct Inner {
    flag: bool,
    weight: f64,
}

#[derive(Clone, Copy, DeviceValue)]
#[repr(C, align(32))]
struct Outer<T> {
    head: u8,
    inner: [Inner; 2],
    tail: T,
}

fn bytes<T: DeviceValue>(value: T) -> Vec<u8> {
    let mut sink = Sink::default();
    sink.value(0, value);
    sink.typed(FrameId::GRAPH, SymbolId(0)).unwrap().bytes.to_vec()
}

#[test]
fn fields_lie_where_c_puts_them_and_padding_is_zero() {
    let inner = |flag, weight| Inner { flag, weight };
    let value = Outer { head: 7, inner: [inner(true, 1.0), inner(false, -2.5)], tail: 0x0102_u16 };
    let mut expected = vec![0; 64];
    expected[0] = 7;
    expected[8] = 1;
    expected[16..24].copy_from_slice(&1.0_f64.to_ne_bytes());
    expected[32..40].copy_from_slice(&(-2.5_f64).to_ne_bytes());
    expected[40..42].copy_from_slice(&0x0102_u16.to_ne_bytes());
    assert_eq!(bytes(value), expected);
}

#[test]
fn a_value_without_fields_has_no_bytes() {
    #[derive(Clone, Copy, DeviceValue)]
    #[repr(C)]
    struct Nothing {}
    assert!(bytes([Nothing {}; 3]).is_empty());
}
