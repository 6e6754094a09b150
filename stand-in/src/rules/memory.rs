//! What work names must be there as long as it may run (rules R059, R124, R304).

use std::collections::BTreeSet;

use super::instantiate::words;
use crate::clock::{Clock, Moment};
use crate::driver::Driver;
use crate::objects::{Id, Kind};
use crate::report::Work;

/// The addresses that a piece of work names: words of a kernel's arguments may be such.
pub(crate) fn names(work: &Work) -> Vec<u64> {
    match work {
        Work::Kernel { arguments, .. } => arguments.iter().flat_map(|bytes| words(bytes).collect::<Vec<_>>()).collect(),
        Work::Copy { to, from, .. } => vec![*to, *from],
        Work::Fill { to, .. } => vec![*to],
        _ => Vec::new(),
    }
}

/// Work at a moment names these addresses: memory that is not there yet, or no more, is written down.
pub(crate) fn used(driver: &mut Driver, moment: Moment, before: &Clock, addresses: impl Iterator<Item = u64>) {
    for address in addresses {
        let Some((start, block)) = driver.block(address) else {
            if driver.is_freed(address) {
                driver.note("R304", format!("work names {address:#x}, which is freed"));
            }
            continue;
        };
        let early = matches!(block.kind, Kind::Pool(at) if !before.has(at));
        if early {
            driver.note("R124", format!("work names {address:#x} and is not ordered behind its allocation"));
        }
        if let Some(block) = driver.memory.get_mut(&start) {
            block.uses.reach(moment);
        }
    }
}

/// The same for all nodes of an exec that are switched on, whose kernels must be loaded.
pub(crate) fn launched(driver: &mut Driver, exec: Id, moment: Moment, before: &Clock) {
    let Some(known) = driver.execs.get(&exec) else { return };
    let works: Vec<Work> =
        known.works.iter().filter(|(node, _)| !known.disabled.contains(node)).map(|(_, work)| work.clone()).collect();
    let mut addresses = BTreeSet::new();
    for work in &works {
        addresses.extend(names(work));
        match work {
            Work::Kernel { function, name, .. } if !driver.functions.contains_key(&Id(*function)) => {
                driver.note("R059", format!("`{name}` is launched, and its module is unloaded"));
            }
            Work::Record { event } | Work::Wait { event } if !driver.events.contains_key(&Id(*event)) => {
                driver.note("R111", "an event is destroyed that a launch records or waits for");
            }
            _ => {}
        }
    }
    used(driver, moment, before, addresses.into_iter());
}

/// Kernels whose module goes: no exec that may still be launched, or may run, has them.
pub(crate) fn unloaded(driver: &mut Driver, functions: &[Id]) {
    let gone = |work: &Work| matches!(work, Work::Kernel { function, .. } if functions.contains(&Id(*function)));
    let needed =
        |exec: &crate::objects::Exec| (exec.alive || !driver.over.covers(&exec.ran)) && exec.works.values().any(gone);
    if driver.execs.values().any(needed) {
        driver.note("R059", "a module is unloaded while a graph may launch or run its kernels");
    }
}
