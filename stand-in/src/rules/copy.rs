//! Copies (rules R071 to R078).

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::objects::Kind;
use crate::report::Work;

/// A copy's parameters; of each pair the end that is written comes first.
#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) to: u64,
    pub(crate) from: u64,
    /// `CUmemorytype`
    pub(crate) memory: [u32; 2],
    /// Bytes, rows, slices.
    pub(crate) sizes: [u64; 3],
    pub(crate) pitch: [u64; 2],
    pub(crate) height: [u64; 2],
    /// Whether it starts elsewhere than at its addresses.
    pub(crate) start: bool,
    pub(crate) level: bool,
    pub(crate) arrays: bool,
}

impl Copy {
    /// As a node has it.
    pub(crate) fn work(&self) -> Work {
        Work::Copy { to: self.to, from: self.from, memory: self.memory, sizes: self.sizes }
    }

    /// The bytes from the first to the last of one end.
    fn extent(&self, end: usize) -> u64 {
        let [width, rows, slices] = self.sizes;
        let (pitch, height) = (self.pitch[end].max(width), self.height[end].max(rows));
        ((slices - 1) * height + rows - 1) * pitch + width
    }
}

/// The type that an address has in truth.
pub(crate) fn memory_type(driver: &Driver, address: u64) -> u32 {
    match driver.block(address) {
        Some((_, block)) if block.kind != Kind::Pinned => 2,
        _ => 1,
    }
}

/// Sizes, distances and places that a copy may have.
pub(crate) fn check(driver: &mut Driver, copy: &Copy) -> Outcome {
    if copy.level {
        return driver.refuse("R071", Refusal::INVALID_VALUE, "a copy's level of detail is not zero");
    }
    if copy.sizes.contains(&0) {
        return driver.refuse("R074", Refusal::INVALID_VALUE, "a copy of nothing");
    }
    let apart = |end: usize| copy.pitch[end] == 0 || copy.pitch[end] >= copy.sizes[0];
    let high = |end: usize| copy.height[end] == 0 || copy.height[end] >= copy.sizes[1];
    if !(apart(0) && apart(1) && high(0) && high(1)) {
        return driver.refuse(
            "R072",
            Refusal::INVALID_VALUE,
            format!("a copy's rows or slices lie over one another: {copy:?}"),
        );
    }
    for (end, address) in [copy.to, copy.from].into_iter().enumerate() {
        let (told, is, extent) = (copy.memory[end], memory_type(driver, address), copy.extent(end));
        if told != is {
            let text = format!("{address:#x} is memory of type {is}, and the copy says {told}");
            return driver.refuse("R075", Refusal::INVALID_VALUE, text);
        }
        let inside = driver.block(address).is_none_or(|(start, block)| address + extent <= start.0 + block.bytes);
        if !inside {
            driver.note(
                "R078",
                format!("a copy goes {extent} bytes from {address:#x}, over the end of the memory there"),
            );
        }
    }
    Ok(())
}
