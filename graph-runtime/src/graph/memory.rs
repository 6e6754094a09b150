//! The memory that a graph names: the buffers bound to it and its arena.

use std::mem::replace;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::check;
use super::uses::RegisteredUse;
use crate::buffer::{Allocation, Binding};
use crate::device::{Bindings, BoundMemory, Device, Executable};
use crate::error::{Error, Result};
use crate::plan::Plan;

/// One memory kind's arena, with the use of it.
#[derive(Debug, Default)]
pub(super) struct OwnArena {
    /// Ends before the memory is given back.
    used: Option<RegisteredUse>,
    memory: Option<Arc<Allocation>>,
}

/// Arenas that a larger one has replaced.
#[derive(Debug)]
pub(super) struct Replaced {
    device: Option<OwnArena>,
    host: Option<OwnArena>,
}

impl Replaced {
    /// Whether the loops' counters lie elsewhere now.
    pub(super) fn has_device(&self) -> bool {
        self.device.is_some()
    }
}

/// Everything that launches may touch. Uses end before memory is given back.
#[derive(Debug)]
pub(super) struct GraphMemory<'g> {
    uses: Vec<RegisteredUse>,
    parameters: Vec<Binding<'g>>,
    device: OwnArena,
    host: OwnArena,
}

impl<'g> GraphMemory<'g> {
    pub(super) fn new(device: &Device, plan: &Plan, parameters: Vec<Binding<'g>>) -> Result<Self> {
        Ok(Self {
            uses: Vec::new(),
            parameters,
            device: OwnArena::allocate(device, plan.arena.device_bytes, Memory::Device)?,
            host: OwnArena::allocate(device, plan.arena.host_bytes, Memory::Host)?,
        })
    }

    /// Begins the use of everything.
    pub(super) fn register(&mut self, plan: &Plan, executable: &mut dyn Executable) -> Result<()> {
        for (binding, buffer) in self.parameters.iter().zip(check::parameters(&plan.program)) {
            self.uses.push(RegisteredUse::begin(&binding.allocation, check::writes(buffer), executable)?);
        }
        self.device.register(executable)?;
        self.host.register(executable)
    }

    pub(super) fn bindings(&self, plan: &Plan) -> Bindings {
        let bound = |binding: &Binding<'_>| {
            Some(BoundMemory { allocation: Arc::clone(&binding.allocation), offset: binding.offset() })
        };
        let mut parameters: Vec<_> = self.parameters.iter().map(bound).collect();
        parameters.resize(plan.program.buffers.len(), None);
        Bindings { parameters, device_arena: self.device.memory.clone(), host_arena: self.host.memory.clone() }
    }

    pub(super) fn parameters(&self) -> &[Binding<'g>] {
        &self.parameters
    }

    pub(super) fn bound(&self, parameter: u32) -> &Binding<'g> {
        &self.parameters[parameter as usize]
    }

    pub(super) fn swap(&mut self, parameter: u32, binding: Binding<'g>) -> Binding<'g> {
        replace(&mut self.parameters[parameter as usize], binding)
    }

    /// Begins the use of what is bound to a parameter now, beside the use of what was.
    pub(super) fn begin(&self, parameter: u32, writes: bool, executable: &mut dyn Executable) -> Result<RegisteredUse> {
        RegisteredUse::begin(&self.bound(parameter).allocation, writes, executable)
    }

    /// Ends the use of what was bound to a parameter.
    pub(super) fn replace_use(&mut self, parameter: u32, begun: RegisteredUse) {
        self.uses[parameter as usize] = begun;
    }

    /// Makes room for a plan's transients. Arenas that were replaced come back: they are used until the plan is.
    pub(super) fn grow(&mut self, device: &Device, plan: &Plan, executable: &mut dyn Executable) -> Result<Replaced> {
        let device_arena = self.device.larger(device, plan.arena.device_bytes, Memory::Device, executable)?;
        let host_arena = self.host.larger(device, plan.arena.host_bytes, Memory::Host, executable)?;
        Ok(Replaced {
            device: device_arena.map(|new| replace(&mut self.device, new)),
            host: host_arena.map(|new| replace(&mut self.host, new)),
        })
    }

    /// Undoes [`GraphMemory::grow`].
    pub(super) fn restore(&mut self, replaced: Replaced) {
        if let Some(device) = replaced.device {
            self.device = device;
        }
        if let Some(host) = replaced.host {
            self.host = host;
        }
    }

    pub(super) fn into_parameters(self) -> Vec<Binding<'g>> {
        self.parameters
    }
}

impl OwnArena {
    fn allocate(device: &Device, bytes: u64, memory: Memory) -> Result<Self> {
        if bytes == 0 {
            return Ok(Self::default());
        }
        let too_large =
            |_| Error::Buffer(format!("the graph's transients need {bytes} bytes, more than the address space has"));
        let allocation = device.allocate(usize::try_from(bytes).map_err(too_large)?, memory)?;
        Ok(Self { used: None, memory: Some(allocation) })
    }

    fn register(&mut self, executable: &mut dyn Executable) -> Result<()> {
        if let Some(memory) = &self.memory {
            self.used = Some(RegisteredUse::begin(memory, true, executable)?);
        }
        Ok(())
    }

    /// A larger arena, if this one is too small.
    fn larger(
        &self,
        device: &Device,
        bytes: u64,
        memory: Memory,
        executable: &mut dyn Executable,
    ) -> Result<Option<Self>> {
        let room = self.memory.as_ref().map_or(0, |allocation| allocation.bytes() as u64);
        if bytes <= room {
            return Ok(None);
        }
        let mut arena = Self::allocate(device, bytes, memory)?;
        arena.register(executable)?;
        Ok(Some(arena))
    }
}
