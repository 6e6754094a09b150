//! What each node does, with its host values in place.

use std::sync::Arc;

use graph_ir::code::Code;
use graph_ir::concrete::FrameId;
use graph_ir::finding::Finding;
use graph_ir::model::{
    Argument, Compute, Dimensions, Expression, Extent, HostValue, Launch, Node, NodeId, NodeKind, Program, ScalarType,
    SymbolId,
};

use super::build::{Tables, internal_finding};
use super::declared::Passed;
use super::{ComputeStep, DeviceExpression, HostValues, KernelStep, Origins, Step, StepArgument, literal};
use crate::compute::ComputeKind;
use crate::element::ElementLayout;
use crate::kernel::ParameterKind;
use crate::program::{Bytes, Sink};
use crate::scalar::facts;

/// Where the steps of a graph come from.
pub(super) struct Sources<'s> {
    pub(super) program: &'s Program,
    pub(super) origins: &'s Origins,
    pub(super) sink: &'s Sink,
    pub(super) tables: &'s Tables,
    /// By buffer id.
    pub(super) elements: &'s [ElementLayout],
}

impl Sources<'_> {
    /// By node id; `None` for nodes that are not part of the graph or that have a finding.
    pub(super) fn steps(&self, findings: &mut Vec<Finding>) -> Vec<Option<Step>> {
        let mut steps = vec![None; self.program.nodes.len()];
        for region in self.program.live_regions() {
            for id in &self.program.region(region).nodes {
                match self.step(*id) {
                    Ok(step) => steps[id.0 as usize] = Some(step),
                    Err(finding) => findings.push(*finding),
                }
            }
        }
        steps
    }

    /// What a node does now.
    pub(super) fn step(&self, id: NodeId) -> Found<Step> {
        self.source(id).step()
    }

    fn source(&self, id: NodeId) -> Source<'_> {
        let &Sources { program, origins, sink, tables, elements } = self;
        let (frame, id_written) = origins.of(id);
        Source { program, sink, tables, elements, frame, id: id_written, node: program.node(id) }
    }
}

pub(super) type Found<T> = Result<T, Box<Finding>>;

/// One node and where its values come from.
pub(super) struct Source<'s> {
    pub(super) program: &'s Program,
    pub(super) sink: &'s Sink,
    tables: &'s Tables,
    elements: &'s [ElementLayout],
    /// Where its values are.
    pub(super) frame: FrameId,
    /// In the symbolic program.
    pub(super) id: NodeId,
    pub(super) node: &'s Node,
}

