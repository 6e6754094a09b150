//! Compiled kernel files on disk, as processes of their own see them.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use graph_runtime::Result;

use crate::child;
use crate::graphs::AddArgs;

/// Magic, length, digest.
const HEADER: usize = 8 + 8 + 32;

/// What each child does: one kernel file is compiled or found, and its kernel launched.
#[test]
fn in_a_process_of_its_own() -> Result<()> {
    if !child::is_child() {
        return Ok(());
    }
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[4_u32; 9])?;
    let mut graph = AddArgs { x: &mut x, by: 3, cycles: 0 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [7; 9]);
    child::done();
    Ok(())
}

fn start(cache: &Path) -> std::process::Child {
    child::start("cache::in_a_process_of_its_own", &[("CUDA_GRAPH_CACHE", cache.as_os_str())])
}

fn run(cache: &Path) {
    child::finish(start(cache));
}

/// The only file of a folder.
fn only(folder: &Path) -> PathBuf {
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// Whether a file is as long as it says itself.
fn assert_whole(file: &Path) {
    let bytes = fs::read(file).unwrap();
    assert_eq!(&bytes[..8], b"cugraph1");
    let length = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
    assert!(length > 0 && bytes.len() == HEADER + length as usize, "{length}, {}", bytes.len());
}

#[test]
fn the_second_process_finds_what_the_first_has_compiled() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let cache = folder.path().join("not").join("there yet");
    run(&cache);
    let file = only(&cache);
    assert_whole(&file);
    let first = fs::metadata(&file)?;
    run(&cache);
    assert_eq!(only(&cache), file);
    let second = fs::metadata(&file)?;
    // A compiled file appears by renaming a new one.
    assert_eq!((second.ino(), second.modified()?), (first.ino(), first.modified()?));
    Ok(())
}

#[test]
fn a_damaged_file_is_compiled_again() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    run(folder.path());
    let file = only(folder.path());
    let whole = fs::read(&file)?;
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [&whole[..whole.len() / 2], &changed, &[]] {
        fs::write(&file, damaged)?;
        run(folder.path());
        assert_eq!(only(folder.path()), file);
        assert_whole(&file);
        assert_eq!(fs::read(&file)?.len(), whole.len());
    }
    Ok(())
}

#[test]
fn a_folder_that_cannot_be_written_is_no_obstacle() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let locked = folder.path().join("locked");
    fs::create_dir(&locked)?;
    fs::set_permissions(&locked, Permissions::from_mode(0o555))?;
    run(&locked);
    // Permissions do not hold for root.
    let written = fs::read_dir(&locked)?.count();
    fs::set_permissions(&locked, Permissions::from_mode(0o755))?;
    assert!(written <= 1);
    let file = folder.path().join("a file");
    fs::write(&file, "not a folder")?;
    run(&file);
    run(&file.join("below it"));
    assert_eq!(fs::read_to_string(&file)?, "not a folder");
    Ok(())
}

#[test]
fn a_folder_that_has_the_file_may_be_read_only() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    run(folder.path());
    let file = only(folder.path());
    let first = fs::metadata(&file)?;
    fs::set_permissions(&file, Permissions::from_mode(0o444))?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555))?;
    run(folder.path());
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    assert_eq!(only(folder.path()), file);
    assert_eq!(fs::metadata(&file)?.ino(), first.ino());
    Ok(())
}

#[test]
fn an_empty_variable_means_no_cache() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let home = tempfile::tempdir()?;
    let variables =
        [("CUDA_GRAPH_CACHE", OsStr::new("")), ("HOME", home.path().as_os_str()), ("XDG_CACHE_HOME", OsStr::new(""))];
    child::run("cache::in_a_process_of_its_own", &variables);
    assert!(!home.path().join(".cache/cuda-graph").exists());
    child::run("cache::in_a_process_of_its_own", &[("CUDA_GRAPH_CACHE", home.path().join("kept").as_os_str())]);
    assert_whole(&only(&home.path().join("kept")));
    Ok(())
}

#[test]
fn processes_at_once_leave_one_whole_file() -> Result<(), Box<dyn Error>> {
    let Some(_turn) = crate::device_for_children() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let cache = folder.path().join("shared");
    let children: Vec<_> = (0..3).map(|_| start(&cache)).collect();
    children.into_iter().for_each(child::finish);
    assert_whole(&only(&cache));
    Ok(())
}
