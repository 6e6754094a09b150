//! Random bodies of kernels in the block, against what an interpreter says: as text that the macro has seen, and as data.

mod data;
mod generated;

use graph_ir::testing::bodies::{Case, Contents, Value, bytes};
use graph_runtime::prelude::*;

/// Bytes that decide a case.
const BYTES: usize = 800;

/// How the bodies of `generated.rs` are run.
type Written = fn(&Device, &mut Launches) -> Result<()>;

/// How many bodies there are as text.
pub fn written() -> u64 {
    generated::ALL.len() as u64
}

/// Runs a body that the macro has seen.
///
/// # Errors
/// If the graph cannot be built or launched.
pub fn run_written(device: &Device, number: u64) -> Result<()> {
    let case = Case::new(&bytes(number, BYTES));
    let mut launches = Launches { seed: number, case };
    generated::ALL[number as usize](device, &mut launches)
}

/// Runs the body that these bytes decide, as data that no macro has made. On the CPU nothing is computed, only checked and planned.
///
/// # Errors
/// If the graph cannot be built or launched.
pub fn run_data(device: &Device, seed: u64, bytes: &[u8]) -> Result<()> {
    data::run(device, Launches { seed, case: Case::new(bytes) })
}

/// The bytes of a seed.
pub fn bytes_of(seed: u64) -> Vec<u8> {
    bytes(seed, BYTES)
}

/// A case between its launches.
struct Launches {
    seed: u64,
    case: Case,
}

impl Launches {
    /// The buffer with this number, filled.
    fn memory<T: Element>(&self, device: &Device, number: usize) -> Result<Buffer<T>> {
        let elements: Vec<T> = self.case.buffers[number].bits.iter().map(|bits| of_bits(*bits)).collect();
        device.buffer_from(&elements)
    }

    /// A host value.
    fn host<T: Element>(&self, number: usize) -> T {
        let value = self.case.hosts[number];
        of_bits(value.bits(value.scalar()))
    }

    /// Behind a launch: the buffers must be what the interpreter makes of those before it.
    fn behind(&mut self, found: &[Vec<u64>]) {
        let expected = self.case.interpret();
        for (contents, found) in expected.iter().zip(found) {
            let canonical = |bits: &u64| Value::of_bits(contents.scalar, *bits).bits(contents.scalar);
            let pairs = contents.bits.iter().zip(found).enumerate();
            let wrong = pairs.filter(|(_, (expected, found))| canonical(expected) != canonical(found));
            if let Some((at, (expected, found))) = wrong.clone().next() {
                let Contents { name, shape, .. } = contents;
                let (seed, text, count) = (self.seed, self.case.text("Body"), wrong.count());
                panic!(
                    "seed {seed}: `{name}` (of {shape:?}) has {count} wrong elements, the first with number {at}: \
                     {found:#x}, not {expected:#x}\n{text}hosts: {:?}\naxes: {:?}",
                    self.case.hosts, self.case.axes
                );
            }
        }
        self.case.buffers = expected;
    }
}

fn of_bits<T: Element>(bits: u64) -> T {
    bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()])
}

fn words<T: Element>(elements: Vec<T>) -> Vec<u64> {
    let word = |element: &T| {
        let mut word = [0; 8];
        word[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(element));
        u64::from_le_bytes(word)
    };
    elements.into_iter().map(|element| word(&element)).collect()
}
