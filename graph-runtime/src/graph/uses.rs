//! A graph's uses of allocations: begun when it is bound, over with its last launch.

use std::sync::Arc;

use graph_ir::model::Memory;

use crate::buffer::Allocation;
use crate::device::{Executable, Fence};
use crate::error::Result;

/// One use. Dropping it says that no later launch uses the memory; leaking it says nothing, which is safe.
#[derive(Debug)]
pub(super) struct RegisteredUse {
    allocation: Arc<Allocation>,
    fence: Arc<dyn Fence>,
    writes: bool,
}

impl RegisteredUse {
    /// Begins a use: later launches wait for what other graphs have launched.
    pub(super) fn begin(allocation: &Arc<Allocation>, writes: bool, executable: &mut dyn Executable) -> Result<Self> {
        let fence = executable.fence();
        // Nobody waits for who writes a mailbox: that is what it is for.
        let writes = writes && allocation.memory() != Memory::Mailbox;
        let earlier = allocation.begin_use(&fence, writes);
        let begun = Self { allocation: Arc::clone(allocation), fence, writes };
        executable.order_after(&earlier)?;
        Ok(begun)
    }
}

impl RegisteredUse {
    /// What is used.
    pub(super) fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// Whether it is written.
    pub(super) fn writes(&self) -> bool {
        self.writes
    }
}

impl Drop for RegisteredUse {
    fn drop(&mut self) {
        self.allocation.end_use(&self.fence, self.writes);
    }
}
