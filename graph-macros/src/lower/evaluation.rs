//! What the generated evaluator does, in text order: host expressions as the user wrote them, and calls that rustc checks.

use graph_ir::model::{Combine, Mode, NodeId, ObjectId, Place, SymbolId};
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, Pat, Token, Type};

use super::mentioned::Mentioned;
use crate::syntax::ast::Closure;

/// One step of the evaluator. Nested steps are nested Rust scopes.
#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
pub(crate) enum Evaluation {
    /// `sink.extent(symbol, value)`
    Extent { symbol: SymbolId, value: Expr },
    /// `sink.dimensions(symbol, value)`
    Dimensions { symbol: SymbolId, value: Expr },
    /// `sink.dimensions(symbol, fixed_block::<kernel>())`: the block that the kernel's declaration fixes.
    FixedBlock { symbol: SymbolId, kernel: u32, span: Span },
    /// The name of a loop's condition.
    Condition(Ident),
    /// `sink.value(symbol, value)`: the type is checked where the value is used.
    Value { symbol: SymbolId, value: Expr },
    /// `sink.value(symbol, kernel::__p3(value))`: the parameter's type is the value's.
    Argument { symbol: SymbolId, kernel: u32, parameter: usize, value: Expr },
    /// `sink.value(symbol, target.element(value))`: the buffer's element type is the value's.
    Element { symbol: SymbolId, target: Ident, value: Expr },
    /// A host `if`.
    Branch { symbol: SymbolId, condition: Expr, has_let: bool, then: Vec<Evaluation>, otherwise: Vec<Evaluation> },
    /// A host `match`.
    Choice { symbol: SymbolId, keyword: Token![match], value: Expr, arms: Vec<ChoiceArm> },
    /// A host `for`; values that the guard refuses make no pass.
    For { node: NodeId, pattern: Pat, iterable: Expr, guard: Option<Expr>, steps: Vec<Evaluation> },
    /// A host `let`, with its type if that is known, written or not.
    Let { pattern: Pat, ty: Option<Type>, known: Option<Type>, value: Expr },
    /// A transient's name, for lengths and type checks.
    Transient { buffer: u32, name: Ident, element: Box<Type>, length: LengthValue, count: Option<LengthValue> },
    /// `let local = sink.member(symbol, &value)`: a buffer of a list.
    Member { symbol: SymbolId, local: Ident, value: Expr },
    /// `swap(&mut left, &mut right)` of buffers of lists: each place, with whether it is a parameter's.
    Exchange { place: Place, left: (Expr, bool), right: (Expr, bool) },
    /// A body begins in which they are exchanged and that the device decides.
    BodyBegins,
    /// It ends.
    BodyEnds { node: NodeId },
    /// `let local = sink.passing(symbol, &value)`: a buffer of a list or a struct, or all of it, for a graph inside the graph.
    Passing { symbol: SymbolId, local: Ident, value: Expr },
    /// `sink.text(symbol, format!(…))`
    Text { symbol: SymbolId, format: TokenStream },
    /// A buffer's name, from here on with a length that was recorded.
    Resize { name: Ident, length: SymbolId },
    /// The shape of a buffer that is declared.
    Shaped { name: Ident, sizes: Vec<LengthValue> },
    /// `{ … }`
    Scope(Vec<Evaluation>),
    /// The closures of a `host` or a `capture`.
    Call(CallEvaluation),
    /// A graph inside the graph.
    Graph(GraphEvaluation),
    /// Checked by rustc, never run.
    Check(Check),
    /// A node's device expression.
    Device(DeviceFunction),
    /// The body of a kernel that is written in the block.
    Kernel(KernelFunction),
    /// The nodes of an unrolled pass have the device expressions of the first pass's.
    Repeat { original: u32, count: u32, copy: u32 },
}

impl Evaluation {
    /// Whether rustc reads it only.
    pub(crate) fn is_check(&self) -> bool {
        matches!(self, Self::Check(_))
    }

    /// The symbol of the expression that is all that it evaluates.
    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        match self {
            Self::Extent { symbol, .. }
            | Self::Dimensions { symbol, .. }
            | Self::Value { symbol, .. }
            | Self::Argument { symbol, .. } => Some(*symbol),
            _ => None,
        }
    }

    /// The blocks in it.
    pub(crate) fn blocks(&self) -> Vec<&[Self]> {
        match self {
            Self::Branch { then, otherwise, .. } => vec![then, otherwise],
            Self::Choice { arms, .. } => arms.iter().map(|arm| arm.steps.as_slice()).collect(),
            Self::For { steps, .. } | Self::Scope(steps) => vec![steps],
            _ => Vec::new(),
        }
    }
}

/// An arm of a host `match`.
pub(crate) struct ChoiceArm {
    pub(crate) pattern: Pat,
    pub(crate) guard: Option<(Token![if], Expr)>,
    pub(crate) steps: Vec<Evaluation>,
}

