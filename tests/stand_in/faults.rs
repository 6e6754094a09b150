//! Each call of the driver fails in its turn: the right error, no panic, and everything that was made is given back.

use std::collections::BTreeSet;

use graph_runtime::prelude::*;
use stand_in_driver::{Config, Fault, Folder, Report, StandIn, Violation};

use crate::child::{again, child, configured, device, given, lacking, live, settle};
use crate::pipelines::{pipelines, run};

/// A `CUresult` with the driver's words.
struct Code {
    number: u32,
    name: &'static str,
    meaning: &'static str,
}

const CODES: [Code; 2] = [
    Code { number: 2, name: "CUDA_ERROR_OUT_OF_MEMORY", meaning: "out of memory" },
    Code { number: 1, name: "CUDA_ERROR_INVALID_VALUE", meaning: "invalid argument" },
];

/// Nothing can be done if these fail, but say so and go on: what they were to give back is leaked.
const GIVES_BACK: &[&str] = &[
    "cuMemFreeAsync",
    "cuMemFree_v2",
    "cuMemFreeHost",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
    "cuModuleUnload",
    "cuDevicePrimaryCtxRelease_v2",
    "nvrtcDestroyProgram",
    // The graph stays with the driver.
    "cuStreamEndCapture",
    // Without a context nothing can be given back.
    "cuCtxGetCurrent",
];

/// What may fail unseen. A patch that is refused is a graph that is built anew; a question whether something is over is asked again; where
/// a free cannot be put behind its uses, it waits for them.
const GOES_ON: &[&str] = &["cuGraphExecNodeSetParams", "cuEventQuery", "cuEventRecord", "cuStreamWaitEvent"];

#[test]
fn a_call_that_fails_in_a_graph_with_a_loop() {
    child(|stand_in| every_call_fails(&device(stand_in, 13000), stand_in, &["jacobi", "inner_loops", "rebound_whole"]));
}

#[test]
fn a_call_that_fails_in_a_graph_with_branches() {
    child(|stand_in| every_call_fails(&device(stand_in, 13000), stand_in, &["if_else", "match_arms", "assertions"]));
}

#[test]
fn a_call_that_fails_in_a_graph_with_copies_and_memory_of_its_own() {
    child(|stand_in| {
        every_call_fails(
            &device(stand_in, 13000),
            stand_in,
            &["copies", "pinned", "statics", "pinned_statics", "tables"],
        );
    });
}

#[test]
fn a_call_that_fails_in_a_graph_with_captures_events_and_switches() {
    child(|stand_in| {
        every_call_fails(
            &device(stand_in, 13000),
            stand_in,
            &["captures", "events", "overlap", "attributes", "switches"],
        );
    });
}

#[test]
fn a_call_that_fails_where_nodes_are_launched_one_by_one() {
    child(|stand_in| {
        every_call_fails(&device(stand_in, 12030), stand_in, &["jacobi", "if_else", "captures", "switches", "events"]);
    });
}

#[test]
fn a_call_that_fails_on_a_device_without_pools() {
    child(|stand_in| {
        let pools = 115;
        let device = configured(stand_in, &Config { attributes: [(pools, 0)].into(), ..Config::default() });
        every_call_fails(&device, stand_in, &["jacobi", "tables", "statics", "overlap"]);
    });
}

