//! Random graphs of kernels in the block over a few transients, as data that no macro has made, against plain Rust bit by bit.
//!
//! Some transients stay in registers, some do not: they are read at other indices, or stored only where a condition holds, or read again
//! far behind. Halves among them are rounded as if they had been stored.

use std::cell::RefCell;

use graph_ir::model::{
    Axis, BinaryOperator, BufferId, Compute, Expression, Index, Local, Mode, NodeKind, Place, Program as Model,
    ScalarType, Statement,
};
use graph_ir::testing::bodies::Choices;
use graph_ir::testing::{Builder, number, overwrite, read, update};
use graph_runtime::__private::{BindMut, BindRead, ElementLayout, Elements, Ghost, KernelDeclaration, Program, Sink};
use graph_runtime::Graph;
use graph_runtime::prelude::*;
use half::f16;

thread_local! {
    /// The element types of the graph that is being built.
    static LAYOUTS: RefCell<Vec<ElementLayout>> = const { RefCell::new(Vec::new()) };
}

/// `x` and `h` are read; `y` and `z` are kept from launch to launch; transients follow.
const PARAMETERS: usize = 4;

/// The input from which on `h` and `z`, and some transients, are halves.
const H: usize = 1;
const Z: usize = 3;

/// Which buffers hold halves, and what is done with them.
#[derive(Clone, Debug)]
pub struct Chain {
    length: usize,
    halves: Vec<bool>,
    steps: Vec<Step>,
}

/// `target[i] = value`, one kernel.
#[derive(Clone, Debug)]
struct Step {
    target: usize,
    /// Each with whether it is read from the end.
    inputs: Vec<(usize, bool)>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Plain,
    /// One more where the first input is negative.
    Branch,
    /// Only where the first input is negative.
    Only,
}

impl Chain {
    /// What these bytes decide.
    pub fn new(bytes: &[u8]) -> Self {
        let mut choices = Choices::new(bytes);
        let length = choices.pick(&[1, 5, 64, 1037]);
        let transients = 2 + choices.below(6) as usize;
        let mut halves = vec![false, true, false, true];
        halves.extend((0..transients).map(|_| choices.once_in(3)));
        let (mut known, mut steps) = (vec![0, 1, 2, 3], Vec::new());
        for number in 0..transients + 3 + choices.below(6) as usize {
            let fresh = PARAMETERS + number;
            let last = number >= transients;
            let target = if last { choices.pick(&known[2..]) } else { fresh };
            let inputs = (0..=choices.below(3)).filter_map(|at| {
                // The newest ones as a rule.
                let recent = known.len() - 1 - choices.below(known.len().min(3) as u64) as usize;
                let input = if at == 0 { known[recent] } else { choices.pick(&known) };
                (input != target).then_some((input, choices.once_in(12)))
            });
            let inputs: Vec<_> = inputs.collect();
            let form = match choices.below(6) {
                0 if last && !inputs.is_empty() => Form::Only,
                1 | 2 if !inputs.is_empty() => Form::Branch,
                _ => Form::Plain,
            };
            steps.push(Step { target, inputs, form });
            if !last {
                known.push(fresh);
            }
        }
        // Somebody looks at what there is at the end.
        let newest = known[known.len() - 1];
        steps.push(Step { target: 2, inputs: vec![(newest, false)], form: Form::Plain });
        Self { length, halves, steps }
    }

    fn scalar(&self, buffer: usize) -> ScalarType {
        if self.halves[buffer] { ScalarType::F16 } else { ScalarType::F32 }
    }

