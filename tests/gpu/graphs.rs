//! Graphs whose launches are still running when the host goes on.

use graph_runtime::prelude::*;
use tests::kernels::late;

/// Clock cycles that a kernel spins for: some milliseconds.
pub(crate) const CYCLES: u64 = 4_000_000;
/// Elements of most buffers: more than one block.
pub(crate) const N: usize = 1000;

cuda_graph! {
    /// `x += by`
    pub(crate) graph Add(x: &mut [u32; n], by: u32, cycles: u64) {
        late::add<<<n.div_ceil(256), 256>>>(&mut x, by, cycles, n as u32);
    }

    /// `x *= by`
    pub(crate) graph Times(x: &mut [u32; n], by: u32, cycles: u64) {
        late::times<<<n.div_ceil(256), 256>>>(&mut x, by, cycles, n as u32);
    }

    /// `to = from + by + by`, by way of a transient.
    pub(crate) graph Shift(from: &[u32; n], to: &out [u32; n], by: u32, cycles: u64) {
        let between: [u32; n];
        late::shift<<<n.div_ceil(256), 256>>>(&from, &out between, by, cycles, n as u32);
        late::shift<<<n.div_ceil(256), 256>>>(&between, &out to, by, cycles, n as u32);
    }

    /// `x += by`, then `x` to the host.
    pub(crate) graph Fetch(x: &mut [u32; n], seen: &out host [u32; n], by: u32, cycles: u64) {
        late::add<<<n.div_ceil(256), 256>>>(&mut x, by, cycles, n as u32);
        copy(&x, &out seen);
    }

    /// The host's numbers to `x`, behind a wait.
    pub(crate) graph Send(from: &host [u32; n], x: &mut [u32; n], cycles: u64) {
        late::add<<<n.div_ceil(256), 256>>>(&mut x, 0, cycles, n as u32);
        copy(&from, &out x);
    }

    /// `x += by`, and once more if `twice`: another structure.
    pub(crate) graph Maybe(x: &mut [u32; n], by: u32, twice: bool, cycles: u64) {
        late::add<<<n.div_ceil(256), 256>>>(&mut x, by, cycles, n as u32);
        if twice {
            late::add<<<n.div_ceil(256), 256>>>(&mut x, by, cycles, n as u32);
        }
    }
}
