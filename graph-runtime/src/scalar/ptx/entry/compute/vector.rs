//! Elements of neighbouring indices, loaded and stored together.
//!
//! A buffer qualifies if an index touches its element of the same number, and nothing else of it if it is written. Then the elements of
//! a few neighbouring indices lie side by side, and one instruction moves up to 16 bytes of them.

use std::collections::BTreeMap;

use graph_ir::model::ScalarType;

use super::super::super::body::{Body, Class, Register, memory};
use super::super::super::place::extend;
use super::{axes, reduction};
use crate::scalar::compute::{Touch, TypedCompute, TypedStatement};
use crate::scalar::facts;
use crate::scalar::typing::Kind;

/// The most bytes that one instruction moves.
const WIDEST: u32 = 16;

/// Which buffers are moved several elements at a time.
pub(super) struct Vectors {
    lanes: u32,
    arrays: Vec<Array>,
}

/// One buffer.
struct Array {
    /// All accesses of it that are moved so.
    accesses: Vec<u32>,
    storage: ScalarType,
    loads: bool,
    stores: bool,
}

impl Array {
    fn bytes(&self) -> u32 {
        facts::width(self.storage) / 8
    }
}

impl Vectors {
    /// `None` if there is nothing to gain.
    pub(super) fn of(compute: &TypedCompute) -> Option<Self> {
        let straight =
            |statement: &TypedStatement| matches!(statement, TypedStatement::Assign(..) | TypedStatement::Store { .. });
        if compute.axes.len() != 1 || !compute.body.iter().all(straight) {
            return None;
        }
        let arrays = arrays(compute)?;
        let widest = arrays.iter().map(Array::bytes).max()?;
        let lanes = match compute.reduction {
            Some(_) => reduction::LANES,
            None => (WIDEST / widest).min(4),
        };
        Some(Self { lanes, arrays })
    }

    /// How many neighbouring indices go together: a power of two.
    pub(super) fn lanes(&self) -> u32 {
        self.lanes
    }

    /// How many buffers are moved.
    pub(super) fn buffers(&self) -> usize {
        self.arrays.len()
    }

    /// Where the elements of the axis's first index lie.
    pub(super) fn addresses(&self, body: &mut Body, compute: &TypedCompute) -> Placed<'_> {
        let (_, scalar) = compute.axes[0];
        let start = axes::start(body, 0, scalar);
        let start = extend(body, scalar, start);
        let address = |array: &Array| {
            let base = body.buffer(array.accesses[0]);
            body.compute(Class::Long, "mad.lo.u64", &[&start, &array.bytes(), &base])
        };
        Placed { lanes: self.lanes, addresses: self.arrays.iter().map(address).collect(), arrays: &self.arrays }
    }
}

/// The buffers whose elements are moved together; `None` if there are none, or if the order of accesses could be told.
fn arrays(compute: &TypedCompute) -> Option<Vec<Array>> {
    let mut arrays: BTreeMap<u32, Array> = BTreeMap::new();
    let (mut elsewhere, mut checked) = (Vec::new(), false);
    compute.touches(&mut |touch| {
        checked |= touch.index.site.is_some();
        let buffer = compute.buffers[touch.access as usize];
        if !is_axis(compute, touch) {
            elsewhere.push((buffer, touch.stores));
            return;
        }
        let new = Array { accesses: Vec::new(), storage: touch.storage, loads: false, stores: false };
        let array = arrays.entry(buffer).or_insert(new);
        array.loads |= !touch.stores;
        array.stores |= touch.stores;
        if !array.accesses.contains(&touch.access) {
            array.accesses.push(touch.access);
        }
    });
    elsewhere.extend(compute.elements().iter().map(|(access, _)| (compute.buffers[*access as usize], false)));
    let told = |(buffer, stores): &(u32, bool)| *stores || arrays.get(buffer).is_some_and(|array| array.stores);
    if checked || elsewhere.iter().any(told) {
        return None;
    }
    let arrays: Vec<Array> = arrays.into_values().collect();
    (!arrays.is_empty()).then_some(arrays)
}

/// `x[i]` for the axis `i`.
fn is_axis(compute: &TypedCompute, touch: Touch<'_>) -> bool {
    let (local, _) = compute.axes[0];
    matches!(&touch.index.coordinates[..], [coordinate] if coordinate.kind == Kind::Local(local))
}

/// Buffers with their addresses.
pub(super) struct Placed<'v> {
    lanes: u32,
    arrays: &'v [Array],
    addresses: Vec<Register>,
}

/// The elements of neighbouring indices, by buffer and lane, as they are computed with.
pub(super) struct Values(Vec<Vec<Register>>);

