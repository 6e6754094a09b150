//! The only place that calls NVRTC.

mod functions;
mod library;

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;

use cudarc::nvrtc::sys::nvrtcProgram;

/// What to compile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// What the log calls the text.
    pub(super) name: &'a str,
    /// CUDA C++.
    pub(super) text: &'a str,
    /// Files that the text may include, by name.
    pub(super) headers: &'a [(&'a str, &'a str)],
    /// Command line.
    pub(super) options: &'a [String],
    /// C++ names to instantiate and to look up: `axpy<float, 4>`.
    pub(super) names: &'a [String],
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Compiled {
    /// PTX comes with a NUL behind it.
    pub(super) image: Vec<u8>,
    /// The names in the image of [`Request::names`], in order.
    pub(super) lowered: Vec<String>,
}

/// What to compile for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// `--gpu-architecture=sm_90`
    pub(super) option: String,
    /// What comes out.
    pub(super) kind: Image,
}

/// The form of a compiled kernel file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Image {
    /// Machine code.
    Cubin,
    /// Text that the driver compiles.
    Ptx,
}

/// The library's version, or why it cannot be used.
pub(super) fn version() -> Result<(i32, i32), String> {
    static VERSION: OnceLock<(i32, i32)> = OnceLock::new();
    if let Some(known) = VERSION.get() {
        return Ok(*known);
    }
    ask_version().map(|version| *VERSION.get_or_init(|| version))
}

fn ask_version() -> Result<(i32, i32), String> {
    if library::nvrtc().is_none() {
        return Err("the compiler library NVRTC was not found".to_owned());
    }
    if let Some(function) = functions::missing() {
        return Err(format!("the compiler library NVRTC that was found lacks `{function}`"));
    }
    let (mut major, mut minor): (c_int, c_int) = (0, 0);
    // SAFETY: the library is loaded and both places are valid.
    check(unsafe { functions::nvrtcVersion(&raw mut major, &raw mut minor) })
        .map_err(|error| format!("NVRTC does not start: {error}"))?;
    Ok((major, minor))
}

/// The best that the library can make for a compute capability (90 for 9.0).
pub(super) fn target(arch: u32) -> Target {
    choose(arch, &supported())
}

/// How device functions are compiled, which other PTX may call.
pub(super) const FUNCTIONS: [&str; 2] = ["--relocatable-device-code=true", "--fmad=false"];

/// The best PTX that the library can make for a compute capability (90 for 9.0), as an option.
pub(super) fn ptx_target(arch: u32) -> String {
    let known = supported().into_iter().filter(|known| *known <= arch).max().unwrap_or(arch);
    format!("--gpu-architecture=compute_{known}")
}

/// Compiles device functions to PTX for a target. The error is the compiler's log.
pub(super) fn compile_functions(text: &str, target: &str) -> Result<String, String> {
    let options: Vec<String> = [target].iter().chain(&FUNCTIONS).map(ToString::to_string).collect();
    let request = Request { name: "functions.cu", text, headers: &[], options: &options, names: &[] };
    let image = compile(&request, Image::Ptx)?.image;
    String::from_utf8(image).map_err(|_| "the compiler's PTX is no text".to_owned())
}

fn choose(arch: u32, supported: &[u32]) -> Target {
    let below = supported.iter().copied().filter(|known| *known < arch).max();
    match below {
        Some(below) if !supported.contains(&arch) => {
            Target { option: format!("--gpu-architecture=compute_{below}"), kind: Image::Ptx }
        }
        _ => Target { option: format!("--gpu-architecture=sm_{arch}"), kind: Image::Cubin },
    }
}

fn supported() -> Vec<u32> {
    let mut count: c_int = 0;
    // SAFETY: the library is loaded and `count` is a valid place.
    if check(unsafe { functions::nvrtcGetNumSupportedArchs(&raw mut count) }).is_err() {
        return Vec::new();
    }
    let mut archs: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: the array has the length that the library asked for.
    if check(unsafe { functions::nvrtcGetSupportedArchs(archs.as_mut_ptr()) }).is_err() {
        return Vec::new();
    }
    archs.into_iter().map(c_int::unsigned_abs).collect()
}

/// Compiles; the error is the compiler's log.
pub(super) fn compile(request: &Request<'_>, kind: Image) -> Result<Compiled, String> {
    let program = Program::new(request)?;
    let names: Vec<CString> = request.names.iter().map(|name| c_string(name)).collect::<Result<_, _>>()?;
    for name in &names {
        // SAFETY: the program is alive and not compiled yet, and the name ends with NUL.
        check(unsafe { functions::nvrtcAddNameExpression(program.0, name.as_ptr()) })?;
    }
    let options: Vec<CString> = request.options.iter().map(|option| c_string(option)).collect::<Result<_, _>>()?;
    let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    let count = c_int::try_from(pointers.len()).map_err(|_| "too many options".to_owned())?;
    // SAFETY: the program is alive and `pointers` has `count` strings that outlive the call.
    let compiled = check(unsafe { functions::nvrtcCompileProgram(program.0, count, pointers.as_ptr()) });
    compiled.map_err(|error| program.log(&error))?;
    let lowered = names.iter().map(|name| program.lowered(name)).collect::<Result<_, _>>()?;
    Ok(Compiled { image: program.image(kind)?, lowered })
}

