//! Modules: PTX text is read for what it says of its kernels, and never compiled.

use std::ffi::{c_char, c_uint, c_void};

use crate::call::{Outcome, Refusal, export};
use crate::driver::Driver;
use crate::ffi::{In, Out, Text};
use crate::objects::{Function, Id, Module};
use crate::ptx;

const ELF: [u8; 4] = *b"\x7fELF";

export!("cuModuleLoadDataEx", fn load_with_options(driver, module: Out<Id>, image: In<c_char>, _options: c_uint, _names: In<u32>, _values: In<*mut c_void>) {
    load(driver, module, image)
});

export!("cuModuleLoadData", fn load_plainly(driver, module: Out<Id>, image: In<c_char>) {
    load(driver, module, image)
});

fn load(driver: &mut Driver, module: Out<Id>, image: In<c_char>) -> Outcome<Option<Id>> {
    let context = driver.current()?;
    if image.is_null() {
        return Err(Refusal::INVALID_VALUE);
    }
    if ELF.iter().enumerate().all(|(at, byte)| image.at(at).cast_unsigned() == *byte) {
        // Machine code is not read.
        return Err(Refusal::NO_BINARY);
    }
    let text = Text::of(image).read()?;
    let entries = match ptx::entries(&text) {
        Ok(entries) => entries,
        Err(reason) => return driver.refuse("218", Refusal::INVALID_PTX, reason),
    };
    let id = driver.id();
    module.put(id)?;
    driver.modules.insert(id, Module { context, entries, functions: Vec::new() });
    Ok(Some(id))
}

export!("cuModuleUnload", fn unload(driver, module: Id) {
    driver.current()?;
    let Some(known) = driver.modules.get(&module) else { return driver.dead("module", module) };
    let functions = known.functions.clone();
    crate::rules::memory::unloaded(driver, &functions);
    driver.modules.remove(&module);
    functions.iter().for_each(|function| {
        driver.functions.remove(function);
    });
    Ok(Some(module))
});

export!("cuModuleGetFunction", fn function(driver, function: Out<Id>, module: Id, name: Text) {
    let name = name.read()?;
    let Some(known) = driver.modules.get(&module) else { return driver.dead("module", module) };
    let same = known.functions.iter().find(|id| driver.functions.get(id).is_some_and(|one| one.entry.name == name));
    if let Some(same) = same.copied() {
        function.put(same)?;
        return Ok(Some(same));
    }
    let context = known.context;
    let entry = known.entries.iter().find(|entry| entry.name == name).cloned().ok_or(Refusal::NOT_FOUND)?;
    let id = driver.id();
    function.put(id)?;
    // Without asking for more, a block has 48 KiB with the kernel's own.
    let dynamic = 49_152_u32.saturating_sub(entry.shared);
    driver.functions.insert(id, Function { context, entry, dynamic, large_clusters: false });
    if let Some(module) = driver.modules.get_mut(&module) {
        module.functions.push(id);
    }
    Ok(Some(id))
});
