//! The syntax tree of a `cuda_graph!` block: tokens and spans are kept, nothing is resolved yet.

use super::mention::Mentions;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Expr, ExprPath, Generics, Lifetime, Lit, LitInt, Pat, ReturnType, Token, Type, Visibility};

/// All graphs of one `cuda_graph!` block.
#[derive(Default)]
pub(crate) struct Block {
    pub(crate) graphs: Vec<Graph>,
    /// Identifiers of graphs whose head could not be parsed.
    pub(crate) salvage: Vec<Ident>,
}

/// `pub graph Name<T: Element>(…) where … { … }`.
pub(crate) struct Graph {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// With the `where` clause.
    pub(crate) generics: Generics,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Statement>,
    /// The names in its head's parentheses and in its body.
    pub(crate) mentions: Mentions,
    /// It has a `#[cfg]`: in another configuration it has something else.
    pub(crate) configured: bool,
    /// Nothing of it was reported or skipped, so rules about what is missing may look at it.
    pub(crate) whole: bool,
    /// Identifiers of statements that could not be parsed, so that the editor still knows them.
    pub(crate) salvage: Vec<Ident>,
    /// Paths of kernels in those statements.
    pub(crate) kernels: Vec<TokenStream>,
}

/// One parameter.
pub(crate) struct Parameter {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) kind: ParameterKind,
    /// `[u32]`: the element of a list of host values, which is a value of type `Vec<u32>`.
    pub(crate) listed: Option<Box<Type>>,
    /// `n: u32 <= capacity`, of a host value.
    pub(crate) bound: Option<Expr>,
    /// How many lists are around the buffer: 1 for `[&[T]]`.
    pub(crate) lists: usize,
    /// It is a struct of buffers: the buffer's element is the struct.
    pub(crate) structure: bool,
}

/// What a parameter's type says.
#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
pub(crate) enum ParameterKind {
    /// `n: usize`.
    Value(Box<Type>),
    /// `x: &mut [f32; n]`, `h: &out host [f32]`.
    Buffer {
        /// `&`, `&mut`, `&out`; `&atomic` is refused by the parser.
        mode: Mode,
        /// `host` or `mailbox` behind the mode.
        memory: Option<Ident>,
        element: Box<Type>,
        /// Absent in `&[T]`.
        length: Option<Length>,
    },
    /// `log: &Logger`, `comm: &mut Comm`: an object of the host's; structs of buffers become buffers.
    Reference { mutable: bool, ty: Box<Type> },
    /// `e: &Event`
    Event(Box<Type>),
}

/// A mode as written, with the span of its `&` and of its word.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub(crate) kind: graph_ir::model::Mode,
    pub(crate) ampersand: Span,
    /// The span of `mut`, `out` or `atomic`.
    pub(crate) word: Option<Span>,
}

/// The length in a buffer's type: any host expression, or a tuple of two or three for a shape.
pub(crate) struct Length {
    pub(crate) expression: Expr,
}

/// A statement with what stands in front of it and behind it.
pub(crate) struct Statement {
    pub(crate) attributes: Vec<Attribute>,
    /// `'name:`
    pub(crate) label: Option<Lifetime>,
    pub(crate) kind: StatementKind,
    /// The labels of `after 'a, 'b`.
    pub(crate) after: Vec<Lifetime>,
}

