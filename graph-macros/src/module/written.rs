//! What a kernel file says of a kernel. What cannot be read is left open, with the reason: it agrees with every declaration.

use super::source::{Contents, Source};
use super::{cuda, ptx};

/// What a file and its headers say.
#[derive(Debug, Default)]
pub(super) struct File {
    /// By name, with namespaces.
    pub(super) kernels: Vec<(String, Result<Written, Unread>)>,
    /// What keeps kernels from being found.
    pub(super) unread: Option<Unread>,
    /// Declarations of the function that sets conditions.
    pub(super) setters: Vec<Setter>,
}

/// What could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    /// `kernels/jacobi.cu:12`
    pub(super) place: String,
    pub(super) reason: String,
}

/// A declaration of `cudaGraphSetConditional`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setter {
    pub(super) place: String,
    /// Its parameters, as written.
    pub(super) text: String,
    pub(super) types: Vec<Type>,
}

/// The function that sets conditions.
pub(super) const SETTER: &str = "cudaGraphSetConditional";

/// All that is known of a file; nothing of a compiled image.
pub(super) fn read(source: &Source) -> File {
    let path = source.path.value();
    match &source.contents {
        Contents::Cubin => File::default(),
        Contents::Ptx { text } => ptx::read(&path, text),
        Contents::Cuda { text, headers, options } => {
            let headers = headers.iter().map(|header| (&*header.path, &*header.text));
            let files: Vec<(&str, &str)> = std::iter::once((&*path, &**text)).chain(headers).collect();
            cuda::read(&files, options)
        }
    }
}

/// A kernel of a kernel file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// `kernels/jacobi.cu:12`
    pub(super) place: String,
    /// In order, unless even their number is open.
    pub(super) parameters: Result<Vec<Parameter>, Unread>,
    /// The most threads that a block may have, with the words that say so.
    pub(super) bound: Option<Bound>,
    /// Bytes of shared memory that it declares itself, as far as they can be told.
    pub(super) shared: u64,
}

impl Unread {
    pub(super) fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }
}

/// `__launch_bounds__(256)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) threads: u64,
    pub(super) text: String,
}

/// `const float *x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) ty: Type,
    /// Absent if it has none.
    pub(super) name: Option<String>,
    /// As written.
    pub(super) text: String,
    pub(super) place: String,
}

/// A type, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Scalar(Scalar),
    /// `float4`.
    Vector(Scalar, u64),
    /// A struct, with its layout if that can be told.
    Struct {
        layout: Option<Layout>,
    },
    /// `constant`: what it points to; absent where a file does not tell.
    Pointer {
        constant: Option<bool>,
        to: Box<Type>,
    },
    /// So many bytes, whatever they are.
    Bytes(u64),
    Open,
}

/// Of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) bytes: u64,
    pub(super) align: u64,
}

/// A number, or the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) class: Class,
    pub(super) bytes: u64,
}

/// What a scalar's bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Bool,
    Unsigned,
    Signed,
    Float,
    /// `__nv_bfloat16`.
    Brain,
}

impl Scalar {
    pub(super) const fn new(class: Class, bytes: u64) -> Self {
        Self { class, bytes }
    }

    /// Whether a buffer or value of one may hold the other: integers of either sign; 16 bits of a number as an integer, which is how files
    /// without CUDA's headers write it.
    pub(super) fn holds(self, declared: Self) -> bool {
        let classes = self.class == declared.class
            || self.is_integer() && (declared.is_integer() || declared.class == Class::Bool)
            || self.bytes == 2 && (self.is_integer() || declared.is_integer());
        classes && self.bytes == declared.bytes
    }

    fn is_integer(self) -> bool {
        matches!(self.class, Class::Signed | Class::Unsigned)
    }

    /// The Rust type that is meant.
    pub(super) fn rust(self) -> Option<&'static str> {
        Some(match (self.class, self.bytes) {
            (Class::Bool, 1) => "bool",
            (Class::Unsigned, 1) => "u8",
            (Class::Unsigned, 2) => "u16",
            (Class::Unsigned, 4) => "u32",
            (Class::Unsigned, 8) => "u64",
            (Class::Signed, 1) => "i8",
            (Class::Signed, 2) => "i16",
            (Class::Signed, 4) => "i32",
            (Class::Signed, 8) => "i64",
            (Class::Float, 2) => "f16",
            (Class::Float, 4) => "f32",
            (Class::Float, 8) => "f64",
            (Class::Brain, 2) => "bf16",
            _ => return None,
        })
    }
}

impl Type {
    /// Its size, if it is known.
    pub(super) fn bytes(&self) -> Option<u64> {
        match self {
            Self::Scalar(scalar) => Some(scalar.bytes),
            Self::Vector(scalar, count) => Some(scalar.bytes * count),
            Self::Struct { layout } => layout.map(|layout| layout.bytes),
            Self::Bytes(bytes) => Some(*bytes),
            Self::Pointer { .. } => Some(8),
            Self::Void | Self::Open => None,
        }
    }
}