/// A driver that is newer than the bindings knows codes that they do not: a number is told, and what can be done with it (rule R010).
#[test]
fn a_code_that_nobody_knows_is_told_as_a_number() {
    child(|stand_in| {
        std::panic::set_hook(Box::new(|_| {}));
        let device = device(stand_in, 13000);
        // Not `captures`: what its closure puts into its stream is called through the bindings.
        for (name, pipeline) in pipelines().filter(|(name, _)| ["jacobi", "if_else", "pinned"].contains(name)) {
            let once = |faults: &[Fault]| {
                stand_in.forget().unwrap();
                stand_in.fail(faults).unwrap();
                let ran = run(&device, *pipeline);
                stand_in.fail(&[]).unwrap();
                let report = stand_in.calls().unwrap();
                settle(&device);
                (ran, report)
            };
            let _loaded = once(&[]);
            let (_, clean) = once(&[]);
            let count = clean.calls.len() as u64;
            for index in (0..count).step_by((count / 100) as usize | 1) {
                let (ran, report) = once(&[Fault { function: None, index, code: 12345, ..Fault::default() }]);
                let function = report.calls.iter().find(|call| call.injected).map(|call| &call.function);
                let Some(function) = function else { continue };
                let unseen = GIVES_BACK.contains(&function.as_str()) || GOES_ON.contains(&function.as_str());
                let told = match ran.unwrap_or_else(|_| panic!("{name}, {function} panics")) {
                    Ok(()) => {
                        assert!(unseen, "{name}, {function}: nobody notices");
                        continue;
                    }
                    Err(error) => error.to_string(),
                };
                let parts = ["unknown CUDA error (12345): the driver has no words for it, while ", "\nhelp: "];
                assert!(parts.iter().all(|part| told.contains(part)), "{name}, {function}: {told}");
            }
        }
        drop(std::panic::take_hook());
    });
}

/// The same of NVRTC, whose words do not tell one code from another.
#[test]
fn a_code_of_the_compiler_that_nobody_knows_is_told_as_a_number() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        stand_in
            .fail(&[Fault {
                function: Some("nvrtcCompileProgram".to_owned()),
                index: 0,
                code: 12345,
                ..Fault::default()
            }])
            .unwrap();
        let (_, pipeline) = pipelines().find(|(name, _)| *name == "jacobi").unwrap();
        let error = run(&device, *pipeline).unwrap().unwrap_err().to_string();
        assert!(error.contains("kernel file `kernels/") && error.contains("NVRTC_ERROR unknown (12345)"), "{error}");
    });
}

/// Nor are streams that closures are given asked for through the bindings.
#[test]
fn a_code_that_nobody_knows_for_the_stream_of_a_capture_is_told_as_a_number() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        let (_, pipeline) = pipelines().find(|(name, _)| *name == "captures").unwrap();
        stand_in
            .fail(&[Fault { function: Some("cuStreamCreate".to_owned()), index: 1, code: 12345, lasting: false }])
            .unwrap();
        let error = run(&device, *pipeline).unwrap().unwrap_err().to_string();
        assert!(
            error.contains("unknown CUDA error (12345)") && error.contains("making a stream to capture"),
            "{error}"
        );
        stand_in.fail(&[]).unwrap();
        run(&device, *pipeline).unwrap().unwrap();
    });
}

/// The same of the libraries of captured calls, when they are opened, asked and called.
#[test]
fn a_status_of_a_library_that_nobody_knows_is_told_as_a_number() {
    const CALLS: &[(&str, &str, &str)] = &[
        ("products", "cublasCreate_v2", "cuBLAS"),
        ("products", "cublasSetStream_v2", "cuBLAS"),
        ("products", "cublasSetWorkspace_v2", "cuBLAS"),
        ("products", "cublasGemmEx", "cuBLAS"),
        ("triangles", "cusolverDnCreate", "cuSOLVER"),
        ("triangles", "cusolverDnDpotrf", "cuSOLVER"),
        ("transforms", "cufftCreate", "cuFFT"),
        ("transforms", "cufftMakePlanMany", "cuFFT"),
        ("transforms", "cufftSetWorkArea", "cuFFT"),
    ];
    child(|stand_in| {
        let device = device(stand_in, 13000);
        for (name, function, library) in CALLS {
            let (_, pipeline) = pipelines().find(|(known, _)| known == name).unwrap();
            for (code, word) in [(12345, "12345, which this crate has no name for"), (3, " (3)")] {
                stand_in
                    .fail(&[Fault { function: Some((*function).to_owned()), index: 0, code, lasting: false }])
                    .unwrap();
                let error = run(&device, *pipeline).unwrap().unwrap_err().to_string();
                let part = format!("{library} answers ");
                assert!(error.contains(&part) && error.contains(word), "{name}, {function}: {error}");
                println!("{error}\n");
            }
            stand_in.fail(&[]).unwrap();
            run(&device, *pipeline).unwrap().unwrap();
            settle(&device);
        }
        let left: BTreeSet<String> = live(stand_in).into_iter().collect();
        assert_eq!(left, ["context", "module", "stream"].map(str::to_owned).into());
    });
}