#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
pub(crate) enum StatementKind {
    Launch(Launch),
    /// `let t: [T; n] = value;`, `let t: host [T; n];`
    Transient(Transient),
    /// `static s: [T; n] = value;`
    Static(Transient),
    /// `let t = host_expression;` (a plain Rust `let`).
    HostLet {
        pattern: Box<Pat>,
        ty: Option<Box<Type>>,
        value: Expr,
        /// The `else` of a `let … else`, which is refused.
        leaves: Option<Span>,
    },
    /// `copy(&a, &out b);`
    Copy {
        word: Ident,
        from: Box<BufferArgument>,
        to: Box<BufferArgument>,
    },
    /// `fill(&out x, value);`
    Fill {
        word: Ident,
        target: Box<BufferArgument>,
        value: Expr,
    },
    /// `assert!(info[0] == 0, "tile {k}");`
    Assert {
        word: Ident,
        condition: Expr,
        /// The arguments of `format!`, if there are any.
        message: Option<TokenStream>,
    },
    /// `swap(&mut a, &mut b);`
    Swap {
        word: Ident,
        left: Box<BufferArgument>,
        right: Box<BufferArgument>,
    },
    /// `host(&a, &mut b, |a, b| …);`
    Host(Call),
    /// `capture(&a, &out c, |stream, a, c| …, cpu = |a, c| …);`
    Capture(Call),
    /// `record(&e);`, `wait(&e, &x);`
    Event {
        word: Ident,
        event: Ident,
        buffers: Vec<BufferArgument>,
    },
    /// `Other { a: &a, b: &mut b, n };`
    Graph(GraphCall),
    /// `drop(t);`
    Drop {
        name: Ident,
    },
    /// `s[0] = e;` or, with an operator, `s[0] += e;`
    Scalar {
        target: BufferPlace,
        operator: Option<syn::BinOp>,
        equals: Span,
        value: Expr,
    },
    /// `kernel for i in a..b { … }`
    KernelFor(KernelFor),
    /// `s[0] = (a..b).map(|i| …).sum();`
    Reduction(Box<Reduction>),
    If(If),
    Match(Match),
    While(While),
    KernelWhile(KernelWhile),
    Loop(Loop),
    For(For),
    /// `{ … }`: a scope for buffers, no node.
    Scope(Vec<Statement>),
    /// A form of the language that is not supported yet, or one that could not be parsed; reported by the parser.
    Error,
}

/// `path::kernel::<T><<<grid, block, shared>>>(arguments)`.
pub(crate) struct Launch {
    pub(crate) path: ExprPath,
    pub(crate) grid: Expr,
    /// Absent where the kernel's declaration fixes it.
    pub(crate) block: Option<Expr>,
    /// `<<<`
    pub(crate) open: Span,
    pub(crate) shared: Option<Expr>,
    pub(crate) arguments: Vec<Argument>,
    /// The span of the argument list's parentheses.
    pub(crate) parentheses: proc_macro2::extra::DelimSpan,
}

#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
pub(crate) enum Argument {
    Buffer(BufferArgument),
    Value(Expr),
}

/// A statement around a closure. Its arguments may be objects too.
pub(crate) struct Call {
    /// `host`, `capture`, or the name of a loaded function.
    pub(crate) word: Ident,
    /// It is a launch of a loaded function.
    pub(crate) loaded: bool,
    pub(crate) arguments: Vec<BufferArgument>,
    pub(crate) closure: Closure,
    /// What a capture does on the CPU.
    pub(crate) cpu: Option<Closure>,
}

/// `path::Other { a: &a, n }`
pub(crate) struct GraphCall {
    pub(crate) path: ExprPath,
    pub(crate) fields: Vec<GraphField>,
    /// The span of the braces.
    pub(crate) braces: Span,
}

/// `a: &a`, `n`
pub(crate) struct GraphField {
    pub(crate) name: Ident,
    pub(crate) argument: Argument,
}

/// `|a, b| …`
#[derive(Clone)]
pub(crate) struct Closure {
    pub(crate) parameters: Vec<Pat>,
    pub(crate) output: ReturnType,
    pub(crate) body: Box<Expr>,
    /// Its first token.
    pub(crate) span: Span,
}

/// `&out x`, `&mut x[a..b]`.
pub(crate) struct BufferArgument {
    pub(crate) mode: Mode,
    pub(crate) name: Ident,
    /// What leads from a list or a struct to the buffer: `[i]`, `.w`.
    pub(crate) path: Vec<Projection>,
    /// What stands in the brackets.
    pub(crate) range: Option<Ranges>,
}

/// `[a..b]`, `[(a..b, c..d)]`: a range along each dimension, the outermost first.
#[expect(clippy::struct_field_names, reason = "it is what they are")]
pub(crate) struct Ranges {
    pub(crate) ranges: Vec<Range>,
    /// Between parentheses: one for each dimension.
    pub(crate) tuple: bool,
    /// The brackets.
    pub(crate) span: Span,
}