struct Program(nvrtcProgram);

impl Program {
    fn new(request: &Request<'_>) -> Result<Self, String> {
        let [text, name] = [c_string(request.text)?, c_string(request.name)?];
        let strings: Vec<(CString, CString)> = request
            .headers
            .iter()
            .map(|(name, text)| Ok((c_string(name)?, c_string(text)?)))
            .collect::<Result<_, String>>()?;
        let names: Vec<*const c_char> = strings.iter().map(|(name, _)| name.as_ptr()).collect();
        let texts: Vec<*const c_char> = strings.iter().map(|(_, text)| text.as_ptr()).collect();
        let count = c_int::try_from(names.len()).map_err(|_| "too many headers".to_owned())?;
        let mut program: nvrtcProgram = std::ptr::null_mut();
        // SAFETY: all strings end with NUL and outlive the call, both arrays have `count` entries, and `program` is a valid place.
        check(unsafe {
            functions::nvrtcCreateProgram(
                &raw mut program,
                text.as_ptr(),
                name.as_ptr(),
                count,
                texts.as_ptr(),
                names.as_ptr(),
            )
        })?;
        Ok(Self(program))
    }

    /// The name in the image.
    fn lowered(&self, name: &CStr) -> Result<String, String> {
        let mut found: *const c_char = std::ptr::null();
        // SAFETY: the program is compiled, the name is one that was added before, and `found` is a valid place.
        check(unsafe { functions::nvrtcGetLoweredName(self.0, name.as_ptr(), &raw mut found) })
            .map_err(|error| format!("`{}` was not instantiated: {error}", name.to_string_lossy()))?;
        // SAFETY: the library returns a NUL-terminated string that lives as long as the program.
        Ok(unsafe { CStr::from_ptr(found) }.to_string_lossy().into_owned())
    }

    fn log(&self, error: &str) -> String {
        let mut size = 0_usize;
        // SAFETY: the program is alive and `size` is a valid place.
        if check(unsafe { functions::nvrtcGetProgramLogSize(self.0, &raw mut size) }).is_err() || size <= 1 {
            return error.to_owned();
        }
        let mut log = vec![0_u8; size];
        // SAFETY: the buffer has the size that the library asked for.
        if check(unsafe { functions::nvrtcGetProgramLog(self.0, log.as_mut_ptr().cast()) }).is_err() {
            return error.to_owned();
        }
        String::from_utf8_lossy(&log[..size - 1]).into_owned()
    }

    fn image(&self, kind: Image) -> Result<Vec<u8>, String> {
        let mut size = 0_usize;
        // SAFETY: the program is alive and compiled, and `size` is a valid place.
        check(unsafe {
            match kind {
                Image::Cubin => functions::nvrtcGetCUBINSize(self.0, &raw mut size),
                Image::Ptx => functions::nvrtcGetPTXSize(self.0, &raw mut size),
            }
        })?;
        let mut image = vec![0_u8; size];
        let into = image.as_mut_ptr().cast();
        // SAFETY: the buffer has the size that the library asked for.
        check(unsafe {
            match kind {
                Image::Cubin => functions::nvrtcGetCUBIN(self.0, into),
                Image::Ptx => functions::nvrtcGetPTX(self.0, into),
            }
        })?;
        Ok(image)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: ours and not used afterwards. There is nothing to do about a failure.
        let _ = unsafe { functions::nvrtcDestroyProgram(&raw mut self.0) };
    }
}

fn c_string(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| "a NUL character stands in the file, a header or an option".to_owned())
}

fn check(answer: u32) -> Result<(), String> {
    if answer == SUCCESS { Ok(()) } else { Err(functions::words(answer)) }
}

const SUCCESS: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_architecture_becomes_machine_code() {
        let target = choose(90, &[75, 80, 90, 100]);
        assert_eq!(target, Target { option: "--gpu-architecture=sm_90".to_owned(), kind: Image::Cubin });
    }

    #[test]
    fn a_newer_device_gets_ptx_of_the_newest_known() {
        let target = choose(120, &[75, 90]);
        assert_eq!(target, Target { option: "--gpu-architecture=compute_90".to_owned(), kind: Image::Ptx });
    }

    #[test]
    fn an_older_device_is_left_to_the_compiler_to_refuse() {
        assert_eq!(choose(50, &[75, 90]).option, "--gpu-architecture=sm_50");
        assert_eq!(choose(90, &[]).kind, Image::Cubin);
    }
}