    fn model(&self) -> Model {
        let mut block = Builder::new("Chain");
        for (name, mode) in [("x", Mode::Read), ("h", Mode::Read), ("y", Mode::Update), ("z", Mode::Update)] {
            block.parameter(name, mode, number(self.length as u64));
        }
        for transient in PARAMETERS..self.halves.len() {
            block.transient(&format!("t{}", transient - PARAMETERS), number(self.length as u64));
        }
        for (at, step) in self.steps.iter().enumerate() {
            let target = BufferId(step.target as u32);
            let target = if step.form == Form::Only { update(target) } else { overwrite(target) };
            let inputs = step.inputs.iter().map(|(input, _)| read(BufferId(*input as u32)));
            let uses: Vec<_> = std::iter::once(target).chain(inputs).collect();
            block.node(&format!("k{at}"), NodeKind::Compute(step.compute(self.length).into()), &uses);
        }
        block.finish()
    }

    /// What a launch makes of the buffers.
    fn interpret(&self, buffers: &mut [Vec<f32>]) {
        for step in &self.steps {
            for i in 0..self.length {
                let value = |at: usize| {
                    let (input, turned) = step.inputs[at];
                    buffers[input][if turned { self.length - 1 - i } else { i }]
                };
                let Some(value) = step.value(value) else { continue };
                let stored = if self.halves[step.target] { f16::from_f32(value).to_f32() } else { value };
                buffers[step.target][i] = stored;
            }
        }
    }
}

impl Step {
    /// What is stored, if anything is.
    fn value(&self, input: impl Fn(usize) -> f32) -> Option<f32> {
        let sum = (0..self.inputs.len()).fold(0.75, |sum, at| sum * 0.5 + input(at));
        match self.form {
            Form::Branch if input(0) < 0.0 => Some(sum + 1.0),
            Form::Plain | Form::Branch => Some(sum),
            Form::Only => (input(0) < 0.0).then_some(sum),
        }
    }

    /// The same as data.
    fn compute(&self, length: usize) -> Compute {
        let float = |text: &str| Expression::Literal { text: text.to_owned(), suffix: Some(ScalarType::F32) };
        let whole = |number: usize| Expression::Literal { text: number.to_string(), suffix: None };
        let binary =
            |operator, left, right| Expression::Binary { operator, left: Box::new(left), right: Box::new(right) };
        let load = |at: usize| {
            let own = Expression::Local(0);
            let turned = self.inputs[at].1;
            let coordinate = if turned { binary(BinaryOperator::Sub, whole(length - 1), own) } else { own };
            Expression::Load { access: at as u32 + 1, index: Box::new(index(coordinate)) }
        };
        let sum = (0..self.inputs.len()).fold(float("0.75"), |sum, at| {
            binary(BinaryOperator::Add, binary(BinaryOperator::Mul, sum, float("0.5")), load(at))
        });
        let store = |value| Statement::Store { access: 0, index: index(Expression::Local(0)), value };
        let negative = || binary(BinaryOperator::Lt, load(0), float("0.0"));
        let more = binary(BinaryOperator::Add, sum.clone(), float("1.0"));
        let body = match self.form {
            Form::Plain => store(sum),
            Form::Branch => {
                Statement::If { condition: negative(), then: vec![store(more)], otherwise: vec![store(sum)] }
            }
            Form::Only => Statement::If { condition: negative(), then: vec![store(sum)], otherwise: Vec::new() },
        };
        let axes = vec![Axis { local: 0, start: whole(0), end: whole(length) }];
        let locals = vec![Local { name: "i".to_owned(), scalar: None }];
        Compute { axes, locals, body: vec![body], reduction: None }
    }
}

fn index(coordinate: Expression) -> Index {
    Index { coordinates: vec![coordinate], proved: true, place: Place(0) }
}

/// The program of a chain.
enum Body {}

// SAFETY: there are no kernels of the user's, and no encoded program.
unsafe impl Program for Body {
    type Values = Chain;
    const DATA: &'static [u8] = &[];

    fn elements() -> Vec<ElementLayout> {
        LAYOUTS.with_borrow(Clone::clone)
    }

