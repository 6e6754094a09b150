//! The stand-in refuses what CUDA refuses: each call here breaks one rule, and has the driver's answer.

use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUfunction, CUgraph, CUgraphEdgeData, CUgraphExec, CUgraphNode, CUmodule, CUstream};
use cudarc::driver::{CudaContext, CudaStream};
use stand_in_driver::{Config, StandIn};

use crate::child::child;

const TEXT: &[u8] =
    b".version 8.0\n.target sm_80\n.address_size 64\n.entry one(.param .u64 a) .maxntid 64, 1, 1 { ret; }\0";
const OK: u32 = 0;
const INVALID_VALUE: u32 = 1;
const INVALID_CONTEXT: u32 = 201;
const INVALID_HANDLE: u32 = 400;
const NOT_SUPPORTED: u32 = 801;

/// `CUgraphNodeParams` by words.
type Words = [u64; 32];

/// A graph under construction, by the driver's own calls.
struct Raw {
    context: Arc<CudaContext>,
    graph: CUgraph,
    module: CUmodule,
    function: CUfunction,
}

impl Raw {
    fn new(stand_in: &StandIn, version: i32) -> Self {
        stand_in.configure(&Config { version, ..Config::default() }).unwrap();
        let context = CudaContext::new(0).unwrap();
        let (mut module, mut function): (CUmodule, CUfunction) = (null_mut(), null_mut());
        // SAFETY: the text ends with NUL, and the places are valid.
        unsafe {
            assert_eq!(sys::cuModuleLoadData(&raw mut module, TEXT.as_ptr().cast()) as u32, OK);
            assert_eq!(sys::cuModuleGetFunction(&raw mut function, module, c"one".as_ptr()) as u32, OK);
        }
        Self { context, graph: graph(0).1, module, function }
    }

    /// A launch with this word as its argument.
    fn launch(&self, argument: u64, block: u64) -> (Words, Box<[u64; 2]>) {
        let mut arguments = Box::new([argument, 0]);
        arguments[1] = (&raw const arguments[0]) as u64;
        let mut words = [0; 32];
        words[2] = self.function as u64;
        (words[3], words[4], words[5]) = (1 | 1 << 32, 1 | block << 32, 1 | 1 << 32);
        words[7] = (&raw const arguments[1]) as u64;
        (words, arguments)
    }

    /// A kernel node behind others.
    fn kernel(&self, graph: CUgraph, argument: u64, after: &[CUgraphNode]) -> CUgraphNode {
        let (mut words, _arguments) = self.launch(argument, 32);
        let (answer, node) = add(graph, after, None, &mut words);
        assert_eq!(answer, OK);
        node
    }

    fn handle(&self, graph: CUgraph) -> u64 {
        let mut handle = 0;
        // SAFETY: the graph lives, and the place is valid.
        let made = unsafe { sys::cuGraphConditionalHandleCreate(&raw mut handle, graph, self.context.cu_ctx(), 0, 1) };
        assert_eq!(made as u32, OK);
        handle
    }

    /// A conditional of a kind with so many bodies.
    fn conditional(&self, handle: u64, kind: u64, bodies: u64) -> Words {
        let mut words = [0; 32];
        (words[0], words[2], words[3], words[5]) = (13, handle, kind | bodies << 32, self.context.cu_ctx() as u64);
        words
    }

    /// A `while` behind a launch that sets its handle, with its body.
    fn looped(&self) -> (CUgraphNode, CUgraph) {
        let handle = self.handle(self.graph);
        let setter = self.kernel(self.graph, handle, &[]);
        let mut words = self.conditional(handle, 1, 1);
        let (answer, node) = add(self.graph, &[setter], None, &mut words);
        assert_eq!(answer, OK);
        // SAFETY: the driver has written where the one body is.
        let body = unsafe { *(words[4] as *const CUgraph) };
        self.kernel(body, handle, &[]);
        (node, body)
    }

    fn copy(&self, [to, from]: [u64; 2], [to_type, from_type]: [u64; 2], bytes: u64) -> Words {
        let mut words = [0; 32];
        (words[0], words[3]) = (1, self.context.cu_ctx() as u64);
        (words[8], words[19]) = (from_type, to_type);
        words[if from_type == 1 { 9 } else { 10 }] = from;
        words[if to_type == 1 { 20 } else { 21 }] = to;
        (words[26], words[27], words[28]) = (bytes, 1, 1);
        words
    }
}

