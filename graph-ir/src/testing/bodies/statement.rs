//! Random statements, and what they stand on: axes, buffers, host values.

use super::expression::{NUMBERS, below, binary, call, cast, literal};
use super::interpret::computed;
use super::number::{Value, is_float, width};
use super::{AxisNumbers, Case, Choices, Contents, Touching};
use crate::model::{
    Axis, BinaryOperator as B, Combine, Compute, Expression, Index, Local, Method, Mode, Place, Reduction, ScalarType,
    Statement, SymbolId, UnaryOperator,
};

use ScalarType::{BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// The types of axes and inner loops.
const COUNTERS: [ScalarType; 8] = [U64, U32, I32, I64, U8, I16, U16, I8];

/// The types of elements.
const STORED: [ScalarType; 12] = [F32, F64, U32, I32, U8, F16, BF16, U64, I64, I8, U16, I16];

/// A coordinate, the elements that it reaches, and what tells it from others.
type Indexed = (Expression, Vec<(u64, u64)>, String);

/// The deepest expressions.
const DEPTH: u32 = 3;

/// A name that can be read here.
#[derive(Clone, Copy)]
struct Visible {
    local: u32,
    scalar: ScalarType,
    assignable: bool,
    /// The index of an inner loop, which ends there.
    end: Option<u64>,
}

/// A case that is being made.
pub(super) struct Generator<'b> {
    pub(super) choices: Choices<'b>,
    pub(super) case: Case,
    visible: Vec<Visible>,
}

impl Case {
    /// The case that these bytes decide.
    pub fn new(bytes: &[u8]) -> Self {
        let compute = Compute { axes: Vec::new(), locals: Vec::new(), body: Vec::new(), reduction: None };
        let case = Self { compute, axes: Vec::new(), buffers: Vec::new(), accesses: Vec::new(), hosts: Vec::new() };
        let mut generator = Generator { choices: Choices::new(bytes), case, visible: Vec::new() };
        if generator.choices.once_in(4) {
            generator.reduction();
        } else {
            generator.kernel();
        }
        generator.case
    }
}

