//! NVRTC's functions: CUDA C++ is read for its kernels' signatures, and never compiled. What comes out is PTX with empty bodies.

mod signature;

use std::ffi::{c_char, c_int};

use crate::call::{Outcome, Refusal, export};
use crate::driver::Driver;
use crate::ffi::{In, Out, Text};
use crate::objects::{Id, Program};

/// Architectures that there is a compiler for; a newer device gets PTX.
const ARCHITECTURES: [c_int; 2] = [75, 80];
/// `nvrtcResult`
const INVALID_PROGRAM: Refusal = Refusal(4);
const COMPILATION: Refusal = Refusal(6);
const NAME_EXPRESSION_NOT_VALID: Refusal = Refusal(10);

export!("nvrtcVersion", fn version(_driver, major: Out<c_int>, minor: Out<c_int>) {
    // No compiler of NVIDIA's has this one, so nothing that was compiled is taken for the other's.
    major.put(0)?;
    minor.put(1)?;
    Ok(None)
});

export!("nvrtcGetNumSupportedArchs", fn architecture_count(_driver, count: Out<c_int>) {
    count.put(2)?;
    Ok(None)
});

export!("nvrtcGetSupportedArchs", fn architectures(_driver, architectures: Out<c_int>) {
    ARCHITECTURES.iter().enumerate().for_each(|(index, one)| architectures.put_at(index, *one));
    Ok(None)
});

export!("nvrtcCreateProgram", fn create(driver, program: Out<Id>, text: Text, _name: Text, count: c_int, headers: In<*const c_char>, _names: In<*const c_char>) {
    let mut whole = String::new();
    for header in headers.slice(usize::try_from(count).unwrap_or(0)) {
        whole.push_str(&Text::of(In::of(header)).read()?);
    }
    whole.push_str(&text.read()?);
    let id = driver.id();
    program.put(id)?;
    driver.programs.insert(id, Program { text: whole, ..Program::default() });
    Ok(Some(id))
});

export!("nvrtcAddNameExpression", fn add_name(driver, program: Id, name: Text) {
    let name = name.read()?;
    known(driver, program)?.names.push(name);
    Ok(Some(program))
});

export!("nvrtcCompileProgram", fn compile(driver, program: Id, _count: c_int, _options: In<*const c_char>) {
    let known = known(driver, program)?;
    let read = match known.names.first() {
        Some(name) => Err(format!("the stand-in for NVRTC cannot instantiate `{name}`: it reads `extern \"C\"` kernels only")),
        None => signature::ptx(&known.text),
    };
    match read {
        Ok(ptx) => known.ptx = Some(ptx),
        Err(log) => {
            known.log = log;
            return Err(COMPILATION);
        }
    }
    Ok(Some(program))
});

export!("nvrtcGetLoweredName", fn lowered(_driver, _program: Id, _name: Text, _lowered: Out<*const c_char>) {
    Err(NAME_EXPRESSION_NOT_VALID)
});

export!("nvrtcGetPTXSize", fn ptx_size(driver, program: Id, size: Out<usize>) {
    let bytes = known(driver, program)?.ptx.as_ref().map(|ptx| ptx.len() + 1);
    size.put(bytes.ok_or(INVALID_PROGRAM)?)?;
    Ok(Some(program))
});

export!("nvrtcGetPTX", fn ptx(driver, program: Id, into: Out<u8>) {
    let text = known(driver, program)?.ptx.clone().ok_or(INVALID_PROGRAM)?;
    give(&text, into);
    Ok(Some(program))
});

export!("nvrtcGetCUBINSize", fn cubin_size(_driver, _program: Id, _size: Out<usize>) {
    Err(INVALID_PROGRAM)
});

export!("nvrtcGetCUBIN", fn cubin(_driver, _program: Id, _into: Out<u8>) {
    Err(INVALID_PROGRAM)
});

export!("nvrtcGetProgramLogSize", fn log_size(driver, program: Id, size: Out<usize>) {
    let bytes = known(driver, program)?.log.len() + 1;
    size.put(bytes)?;
    Ok(Some(program))
});

export!("nvrtcGetProgramLog", fn log(driver, program: Id, into: Out<u8>) {
    let text = known(driver, program)?.log.clone();
    give(&text, into);
    Ok(Some(program))
});

export!("nvrtcDestroyProgram", fn destroy(driver, program: Out<Id>) {
    if program.is_null() {
        return Err(INVALID_PROGRAM);
    }
    let id = In::of(program.pointer().cast_const()).at(0);
    known(driver, id)?;
    driver.programs.remove(&id);
    program.put(Id::NULL)?;
    Ok(Some(id))
});

/// Not counted, as `cuGetErrorString` is not.
#[unsafe(export_name = "nvrtcGetErrorString")]
extern "C" fn words(code: u32) -> *const c_char {
    let text = match code {
        0 => c"NVRTC_SUCCESS",
        1 => c"NVRTC_ERROR_OUT_OF_MEMORY",
        2 => c"NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        4 => c"NVRTC_ERROR_INVALID_PROGRAM",
        6 => c"NVRTC_ERROR_COMPILATION",
        _ => c"NVRTC_ERROR unknown",
    };
    text.as_ptr()
}

fn give(text: &str, into: Out<u8>) {
    text.bytes().chain([0]).enumerate().for_each(|(at, byte)| into.put_at(at, byte));
}

fn known(driver: &mut Driver, program: Id) -> Outcome<&mut Program> {
    driver.programs.get_mut(&program).ok_or(INVALID_PROGRAM)
}
