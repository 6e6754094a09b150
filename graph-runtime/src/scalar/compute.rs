//! Kernels in the block with their types.

use graph_ir::model::{Combine, Compute, Expression, ScalarType, Statement, SymbolId};

use super::facts;
use super::solve::Solver;
use super::typing::{Builder, IndexSite, Kind, Typed, TypedIndex, TypedLoad, Types};

/// A body with its types; equal for bodies that differ only in which buffers and host values they name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypedCompute {
    /// The name and the type of each axis.
    pub(crate) axes: Vec<(u32, ScalarType)>,
    /// The type of each name.
    pub(crate) locals: Vec<ScalarType>,
    /// What each index does.
    pub(crate) body: Vec<TypedStatement>,
    /// What a reduction makes of each index.
    pub(crate) reduction: Option<TypedReduction>,
    /// For each access, the first one of the same buffer.
    pub(crate) buffers: Vec<u32>,
    /// For each access, how many dimensions its buffer has.
    pub(crate) ranks: Vec<u8>,
    /// Single elements whose values it combines first.
    pub(crate) collected: Vec<Collected>,
    /// The accesses of buffers whose elements stay in registers, with what these would be stored as.
    pub(crate) kept: Vec<(u32, ScalarType)>,
    /// Whether no buffer has 2^32 elements or more.
    pub(crate) narrow: bool,
}

/// The value of a reduction that left its blocks' values to the kernel behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Collected {
    /// The accesses of its element. The value is stored there.
    pub(crate) accesses: Vec<u32>,
    /// By which operation.
    pub(crate) operator: Combine,
    /// What it is computed as, and stored.
    pub(crate) scalar: ScalarType,
}

/// A reduction with its types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypedReduction {
    /// By which operation.
    pub(crate) operator: Combine,
    /// The value of one index.
    pub(crate) value: Typed,
    /// What the target's element is stored as.
    pub(crate) storage: ScalarType,
    /// Whether the target's old value takes part.
    pub(crate) accumulate: bool,
    /// Whether the kernel behind it combines the blocks' values.
    pub(crate) deferred: bool,
}

/// A statement with its types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypedStatement {
    /// `let x = value;` and `x = value;`
    Assign(u32, Typed),
    /// `y[i] = value;`
    Store {
        /// Of the node.
        access: u32,
        /// What its elements are stored as.
        storage: ScalarType,
        /// Which element.
        index: TypedIndex,
        /// The new value.
        value: Typed,
    },
    /// Condition, then, otherwise.
    If(Typed, Vec<Self>, Vec<Self>),
    /// `for local in start..end { body }`
    For {
        /// The name of the index.
        local: u32,
        /// First and one past the last, or the last.
        range: Box<[Typed; 2]>,
        /// `a..=b`
        inclusive: bool,
        /// What each pass does.
        body: Vec<Self>,
    },
    /// Condition and body.
    While(Typed, Vec<Self>),
    /// Leaves a loop, counted from the innermost one.
    Break(u32),
    /// Goes on with a loop, counted from the innermost one.
    Continue(u32),
}

/// A body with its types, the host values that it names and the indices that it checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InferredCompute {
    /// The body.
    pub(crate) root: TypedCompute,
    /// In the order in which they first stand in the text.
    pub(crate) hosts: Vec<SymbolId>,
    /// In text order.
    pub(crate) sites: Vec<IndexSite>,
}

/// What the buffers of a node's accesses are like.
#[derive(Default)]
pub(crate) struct Buffers {
    /// For each access, the first one of the same buffer.
    pub(crate) first: Vec<u32>,
    /// For each access, how many dimensions its buffer has.
    pub(crate) ranks: Vec<u8>,
    /// What is combined first.
    pub(crate) collected: Vec<Collected>,
    /// Whether a reduction leaves its blocks' values to the kernel behind it.
    pub(crate) deferred: bool,
    /// The accesses of buffers whose elements stay in registers.
    pub(crate) kept: Vec<u32>,
    /// Whether none of them has 2^32 elements or more.
    pub(crate) narrow: bool,
}

/// Gives every part of a body its type, as rustc does. `axes` are the types that rustc has found for the axes.
pub(crate) fn infer_compute(
    compute: &Compute,
    axes: &[ScalarType],
    types: &Types<'_>,
    buffers: Buffers,
) -> Result<InferredCompute, String> {
    let solved = Solver::new(types).solve_body(compute, axes)?;
    let mut builder = Builder::new(solved.parts, types);
    let body = statements(&mut builder, &compute.body)?;
    let reduction = compute.reduction.as_ref().map(|reduction| {
        let value = builder.part(&reduction.value)?;
        let (operator, accumulate, storage) = (reduction.operator, reduction.accumulate, builder.storage(0)?);
        let deferred = buffers.deferred;
        Ok::<_, String>(TypedReduction { operator, value, storage, accumulate, deferred })
    });
    let reduction = reduction.transpose()?;
    let axes = compute.axes.iter().map(|axis| axis.local).zip(axes.iter().copied()).collect();
    let Buffers { first: buffers, ranks, collected, narrow, kept, .. } = buffers;
    let kept = kept.into_iter().map(|access| Ok((access, builder.storage(access)?))).collect::<Result<_, String>>()?;
    let root = TypedCompute { axes, locals: solved.locals, body, reduction, buffers, ranks, collected, kept, narrow };
    root.dimensions_fit()?;
    Ok(InferredCompute { root, hosts: builder.hosts, sites: builder.sites })
}