/// One step from a list to an item, or from a struct to a field.
#[allow(clippy::large_enum_variant, reason = "built once, then only borrowed")]
pub(crate) enum Projection {
    /// `[i + 1]`
    Index(Expr, Span),
    /// `.w`
    Field(Ident),
}

/// `a..b`, `..b`, `a..`, `..`, `a..=b`.
pub(crate) struct Range {
    pub(crate) start: Option<Expr>,
    pub(crate) end: Option<Expr>,
    /// The end belongs to it: `a..=b`, or the single index `a` of a box.
    pub(crate) inclusive: bool,
}

/// `s[i]` as a target.
pub(crate) struct BufferPlace {
    pub(crate) name: Ident,
    /// What leads from a list to the buffer.
    pub(crate) path: Vec<Projection>,
    pub(crate) index: Expr,
}

/// `kernel for (i, j) in (a..b, c..d) { … }`
pub(crate) struct KernelFor {
    /// `kernel`
    pub(crate) word: Ident,
    pub(crate) axes: Vec<Axis>,
    pub(crate) body: Vec<syn::Stmt>,
}

/// `i in a..b`
#[derive(Clone)]
pub(crate) struct Axis {
    pub(crate) name: Ident,
    pub(crate) start: Expr,
    pub(crate) end: Expr,
    /// `..=`
    pub(crate) inclusive: bool,
}

/// `s[0] = (a..b).map(|i| value).sum();`
pub(crate) struct Reduction {
    pub(crate) target: BufferPlace,
    /// `+=` and its like.
    pub(crate) operator: Option<syn::BinOp>,
    pub(crate) value: Mapped,
}

/// `(a..b).map(|i| value).sum()`
#[derive(Clone)]
pub(crate) struct Mapped {
    pub(crate) axes: Vec<Axis>,
    pub(crate) value: Expr,
    pub(crate) method: Ident,
    pub(crate) combine: graph_ir::model::Combine,
}

pub(crate) struct Transient {
    pub(crate) name: Ident,
    pub(crate) host: Option<Ident>,
    pub(crate) element: Box<Type>,
    pub(crate) length: Length,
    /// How many of them `[[T; n]; m]` is a list of.
    pub(crate) count: Option<Expr>,
    pub(crate) value: Option<Expr>,
}

/// Whether an `if` or `match` is decided on the device or at build is found out when names are resolved.
pub(crate) struct If {
    pub(crate) keyword: Token![if],
    pub(crate) condition: Expr,
    pub(crate) then: Vec<Statement>,
    /// `else { … }`, or `else if` as a single `If` statement.
    pub(crate) otherwise: Option<(Token![else], Vec<Statement>)>,
}

pub(crate) struct Match {
    pub(crate) keyword: Token![match],
    pub(crate) value: Expr,
    pub(crate) arms: Vec<MatchArm>,
}

pub(crate) struct MatchArm {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: Pat,
    /// `if c`
    pub(crate) guard: Option<(Token![if], Expr)>,
    /// The pattern's first token.
    pub(crate) span: Span,
    pub(crate) body: Vec<Statement>,
}

/// `3`, `-1`, `3..8`, `3..=8`.
pub(crate) struct ArmPattern {
    pub(crate) first: i128,
    pub(crate) last: i128,
    /// The pattern as written, for the check function.
    pub(crate) tokens: TokenStream,
}

pub(crate) struct While {
    pub(crate) keyword: Token![while],
    pub(crate) condition: Expr,
    pub(crate) bounds: Bounds,
    pub(crate) body: Vec<Statement>,
}

/// `while |c| { … }`: a kernel of the body sets the condition `c`.
pub(crate) struct KernelWhile {
    pub(crate) keyword: Token![while],
    pub(crate) name: Ident,
    pub(crate) bounds: Bounds,
    pub(crate) body: Vec<Statement>,
}

