// CG0503: a multiple, no `limit`, no `every`, and a limit that is known at build only.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Rounds(count: &mut [u32; 1], most: u64) {
        while count[0] > 0 limit 12 every 4 { count[0] -= 1; }
        while count[0] > 0 every 4 { count[0] -= 1; }
        while count[0] > 0 limit 7 { count[0] -= 1; }
        while count[0] > 0 limit most every 2 { count[0] -= 1; }
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