fn statements(builder: &mut Builder<'_>, statements: &[Statement]) -> Result<Vec<TypedStatement>, String> {
    let mut typed = Vec::with_capacity(statements.len());
    for one in statements {
        typed.extend(statement(builder, one)?);
    }
    Ok(typed)
}

fn statement(builder: &mut Builder<'_>, statement: &Statement) -> Result<Option<TypedStatement>, String> {
    Ok(Some(match statement {
        Statement::Let { value: None, .. } => return Ok(None),
        Statement::Let { local, value: Some(value) } | Statement::Assign { local, value } => {
            TypedStatement::Assign(*local, builder.part(value)?)
        }
        Statement::Store { access, index, value } => {
            let index = builder.index(*access, index)?;
            let (storage, value) = (builder.storage(*access)?, builder.part(value)?);
            TypedStatement::Store { access: *access, storage, index, value }
        }
        Statement::If { condition, then, otherwise } => {
            let condition = builder.part(condition)?;
            TypedStatement::If(condition, statements(builder, then)?, statements(builder, otherwise)?)
        }
        Statement::For { local, start, end, inclusive, body } => {
            let range = Box::new([integer(builder, start)?, integer(builder, end)?]);
            TypedStatement::For { local: *local, range, inclusive: *inclusive, body: statements(builder, body)? }
        }
        Statement::While { condition, body } => {
            let condition = builder.part(condition)?;
            TypedStatement::While(condition, statements(builder, body)?)
        }
        Statement::Break(loops) => TypedStatement::Break(*loops),
        Statement::Continue(loops) => TypedStatement::Continue(*loops),
    }))
}

fn integer(builder: &mut Builder<'_>, bound: &Expression) -> Result<Typed, String> {
    let typed = builder.part(bound)?;
    if facts::is_integer(typed.scalar) {
        return Ok(typed);
    }
    Err(format!("a loop counts in `{}`, expected an integer", facts::name(typed.scalar)))
}

impl TypedStatement {
    /// Calls `visit` on this statement and on every one within it.
    pub(crate) fn walk<'s>(&'s self, visit: &mut impl FnMut(&'s Self)) {
        visit(self);
        let bodies: [&'s [Self]; 2] = match self {
            Self::If(_, then, otherwise) => [then, otherwise],
            Self::For { body, .. } | Self::While(_, body) => [body, &[]],
            Self::Assign(..) | Self::Store { .. } | Self::Break(_) | Self::Continue(_) => [&[], &[]],
        };
        bodies.into_iter().flatten().for_each(|statement| statement.walk(visit));
    }

    /// Its own expressions, without those of statements within it.
    pub(crate) fn expressions(&self) -> Vec<&Typed> {
        match self {
            Self::Assign(_, value) | Self::If(value, ..) | Self::While(value, _) => vec![value],
            Self::Store { index, value, .. } => index.coordinates.iter().chain([value]).collect(),
            Self::For { range, .. } => range.iter().collect(),
            Self::Break(_) | Self::Continue(_) => Vec::new(),
        }
    }
}

/// One use of an element whose index the device computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<'t> {
    /// Of the node.
    pub(crate) access: u32,
    /// What its elements are stored as.
    pub(crate) storage: ScalarType,
    /// Which element.
    pub(crate) index: &'t TypedIndex,
    /// Whether it is written.
    pub(crate) stores: bool,
}

impl TypedCompute {
    /// Calls `visit` on every expression of the body and on every part of one.
    pub(crate) fn expressions(&self, visit: &mut impl FnMut(&Typed)) {
        for statement in &self.body {
            statement.walk(&mut |statement| {
                statement.expressions().into_iter().for_each(|expression| expression.walk(visit));
            });
        }
        if let Some(reduction) = &self.reduction {
            reduction.value.walk(visit);
        }
    }

    /// Whether the elements of an access stay in registers.
    fn keeps(&self, access: u32) -> bool {
        self.kept.iter().any(|(kept, _)| *kept == access)
    }

    /// Calls `visit` on every use of an element in memory whose index the device computes.
    pub(crate) fn touches(&self, visit: &mut impl FnMut(Touch<'_>)) {
        self.expressions(&mut |part| {
            if let Kind::Load(load) = &part.kind
                && !self.keeps(load.access)
            {
                let TypedLoad { access, storage, index } = &**load;
                visit(Touch { access: *access, storage: *storage, index, stores: false });
            }
        });
        for statement in &self.body {
            statement.walk(&mut |statement| {
                if let TypedStatement::Store { access, storage, index, .. } = statement
                    && !self.keeps(*access)
                {
                    visit(Touch { access: *access, storage: *storage, index, stores: true });
                }
            });
        }
    }

    /// The accesses of which only one element is used, in order.
    pub(crate) fn elements(&self) -> Vec<(u32, ScalarType)> {
        let mut elements = Vec::new();
        self.expressions(&mut |part| {
            if let Kind::Element(access, storage) = part.kind {
                elements.push((access, storage));
            }
        });
        elements.sort_unstable_by_key(|(access, _)| *access);
        elements.dedup();
        elements
    }

    fn dimensions_fit(&self) -> Result<(), String> {
        let mut fits = Ok(());
        self.touches(&mut |touch| {
            let (rank, given) = (self.ranks.get(touch.access as usize).copied(), touch.index.coordinates.len());
            if rank.map(usize::from) != Some(given) {
                fits = Err(format!("access {} has {rank:?} dimensions, and is indexed by {given}", touch.access));
            }
        });
        fits
    }
}