/// A library that is there, and is not whole.
#[test]
fn a_library_that_lacks_a_function_is_an_error() {
    lacking(&["cublasGemmEx"], |stand_in| {
        let device = device(stand_in, 13000);
        let (_, pipeline) = pipelines().find(|(name, _)| *name == "products").unwrap();
        let error = run(&device, *pipeline).unwrap().unwrap_err().to_string();
        assert!(error.starts_with("the library cuBLAS that was found lacks `cublasGemmEx`\nhelp: "), "{error}");
    });
}

/// Of instantiating: a reason that the bindings have no name for.
#[test]
fn a_reason_that_nobody_knows_leaves_the_code_and_the_graph() {
    child(|stand_in| {
        let device = configured(stand_in, &Config { instantiate_result: Some(77), ..Config::default() });
        let (_, pipeline) = pipelines().find(|(name, _)| *name == "jacobi").unwrap();
        let error = run(&device, *pipeline).unwrap().unwrap_err().to_string();
        assert!(error.contains("CUDA_ERROR_INVALID_VALUE (1): ") && error.contains("instantiating graph `"), "{error}");
        assert!(error.contains(": for reason 77, which is newer than this crate"), "{error}");
    });
}

/// The most calls of a pipeline that fail, and a few: those of a longer one are skipped evenly.
const MOST: u64 = 300;

/// In these, calls of the driver are also made by the pipeline itself, or an error is expected.
const OWN_CALLS: &str = "captures";
const OWN_ERRORS: &str = "assertions";

/// Runs pipelines once for each of their calls, which fails.
fn every_call_fails(device: &Device, stand_in: &StandIn, names: &[&str]) {
    // What panics is told below.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (name, pipeline) in pipelines().filter(|(name, _)| names.contains(name)) {
        let once = |faults: &[Fault]| {
            stand_in.forget().unwrap();
            stand_in.fail(faults).unwrap();
            let ran = run(device, *pipeline);
            stand_in.fail(&[]).unwrap();
            let report = stand_in.calls().unwrap();
            settle(device);
            (ran, report, stand_in.calls().unwrap())
        };
        // The first time, modules are loaded that are kept.
        let _loaded = once(&[]);
        let (_, clean, after) = once(&[]);
        let mut kept = kinds(&after);
        let count = clean.calls.len() as u64;
        // An odd step meets each code at every place.
        for index in (0..count).step_by((count / MOST) as usize | 1) {
            let code = &CODES[index as usize % 2];
            let (ran, report, after) = once(&[Fault { function: None, index, code: code.number, ..Fault::default() }]);
            let Some(call) = report.calls.iter().find(|call| call.injected) else { continue };
            tried += 1;
            let told = match ran {
                Ok(Ok(())) if *name == OWN_ERRORS => None,
                Ok(Err(error)) if *name == OWN_CALLS && error.to_string().contains(code.name) => None,
                ran => judged(&call.function, ran, code),
            };
            let told = told.or_else(|| leaked(&call.function, &kept, &after));
            let at = format!("{name}, call {index}, {} answers {}", call.function, code.name);
            wrong.extend(told.map(|told| format!("{at}: {told}")));
            kept = kinds(&after);
        }
        println!("{name}: {} calls", clean.calls.len());
    }
    drop(std::panic::take_hook());
    println!("{tried} faults");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with what came of a fault.