    fn kernels() -> Vec<&'static KernelDeclaration> {
        Vec::new()
    }

    fn evaluate(chain: &Chain, sink: &mut Sink) {
        let (single, half) = (sink.parameter::<f32>(0), sink.parameter::<f16>(H as u32));
        for (node, step) in (0..).zip(&chain.steps) {
            let (step, halves, length) = (step.clone(), chain.halves.clone(), chain.length);
            sink.kernel_for(node, 0..length, move |elements: &Elements<'_>, i| {
                let input = |at: usize| {
                    let (input, turned) = step.inputs[at];
                    let i = if turned { length - 1 - i } else { i };
                    load(halves[input], (single, half), elements, at as u32 + 1, i)
                };
                match step.value(input) {
                    Some(value) if halves[step.target] => half.store(elements, 0, i, value),
                    Some(value) => single.store(elements, 0, i, value),
                    None => {}
                }
            });
        }
    }
}

fn load(
    is_half: bool,
    (single, half): (Ghost<f32>, Ghost<f16>),
    elements: &Elements<'_>,
    access: u32,
    i: usize,
) -> f32 {
    if is_half { half.load(elements, access, i) } else { single.load(elements, access, i) }
}

fn filled(buffer: usize, length: usize) -> Vec<f32> {
    (0..length).map(|i| ((i * 37 + buffer * 11) % 64) as f32 / 31.0 - 1.0).collect()
}

/// Runs a chain three times: twice as planned, once node by node. Says how many transients stay in registers. A kernel's value is computed by the
/// same function on the CPU, where order, memory and the plan are what is compared.
///
/// # Errors
/// If the graph cannot be built or launched.
pub fn run(device: &Device, chain: &Chain) -> Result<u64> {
    let layout = |buffer: usize| match chain.scalar(buffer) {
        ScalarType::F16 => ElementLayout::of::<f16>(),
        _ => ElementLayout::of::<f32>(),
    };
    LAYOUTS.set((0..chain.halves.len()).map(layout).collect());
    let mut expected: Vec<Vec<f32>> = (0..chain.halves.len()).map(|buffer| filled(buffer, chain.length)).collect();
    for (values, _) in expected.iter_mut().zip(&chain.halves).filter(|(_, is_half)| **is_half) {
        values.iter_mut().for_each(|value| *value = f16::from_f32(*value).to_f32());
    }
    let halves = |values: &[f32]| values.iter().map(|value| f16::from_f32(*value)).collect::<Vec<_>>();
    let bindings = vec![
        BindRead::<f32>::bind(device.buffer_from(&expected[0])?),
        BindRead::<f16>::bind(device.buffer_from(&halves(&expected[H]))?),
        BindMut::<f32>::bind(device.buffer_from(&expected[2])?),
        BindMut::<f16>::bind(device.buffer_from(&halves(&expected[Z]))?),
    ];
    // SAFETY: each access covers what the body touches of its buffer, and no two indices touch what one of them writes.
    let mut graph = unsafe { Graph::<Body>::build_model(device, chain.model(), chain.clone(), bindings) }?;
    let data = graph.plan().data();
    let kept = data.passes.iter().find(|pass| pass.name == "registers").map_or(0, |pass| pass.count);
    for launch in 0..3 {
        if launch > 0 {
            // What the launch before has left is not what this one leaves.
            for kept in [2, Z] {
                expected[kept].iter_mut().for_each(|value| *value = -*value);
            }
            graph.view_mut::<f32>(2)?.write_from(&expected[2])?;
            graph.view_mut::<f16>(Z as u32)?.write_from(&halves(&expected[Z]))?;
        }
        let launched = if launch == 1 { graph.run_eager() } else { graph.launch() };
        launched?;
        chain.interpret(&mut expected);
        let y = graph.view::<f32>(2).to_vec()?;
        let z: Vec<f32> = graph.view::<f16>(Z as u32).to_vec()?.into_iter().map(f16::to_f32).collect();
        let same = |found: &[f32], expected: &[f32]| {
            found.iter().map(|value| value.to_bits()).eq(expected.iter().map(|value| value.to_bits()))
        };
        assert!(same(&y, &expected[2]) && same(&z, &expected[Z]), "launch {launch}: {chain:?}\n{}", graph.plan());
    }
    Ok(kept)
}
