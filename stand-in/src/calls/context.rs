//! Primary contexts.

use std::ffi::c_int;

use crate::call::{Refusal, export};
use crate::driver::Driver;
use crate::ffi::Out;
use crate::objects::Id;

export!("cuDevicePrimaryCtxRetain", fn retain(driver, context: Out<Id>, device: c_int) {
    super::device::exists(driver, device)?;
    let id = Driver::context_of(device);
    context.put(id)?;
    *driver.contexts.entry(id).or_default() += 1;
    Ok(Some(id))
});

export!("cuDevicePrimaryCtxRelease_v2", fn release(driver, device: c_int) {
    let id = Driver::context_of(device);
    let Some(count) = driver.contexts.get_mut(&id) else { return driver.dead("retained context", id) };
    *count -= 1;
    if *count == 0 {
        driver.contexts.remove(&id);
        let left = driver.live();
        if !left.is_empty() {
            driver.note("R304", format!("the context is released before {left:?}"));
        }
    }
    Ok(Some(id))
});

export!("cuCtxGetCurrent", fn current(driver, context: Out<Id>) {
    super::device::initialised(driver)?;
    context.put(Driver::thread_context(None))?;
    Ok(None)
});

export!("cuCtxSetCurrent", fn set_current(driver, context: Id) {
    super::device::initialised(driver)?;
    if context != Id::NULL && !driver.contexts.contains_key(&context) {
        return driver.refuse("R210", Refusal::INVALID_CONTEXT, "the context is not retained");
    }
    Driver::thread_context(Some(context));
    Ok(Some(context))
});

export!("cuCtxGetStreamPriorityRange", fn priorities(driver, low: Out<c_int>, high: Out<c_int>) {
    driver.current()?;
    low.put(0)?;
    high.put(-5)?;
    Ok(None)
});

export!("cuCtxSynchronize", fn synchronize(driver) {
    driver.current()?;
    let ids: Vec<Id> = driver.streams.keys().copied().collect();
    for id in ids {
        let before = driver.stream(id)?.before.clone();
        driver.over.join(&before);
    }
    Ok(None)
});
