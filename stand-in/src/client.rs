//! The test's side.

use std::ffi::{CStr, CString, c_char};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use libloading::Library;
use serde::Serialize;
use tempfile::TempDir;

use crate::report::{Config, Fault, Report};

/// The names under which the library is looked for.
const NAMES: [&str; 7] =
    ["libcuda.so", "libcuda.so.1", "libnvrtc.so", "libnvrtc.so.12", "libcublas.so", "libcufft.so", "libcusolver.so"];

/// A folder with the stand-in in the driver's place, for `LD_LIBRARY_PATH`.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// With the library that Cargo has built beside this test.
    ///
    /// # Errors
    /// If it is not there, or the folder cannot be made.
    pub fn new() -> io::Result<Self> {
        Self::lacking(&[])
    }

    /// The same, without some of its functions: what the loader finds in a driver that is too old for them.
    ///
    /// # Errors
    /// As for [`Folder::new`], and if the library has no such function.
    pub fn lacking(functions: &[&str]) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut library = fs::read(built()?)?;
        functions.iter().try_for_each(|function| rename(&mut library, function))?;
        let file = folder.path().join(NAMES[0]);
        fs::write(&file, library)?;
        NAMES[1..].iter().try_for_each(|name| fs::hard_link(&file, folder.path().join(name)))?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

fn built() -> io::Result<PathBuf> {
    let test = env::current_exe()?;
    let beside = test.parent().unwrap_or(&test);
    let file = format!("{}stand_in_driver{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let places = [beside.join(&file), beside.join("..").join(&file), beside.join("deps").join(&file)];
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{file} is not beside {}", test.display()));
    places.into_iter().find(|place| place.is_file()).ok_or_else(missing)
}

/// Gives a function another name of the same length: the loader looks names up by their hash, so it is found under neither.
fn rename(library: &mut [u8], function: &str) -> io::Result<()> {
    let name: Vec<u8> = [&[0], function.as_bytes(), &[0]].concat();
    let starts: Vec<usize> =
        library.windows(name.len()).enumerate().filter(|(_, at)| *at == name).map(|(at, _)| at).collect();
    if starts.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("the stand-in has no {function}")));
    }
    starts.iter().for_each(|at| library[at + 1] = b'_');
    Ok(())
}

/// The stand-in that this process has loaded.
#[derive(Debug)]
pub struct StandIn(Library);

type Take = unsafe extern "C" fn(*const c_char) -> u32;

impl StandIn {
    /// Finds it where the driver is looked for.
    ///
    /// # Errors
    /// If the driver that is found there is another, or none is.
    pub fn attach() -> io::Result<Self> {
        // SAFETY: the stand-in has no initialisers; a real driver's have no requirements.
        let library = unsafe { Library::new(NAMES[0]) }.map_err(io::Error::other)?;
        // SAFETY: the type is that of `control::forget`; it is not called here.
        let found = unsafe { library.get::<unsafe extern "C" fn()>(b"stand_in_forget") }.is_ok();
        if found { Ok(Self(library)) } else { Err(io::Error::other("the driver that is loaded is not the stand-in")) }
    }

    /// Sets driver and device; before anything is asked of them.
    ///
    /// # Errors
    /// If the library is of another version than this.
    pub fn configure(&self, config: &Config) -> io::Result<()> {
        self.give(b"stand_in_configure", config)
    }

    /// Lets calls fail from here on; forgets what was set before.
    ///
    /// # Errors
    /// If the library is of another version than this.
    pub fn fail(&self, faults: &[Fault]) -> io::Result<()> {
        self.give(b"stand_in_fail", &faults)
    }

    /// Everything since [`StandIn::forget`].
    ///
    /// # Errors
    /// If the library is of another version than this.
    pub fn report(&self) -> io::Result<Report> {
        self.take(1)
    }

    /// The same without graphs and execs.
    ///
    /// # Errors
    /// If the library is of another version than this.
    pub fn calls(&self) -> io::Result<Report> {
        self.take(0)
    }

    fn take(&self, graphs: u32) -> io::Result<Report> {
        // SAFETY: the types are those of `control`.
        let (report, release) = unsafe {
            let report = self.0.get::<unsafe extern "C" fn(u32) -> *mut c_char>(b"stand_in_report");
            let release = self.0.get::<unsafe extern "C" fn(*mut c_char)>(b"stand_in_release");
            (report.map_err(io::Error::other)?, release.map_err(io::Error::other)?)
        };
        // SAFETY: there are no requirements.
        let text = unsafe { report(graphs) };
        if text.is_null() {
            return Err(io::Error::other("the stand-in has no report"));
        }
        // SAFETY: not null, and it ends with NUL.
        let parsed = serde_json::from_slice(unsafe { CStr::from_ptr(text) }.to_bytes()).map_err(io::Error::other);
        // SAFETY: it came from `stand_in_report` and is not used any more.
        unsafe { release(text) };
        parsed
    }

    /// Forgets calls, violations, and what is destroyed.
    ///
    /// # Errors
    /// If the library is of another version than this.
    pub fn forget(&self) -> io::Result<()> {
        // SAFETY: the type is that of `control::forget`, which has no requirements.
        unsafe { self.0.get::<unsafe extern "C" fn()>(b"stand_in_forget").map_err(io::Error::other)?() };
        Ok(())
    }

    fn give(&self, function: &[u8], value: &impl Serialize) -> io::Result<()> {
        let text = CString::new(serde_json::to_string(value)?)?;
        // SAFETY: the type is that of `control`'s functions that take a text.
        let take = unsafe { self.0.get::<Take>(function) }.map_err(io::Error::other)?;
        // SAFETY: the text ends with NUL and outlives the call.
        let understood = unsafe { take(text.as_ptr()) } == 0;
        if understood { Ok(()) } else { Err(io::Error::other("the stand-in does not understand the test")) }
    }
}