impl Values {
    /// Makes the elements of one lane those that are loaded and stored.
    pub(super) fn enter(&mut self, body: &mut Body, vectors: &Vectors, lane: u32) {
        body.lanes.clear();
        for (array, values) in vectors.arrays.iter().zip(&mut self.0) {
            // Stores give the register another value, so it must be this lane's own.
            let value =
                if array.stores && array.loads { body.copy(values[lane as usize]) } else { values[lane as usize] };
            values[lane as usize] = value;
            body.lanes.extend(array.accesses.iter().map(|access| (*access, value)));
        }
    }
}

impl Placed<'_> {
    /// How many indices come before the first whose elements lie at multiples of what is moved; all of `count` if there is none.
    pub(super) fn front(&self, body: &mut Body, count: Register) -> Register {
        let (first, size) = (self.addresses[0], self.arrays[0].bytes());
        let negative = body.compute(Class::Long, "neg.s64", &[&first]);
        let bytes = body.compute(Class::Long, "and.b64", &[&negative, &(self.lanes * size - 1)]);
        let front = body.compute(Class::Long, "shr.u64", &[&bytes, &size.trailing_zeros()]);
        let rest = self.rest(body, front);
        let aligned = body.compute(Class::Predicate, "setp.eq.u64", &[&rest, &0]);
        let front = body.compute(Class::Long, "min.u64", &[&front, &count]);
        body.compute(Class::Long, "selp.b64", &[&front, &count, &aligned])
    }

    /// Whether the elements of the axis's first index lie at multiples of what is moved.
    pub(super) fn aligned(&self, body: &mut Body) -> Register {
        let none = body.constant(ScalarType::U64, 0);
        let rest = self.rest(body, none);
        body.compute(Class::Predicate, "setp.eq.u64", &[&rest, &0])
    }

    /// Not zero if the elements behind `front` indices lie elsewhere than at multiples of what is moved.
    fn rest(&self, body: &mut Body, front: Register) -> Register {
        let mut rest = body.constant(ScalarType::U64, 0);
        for (array, address) in self.arrays.iter().zip(&self.addresses) {
            let size = array.bytes();
            let moved = (self.lanes * size).min(WIDEST);
            let address = body.compute(Class::Long, "mad.lo.u64", &[&front, &size, address]);
            let low = body.compute(Class::Long, "and.b64", &[&address, &(moved - 1)]);
            rest = body.compute(Class::Long, "or.b64", &[&rest, &low]);
        }
        rest
    }

    /// Loads the elements of the indices from this number on.
    pub(super) fn load(&self, body: &mut Body, number: Register) -> Values {
        let mut values = Vec::with_capacity(self.arrays.len());
        for (array, address) in self.arrays.iter().zip(&self.addresses) {
            if array.loads {
                let raw = self.load_array(body, array, *address, number);
                values.push(raw.into_iter().map(|raw| body.widen(array.storage, raw)).collect());
            } else {
                let class = Class::of(facts::value(array.storage));
                values.push((0..self.lanes).map(|_| body.register(class)).collect());
            }
        }
        Values(values)
    }

    fn load_array(&self, body: &mut Body, array: &Array, address: Register, number: Register) -> Vec<Register> {
        let address = body.compute(Class::Long, "mad.lo.u64", &[&number, &array.bytes(), &address]);
        let class = Body::raw_class(array.storage);
        let raw: Vec<Register> = (0..self.lanes).map(|_| body.register(class)).collect();
        for (piece, part) in raw.chunks(self.piece(array)).enumerate() {
            let place = piece * self.piece(array) * array.bytes() as usize;
            let (vector, list) = vector(part);
            body.line(format_args!("ld.global{vector}.{} {list}, [{address}+{place}]", memory(array.storage)));
        }
        raw
    }

    /// Stores the elements of the indices from this number on.
    pub(super) fn store(&self, body: &mut Body, number: Register, values: &Values) {
        for ((array, address), values) in self.arrays.iter().zip(&self.addresses).zip(&values.0) {
            if !array.stores {
                continue;
            }
            let address = body.compute(Class::Long, "mad.lo.u64", &[&number, &array.bytes(), address]);
            let raw: Vec<Register> = values.iter().map(|value| body.narrow(array.storage, *value)).collect();
            for (piece, part) in raw.chunks(self.piece(array)).enumerate() {
                let place = piece * self.piece(array) * array.bytes() as usize;
                let (vector, list) = vector(part);
                let kind = memory(array.storage).replace('s', "u");
                body.line(format_args!("st.global{vector}.{kind} [{address}+{place}], {list}"));
            }
        }
    }

    /// How many elements one instruction moves.
    fn piece(&self, array: &Array) -> usize {
        (WIDEST / array.bytes()).min(self.lanes) as usize
    }
}

/// `.v4` and `{%f0, %f1, %f2, %f3}`; for one, nothing and the register.
fn vector(registers: &[Register]) -> (String, String) {
    match registers {
        [one] => (String::new(), one.to_string()),
        many => {
            let list: Vec<String> = many.iter().map(ToString::to_string).collect();
            (format!(".v{}", many.len()), format!("{{{}}}", list.join(", ")))
        }
    }
}
