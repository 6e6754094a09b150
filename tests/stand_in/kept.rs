//! Compiled kernels that are kept on disk: what a compiler has made is enough where there is none.

use std::fs;
use std::path::{Path, PathBuf};

use graph_runtime::prelude::*;
use stand_in_driver::{Folder, StandIn};
use tests::kernels::basic;

use crate::child::{again_with, device, given, lawful};
use crate::shape::calls;

cuda_graph! {
    /// Both kinds of things that NVRTC compiles: a kernel file, and functions that PTX has no instruction for.
    graph Both(x: &mut [u32; n], y: &mut [f32; n]) {
        basic::increment<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
        kernel for i in 0..n { y[i] = y[i].tanh(); }
    }

    graph Functions(y: &mut [f32; n]) {
        kernel for i in 0..n { y[i] = y[i].tanh(); }
    }
}

/// What a process does: `compiles` both, `finds` both, or is `refused` both.
fn build(text: &str) {
    let stand_in = StandIn::attach().unwrap();
    let device = device(&stand_in, 13000);
    let (mut x, mut y) = (device.zeros::<u32>(100).unwrap(), device.zeros::<f32>(100).unwrap());
    let built = BothArgs { x: &mut x, y: &mut y }.build(&device).map(drop);
    let functions = FunctionsArgs { y: &mut y }.build(&device).map(drop);
    let report = lawful(&stand_in);
    let compiled = calls(&report, &["nvrtcCompileProgram"]).len();
    if text == "refused" {
        let told = [built, functions].map(|built| built.unwrap_err().to_string());
        assert!(told[0].starts_with("kernel file `kernels/basic.cu` (module `basic`, "), "{}", told[0]);
        assert!(told[1].starts_with("graph `Functions` calls `tanh`, "), "{}", told[1]);
        for told in told {
            println!("{told}");
            assert!(told.contains("NVRTC that was found lacks `nvrtcCompileProgram`"), "{told}");
            assert!(told.contains("\nnote: nothing that fits is kept in "), "{told}");
            assert!(told.contains(" for compute capability 9.0\nhelp: install the CUDA toolkit"), "{told}");
        }
        return;
    }
    built.unwrap();
    functions.unwrap();
    assert_eq!(compiled, if text == "compiles" { 2 } else { 0 });
}

/// The files that are kept, by name.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort_unstable();
    files
}

#[test]
fn what_was_compiled_is_found_with_a_compiler_and_without() {
    let here = || {};
    if let Some(text) = given() {
        return build(&text);
    }
    let folder = tempfile::tempdir().unwrap();
    let (whole, without) = (Folder::new().unwrap(), Folder::lacking(&["nvrtcCompileProgram"]).unwrap());
    let run = |driver: &Folder, text: &str| {
        let told = again_with(driver, &here, text, folder.path());
        println!("{}", told.unwrap_or_else(|wrong| panic!("{wrong}")));
    };
    run(&without, "refused");
    run(&whole, "compiles");
    let first = kept(folder.path());
    assert_eq!(first.len(), 2);
    run(&whole, "finds");
    run(&without, "finds");
    assert_eq!(kept(folder.path()), first);
    // As if another compiler had made them: not good enough for this one, and better than none, even if it may be too new.
    for file in &first {
        let (wanted, maker) = file.to_str().unwrap().split_once(".nvrtc-").unwrap();
        let options = maker.split_once('-').unwrap().1;
        fs::rename(file, format!("{wanted}.nvrtc-99.0-{options}")).unwrap();
    }
    run(&without, "finds");
    run(&whole, "compiles");
    assert_eq!(kept(folder.path()).len(), 4);
    for file in kept(folder.path()) {
        fs::write(file, "damaged").unwrap();
    }
    run(&without, "refused");
    run(&whole, "compiles");
}
