//! Launches (rules R047 to R055).

use crate::call::{Outcome, Refusal};
use crate::driver::Driver;
use crate::objects::{Function, Id};
use crate::report::Work;

/// Registers and everything else aside: what threads and shared memory leave room for.
pub(crate) fn resident_blocks(driver: &Driver, function: Id, threads: u32, shared: u32) -> u32 {
    let own = driver.functions.get(&function).map_or(0, |function| function.entry.shared);
    let number = |attribute| driver.attribute(attribute).unwrap_or(0).unsigned_abs();
    let by_threads = number(39) / threads.max(1);
    number(81).checked_div(own + shared).map_or(by_threads, |by_shared| by_shared.min(by_threads))
}

/// Sizes within the device's and the kernel's.
pub(crate) fn check(driver: &mut Driver, work: &Work) -> Outcome {
    let Work::Kernel { name, function, grid, block, shared, .. } = work else { return Ok(()) };
    let Some(Function { context, entry, dynamic, .. }) = driver.functions.get(&Id(*function)) else {
        return driver.dead("function", Id(*function));
    };
    if *context != Driver::thread_context(None) {
        let text = format!("`{name}` was loaded in a context that is not current");
        return driver.refuse("R210", Refusal::INVALID_CONTEXT, text);
    }
    let (own, dynamic) = (entry.threads.unwrap_or(1024), *dynamic);
    let number = |attribute| driver.attribute(attribute).unwrap_or(0).unsigned_abs();
    let limits: Vec<u32> = (2..=7).map(number).collect();
    let outside = block.iter().chain(grid).zip(&limits).any(|(size, limit)| *size == 0 || size > limit);
    let threads: u32 = block.iter().fold(1, |all, size| all.saturating_mul(*size));
    if outside || threads > number(1) {
        let text = format!("`{name}` is launched with the grid {grid:?} and the block {block:?}");
        return driver.refuse("R047", Refusal::INVALID_VALUE, text);
    }
    if threads > own {
        return driver.refuse(
            "R048",
            Refusal::OUT_OF_RESOURCES,
            format!("`{name}` has at most {own} threads, not {threads}"),
        );
    }
    if *shared > dynamic {
        let text = format!("`{name}` is given {shared} bytes of shared memory, and may have {dynamic}");
        return driver.refuse("R049", Refusal::INVALID_VALUE, text);
    }
    Ok(())
}

/// An attribute that kernel nodes have, with a value that fits the launch.
pub(crate) fn attribute(driver: &mut Driver, work: &Work, id: u32, value: &[i32]) -> Outcome {
    let Work::Kernel { name, function, grid, block, shared, .. } = work else { return Err(Refusal::INVALID_VALUE) };
    match id {
        2 if value[0] != 0 => {
            let threads = block.iter().product();
            let processors = driver.attribute(16).unwrap_or(0).unsigned_abs();
            let most = resident_blocks(driver, Id(*function), threads, *shared) * processors;
            if grid.iter().map(|size| u64::from(*size)).product::<u64>() <= u64::from(most) {
                return Ok(());
            }
            let text = format!("`{name}` wants {grid:?} blocks at once, and {most} fit");
            driver.refuse("R051", Refusal::COOPERATIVE_LAUNCH_TOO_LARGE, text)
        }
        4 => cluster(driver, work, value),
        2 | 8 => Ok(()),
        _ => driver.refuse("R054", Refusal::NOT_SUPPORTED, format!("launch attribute {id} is not there")),
    }
}

fn cluster(driver: &mut Driver, work: &Work, value: &[i32]) -> Outcome {
    let Work::Kernel { name, function, grid, .. } = work else { return Err(Refusal::INVALID_VALUE) };
    let sizes: Vec<u32> = value.iter().map(|size| size.unsigned_abs()).collect();
    let most = match driver.functions.get(&Id(*function)) {
        Some(function) if function.large_clusters => 16,
        _ => 8,
    };
    let divides = sizes.iter().zip(grid).all(|(size, blocks)| *size > 0 && blocks % size == 0);
    if divides && sizes.iter().product::<u32>() <= most {
        return Ok(());
    }
    let text = format!("`{name}` has clusters of {sizes:?} in a grid of {grid:?}");
    driver.refuse("R052", Refusal::INVALID_CLUSTER_SIZE, text)
}
