//! Bodies as data: a program that no macro has made.

use std::cell::RefCell;

use graph_ir::model::{Access, BufferId, Footprint, Mode, NodeKind, Program as Model, Range, ScalarType, SymbolId};
use graph_ir::testing::bodies::{Case, Contents};
use graph_ir::testing::{Builder, read};
use graph_runtime::__private::{
    Axes, AxisRange, BindMut, BindRead, Binding, ElementLayout, Elements, KernelDeclaration, Program, Sink,
};
use graph_runtime::prelude::*;
use graph_runtime::{DeviceKind, Graph};
use half::{bf16, f16};

use super::{Launches, of_bits, words};

thread_local! {
    /// The element types of the case that is being built.
    static LAYOUTS: RefCell<Vec<ElementLayout>> = const { RefCell::new(Vec::new()) };
}

/// Calls a generic function with the type that a scalar names.
macro_rules! with_type {
    ($scalar:expr, $call:ident ( $($argument:expr),* )) => {
        match $scalar {
            ScalarType::U8 | ScalarType::Bool => $call::<u8>($($argument),*),
            ScalarType::I8 => $call::<i8>($($argument),*),
            ScalarType::U16 => $call::<u16>($($argument),*),
            ScalarType::I16 => $call::<i16>($($argument),*),
            ScalarType::U32 => $call::<u32>($($argument),*),
            ScalarType::I32 => $call::<i32>($($argument),*),
            ScalarType::U64 => $call::<u64>($($argument),*),
            ScalarType::I64 => $call::<i64>($($argument),*),
            ScalarType::F32 => $call::<f32>($($argument),*),
            ScalarType::F64 => $call::<f64>($($argument),*),
            ScalarType::F16 => $call::<f16>($($argument),*),
            ScalarType::BF16 => $call::<bf16>($($argument),*),
        }
    };
}

/// Records a reduction whose values have one of these types.
macro_rules! reduce {
    ($sink:ident, $axes:ident, $reduction:ident, $scalar:ident, $($name:ident = $ty:ty),*) => {
        match $scalar {
            $(ScalarType::$name if $reduction.accumulate => {
                $sink.reduce_into(0, $reduction.operator, $axes, |_: &Elements<'_>, ()| <$ty>::default());
            })*
            $(ScalarType::$name => {
                $sink.reduce(0, $reduction.operator, $axes, |_: &Elements<'_>, ()| <$ty>::default());
            })*
            _ => {}
        }
    };
}

/// A kernel in the block.
enum Body {}

// SAFETY: there are no kernels of the user's, and no encoded program.
unsafe impl Program for Body {
    type Values = Case;
    const DATA: &'static [u8] = &[];

    fn elements() -> Vec<ElementLayout> {
        LAYOUTS.with_borrow(Clone::clone)
    }

    fn kernels() -> Vec<&'static KernelDeclaration> {
        Vec::new()
    }

    fn evaluate(case: &Case, sink: &mut Sink) {
        for (symbol, value) in case.hosts.iter().enumerate() {
            with_type!(value.scalar(), host(sink, symbol as u32, value.bits(value.scalar())));
        }
        let axes = Numbers(
            case.axes
                .iter()
                .map(|axis| {
                    let scalar = axis.scalar;
                    AxisRange { start: axis.start, count: axis.count, scalar }
                })
                .collect(),
        );
        match &case.compute.reduction {
            None => sink.kernel_for(0, axes, |_, ()| {}),
            Some(reduction) => {
                let scalar = match case.buffers[case.accesses[0].buffer].scalar {
                    ScalarType::F16 | ScalarType::BF16 => ScalarType::F32,
                    other => other,
                };
                reduce!(
                    sink,
                    axes,
                    reduction,
                    scalar,
                    U8 = u8,
                    I8 = i8,
                    U16 = u16,
                    I16 = i16,
                    U32 = u32,
                    I32 = i32,
                    U64 = u64,
                    I64 = i64,
                    F32 = f32,
                    F64 = f64
                );
            }
        }
    }
}

/// Axes of any types.
#[derive(Clone)]
struct Numbers(Vec<AxisRange>);

impl Axes for Numbers {
    type Index = ();

    fn ranges(&self) -> Vec<AxisRange> {
        self.0.clone()
    }

    fn visit(&self, _: u64, _: u64, _: impl FnMut(())) {}
}

fn host<T: Element + DeviceValue>(sink: &mut Sink, symbol: u32, bits: u64) {
    sink.value::<T>(symbol, of_bits(bits));
}

fn layout<T: Element>() -> ElementLayout {
    ElementLayout::of::<T>()
}

fn model(case: &Case) -> Model {
    let mut block = Builder::new("Body");
    for Contents { name, shape, mode, .. } in &case.buffers {
        let shape: Vec<_> = shape.iter().map(|length| graph_ir::model::Extent::Known(*length)).collect();
        block.parameter(name, *mode, graph_ir::model::Shape::new(&shape));
    }
    for symbol in 0..case.hosts.len() {
        assert_eq!(block.symbol_id(&format!("h{symbol}")), SymbolId(symbol as u32));
    }
    let uses: Vec<_> = case.accesses.iter().map(|access| read(BufferId(access.buffer as u32))).collect();
    let node = block.node("body", NodeKind::Compute(case.compute.clone().into()), &uses);
    let accesses = &mut block.program().nodes[node.0 as usize].accesses;
    for (access, touching) in accesses.iter_mut().zip(&case.accesses) {
        let ranges: Vec<Range> = touching.ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect();
        *access = Access { mode: touching.mode, footprint: Footprint::new(&ranges), ranged: true, ..*access };
    }
    block.finish()
}

pub(super) fn run(device: &Device, mut launches: Launches) -> Result<()> {
    let case = &launches.case;
    let layouts = case.buffers.iter().map(|contents| with_type!(contents.scalar, layout())).collect();
    LAYOUTS.set(layouts);
    let buffers = case.buffers.iter().enumerate();
    let bindings = buffers.map(|(at, contents)| with_type!(contents.scalar, binding(device, &launches, at)));
    let bindings = bindings.collect::<Result<Vec<_>>>()?;
    // SAFETY: each access covers what the body touches of its buffer, and no two indices touch what one of them writes.
    let mut graph = unsafe { Graph::<Body>::build_model(device, model(case), case.clone(), bindings) }?;
    for _ in 0..2 {
        graph.launch()?;
        if matches!(device.kind(), DeviceKind::Cuda(_)) {
            let scalars: Vec<_> = launches.case.buffers.iter().map(|contents| contents.scalar).collect();
            let read = |(at, scalar): (usize, &ScalarType)| with_type!(*scalar, contents(&graph, at));
            let found = scalars.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
            launches.behind(&found);
        }
    }
    graph.synchronize()
}

fn binding<T: Element>(device: &Device, launches: &Launches, number: usize) -> Result<Binding<'static>> {
    let buffer = launches.memory::<T>(device, number)?;
    let mode = launches.case.buffers[number].mode;
    Ok(if mode == Mode::Read { BindRead::<T>::bind(buffer) } else { BindMut::<T>::bind(buffer) })
}

fn contents<T: Element>(graph: &Graph<'_, Body>, number: usize) -> Result<Vec<u64>> {
    graph.view::<T>(number as u32).to_vec().map(words)
}
