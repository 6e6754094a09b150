//! Programs written by hand: a model from the builder, host expressions as a closure, a table of small kernels.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::Arc;

use graph_runtime::__private::{
    Binding, CpuLaunch, ElementLayout, KernelDeclaration, KernelSymbol, Mode, ModuleCode, ModuleSource,
    ParameterDeclaration, ParameterKind, Program, Sink, SourceLocation,
};
use graph_runtime::graph_ir::model::{Argument, HostValue, Node, NodeId, NodeKind, Program as Model};
use graph_runtime::graph_ir::testing::{Builder, Use};
use graph_runtime::{BindMut, BindRead, Device, Graph, Result};

/// What the generated evaluator would be.
pub(crate) type Evaluate = Arc<dyn Fn(&mut Sink) + Send + Sync>;

/// A program with this many buffers, all of `i32`.
pub(crate) enum Case<const BUFFERS: usize> {}

// SAFETY: the CPU functions below touch what their declarations say.
unsafe impl<const BUFFERS: usize> Program for Case<BUFFERS> {
    type Values = Evaluate;
    const DATA: &'static [u8] = &[];

    fn elements() -> Vec<ElementLayout> {
        vec![ElementLayout::of::<i32>(); BUFFERS]
    }

    fn kernels() -> Vec<&'static KernelDeclaration> {
        KERNELS.iter().collect()
    }

    fn evaluate(values: &Evaluate, sink: &mut Sink) {
        values(sink);
    }
}

/// A graph of such a program.
pub(crate) type TestGraph<'g, const BUFFERS: usize> = Graph<'g, Case<BUFFERS>>;

pub(crate) fn build<'g, const BUFFERS: usize>(
    device: &Device,
    model: Model,
    evaluate: impl Fn(&mut Sink) + Send + Sync + 'static,
    bindings: Vec<Binding<'g>>,
) -> Result<TestGraph<'g, BUFFERS>> {
    let evaluate: Evaluate = Arc::new(evaluate);
    // SAFETY: the builder makes whole accesses of whole buffers, and the tests name transients in their scope.
    unsafe { Graph::build_model(device, model, evaluate, bindings) }
}

pub(crate) fn reads<'g>(buffer: impl BindRead<'g, i32>) -> Binding<'g> {
    buffer.bind()
}

pub(crate) fn writes<'g>(buffer: impl BindMut<'g, i32>) -> Binding<'g> {
    buffer.bind()
}

/// `x[i] += by`
pub(crate) const ADD: u32 = 0;
/// `x[i] *= by`
pub(crate) const MULTIPLY: u32 = 1;
/// `to[i] = from[i] + by`
pub(crate) const SHIFT: u32 = 2;
/// `total[0] += from[i]`, atomically
pub(crate) const TALLY: u32 = 3;
/// No CPU body.
pub(crate) const DEVICE_ONLY: u32 = 4;
/// Panics.
pub(crate) const PANIC: u32 = 5;

/// A launch with the accesses as buffer arguments and the values behind them.
pub(crate) fn launch(block: &mut Builder, label: &str, kernel: u32, uses: &[Use], values: &[HostValue]) -> NodeId {
    let id = block.kernel(label, uses);
    let node: &mut Node = &mut block.program().nodes[id.0 as usize];
    if let NodeKind::Kernel(launch) = &mut node.kind {
        launch.kernel = kernel;
        let buffers = (0..uses.len() as u32).map(Argument::Buffer);
        launch.arguments = buffers.chain(values.iter().cloned().map(Argument::Value)).collect();
    }
    id
}

/// A literal.
pub(crate) fn literal(text: &str) -> HostValue {
    HostValue::Literal(text.to_owned())
}

const HERE: SourceLocation = SourceLocation { file: "kernels.rs", line: 1, column: 1 };
static MODULE: ModuleSource =
    ModuleSource { name: "kernels", path: "kernels.ptx", code: ModuleCode::Ptx(""), location: HERE };

const fn buffer(name: &'static str, mode: Mode) -> ParameterDeclaration {
    let element = ElementLayout::of::<i32>;
    let kind = ParameterKind::Buffer { mode, element, length: "n", dimensions: 1, pitched: false };
    ParameterDeclaration { name, kind }
}

const fn value(name: &'static str) -> ParameterDeclaration {
    ParameterDeclaration { name, kind: ParameterKind::Value { layout: ElementLayout::of::<i32> } }
}

const fn kernel(
    name: &'static str,
    parameters: &'static [ParameterDeclaration],
    cpu: Option<fn(&CpuLaunch<'_>)>,
) -> KernelDeclaration {
    KernelDeclaration {
        name,
        symbol: KernelSymbol::Name(name),
        module: &MODULE,
        parameters,
        lengths: all_of_length_n,
        block: None,
        requires: None,
        waits: false,
        waits_first: false,
        early: &[],
        effects: false,
        cpu,
        location: HERE,
    }
}

/// The last value is `n`, the number of elements of every buffer.
fn all_of_length_n(values: &[&[u8]]) -> Result<Vec<u64>, String> {
    let bytes = values.last().ok_or("no `n`")?;
    let n = i32::from_le_bytes((*bytes).try_into().map_err(|_| "`n` is no `i32`")?);
    let n = u64::try_from(n).map_err(|_| format!("`n` is {n}"))?;
    Ok(vec![n; 2])
}

static KERNELS: [KernelDeclaration; 6] = [
    kernel("add", &[buffer("x", Mode::Update), value("by"), value("n")], Some(add)),
    kernel("multiply", &[buffer("x", Mode::Update), value("by"), value("n")], Some(multiply)),
    kernel("shift", &[buffer("from", Mode::Read), buffer("to", Mode::Overwrite), value("by"), value("n")], Some(shift)),
    kernel("tally", &[buffer("from", Mode::Read), buffer("total", Mode::Atomic), value("n")], Some(tally)),
    kernel("device_only", &[buffer("x", Mode::Update), value("n")], None),
    kernel("panic", &[buffer("x", Mode::Update), value("n")], Some(panic)),
];

fn add(launch: &CpuLaunch<'_>) {
    // SAFETY: as declared in `KERNELS`.
    let (x, by) = unsafe { (launch.update::<i32>(0), launch.value::<i32>(1)) };
    for x in x {
        *x = x.wrapping_add(by);
    }
}

fn multiply(launch: &CpuLaunch<'_>) {
    // SAFETY: as declared in `KERNELS`.
    let (x, by) = unsafe { (launch.update::<i32>(0), launch.value::<i32>(1)) };
    for x in x {
        *x = x.wrapping_mul(by);
    }
}

fn shift(launch: &CpuLaunch<'_>) {
    // SAFETY: as declared in `KERNELS`.
    let (from, mut to, by) = unsafe { (launch.read::<i32>(0), launch.out::<i32>(1), launch.value::<i32>(2)) };
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from.wrapping_add(by));
}

fn tally(launch: &CpuLaunch<'_>) {
    // SAFETY: as declared in `KERNELS`.
    let (from, total) = unsafe { (launch.read::<i32>(0), launch.atomic::<i32>(1)) };
    for from in from {
        total.fetch_add(0, *from);
    }
}

#[expect(clippy::panic, reason = "that is what it is for")]
fn panic(_: &CpuLaunch<'_>) {
    panic!("out of cheese");
}