impl Source<'_> {
    fn step(&self) -> Found<Step> {
        Ok(match &self.node.kind {
            NodeKind::Kernel(launch) => Step::Kernel(self.kernel(launch)?.into()),
            NodeKind::Copy => self.copy()?,
            NodeKind::Fill { value } => Step::Fill { pattern: self.value(value, self.element(0)?)?[..].into() },
            NodeKind::Scalar { value } => Step::Scalar(self.expression(value)?),
            NodeKind::Compute(compute) => Step::Compute(self.compute(compute)?.into()),
            NodeKind::Host(_) => Step::Host(self.call()?),
            NodeKind::Capture(_) => Step::Capture(self.call()?),
            NodeKind::Record(event) => Step::Record(self.event(*event)?),
            NodeKind::Wait(event) => Step::Wait(self.event(*event)?),
            NodeKind::Assert { test, message } => self.assertion(&test.value, *message)?,
            NodeKind::If { test, .. } => Step::If(self.expression(&test.value)?),
            NodeKind::Match { test, .. } => Step::Match(self.expression(&test.value)?),
            NodeKind::Loop(head) => {
                Step::Loop(head.test.as_ref().map(|test| self.expression(&test.value)).transpose()?)
            }
            NodeKind::HostIf { .. } | NodeKind::HostMatch { .. } | NodeKind::For { .. } | NodeKind::Graph(_) => {
                return Err(self.internal("what the host decides was not decided"));
            }
        })
    }

    #[expect(clippy::unnecessary_box_returns, reason = "it is the error of every function here, which are boxed")]
    pub(super) fn internal(&self, what: &str) -> Box<Finding> {
        Box::new(internal_finding(self.node.place, what))
    }

    fn assertion(&self, test: &Expression, message: Option<SymbolId>) -> Found<Step> {
        let said = message.and_then(|symbol| self.sink.message(self.frame, symbol));
        let message = said.map_or_else(|| "assertion failed".to_owned(), |said| format!("assertion failed: {said}"));
        Ok(Step::Assert { test: self.expression(test)?, message: message.into() })
    }

    fn element(&self, access: usize) -> Found<ElementLayout> {
        let access = self.node.accesses.get(access).ok_or_else(|| self.internal("an access is missing"))?;
        let element = self.elements.get(access.buffer.0 as usize).copied();
        element.ok_or_else(|| self.internal("a buffer has no element type"))
    }

    fn copy(&self) -> Found<Step> {
        let (from, to) = (self.element(0)?, self.element(1)?);
        if from.size == to.size {
            return Ok(Step::Copy);
        }
        Err(self.internal(&format!("a copy from elements of `{}` to elements of `{}`", from.name, to.name)))
    }

    fn kernel(&self, launch: &Launch) -> Found<KernelStep> {
        let declaration = self.tables.kernels.get(launch.kernel as usize).copied();
        let declaration = declaration.ok_or_else(|| self.internal("a kernel has no declaration"))?;
        if launch.arguments.len() != declaration.parameters.len() {
            let (given, declared) = (launch.arguments.len(), declaration.parameters.len());
            return Err(
                self.internal(&format!("`{}` takes {declared} arguments and is given {given}", declaration.name))
            );
        }
        let mut arguments = Vec::with_capacity(launch.arguments.len());
        for (argument, parameter) in launch.arguments.iter().zip(declaration.parameters) {
            arguments.push(match (argument, &parameter.kind) {
                (Argument::Buffer(access), ParameterKind::Buffer { .. }) => StepArgument::Buffer(*access),
                (&Argument::List { first, count }, ParameterKind::List { .. }) => StepArgument::List { first, count },
                (Argument::Value(value), ParameterKind::Value { layout }) => {
                    StepArgument::Value(self.value(value, layout())?)
                }
                (Argument::Condition, ParameterKind::Condition) => StepArgument::Condition,
                _ => {
                    let (name, kernel) = (parameter.name, declaration.name);
                    return Err(self.internal(&format!("`{name}` of `{kernel}` is passed as something else")));
                }
            });
        }
        Ok(KernelStep {
            declaration,
            grid: sizes(&launch.grid),
            block: sizes(&launch.block),
            shared: saturated(launch.shared.unwrap_or(Extent::ZERO)),
            passed: declaration.requires.map(|_| Arc::new(Passed::of(self.node, &arguments))),
            arguments,
        })
    }

    /// The bytes of a value, of exactly the size that its receiver has.
    fn value(&self, value: &HostValue, target: ElementLayout) -> Found<Bytes> {
        let symbol = match value {
            HostValue::Literal(text) => {
                let unfit = |message| Box::new(Finding::error(Code::VALUE, self.node.place, message));
                return literal::bytes(text, target).map_err(unfit);
            }
            HostValue::Symbol(symbol) => *symbol,
        };
        let text = &self.program.symbol(symbol).text;
        let typed =
            self.sink.typed(self.frame, symbol).ok_or_else(|| self.internal(&format!("`{text}` has no value")))?;
        if typed.layout == target {
            return Ok(typed.bytes.clone());
        }
        Err(self.internal(&format!("`{text}` is `{}` where `{}` is expected", typed.layout.name, target.name)))
    }

    fn expression(&self, expression: &Expression) -> Found<DeviceExpression> {
        let function = self.sink.function(self.frame, self.id);
        let (scalar, function) = function.ok_or_else(|| self.internal("a device expression has no function"))?;
        self.type_fits(scalar)?;
        let mut symbols: Vec<SymbolId> = Vec::new();
        expression.walk(&mut |part| name_host(part, &mut symbols));
        Ok(DeviceExpression { scalar, function, values: self.host_values(symbols)? })
    }

    fn compute(&self, compute: &Compute) -> Found<ComputeStep> {
        let function = self.sink.compute(self.frame, self.id);
        let function = function.ok_or_else(|| self.internal("a kernel in the block has no function"))?;
        if function.axes.len() != compute.axes.len() {
            return Err(self.internal("a kernel in the block has other axes than its function"));
        }
        if let ComputeKind::Reduce { scalar, .. } = function.kind
            && self.element(0)?.scalar.map(facts::value) != Some(scalar)
        {
            return Err(self.internal(&format!("a reduction's values have type {scalar:?}")));
        }
        let mut symbols: Vec<SymbolId> = Vec::new();
        compute.walk(&mut |part| name_host(part, &mut symbols));
        let values = self.host_values(symbols)?;
        let counts = values.iter().any(|(_, value)| value.layout.scalar.is_some_and(facts::is_integer));
        Ok(ComputeStep { function, given: counts.then(|| self.node.accesses.clone().into()), values })
    }

    fn host_values(&self, symbols: Vec<SymbolId>) -> Found<HostValues> {
        let value = |symbol| match self.sink.typed(self.frame, symbol) {
            Some(value) if value.layout.scalar.is_some() => Ok((symbol, value.clone())),
            _ => Err(self.internal(&format!("`{}` has no value for the device", self.program.symbol(symbol).text))),
        };
        symbols.into_iter().map(value).collect()
    }

    /// A test is a condition, an assignment's value is of the element's type, a `match` is on an integer.
    fn type_fits(&self, scalar: ScalarType) -> Found<()> {
        let fits = match self.node.kind {
            NodeKind::Scalar { .. } => self.element(0)?.scalar.map(facts::value) == Some(scalar),
            NodeKind::Match { .. } => !matches!(scalar, ScalarType::Bool | ScalarType::F32 | ScalarType::F64),
            _ => scalar == ScalarType::Bool,
        };
        if fits { Ok(()) } else { Err(self.internal(&format!("a device expression has type {scalar:?}"))) }
    }
}

fn name_host(part: &Expression, symbols: &mut Vec<SymbolId>) {
    if let Expression::Host(symbol) = part
        && !symbols.contains(symbol)
    {
        symbols.push(*symbol);
    }
}

/// Sizes as a launch takes them. What is too large for it is too large for every device, which a rule has refused.
fn sizes(dimensions: &Dimensions) -> [u32; 3] {
    dimensions.sizes.map(saturated)
}

fn saturated(extent: Extent) -> u32 {
    u32::try_from(extent.known().unwrap_or(0)).unwrap_or(u32::MAX)
}
