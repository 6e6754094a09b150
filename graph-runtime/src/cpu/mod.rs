//! The CPU as a device: heap memory, plans run in parallel over independent nodes or in a shuffled order, on poisoned memory.

mod call;
mod compute;
mod event;
mod executable;
mod kernel;
mod memory;
mod queue;
mod reversal;
mod run;
mod schedule;
mod shadow;
mod shuffle;
mod threads;
mod transfer;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use graph_ir::model::Memory;
use rayon::ThreadPool;

use crate::buffer::Keeper;
use crate::call::RawEvent;
use crate::device::{Backend, Bindings, DeviceKind, Executable, Held, RawMemory};
use crate::error::Result;
use crate::plan::SharedPlan;

use executable::CpuExecutable;
use memory::{Block, CpuMemory};
pub use reversal::{Reversal, SeenEdge, SeenUse};
pub(crate) use shadow::{Shadow, bytes_of};

/// How plans are run.
#[derive(Clone, Default)]
pub(crate) struct CpuOptions {
    /// A seed: nodes one by one, in random orders that the edges allow.
    pub(crate) shuffle: Option<u64>,
    /// A launch queues its work, which runs when somebody waits.
    pub(crate) deferred: bool,
    /// Instead of the one for all devices.
    pub(crate) pool: Option<Arc<ThreadPool>>,
    /// Kernels do not run, and conditionals, which would decide by what kernels did not write, run none of their bodies.
    pub(crate) dry: bool,
    /// An edge is turned around.
    pub(crate) reversal: Option<Arc<Reversal>>,
}

/// The CPU.
pub(crate) struct CpuBackend {
    options: CpuOptions,
    held: Held,
}

impl CpuBackend {
    pub(crate) fn new(options: CpuOptions) -> Self {
        Self { options, held: Held::default() }
    }

    pub(crate) fn options(&self) -> &CpuOptions {
        &self.options
    }
}

impl Backend for CpuBackend {
    fn kind(&self) -> DeviceKind {
        if self.options.dry { DeviceKind::Dry } else { DeviceKind::Cpu }
    }

    fn name(&self) -> String {
        if self.options.dry {
            return "dry (no kernel runs)".to_owned();
        }
        let threads = match (&self.options.pool, self.options.shuffle) {
            (_, Some(seed)) => return format!("CPU (shuffled, seed {seed})"),
            (Some(pool), None) => pool.current_num_threads(),
            (None, None) => threads::own().map_or(1, |pool| pool.current_num_threads()),
        };
        format!("CPU ({threads} thread{})", if threads == 1 { "" } else { "s" })
    }

    fn allocate(&self, bytes: usize, _memory: Memory) -> Result<Box<dyn RawMemory>> {
        Ok(Box::new(CpuMemory::new(Block::allocate(bytes)?)))
    }

    unsafe fn adopt(&self, address: u64, bytes: usize, keeper: Keeper) -> Result<Box<dyn RawMemory>> {
        Ok(Box::new(CpuMemory::new(Block::adopt(address, bytes, keeper)?)))
    }

    fn write(&self, address: u64, _memory: Memory, bytes: &[u8]) -> Result<()> {
        // SAFETY: by the trait's contract the bytes at `address` are live, large enough and used by nobody else.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }

    fn read(&self, address: u64, _memory: Memory, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: by the trait's contract the bytes at `address` are live, large enough and written by nobody else.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn set(&self, address: u64, _memory: Memory, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: by the trait's contract the bytes at `address` are live, large enough and used by nobody else.
        unsafe { std::ptr::write_bytes(address as *mut u8, byte, bytes) };
        Ok(())
    }

    fn build(&self, plan: SharedPlan, bindings: Bindings) -> Result<Box<dyn Executable>> {
        Ok(Box::new(CpuExecutable::new(self.options.clone(), plan, bindings)?))
    }

    fn event(&self) -> Result<Arc<dyn RawEvent>> {
        Ok(Arc::new(event::CpuEvent::new(self.kind())))
    }

    fn held(&self) -> &Held {
        &self.held
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for CpuBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
