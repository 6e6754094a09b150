//! Elements at indices that the device computes.

use graph_ir::model::ScalarType;

use super::body::{Body, Class, Register};
use super::expression::emit;
use super::fault;
use crate::scalar::facts;
use crate::scalar::typing::{Kind, Typed, TypedIndex, TypedLoad};

/// The element; zero if there is none.
pub(super) fn load(body: &mut Body, load: &TypedLoad) -> Register {
    let TypedLoad { access, storage, index } = load;
    if let Some(register) = body.kept.get(access).copied() {
        // Behind this the index may store another value.
        return body.copy(register);
    }
    if let Some(register) = lane(body, *access, index) {
        return register;
    }
    let words = words(body, index);
    let Some(site) = index.site else {
        let address = address(body, *access, *storage, &words);
        return body.load("global", *storage, &format_args!("[{address}]"));
    };
    let (inside, end) = (body.label(), body.label());
    let scalar = facts::value(*storage);
    let value = body.register(Class::of(scalar));
    let fits = check(body, *access, &words);
    body.jump_if(fits, inside);
    fault::record(body, site, signed(index), &words);
    let zero = body.constant(scalar, 0);
    body.assign(value, zero);
    body.jump(end);
    body.mark(inside);
    let address = address(body, *access, *storage, &words);
    let element = body.load("global", *storage, &format_args!("[{address}]"));
    body.assign(value, element);
    body.mark(end);
    value
}

/// Sets the element; nothing if there is none.
pub(super) fn store(body: &mut Body, access: u32, storage: ScalarType, index: &TypedIndex, value: &Typed) {
    if let Some(register) = body.kept.get(&access).copied() {
        let value = emit(body, value);
        let value = body.rounded(storage, value);
        return body.assign(register, value);
    }
    // As in Rust, the index is computed before the value, and looked up behind it.
    let words = words(body, index);
    let value = emit(body, value);
    if let Some(register) = lane(body, access, index) {
        // The same index may load it.
        let value = body.rounded(storage, value);
        return body.assign(register, value);
    }
    let Some(site) = index.site else {
        let address = address(body, access, storage, &words);
        return body.store(address, storage, value);
    };
    let (inside, end) = (body.label(), body.label());
    let fits = check(body, access, &words);
    body.jump_if(fits, inside);
    fault::record(body, site, signed(index), &words);
    body.jump(end);
    body.mark(inside);
    let address = address(body, access, storage, &words);
    body.store(address, storage, value);
    body.mark(end);
}

/// The register of an element that was loaded with its neighbours. The caller has made sure that every index of such a buffer is the
/// axis itself.
fn lane(body: &Body, access: u32, index: &TypedIndex) -> Option<Register> {
    let [Typed { kind: Kind::Local(_), .. }] = &index.coordinates[..] else { return None };
    body.lanes.get(&access).copied()
}

/// The coordinates as 64-bit words: negative ones are beyond every length.
fn words(body: &mut Body, index: &TypedIndex) -> Vec<Register> {
    let word = |coordinate: &Typed| {
        let register = emit(body, coordinate);
        extend(body, coordinate.scalar, register)
    };
    index.coordinates.iter().map(word).collect()
}

/// An integer as a 64-bit word.
pub(super) fn extend(body: &mut Body, scalar: ScalarType, register: Register) -> Register {
    match (register.class, facts::is_signed(scalar)) {
        (Class::Long, _) => register,
        (_, true) => body.compute(Class::Long, "cvt.s64.s32", &[&register]),
        (_, false) => body.compute(Class::Long, "cvt.u64.u32", &[&register]),
    }
}

fn signed(index: &TypedIndex) -> bool {
    index.coordinates.iter().any(|coordinate| facts::is_signed(coordinate.scalar))
}

fn check(body: &mut Body, access: u32, words: &[Register]) -> Register {
    let mut fits = None;
    for (dimension, word) in words.iter().enumerate() {
        let size = body.parameter(&format!("size_{access}_{dimension}"));
        let one = body.compute(Class::Predicate, "setp.lt.u64", &[word, &size]);
        fits = Some(match fits {
            Some(fits) => body.compute(Class::Predicate, "and.pred", &[&fits, &one]),
            None => one,
        });
    }
    fits.unwrap_or_else(|| body.constant(ScalarType::Bool, 1))
}

fn address(body: &mut Body, access: u32, storage: ScalarType, words: &[Register]) -> Register {
    if body.narrow {
        return narrow_address(body, access, storage, words);
    }
    let mut number = words[0];
    for (dimension, word) in words.iter().enumerate().skip(1) {
        let size = body.parameter(&format!("size_{access}_{dimension}"));
        number = body.compute(Class::Long, "mad.lo.u64", &[&number, &size, word]);
    }
    let base = body.buffer(access);
    let bytes = facts::width(storage) / 8;
    body.compute(Class::Long, "mad.lo.u64", &[&number, &bytes, &base])
}

/// The same in 32 bits, with a fraction of the instructions: no buffer has more elements.
fn narrow_address(body: &mut Body, access: u32, storage: ScalarType, words: &[Register]) -> Register {
    let mut number = body.compute(Class::Word, "cvt.u32.u64", &[&words[0]]);
    for (dimension, word) in words.iter().enumerate().skip(1) {
        let size = body.compute(Class::Word, "ld.param.u32", &[&format_args!("[size_{access}_{dimension}]")]);
        let along = body.compute(Class::Word, "cvt.u32.u64", &[word]);
        number = body.compute(Class::Word, "mad.lo.u32", &[&number, &size, &along]);
    }
    let base = body.buffer(access);
    let bytes = facts::width(storage) / 8;
    body.compute(Class::Long, "mad.wide.u32", &[&number, &bytes, &base])
}
