//! On the CPU.

use super::*;

const CANDLE: candle_core::Device = candle_core::Device::Cpu;

#[test]
fn rows_are_those_that_candle_computes() {
    for device in [Device::cpu(), Device::cpu().shuffled(1), Device::cpu().shuffled(2)] {
        let worst = layers(&CANDLE, &device).unwrap();
        assert!(worst < 1e-5, "{worst}");
    }
}

#[test]
fn a_buffer_is_the_tensor_and_keeps_it() {
    let tensor = Tensor::arange(0.0_f32, 12.0, &CANDLE).unwrap().reshape((4, 3)).unwrap();
    let first = address(&tensor.storage_and_layout().0).unwrap();
    let memory = buffer(&Device::cpu(), &tensor).unwrap();
    let rows = buffer(&Device::cpu(), &tensor.narrow(0, 2, 2).unwrap()).unwrap();
    drop(tensor);
    // Written by nobody else in between, as the address was not given back.
    let other = Tensor::zeros(12, candle_core::DType::F32, &CANDLE).unwrap();
    assert_ne!(address(&other.storage_and_layout().0).unwrap(), first);
    assert_eq!(memory.to_vec().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
    assert_eq!(rows.to_vec().unwrap(), [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
}

#[test]
fn what_lies_in_pieces_is_copied_by_candle() {
    let tensor = Tensor::arange(0.0_f32, 6.0, &CANDLE).unwrap().reshape((2, 3)).unwrap();
    let turned = buffer(&Device::cpu(), &tensor.t().unwrap()).unwrap();
    assert_eq!(turned.to_vec().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

#[test]
fn another_type_is_an_error() {
    let tensor = Tensor::zeros(3, candle_core::DType::F64, &CANDLE).unwrap();
    let error = buffer(&Device::cpu(), &tensor).unwrap_err().to_string();
    assert!(error.contains("F32") && error.contains("F64"), "{error}");
}
