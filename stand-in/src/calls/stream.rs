//! Streams.

use std::ffi::c_uint;

use crate::call::{Refusal, export};
use crate::ffi::Out;
use crate::objects::{Id, Stream};

export!("cuStreamCreate", fn create(driver, stream: Out<Id>, _flags: c_uint) {
    let context = Some(driver.current()?);
    let id = driver.id();
    stream.put(id)?;
    driver.streams.insert(id, Stream { context, ..Stream::default() });
    Ok(Some(id))
});

export!("cuStreamDestroy_v2", fn destroy(driver, stream: Id) {
    driver.current()?;
    if driver.stream(stream)?.capture.is_some() {
        driver.note("R275", "a stream is destroyed while it is captured");
    }
    driver.streams.remove(&stream);
    Ok(Some(stream))
});

export!("cuStreamSynchronize", fn synchronize(driver, stream: Id) {
    driver.current()?;
    if driver.stream(stream)?.capture.is_some() {
        return driver.refuse("R272", Refusal::NOT_SUPPORTED, "a captured stream is waited for");
    }
    let before = driver.stream(stream)?.before.clone();
    driver.over.join(&before);
    Ok(Some(stream))
});

export!("cuStreamWaitEvent", fn wait(driver, stream: Id, event: Id, _flags: c_uint) {
    let Some(known) = driver.events.get(&event) else { return driver.dead("event", event) };
    let recorded = known.recorded.clone().unwrap_or_default();
    driver.stream(stream)?.before.join(&recorded);
    Ok(Some(stream))
});