fn graph(flags: u32) -> (u32, CUgraph) {
    let mut graph = null_mut();
    // SAFETY: the place is valid.
    (unsafe { sys::cuGraphCreate(&raw mut graph, flags) } as u32, graph)
}

fn add(
    graph: CUgraph,
    after: &[CUgraphNode],
    data: Option<&[CUgraphEdgeData]>,
    words: &mut Words,
) -> (u32, CUgraphNode) {
    let (mut node, data) = (null_mut(), data.map_or(std::ptr::null(), <[_]>::as_ptr));
    let words = words.as_mut_ptr().cast();
    // SAFETY: the words are 256 bytes that say what the node is; what is wrong with them is what a test is about.
    let added = unsafe { sys::cuGraphAddNode_v2(&raw mut node, graph, after.as_ptr(), data, after.len(), words) };
    (added as u32, node)
}

/// Instantiates; also says which node is at fault.
fn instantiate(graph: CUgraph) -> (u32, CUgraphExec, CUgraphNode) {
    let (mut exec, mut words) = (null_mut(), [0_u64; 4]);
    // SAFETY: the words are the parameters, without flags.
    let made = unsafe { sys::cuGraphInstantiateWithParams(&raw mut exec, graph, words.as_mut_ptr().cast()) };
    (made as u32, exec, words[2] as CUgraphNode)
}

fn allocate(bytes: usize) -> u64 {
    let mut address = 0;
    // SAFETY: the place is valid.
    assert_eq!(unsafe { sys::cuMemAlloc_v2(&raw mut address, bytes) } as u32, OK);
    address
}

fn launch(exec: CUgraphExec, stream: &CudaStream) -> u32 {
    // SAFETY: both live, or the test is about that.
    unsafe { sys::cuGraphLaunch(exec, stream.cu_stream() as CUstream) as u32 }
}

/// The rules that were broken since this was last asked.
fn broken(stand_in: &StandIn) -> Vec<String> {
    let violations = stand_in.calls().unwrap().violations;
    stand_in.forget().unwrap();
    violations.into_iter().map(|violation| violation.rule).collect()
}

#[test]
fn nodes_and_edges() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let (other, first) = (graph(0).1, raw.kernel(raw.graph, 0, &[]));
        let elsewhere = raw.kernel(other, 0, &[]);
        assert_eq!((graph(1).0, broken(stand_in)), (INVALID_VALUE, vec!["R020".to_owned()]));
        let (mut words, _arguments) = raw.launch(0, 32);
        let edge = |from_port, to_port, type_| CUgraphEdgeData { from_port, to_port, type_, reserved: [0; 5] };
        let mut wrong = |after: &[CUgraphNode], data: Option<&[CUgraphEdgeData]>| {
            (add(raw.graph, after, data, &mut words).0, broken(stand_in).join(" "))
        };
        assert_eq!(wrong(&[first, first], None), (INVALID_VALUE, "R021".to_owned()));
        assert_eq!(wrong(&[elsewhere], None), (INVALID_VALUE, "R022".to_owned()));
        assert_eq!(wrong(&[first], Some(&[edge(0, 1, 0)])), (INVALID_VALUE, "R025".to_owned()));
        assert_eq!(wrong(&[first], Some(&[edge(3, 0, 1)])), (INVALID_VALUE, "R026".to_owned()));
        assert_eq!(wrong(&[first], Some(&[edge(1, 0, 0)])), (INVALID_VALUE, "R027".to_owned()));
        assert_eq!(wrong(&[first], Some(&[edge(1, 0, 1)])), (OK, "R029".to_owned()), "it never waits");
        let mut empty: Words = [0; 32];
        empty[0] = 5;
        assert_eq!(add(raw.graph, &[first], Some(&[edge(1, 0, 1)]), &mut empty).0, INVALID_VALUE);
        assert_eq!(broken(stand_in), ["R027"]);
        empty[9] = 1;
        assert_eq!(
            (add(raw.graph, &[], None, &mut empty).0, broken(stand_in)),
            (INVALID_VALUE, vec!["R011".to_owned()])
        );
        assert_eq!((wrong(&[first], None), stand_in.report().unwrap().violations.len()), ((OK, String::new()), 0));
    });
}

