//! The CPU device's tests under `ThreadSanitizer`, with the stable toolchain.
//!
//! The toolchain brings that one's runtime, but a standard library that was compiled without it: `std.c` tells what that hides.
//! Tests run one at a time, each in a thread of its own; what libtest does in the main thread is not looked at (`suppressions.txt`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::Result;

pub(crate) const ABOUT: &str =
    "run the CPU device's tests under ThreadSanitizer; names of test targets of graph-runtime for those only";

/// The only one that is tried.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Test targets of graph-runtime that have to do with threads, or with launches that outlive what they use.
const TESTS: [&str; 9] = ["objects", "order", "raw", "review", "shared", "soundness", "threads", "tickets", "views"];

/// Functions of the standard library, by how their mangled names end, with what `std.c` calls them.
const WRAPPED: [(&str, &str); 7] = [
    ("3sys4sync5mutex5futexNtB2_5Mutex14lock_contended", "MUTEX_LOCK_CONTENDED"),
    ("3sys4sync6rwlock5futexNtB2_6RwLock14read_contended", "RWLOCK_READ_CONTENDED"),
    ("3sys4sync6rwlock5futexNtB2_6RwLock15write_contended", "RWLOCK_WRITE_CONTENDED"),
    ("3sys4sync7condvar5futexNtB2_7Condvar4wait", "CONDVAR_WAIT"),
    ("3sys4sync7condvar5futexNtB2_7Condvar12wait_timeout", "CONDVAR_WAIT_TIMEOUT"),
    ("3sys4sync4once5futexNtB5_4Once4call", "ONCE_CALL"),
    ("6thread6scopedNtB2_9ScopeData29decrement_num_running_threads", "SCOPE_THREAD_ENDS"),
];

pub(crate) fn run(arguments: &[String]) -> Result {
    let chosen: Vec<&str> = match arguments {
        [] => TESTS.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    let folder = target_folder().join("races");
    fs::create_dir_all(&folder)?;
    let names = mangled(&standard_library()?)?;
    let object = compile(&folder, &names)?;
    let mut flags = vec![
        "-Zsanitizer=thread".to_owned(),
        // The standard library has none of it.
        "-Cunsafe-allow-abi-mismatch=sanitizer".to_owned(),
        format!("-Clink-arg={}", object.display()),
        "-Clink-arg=-Wl,--wrap=__tsan_atomic64_fetch_sub".to_owned(),
    ];
    flags.extend(names.iter().map(|name| format!("-Clink-arg=-Wl,--wrap={name}")));
    let mut test = Command::new(cargo());
    test.args(["test", "--locked", "-p", "graph-runtime", "--no-default-features", "--target", TARGET]);
    test.arg("--target-dir").arg(&folder);
    test.args(chosen.iter().flat_map(|name| ["--test", name])).args(["--", "--test-threads=1"]);
    test.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS");
    // The sanitizers are in the stable toolchain, and the flag that turns them on is not stable.
    test.env("RUSTC_BOOTSTRAP", "1").env("RAYON_NUM_THREADS", "4");
    // `suppressions.txt` names functions that are inlined.
    test.envs(["CARGO_PROFILE_DEV_DEBUG", "CARGO_PROFILE_TEST_DEBUG"].map(|variable| (variable, "line-tables-only")));
    let suppressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/races/suppressions.txt");
    // Some tests ask for more memory than there is.
    let options = "halt_on_error=1:exitcode=66:allocator_may_return_null=1:history_size=7";
    test.env("TSAN_OPTIONS", format!("{options}:suppressions={}", suppressions.display()));
    if test.status()?.success() {
        return Ok(());
    }
    Err("a test failed, or ThreadSanitizer has found a race: its report is above".into())
}

fn cargo() -> String {
    env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

fn target_folder() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    env::var_os("CARGO_TARGET_DIR").map_or_else(default, PathBuf::from)
}

/// The archive that programs are linked with.
fn standard_library() -> Result<Vec<u8>> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let told = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = PathBuf::from(String::from_utf8(told.stdout)?.trim());
    let entries = fs::read_dir(&folder).map_err(|error| format!("no libraries for {TARGET}: {error}"))?;
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_std = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libstd-") && path.extension().is_some_and(|ending| ending == "rlib")
    };
    let file = files.find(is_std).ok_or_else(|| format!("no standard library in {}", folder.display()))?;
    Ok(fs::read(file)?)
}

/// The functions of [`WRAPPED`] as this standard library calls them.
fn mangled(library: &[u8]) -> Result<Vec<String>> {
    let symbols = || library.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
    let find = |(ending, _): &(&str, &str)| {
        let found = symbols().find(|symbol| symbol.starts_with(b"_RNv") && symbol.ends_with(ending.as_bytes()));
        let name = found.and_then(|symbol| std::str::from_utf8(symbol).ok()).map(str::to_owned);
        name.ok_or_else(|| {
            format!("the standard library has no function `…{ending}`: it is not that of Rust 1.95").into()
        })
    };
    WRAPPED.iter().map(find).collect()
}

/// Compiles `std.c` for these names.
fn compile(folder: &Path, names: &[String]) -> Result<PathBuf> {
    let object = folder.join("std.o");
    let mut compiler = Command::new(env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    compiler.args(WRAPPED.iter().zip(names).map(|((_, called), name)| format!("-D{called}={name}")));
    compiler.args(["-O1", "-Wall", "-Werror", "-fPIC", "-c", "-o"]).arg(&object);
    compiler.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/races/std.c"));
    if compiler.status()?.success() { Ok(object) } else { Err("std.c does not compile".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_how_their_names_end() {
        let names: Vec<String> = WRAPPED.iter().map(|(ending, _)| format!("_RNvMCs1_3std{ending}")).collect();
        let library = format!("\0{}\0_RNvXs_other\0", names.join("\0"));
        assert_eq!(mangled(library.as_bytes()).unwrap_or_default(), names);
        let error = mangled(b"\0_RNvXs_other\0").map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("lock_contended")));
    }
}
