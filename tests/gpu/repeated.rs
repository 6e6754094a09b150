//! Ten thousand launches: of each pipeline, and of one graph that goes on from where the last launch ended.

use std::sync::RwLockWriteGuard;

use tests::repeated::{carried, every_pipeline};

use crate::Turn;

const LAUNCHES: u32 = 10_000;

/// The device, alone: a tool that looks at each access takes a hundred times as long.
fn unwatched() -> Option<Turn<RwLockWriteGuard<'static, ()>>> {
    crate::device_alone().filter(|_| !crate::is_watched())
}

#[test]
fn every_pipeline_ten_thousand_times() {
    let Some(device) = unwatched() else { return };
    every_pipeline(&device, LAUNCHES);
}

#[test]
fn ten_thousand_launches_carry_on() {
    let Some(device) = unwatched() else { return };
    carried(&device, LAUNCHES).unwrap();
}