#[test]
fn launches() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let wrong = |words: &mut Words| (add(raw.graph, &[], None, words).0, broken(stand_in).join(" "));
        let (mut words, _arguments) = raw.launch(0, 0);
        assert_eq!(wrong(&mut words), (INVALID_VALUE, "R047".to_owned()));
        let (mut words, _arguments) = raw.launch(0, 65);
        assert_eq!(wrong(&mut words), (701, "R048".to_owned()), "`.maxntid 64`");
        let (mut words, _arguments) = raw.launch(0, 32);
        words[6] = 50_000;
        assert_eq!(wrong(&mut words), (INVALID_VALUE, "R049".to_owned()));
        (words[6], words[7], words[8]) = (0, 0, words[7]);
        assert_eq!(wrong(&mut words), (NOT_SUPPORTED, "R042".to_owned()));
        words[8] = 0;
        assert_eq!(wrong(&mut words), (INVALID_VALUE, "R044".to_owned()));
    });
}

#[test]
fn copies() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let (device, host) = (allocate(64), [0_u8; 64]);
        let ends = [device, host.as_ptr() as u64];
        let wrong = |mut words: Words| (add(raw.graph, &[], None, &mut words).0, broken(stand_in).join(" "));
        assert_eq!(wrong(raw.copy(ends, [2, 1], 64)), (OK, String::new()));
        assert_eq!(wrong(raw.copy(ends, [2, 1], 0)), (INVALID_VALUE, "R074".to_owned()));
        assert_eq!(wrong(raw.copy(ends, [1, 1], 64)), (INVALID_VALUE, "R075".to_owned()));
        assert_eq!(wrong(raw.copy(ends, [2, 1], 65)), (OK, "R078".to_owned()), "CUDA does not look");
        let mut rows = raw.copy(ends, [2, 1], 16);
        (rows[27], rows[13], rows[24]) = (2, 16, 8);
        assert_eq!(wrong(rows), (INVALID_VALUE, "R072".to_owned()));
        let mut flagged = raw.copy(ends, [2, 1], 16);
        flagged[2] = 1;
        assert_eq!(wrong(flagged), (INVALID_VALUE, "R070".to_owned()));
    });
}

#[test]
fn conditionals_and_their_handles() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let handle = raw.handle(raw.graph);
        let wrong =
            |graph: CUgraph, mut words: Words| (add(graph, &[], None, &mut words).0, broken(stand_in).join(" "));
        assert_eq!(wrong(raw.graph, raw.conditional(handle, 1, 2)), (INVALID_VALUE, "R151".to_owned()));
        assert_eq!(wrong(raw.graph, raw.conditional(handle, 0, 0)), (INVALID_VALUE, "R151".to_owned()));
        assert_eq!(wrong(graph(0).1, raw.conditional(handle, 0, 1)), (INVALID_VALUE, "R153".to_owned()));
        assert_eq!((instantiate(raw.graph).0, broken(stand_in)), (INVALID_VALUE, vec!["R155".to_owned()]));
        assert_eq!(wrong(raw.graph, raw.conditional(handle, 1, 1)), (OK, String::new()));
        assert_eq!(wrong(raw.graph, raw.conditional(handle, 0, 1)), (INVALID_VALUE, "R154".to_owned()));
        assert_eq!((instantiate(raw.graph).0, broken(stand_in)), (OK, ["R157", "R160"].map(str::to_owned).to_vec()));
    });
}

#[test]
fn conditionals_of_older_drivers() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 12040);
        let handle = raw.handle(raw.graph);
        let setter = raw.kernel(raw.graph, handle, &[]);
        let wrong = |mut words: Words| (add(raw.graph, &[setter], None, &mut words).0, broken(stand_in).join(" "));
        assert_eq!(wrong(raw.conditional(handle, 0, 2)), (INVALID_VALUE, "R151".to_owned()));
        assert_eq!(wrong(raw.conditional(handle, 2, 1)), (INVALID_VALUE, "R151".to_owned()));
        assert_eq!(wrong(raw.conditional(handle, 0, 1)), (OK, String::new()));
        assert_eq!(
            (instantiate(raw.graph).0, broken(stand_in)),
            (INVALID_VALUE, vec!["R167".to_owned()]),
            "an empty body"
        );
    });
}

