//! The number types, and what of each type there is in the graphs.

/// A number type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

impl Number {
    pub(super) const ALL: [Self; 10] =
        [Self::U8, Self::I8, Self::U16, Self::I16, Self::U32, Self::I32, Self::U64, Self::I64, Self::F32, Self::F64];

    /// Types of buffers.
    pub(super) const STORED: [Self; 8] =
        [Self::U8, Self::I16, Self::U32, Self::I32, Self::U64, Self::I64, Self::F32, Self::F64];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The buffer with elements of this type.
    pub(super) fn buffer(self) -> Option<&'static str> {
        match self {
            Self::F32 => Some("f"),
            Self::F64 => Some("d"),
            Self::U32 => Some("u"),
            Self::U64 => Some("w"),
            Self::I32 => Some("i"),
            Self::I64 => Some("l"),
            Self::U8 => Some("b"),
            Self::I16 => Some("s"),
            Self::I8 | Self::U16 => None,
        }
    }

    /// The host value of this type.
    pub(super) fn host(self) -> Option<&'static str> {
        match self {
            Self::F32 => Some("hf"),
            Self::F64 => Some("hd"),
            Self::U32 => Some("hu"),
            Self::I64 => Some("hl"),
            _ => None,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub(super) fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Of an integer, in bits.
    pub(super) fn width(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 8,
            Self::U16 | Self::I16 => 16,
            Self::U32 | Self::I32 | Self::F32 => 32,
            Self::U64 | Self::I64 | Self::F64 => 64,
        }
    }

    /// Literals that are no zero, fit, and have few bits, so that rustc foresees no overflow.
    pub(super) fn literals(self) -> &'static [&'static str] {
        match self {
            Self::F32 | Self::F64 => &["0.5", "1.0", "3.0", "1e-40", "0.1", "16777217.0", "2.5e9", "1e19", "0.0"],
            Self::U8 => &["1", "2", "7", "0x10", "200", "0b101_0101"],
            Self::I8 => &["1", "2", "7", "0x10", "100"],
            Self::U16 | Self::I16 => &["1", "3", "0x55", "1_000", "0o777"],
            Self::U32 | Self::I32 => &["1", "3", "0xff", "65_537", "1_000_000_007"],
            Self::U64 | Self::I64 => &["1", "3", "0xffff_ffff", "65_537", "1_000_000_000_000_007"],
        }
    }
}
