// Pinned memory is no slice: a launch may be writing it. `as_slice` waits.
use graph_runtime::prelude::*;

fn main() -> Result<()> {
    let seen = Device::cpu().pinned_zeros::<f32>(4)?;
    let elements: &[f32] = &seen;
    println!("{}", elements.len());
    Ok(())
}