#[test]
fn bodies() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let (_, body) = raw.looped();
        // SAFETY: a body lives as long as its node; that it cannot be destroyed is what is tested.
        assert_eq!(unsafe { sys::cuGraphDestroy(body) } as u32, INVALID_VALUE);
        assert_eq!(
            (broken(stand_in), instantiate(body).0, broken(stand_in)),
            (vec!["R166".to_owned()], INVALID_VALUE, vec!["R166".to_owned()])
        );
        let (answer, exec, _) = instantiate(raw.graph);
        assert_eq!((answer, broken(stand_in)), (OK, Vec::new()));
        assert_eq!((instantiate(raw.graph).0, broken(stand_in)), (NOT_SUPPORTED, vec!["R165".to_owned()]));
        let mut child: Words = [0; 32];
        (child[0], child[2]) = (4, raw.graph as u64);
        assert_eq!(
            (add(graph(0).1, &[], None, &mut child).0, broken(stand_in)),
            (NOT_SUPPORTED, vec!["R102".to_owned()])
        );
        // SAFETY: it lives, and is not used any more.
        assert_eq!(unsafe { sys::cuGraphExecDestroy(exec) } as u32, OK);
        let mut host: Words = [0; 32];
        (host[0], host[2]) = (3, 8);
        let (answer, callback) = add(body, &[], None, &mut host);
        let (refused, _, node) = instantiate(raw.graph);
        assert_eq!((answer, refused, node, broken(stand_in)), (OK, INVALID_VALUE, callback, vec!["R161".to_owned()]));
    });
}

#[test]
fn bodies_reach_device_memory_only_and_cooperate_from_12_8_on() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 12040);
        let (_, body) = raw.looped();
        let cooperative = raw.kernel(body, 0, &[]);
        let value: [i32; 16] = [1; 16];
        // SAFETY: the node lives, and the value has 64 bytes; the attribute has the number 2 in every version.
        let set = unsafe {
            let id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
            sys::cuGraphKernelNodeSetAttribute(cooperative, id, value.as_ptr().cast())
        };
        assert_eq!((set as u32, instantiate(raw.graph).0), (OK, INVALID_VALUE));
        assert_eq!(broken(stand_in), ["R163"]);
        let raw = Raw { graph: graph(0).1, ..raw };
        let (_, body) = raw.looped();
        let (device, pageable) = (allocate(64), [0_u8; 64]);
        assert_eq!(add(body, &[], None, &mut raw.copy([device, pageable.as_ptr() as u64], [2, 1], 64)).0, OK);
        assert_eq!((instantiate(raw.graph).0, broken(stand_in)), (INVALID_VALUE, vec!["R164".to_owned()]));
    });
}

#[test]
fn two_bodies_of_an_if_before_13_0() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 12080);
        let handle = raw.handle(raw.graph);
        let setter = raw.kernel(raw.graph, handle, &[]);
        assert_eq!(add(raw.graph, &[setter], None, &mut raw.conditional(handle, 0, 2)).0, OK);
        assert_eq!(broken(stand_in), ["R168"], "the driver takes it and may run it wrongly");
    });
}

#[test]
fn children() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let inner = graph(0).1;
        let embed = |into: CUgraph, child: CUgraph| {
            let mut words: Words = [0; 32];
            (words[0], words[2]) = (4, child as u64);
            (add(into, &[], None, &mut words).0, broken(stand_in).join(" "))
        };
        assert_eq!(embed(raw.graph, inner), (OK, "R105".to_owned()), "the driver crashes at instantiate");
        assert_eq!(embed(inner, inner), (INVALID_VALUE, "R106".to_owned()));
        raw.kernel(inner, 0, &[]);
        assert_eq!(embed(raw.graph, inner), (OK, String::new()));
    });
}

#[test]
fn setters_of_a_handle_take_turns() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let handle = raw.handle(raw.graph);
        let setters = [0; 2].map(|_| raw.kernel(raw.graph, handle, &[]));
        assert_eq!(add(raw.graph, &setters, None, &mut raw.conditional(handle, 0, 1)).0, OK);
        assert_eq!((instantiate(raw.graph).0, broken(stand_in)), (OK, vec!["R158".to_owned()]));
    });
}