fn judged(function: &str, ran: std::thread::Result<Result<()>>, code: &Code) -> Option<String> {
    let error = match ran {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            return Some(format!(
                "panic: {:?}",
                text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            ));
        }
        Ok(Ok(())) => {
            let asks = ["cuFuncGetParamInfo", "cuDeviceGetAttribute"].contains(&function) && code.number == 1;
            let goes_on = asks
                || function != "cuStreamEndCapture" && GIVES_BACK.contains(&function)
                || GOES_ON.contains(&function);
            return (!goes_on).then(|| "nobody notices".to_owned());
        }
        Ok(Err(error)) => error.to_string(),
    };
    let parts: &[&str] = match function {
        _ if function.starts_with("nvrtc") => &["kernel file `kernels/", ".rs:", "NVRTC"],
        // The end of the parameters is told by this code.
        "cuFuncGetParamInfo" if code.number == 1 => &["parameter", ".rs:", "help: "],
        "cuGraphAddNode_v2" | "cuGraphConditionalHandleCreate" | "cuGraphKernelNodeSetAttribute" => {
            &[code.name, code.meaning, "help: ", "at node `", ".rs:"]
        }
        _ => &[code.name, code.meaning, "help: "],
    };
    let fills =
        ["cuMemAllocAsync", "cuMemAlloc_v2", "cuMemHostAlloc", "cuGraphInstantiateWithParams"].contains(&function);
    let full = fills && code.number == 2;
    let figures = [" of the device's ", " are free"].iter().filter(|_| full);
    let missing: Vec<&&str> = parts.iter().chain(figures).filter(|part| !error.contains(**part)).collect();
    (!missing.is_empty()).then(|| format!("the error lacks {missing:?}: {error}"))
}

/// What is left behind, or which rule is broken on the way.
fn leaked(function: &str, kept: &[String], after: &Report) -> Option<String> {
    // What is left of a graph or of a capture that could not be given back outlives what it names.
    let left_over = ["cuGraphExecDestroy", "cuStreamEndCapture"].contains(&function);
    let excused = |violation: &&Violation| left_over && ["R059", "R275"].contains(&violation.rule.as_str());
    if let Some(violation) = after.violations.iter().find(|violation| !excused(violation)) {
        return Some(format!("{violation:?}"));
    }
    let left = kinds(after);
    let excused = GIVES_BACK.contains(&function) && left.len() <= kept.len() + 1;
    let more: Vec<&String> = left.iter().filter(|kind| count(&left, kind) > count(kept, kind)).collect();
    (left != kept && !excused).then(|| format!("left {more:?}"))
}

fn count(kinds: &[String], kind: &str) -> usize {
    kinds.iter().filter(|known| *known == kind).count()
}

fn kinds(report: &Report) -> Vec<String> {
    report.live.iter().map(|live| live.kind.clone()).collect()
}

/// The first calls of a process open the device, and compile and load what later builds find: a process for each fault. What failed can
/// be done again.
#[test]
fn a_call_that_fails_the_first_time_is_an_error_and_can_be_made_again() {
    let here = || {};
    if let Some(text) = given() {
        return first_calls(&StandIn::attach().unwrap(), &text);
    }
    let folder = Folder::new().unwrap();
    let told = again(&folder, &here, "count").unwrap();
    let count: usize = told.lines().find_map(|line| line.strip_prefix("calls: ")?.parse().ok()).unwrap();
    let wrong: Vec<String> = (0..count).filter_map(|index| again(&folder, &here, &index.to_string()).err()).collect();
    println!("{count} faults");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn first_calls(stand_in: &StandIn, text: &str) {
    let (_, pipeline) = pipelines().find(|(name, _)| *name == "jacobi").unwrap();
    let whole = || {
        let device = Device::cuda(0)?;
        run(&device, *pipeline).unwrap_or_else(|_| panic!("the pipeline panics"))
    };
    let Ok(index) = text.parse::<u64>() else {
        whole().unwrap();
        println!("\ncalls: {}", stand_in.calls().unwrap().calls.len());
        return;
    };
    let code = &CODES[index as usize % 2];
    stand_in.fail(&[Fault { function: None, index, code: code.number, ..Fault::default() }]).unwrap();
    let first = whole();
    stand_in.fail(&[]).unwrap();
    let report = stand_in.calls().unwrap();
    let Some(call) = report.calls.iter().find(|call| call.injected) else { return };
    if let Some(told) = judged(&call.function, Ok(first), code) {
        panic!("{} answers {}: {told}", call.function, code.name);
    }
    whole().unwrap();
    settle(&Device::cuda(0).unwrap());
    let report = stand_in.calls().unwrap();
    assert!(report.violations.is_empty(), "{}: {:#?}", call.function, report.violations);
}
