//! Events.

use std::ffi::c_uint;

use cudarc::driver::sys::CUevent_flags;

use crate::call::{Outcome, Refusal, export};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::ffi::Out;
use crate::objects::{Event, Id};

export!("cuEventCreate", fn create(driver, event: Out<Id>, flags: c_uint) {
    let context = driver.current()?;
    let id = driver.id();
    event.put(id)?;
    let timed = flags & CUevent_flags::CU_EVENT_DISABLE_TIMING as u32 == 0;
    driver.events.insert(id, Event { context, recorded: None, timed });
    Ok(Some(id))
});

export!("cuEventDestroy_v2", fn destroy(driver, event: Id) {
    known(driver, event)?;
    driver.events.remove(&event);
    Ok(Some(event))
});

export!("cuEventRecord", fn record(driver, event: Id, stream: Id) {
    let context = known(driver, event)?.context;
    if driver.stream(stream)?.context.is_some_and(|of_stream| of_stream != context) {
        return driver.refuse("R210", Refusal::INVALID_HANDLE, "the event is another context's than the stream");
    }
    driver.put(stream, &Clock::default())?;
    let before = driver.stream(stream)?.before.clone();
    known(driver, event)?.recorded = Some(before);
    Ok(Some(event))
});

export!("cuEventQuery", fn query(driver, event: Id) {
    let recorded = known(driver, event)?.recorded.clone().unwrap_or_default();
    if driver.over.covers(&recorded) { Ok(Some(event)) } else { Err(Refusal::NOT_READY) }
});

export!("cuEventSynchronize", fn synchronize(driver, event: Id) {
    let recorded = known(driver, event)?.recorded.clone().unwrap_or_default();
    driver.over.join(&recorded);
    Ok(Some(event))
});

export!("cuEventElapsedTime_v2", fn elapsed_v2(driver, milliseconds: Out<f32>, start: Id, end: Id) {
    elapsed(driver, milliseconds, [start, end])
});

export!("cuEventElapsedTime", fn elapsed_v1(driver, milliseconds: Out<f32>, start: Id, end: Id) {
    elapsed(driver, milliseconds, [start, end])
});

/// No time passes where nothing runs.
fn elapsed(driver: &mut Driver, milliseconds: Out<f32>, events: [Id; 2]) -> Outcome<Option<Id>> {
    for event in events {
        let Event { recorded, timed, .. } = known(driver, event)?;
        let Some(recorded) = recorded.clone().filter(|_| *timed) else { return Err(Refusal::INVALID_HANDLE) };
        if !driver.over.covers(&recorded) {
            return Err(Refusal::NOT_READY);
        }
    }
    milliseconds.put(0.0)?;
    Ok(None)
}

fn known(driver: &mut Driver, event: Id) -> Outcome<&mut Event> {
    if !driver.events.contains_key(&event) {
        return driver.dead("event", event);
    }
    driver.events.get_mut(&event).ok_or(Refusal::INVALID_HANDLE)
}