#[test]
fn updates() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let (conditional, _) = raw.looped();
        let (to, from) = (allocate(64), allocate(64));
        let (_, copy) = add(raw.graph, &[], None, &mut raw.copy([to, from], [2, 2], 64));
        let (_, exec, _) = instantiate(raw.graph);
        let set = |node: CUgraphNode, mut words: Words| {
            // SAFETY: all live, and the words are 256 bytes.
            let set = unsafe { sys::cuGraphExecNodeSetParams(exec, node, words.as_mut_ptr().cast()) };
            (set as u32, broken(stand_in).join(" "))
        };
        assert_eq!(set(copy, raw.copy([from, to], [2, 2], 32)), (OK, String::new()));
        let host = [0_u8; 64];
        assert_eq!(set(copy, raw.copy([to, host.as_ptr() as u64], [2, 1], 32)), (INVALID_VALUE, "R231".to_owned()));
        assert_eq!(set(copy, raw.conditional(1, 1, 1)), (INVALID_VALUE, "R244".to_owned()));
        assert_eq!(set(conditional, raw.conditional(1, 1, 1)), (INVALID_VALUE, "R239".to_owned()));
        let later = raw.kernel(graph(0).1, 0, &[]);
        assert_eq!(set(later, raw.launch(0, 1).0), (INVALID_VALUE, "R204".to_owned()));
        // SAFETY: both live.
        assert_eq!(unsafe { sys::cuGraphNodeSetEnabled(exec, conditional, 0) } as u32, INVALID_VALUE);
        assert_eq!(broken(stand_in), ["R243"]);
        // SAFETY: it lives; what is called afterwards is refused.
        assert_eq!(unsafe { sys::cuGraphDestroy(raw.graph) } as u32, OK);
        assert_eq!(set(copy, raw.copy([from, to], [2, 2], 32)), (INVALID_HANDLE, "R034".to_owned()));
    });
}

#[test]
fn memory_of_a_pool_is_there_behind_its_allocation() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let [first, other] = [0; 2].map(|_| raw.context.new_stream().unwrap());
        let mut address = 0;
        // SAFETY: the stream lives, and the place is valid.
        assert_eq!(unsafe { sys::cuMemAllocAsync(&raw mut address, 64, first.cu_stream()) } as u32, OK);
        raw.kernel(raw.graph, address, &[]);
        let (_, exec, _) = instantiate(raw.graph);
        assert_eq!((launch(exec, &other), broken(stand_in)), (OK, vec!["R124".to_owned()]));
        other.join(&first).unwrap();
        assert_eq!((launch(exec, &other), broken(stand_in)), (OK, Vec::new()));
        // SAFETY: nothing runs, whatever the stand-in says.
        assert_eq!(unsafe { sys::cuMemFreeAsync(address, first.cu_stream()) } as u32, OK);
        assert_eq!(broken(stand_in), ["R304"], "the other stream may use it");
    });
}

#[test]
fn memory_and_modules_outlive_what_names_them() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        let stream = raw.context.new_stream().unwrap();
        let address = allocate(64);
        raw.kernel(raw.graph, address + 8, &[]);
        let (_, exec, _) = instantiate(raw.graph);
        assert_eq!((launch(exec, &stream), broken(stand_in)), (OK, Vec::new()));
        // SAFETY: nothing runs, whatever the stand-in says.
        assert_eq!(unsafe { sys::cuMemFree_v2(address) } as u32, OK);
        assert_eq!(broken(stand_in), ["R304"], "the launch may run");
        assert_eq!((launch(exec, &stream), broken(stand_in)), (OK, vec!["R304".to_owned()]), "it is gone");
        // SAFETY: as above.
        assert_eq!(unsafe { sys::cuMemFree_v2(address) } as u32, INVALID_HANDLE);
        assert_eq!(broken(stand_in), ["R034"]);
        // SAFETY: as above.
        assert_eq!(unsafe { sys::cuModuleUnload(raw.module) } as u32, OK);
        assert_eq!(broken(stand_in), ["R059"]);
        // SAFETY: it lives.
        assert_eq!(unsafe { sys::cuGraphExecDestroy(exec) } as u32, OK);
        assert_eq!((launch(exec, &stream), broken(stand_in)), (INVALID_HANDLE, vec!["R034".to_owned()]));
    });
}

#[test]
fn contexts_of_two_devices() {
    child(|stand_in| {
        let raw = Raw::new(stand_in, 13000);
        stand_in.configure(&Config { devices: 2, ..Config::default() }).unwrap();
        let stream = raw.context.new_stream().unwrap();
        let other = CudaContext::new(1).unwrap();
        let (mut words, _arguments) = raw.launch(0, 32);
        assert_eq!(add(graph(0).1, &[], None, &mut words).0, INVALID_CONTEXT, "the kernel is the first device's");
        let mut event = null_mut();
        // SAFETY: the place is valid, and both handles are alive.
        let recorded = unsafe {
            assert_eq!(sys::cuEventCreate(&raw mut event, 2) as u32, OK);
            sys::cuEventRecord(event, stream.cu_stream())
        };
        assert_eq!(recorded as u32, INVALID_HANDLE);
        let own = other.new_stream().unwrap();
        raw.context.bind_to_thread().unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { sys::cuEventRecord(event, own.cu_stream()) } as u32, OK);
        assert_eq!(broken(stand_in), ["R210", "R210", "R210"], "the last is put into a stream of the other device");
    });
}
