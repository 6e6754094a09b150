//! The memory of `static` buffers: filled when the graph is built, then only its launches and its owner write it.

use std::sync::Arc;

use graph_ir::rules::statics::length_changes;

use super::uses::RegisteredUse;
use crate::buffer::{Allocation, Binding};
use crate::device::{BoundMemory, Device, Executable};
use crate::error::{Error, Refusal, Result};
use crate::plan::{Plan, StaticBuffer};

/// All `static` buffers of a graph. Uses end before memory is given back.
#[derive(Debug, Default)]
pub(super) struct Statics {
    uses: Vec<RegisteredUse>,
    memory: Vec<Binding<'static>>,
}

impl Statics {
    /// Allocates and fills them.
    pub(super) fn new(device: &Device, plan: &Plan) -> Result<Self> {
        let memory = plan.statics.iter().map(|buffer| allocate(device, buffer)).collect::<Result<_>>()?;
        Ok(Self { uses: Vec::new(), memory })
    }

    /// Begins their use.
    pub(super) fn register(&mut self, executable: &mut dyn Executable) -> Result<()> {
        for binding in &self.memory {
            self.uses.push(RegisteredUse::begin(&binding.allocation, true, executable)?);
        }
        Ok(())
    }

    /// Ends it.
    pub(super) fn end_uses(&mut self) {
        self.uses.clear();
    }

    /// Their uses.
    pub(super) fn uses(&self) -> &[RegisteredUse] {
        &self.uses
    }

    /// Puts them where the plan's buffers are.
    pub(super) fn bind(&self, plan: &Plan, bound: &mut [Option<BoundMemory>]) {
        for (buffer, binding) in plan.statics.iter().zip(&self.memory) {
            let allocation = Arc::clone(&binding.allocation);
            bound[buffer.buffer.0 as usize] = Some(BoundMemory { allocation, offset: 0 });
        }
    }

    /// The buffer with this index, for a view.
    pub(super) fn get(&self, index: u32) -> &Binding<'static> {
        &self.memory[index as usize]
    }

    /// All of them, in order.
    pub(super) fn all(&self) -> &[Binding<'static>] {
        &self.memory
    }

    /// Refuses a plan in which one of them has another length.
    pub(super) fn check(&self, plan: &Plan) -> Result<()> {
        let mut findings = Vec::new();
        for (buffer, binding) in plan.statics.iter().zip(&self.memory) {
            let built = binding.length as u64;
            if built != buffer.length {
                findings.push(length_changes(&buffer.name, buffer.place, built, buffer.length));
            }
        }
        if findings.is_empty() { Ok(()) } else { Err(Error::Refused(Refusal::new(&plan.program, findings))) }
    }
}

fn allocate(device: &Device, buffer: &StaticBuffer) -> Result<Binding<'static>> {
    let size = buffer.element.size;
    let bytes = usize::try_from(buffer.length).ok().and_then(|length| length.checked_mul(size));
    let bytes = bytes.ok_or_else(|| {
        Error::Buffer(format!("`static {}` has {} elements, more than memory has", buffer.name, buffer.length))
    })?;
    let allocation = device.allocate(bytes, buffer.memory)?;
    fill(device, &allocation, buffer, bytes)?;
    Ok(Binding::owned_memory(allocation, bytes.checked_div(size).unwrap_or(0), buffer.element))
}

/// Nobody uses the memory yet.
fn fill(device: &Device, allocation: &Allocation, buffer: &StaticBuffer, bytes: usize) -> Result<()> {
    let (address, pattern) = (allocation.address(), &buffer.pattern);
    let Some(first) = pattern.first().filter(|_| bytes > 0) else { return Ok(()) };
    if pattern.iter().all(|byte| byte == first) {
        return device.backend().set(address, buffer.memory, *first, bytes);
    }
    let contents: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
    device.backend().write(address, buffer.memory, &contents)
}