pub(crate) struct Loop {
    pub(crate) keyword: Token![loop],
    pub(crate) bounds: Bounds,
    pub(crate) body: Vec<Statement>,
    /// The condition of the last statement `if c { break; }`, which is taken out of `body`.
    pub(crate) until: Option<Until>,
}

pub(crate) struct Until {
    pub(crate) keyword: Token![if],
    pub(crate) condition: Expr,
}

/// `for (i, x) in list.iter().enumerate() { … }`: the host's, unrolled when the graph is built.
pub(crate) struct For {
    pub(crate) keyword: Token![for],
    pub(crate) pattern: Pat,
    pub(crate) iterable: Expr,
    pub(crate) body: Vec<Statement>,
}

/// `limit n every k`.
#[derive(Default)]
pub(crate) struct Bounds {
    pub(crate) limit: Option<Expr>,
    pub(crate) every: Option<Every>,
}

/// How many passes there are between two tests.
pub(crate) enum Every {
    /// A number, which the macro knows.
    Literal(LitInt),
    /// A host expression.
    Host(Box<Expr>),
}

impl Every {
    /// Where it is written.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Literal(number) => number.span(),
            Self::Host(expression) => syn::spanned::Spanned::span(&**expression),
        }
    }
}

/// A literal with an optional minus sign in front, if `expression` is one.
pub(crate) fn signed_literal(expression: &Expr) -> Option<(bool, &Lit)> {
    match expression {
        Expr::Lit(literal) => Some((false, &literal.lit)),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match &**expr {
            Expr::Lit(literal) => Some((true, &literal.lit)),
            _ => None,
        },
        _ => None,
    }
}

/// The word that a body belongs to, and where it stands.
type Keyword = (&'static str, Span);

impl StatementKind {
    /// The statement lists directly inside this statement, each with the keyword of the body that it is; a scope is none.
    pub(crate) fn bodies(&self) -> Vec<(&[Statement], Option<Keyword>)> {
        match self {
            Self::If(conditional) => {
                let then = (conditional.then.as_slice(), Some(("if", conditional.keyword.span)));
                let otherwise = conditional.otherwise.as_ref();
                let otherwise = otherwise.map(|(keyword, body)| (body.as_slice(), Some(("else", keyword.span))));
                std::iter::once(then).chain(otherwise).collect()
            }
            Self::Match(conditional) => {
                conditional.arms.iter().map(|arm| (arm.body.as_slice(), Some(("match", arm.span)))).collect()
            }
            Self::While(conditional) => vec![(&conditional.body, Some(("while", conditional.keyword.span)))],
            Self::KernelWhile(conditional) => vec![(&conditional.body, Some(("while", conditional.keyword.span)))],
            Self::Loop(conditional) => vec![(&conditional.body, Some(("loop", conditional.keyword.span)))],
            Self::For(host) => vec![(&host.body, Some(("for", host.keyword.span)))],
            Self::Scope(body) => vec![(body, None)],
            _ => Vec::new(),
        }
    }
}

/// The names that a pattern binds. A path such as `None` looks like a name and is taken for one, which does no harm.
pub(crate) fn pattern_names(pattern: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
            self.0.push(name.ident.clone());
            syn::visit::visit_pat_ident(self, name);
        }

        /// Another alternative binds the same names.
        fn visit_pat_or(&mut self, or: &'ast syn::PatOr) {
            or.cases.first().into_iter().for_each(|case| self.visit_pat(case));
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}

/// The names that the `let`s of a condition bind: `let Some(n) = a && let Some(m) = b`.
pub(crate) fn condition_names(condition: &Expr) -> Vec<Ident> {
    match condition {
        Expr::Let(inner) => pattern_names(&inner.pat),
        Expr::Binary(inner) => condition_names(&inner.left).into_iter().chain(condition_names(&inner.right)).collect(),
        Expr::Paren(inner) => condition_names(&inner.expr),
        Expr::Group(inner) => condition_names(&inner.expr),
        _ => Vec::new(),
    }
}

/// Whether a condition has a `let` in it, outside of blocks.
pub(crate) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(inner) => has_let(&inner.left) || has_let(&inner.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        Expr::Group(inner) => has_let(&inner.expr),
        _ => false,
    }
}