impl Generator<'_> {
    fn kernel(&mut self) {
        let rank = 1 + self.choices.below(3);
        self.axes(rank, if rank == 1 { 70 } else { 12 });
        self.memory();
        let outputs = 1 + self.choices.below(2);
        for number in 0..outputs {
            self.output(number);
        }
        let mut body = Vec::new();
        for _ in 0..=self.choices.below(4) {
            self.statement(2, false, &mut body);
        }
        let outputs = (0..self.case.buffers.len()).filter(|at| self.case.buffers[*at].mode.writes());
        for output in outputs.collect::<Vec<_>>() {
            body.push(self.last_store(output));
        }
        self.case.compute.body = body;
    }

    fn reduction(&mut self) {
        let scalar = self.choices.pick(&STORED);
        let target = self.buffer("s", scalar, vec![3], Mode::Update);
        self.access(Touching { buffer: target, mode: Mode::Update, ranges: vec![(1, 2)], key: String::new() });
        let rank = 1 + self.choices.below(3);
        self.axes(rank, [5000, 70, 17][rank as usize - 1]);
        self.memory();
        let operator = self.choices.pick(&[Combine::Sum, Combine::Max, Combine::Min, Combine::Product]);
        let accumulate = matches!(operator, Combine::Sum | Combine::Product) && self.choices.once_in(3);
        let mode = if accumulate { Mode::Update } else { Mode::Overwrite };
        self.case.accesses[0].mode = mode;
        // Nothing may read what the reduction writes.
        self.case.buffers[target].mode = Mode::Overwrite;
        let value = self.number(computed(scalar), DEPTH);
        self.case.buffers[target].mode = Mode::Update;
        self.case.compute.reduction = Some(Reduction { operator, value, accumulate });
    }

    fn axes(&mut self, rank: u64, most: u64) {
        for axis in 0..rank {
            let scalar = self.choices.pick(&COUNTERS);
            let most = if width(scalar) == 8 { most.min(100) } else { most };
            let (start, count) = (self.choices.below(5), 1 + self.choices.below(most));
            let local = self.local(format!("i{axis}"), None);
            let bound = |number: u64| literal(scalar, i128::from(number));
            let end = if self.choices.once_in(3) {
                self.case.hosts.push(Value::of_bits(scalar, start + count));
                Expression::Host(SymbolId(self.case.hosts.len() as u32 - 1))
            } else {
                bound(start + count)
            };
            self.case.compute.axes.push(Axis { local, start: bound(start), end });
            self.case.axes.push(AxisNumbers { start, count, scalar });
            self.visible.push(Visible { local, scalar, assignable: false, end: None });
        }
    }

    /// What is only read.
    fn memory(&mut self) {
        for number in 0..=self.choices.below(3) {
            let scalar = self.choices.pick(&STORED);
            let shape = self.case.axes.iter().map(|axis| axis.start + axis.count + 2).collect();
            self.buffer(&format!("x{number}"), scalar, shape, Mode::Read);
        }
        for number in 0..self.choices.below(3) {
            let (scalar, length) = (self.choices.pick(&STORED), 8 + self.choices.below(90));
            self.buffer(&format!("g{number}"), scalar, vec![length], Mode::Read);
        }
        for _ in 0..self.choices.below(3) {
            let scalar = self.choices.pick(&NUMBERS);
            let bits = self.element_bits(scalar);
            self.case.hosts.push(Value::of_bits(scalar, bits));
        }
    }

    /// What each index writes an element of: shaped like the axes, or flattened.
    fn output(&mut self, number: u64) {
        let scalar = self.choices.pick(&STORED);
        let axes = &self.case.axes;
        let whole = axes.iter().all(|axis| axis.start == 0);
        let shape: Vec<u64> = axes.iter().map(|axis| axis.start + axis.count).collect();
        let flat = shape.iter().product::<u64>();
        let one = axes.iter().all(|axis| axis.scalar == axes[0].scalar && width(axis.scalar) >= 32);
        let shape = if shape.len() > 1 && one && self.choices.once_in(3) { vec![flat] } else { shape };
        let mode = if whole && self.choices.once_in(2) { Mode::Overwrite } else { Mode::Update };
        self.buffer(&format!("y{number}"), scalar, shape, mode);
    }

    fn buffer(&mut self, name: &str, scalar: ScalarType, shape: Vec<u64>, mode: Mode) -> usize {
        let length = shape.iter().product::<u64>();
        let bits = (0..length).map(|at| self.content(scalar, at)).collect();
        self.case.buffers.push(Contents { name: name.to_owned(), scalar, shape, bits, mode });
        self.case.buffers.len() - 1
    }

    /// A few elements are decided, the others follow from them.
    fn content(&mut self, scalar: ScalarType, at: u64) -> u64 {
        if at < 4 {
            return self.element_bits(scalar);
        }
        let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        match (scalar, at % 3) {
            (F32, 0) => u64::from((f32::from(mixed as u16) / 64.0 - 300.0).to_bits()),
            (F64, 0) => (f64::from(mixed as u32) / 4096.0 - 1e5).to_bits(),
            (F16, 0) => 0x3c00 + mixed % 0x800,
            (BF16, 0) => 0x3f80 + mixed % 0x100,
            (_, 1) => mixed % 11,
            _ => mixed.wrapping_mul(0xd129_0d3d_4d2b_9c65),
        }
        .checked_shl(64 - width(scalar))
        .unwrap_or(0)
            >> (64 - width(scalar))
    }

    fn element_bits(&mut self, scalar: ScalarType) -> u64 {
        let one = match scalar {
            F32 => u64::from(1.5_f32.to_bits()),
            F64 => 1.5_f64.to_bits(),
            F16 => 0x3e00,
            BF16 => 0x3fc0,
            _ => 3,
        };
        match self.choices.below(5) {
            0 => one,
            1 => 0,
            2 => one << 1 & (u64::MAX >> (64 - width(scalar))),
            3 => 1 << (width(scalar) - 1),
            _ => self.choices.bits() & (u64::MAX >> (64 - width(scalar))),
        }
    }

    fn local(&mut self, name: String, scalar: Option<ScalarType>) -> u32 {
        self.case.compute.locals.push(Local { name, scalar });
        self.case.compute.locals.len() as u32 - 1
    }

    fn access(&mut self, new: Touching) -> u32 {
        let same = |known: &Touching| known.buffer == new.buffer && known.key == new.key;
        let from = usize::from(self.case.buffers[0].name == "s");
        if let Some(at) = self.case.accesses.iter().skip(from).position(same) {
            let known = &mut self.case.accesses[at + from];
            if known.mode != new.mode {
                known.mode = Mode::Update;
            }
            return (at + from) as u32;
        }
        self.case.accesses.push(new);
        self.case.accesses.len() as u32 - 1
    }

    /// The local of the first axis.
    pub(super) fn axis(&self) -> u32 {
        self.case.compute.axes[0].local
    }

    /// A name of this type.
    pub(super) fn visible(&mut self, scalar: ScalarType) -> Option<Expression> {
        let fits: Vec<u32> = self.visible.iter().filter(|name| name.scalar == scalar).map(|name| name.local).collect();
        if fits.is_empty() { None } else { Some(Expression::Local(self.choices.pick(&fits))) }
    }

    /// An element of a buffer, wherever it is there for sure.
    pub(super) fn load(&mut self, buffer: usize) -> Expression {
        let Contents { name, shape, mode, .. } = &self.case.buffers[buffer];
        let (length, listed) = (shape[0], name.starts_with('g'));
        if !listed {
            let most = if *mode == Mode::Read { 3 } else { 1 };
            let shifts: Vec<u64> = self.case.axes.clone().iter().map(|_| self.choices.below(most)).collect();
            let (access, index) = self.own(buffer, Mode::Read, &shifts);
            return Expression::Load { access, index: Box::new(index) };
        }
        let index = match self.choices.below(3) {
            0 => {
                let at = self.choices.below(length);
                let touching = Touching { buffer, mode: Mode::Read, ranges: vec![(at, at + 1)], key: format!("={at}") };
                return Expression::Element(self.access(touching));
            }
            1 => self.counted(length),
            _ => None,
        };
        let (coordinate, ranges, key) = index.unwrap_or_else(|| {
            let scalar = self.choices.pick(&COUNTERS);
            let value = self.visible(scalar).unwrap_or_else(|| cast(Expression::Local(self.axis()), scalar));
            let value = if self.choices.once_in(2) { binary(B::Mul, value, literal(scalar, 3)) } else { value };
            (below(value, scalar, length), vec![(0, length)], "?".to_owned())
        });
        let proved = key != "?";
        let access = self.access(Touching { buffer, mode: Mode::Read, ranges, key });
        let index = Index { coordinates: vec![coordinate], proved, place: Place(0) };
        Expression::Load { access, index: Box::new(index) }
    }

    /// The index of an inner loop that stays within a length.
    fn counted(&mut self, length: u64) -> Option<Indexed> {
        let loops: Vec<(u32, u64)> = self.visible.iter().filter_map(|name| Some((name.local, name.end?))).collect();
        if loops.is_empty() {
            return None;
        }
        let (local, end) = self.choices.pick(&loops);
        (end <= length).then(|| (Expression::Local(local), vec![(0, end)], format!("k{local}")))
    }

    /// The index's own element of a buffer, or one beside it.
    fn own(&mut self, buffer: usize, mode: Mode, shifts: &[u64]) -> (u32, Index) {
        let axes = self.case.compute.axes.iter().zip(&self.case.axes).zip(shifts);
        let coordinate = |((axis, numbers), shift): ((&Axis, &AxisNumbers), &u64)| {
            let local = Expression::Local(axis.local);
            if *shift == 0 { local } else { binary(B::Add, local, literal(numbers.scalar, i128::from(*shift))) }
        };
        let mut coordinates: Vec<Expression> = axes.clone().map(coordinate).collect();
        let mut ranges: Vec<(u64, u64)> =
            axes.map(|((_, axis), shift)| (axis.start + shift, axis.start + axis.count + shift)).collect();
        if self.case.buffers[buffer].shape.len() < coordinates.len() {
            let sizes: Vec<u64> = self.case.axes.iter().map(|axis| axis.start + axis.count).collect();
            let scalar = self.case.axes[0].scalar;
            let flat = coordinates.into_iter().zip(&sizes).reduce(|(outer, _), (inner, size)| {
                (binary(B::Add, binary(B::Mul, outer, literal(scalar, i128::from(*size))), inner), size)
            });
            coordinates = flat.map(|(index, _)| index).into_iter().collect();
            let number = |at: &dyn Fn(&(u64, u64)) -> u64| {
                ranges.iter().zip(&sizes).fold(0, |number, (range, size)| number * size + at(range))
            };
            ranges = vec![(number(&|range| range.0), number(&|range| range.1 - 1) + 1)];
        }
        let access = self.access(Touching { buffer, mode, ranges, key: format!("{shifts:?}") });
        (access, Index { coordinates, proved: true, place: Place(0) })
    }

    fn store(&mut self, buffer: usize) -> Statement {
        let scalar = computed(self.case.buffers[buffer].scalar);
        let value = self.number(scalar, DEPTH);
        let mode = if self.case.buffers[buffer].mode == Mode::Overwrite { Mode::Overwrite } else { Mode::Update };
        let shifts = vec![0; self.case.axes.len()];
        let (access, index) = self.own(buffer, mode, &shifts);
        Statement::Store { access, index, value }
    }

    /// Tells what has become of the names.
    fn last_store(&mut self, output: usize) -> Statement {
        let scalar = computed(self.case.buffers[output].scalar);
        let names: Vec<u32> = self.visible.iter().rev().take(4).map(|name| name.local).collect();
        let first = self.named(scalar, DEPTH);
        let value = names.into_iter().enumerate().fold(first, |value, (at, local)| {
            let name = cast(Expression::Local(local), scalar);
            match (is_float(scalar), at % 2) {
                (true, 0) => call(Method::Max, [value, name]),
                (true, _) => binary(B::Sub, value, name),
                (false, 0) => binary(B::BitXor, value, name),
                (false, _) => binary(B::Add, value, name),
            }
        });
        let Statement::Store { access, index, .. } = self.store(output) else { return Statement::Break(0) };
        Statement::Store { access, index, value }
    }

    /// Statements with names of their own.
    fn block(&mut self, depth: u32, looping: bool) -> Vec<Statement> {
        let names = self.visible.len();
        let mut statements = Vec::new();
        for _ in 0..self.choices.below(4) {
            self.statement(depth, looping, &mut statements);
        }
        self.visible.truncate(names);
        statements
    }

    fn statement(&mut self, depth: u32, looping: bool, into: &mut Vec<Statement>) {
        match self.choices.below(if depth == 0 { 4 } else { 8 }) {
            0 => into.push(self.declare(false)),
            1 => into.push(self.declare(true)),
            2 => into.extend(self.assign()),
            3 if looping => {
                let condition = self.boolean(2);
                let leave = if self.choices.once_in(2) { Statement::Continue(0) } else { Statement::Break(0) };
                into.push(Statement::If { condition, then: vec![leave], otherwise: Vec::new() });
            }
            3 => {
                let writes = |at: &usize| self.case.buffers[*at].mode == Mode::Update;
                let outputs: Vec<usize> = (0..self.case.buffers.len()).filter(writes).collect();
                if !outputs.is_empty() {
                    let output = self.choices.pick(&outputs);
                    into.push(self.store(output));
                }
            }
            4 | 5 => {
                let condition = self.boolean(DEPTH);
                let then = self.block(depth - 1, looping);
                let otherwise = self.block(depth - 1, looping);
                into.push(Statement::If { condition, then, otherwise });
            }
            6 => into.push(self.count(depth - 1)),
            _ => self.repeat(depth - 1, into),
        }
    }

    fn declare(&mut self, assignable: bool) -> Statement {
        let scalar = self.choices.pick(&NUMBERS);
        let value = self.number(scalar, DEPTH);
        let written = self.choices.once_in(2).then_some(scalar);
        let number = self.case.compute.locals.len();
        let local = self.local(format!("{}{number}", if assignable { "m" } else { "v" }), written);
        self.visible.push(Visible { local, scalar, assignable, end: None });
        Statement::Let { local, value: Some(value) }
    }

    fn assign(&mut self) -> Option<Statement> {
        let fits: Vec<Visible> = self.visible.iter().filter(|name| name.assignable).copied().collect();
        if fits.is_empty() {
            return None;
        }
        let Visible { local, scalar, .. } = self.choices.pick(&fits);
        Some(Statement::Assign { local, value: self.number(scalar, DEPTH) })
    }

    /// `for k in 0..5`, or up to a number that the device computes.
    fn count(&mut self, depth: u32) -> Statement {
        let scalar = self.choices.pick(&COUNTERS);
        let passes = 1 + self.choices.below(6);
        let (fixed, inclusive) = (!self.choices.once_in(3), self.choices.once_in(4));
        let end = if fixed {
            literal(scalar, i128::from(passes - u64::from(inclusive)))
        } else {
            below(self.number(scalar, 1), scalar, passes)
        };
        let number = self.case.compute.locals.len();
        let local = self.local(format!("k{number}"), None);
        let names = self.visible.len();
        self.visible.push(Visible { local, scalar, assignable: false, end: fixed.then_some(passes) });
        let body = self.block(depth, true);
        self.visible.truncate(names);
        Statement::For { local, start: literal(scalar, 0), end, inclusive, body }
    }

    /// Counts down, so that it ends.
    fn repeat(&mut self, depth: u32, into: &mut Vec<Statement>) {
        let scalar = self.choices.pick(&[U32, I32, U64, I64, U8, I8, U16, I16]);
        let first = self.number(scalar, 2);
        let number = self.case.compute.locals.len();
        let local = self.local(format!("mc{number}"), None);
        let left = || Expression::Local(local);
        into.push(Statement::Let { local, value: Some(below(first, scalar, 6)) });
        let names = self.visible.len();
        self.visible.push(Visible { local, scalar, assignable: false, end: None });
        let mut body = vec![Statement::Assign { local, value: binary(B::Sub, left(), literal(scalar, 1)) }];
        body.extend(self.block(depth, true));
        self.visible.truncate(names);
        let mut condition = binary(B::Gt, left(), literal(scalar, 0));
        if self.choices.once_in(3) {
            let other = self.boolean(2);
            let twice = super::expression::unary(UnaryOperator::Not, other);
            condition = binary(B::And, condition, twice);
        }
        into.push(Statement::While { condition, body });
    }
}