/// The length of a transient in the evaluator.
pub(crate) enum LengthValue {
    Known(u64),
    Symbol(SymbolId),
}

/// A use that rustc checks against declarations.
pub(crate) enum Check {
    Launch {
        kernel: u32,
        path: Ident,
        arguments: Vec<CheckArgument>,
        parentheses: Span,
    },
    Fill {
        target: CheckBuffer,
        value: Expr,
    },
    Copy {
        from: CheckBuffer,
        to: CheckBuffer,
    },
    Swap {
        left: CheckBuffer,
        right: CheckBuffer,
    },
    /// `#[overlap]`: the kernel must be declared to wait.
    Overlap {
        kernel: u32,
        span: Span,
    },
    /// A name in a statement that could not be parsed.
    Use(Ident),
}

/// An argument in a check.
pub(crate) enum CheckArgument {
    Buffer(CheckBuffer),
    /// A literal or a name, as written.
    Value(Expr),
    /// A compound expression, which is checked where it is evaluated.
    Hole(Expr),
}

/// A buffer in a check, with the spans of what was written.
pub(crate) struct CheckBuffer {
    pub(crate) name: Ident,
    pub(crate) mode: Mode,
    pub(crate) ampersand: Span,
}

/// The closures of a `host` or a `capture`, with what they see.
pub(crate) struct CallEvaluation {
    pub(crate) node: NodeId,
    pub(crate) host: bool,
    pub(crate) loaded: bool,
    pub(crate) arguments: Vec<CallArgument>,
    /// The value parameters that the closures depend on, by number among them.
    pub(crate) values: Vec<u32>,
    /// Host values that they name.
    pub(crate) hosts: Vec<Ident>,
    /// Objects that they name.
    pub(crate) shared: Vec<(Ident, ObjectId)>,
    pub(crate) closure: Closure,
    pub(crate) cpu: Option<Closure>,
}

/// A graph inside the graph, with what it is passed.
pub(crate) struct GraphEvaluation {
    pub(crate) node: NodeId,
    /// Index into the graphs that this one names.
    pub(crate) graph: u32,
    /// The last segment of its path.
    pub(crate) name: Ident,
    /// The span of the braces.
    pub(crate) braces: Span,
    pub(crate) fields: Vec<(Ident, FieldValue)>,
    /// Values that may change at each launch: the parameters must have a bound.
    pub(crate) bounded: Vec<BoundedField>,
}

/// A parameter of a graph inside the graph that is passed what is computed from a value with a bound.
pub(crate) struct BoundedField {
    pub(crate) field: Ident,
    /// The value with the bound.
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// What a parameter of a graph inside the graph is passed.
pub(crate) enum FieldValue {
    /// A buffer, with a range along each dimension if one is written.
    Buffer(CheckBuffer, Vec<[LengthValue; 2]>),
    /// A list, a struct, or a buffer of one.
    Passing(CheckBuffer),
    /// An object, by number.
    Object { index: u32, mode: Option<Mode>, span: Span },
    /// A host value. A name is cloned.
    Value(Expr),
}

/// What a closure is given.
pub(crate) enum CallArgument {
    /// The next access.
    Buffer(CheckBuffer),
    Shared(ObjectId),
    Exclusive(ObjectId),
}

/// A device expression as Rust.
pub(crate) struct DeviceFunction {
    pub(crate) node: NodeId,
    /// Host values that it names: the variable, and the symbol and expression.
    pub(crate) hosts: Vec<(Ident, SymbolId, Expr)>,
    /// In `hosts` and `body`.
    pub(crate) mentioned: Mentioned,
    pub(crate) body: TokenStream,
    pub(crate) kind: DeviceKind,
}

/// A body as Rust, which runs once for each index.
pub(crate) struct KernelFunction {
    pub(crate) node: NodeId,
    /// Host values that it names: the variable, and the symbol and expression.
    pub(crate) hosts: Vec<(Ident, SymbolId, Expr)>,
    /// In `hosts`, `ranges` and `body`.
    pub(crate) mentioned: Mentioned,
    /// `a..b`, or a tuple of those.
    pub(crate) ranges: TokenStream,
    /// Of the axes.
    pub(crate) names: Vec<Ident>,
    pub(crate) body: TokenStream,
    pub(crate) kind: KernelKind,
}

/// What becomes of a body.
pub(crate) enum KernelKind {
    /// It has no value.
    For,
    /// Its values are combined into an element of this buffer.
    Reduce { target: Ident, combine: Combine, accumulate: bool },
}

/// What the expression must be.
pub(crate) enum DeviceKind {
    /// `bool`.
    Test,
    /// `bool`, of which the opposite is the test.
    Until,
    /// The element type of this buffer.
    Element(Ident),
    /// An integer that these patterns may be matched against.
    Match(Vec<TokenStream>),
}
