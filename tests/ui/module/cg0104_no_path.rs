// No kernel file is named.
use graph_runtime::prelude::*;

#[cuda_module]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
