//! The text of one entry: registers, loads and lines.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use graph_ir::model::ScalarType;

use crate::scalar::facts;

/// A kind of register. Integers of fewer than 32 bits lie zero- or sign-extended in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Predicate,
    Word,
    Long,
    Single,
    Double,
}

impl Class {
    const ALL: [Self; 5] = [Self::Predicate, Self::Word, Self::Long, Self::Single, Self::Double];

    /// Where values of this type lie.
    pub(super) fn of(scalar: ScalarType) -> Self {
        match scalar {
            ScalarType::Bool => Self::Predicate,
            ScalarType::U64 | ScalarType::I64 => Self::Long,
            ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 => Self::Single,
            ScalarType::F64 => Self::Double,
            _ => Self::Word,
        }
    }

    /// `selp.b32`, `and.pred`: the type without a meaning.
    pub(super) fn bits(self) -> &'static str {
        match self {
            Self::Predicate => "pred",
            Self::Word => "b32",
            Self::Long => "b64",
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Predicate => "%p",
            Self::Word => "%r",
            Self::Long => "%rd",
            Self::Single => "%f",
            Self::Double => "%fd",
        }
    }
}

/// A virtual register, written once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) class: Class,
    index: u32,
}

impl Display for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.class.prefix(), self.index)
    }
}

/// The arithmetic type of an instruction: `add.s32`. Small integers compute in 32 bits.
pub(super) fn arithmetic(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 | ScalarType::U32 => "u32",
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => "s32",
        ScalarType::U64 => "u64",
        ScalarType::I64 => "s64",
        ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
    }
}

/// The type of a value in memory: `ld.global.s8`.
fn memory(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool | ScalarType::U8 => "u8",
        ScalarType::I8 => "s8",
        ScalarType::U16 => "u16",
        ScalarType::I16 => "s16",
        _ => arithmetic(scalar),
    }
}

/// Lines of one entry. Straight-line code: what is loaded once is known from then on.
#[derive(Default)]
pub(super) struct Body {
    text: String,
    counts: [u32; 5],
    elements: BTreeMap<u32, Register>,
}

impl Body {
    /// A new register.
    pub(super) fn register(&mut self, class: Class) -> Register {
        let count = &mut self.counts[class as usize];
        let index = *count;
        *count += 1;
        Register { class, index }
    }

    /// One instruction.
    pub(super) fn line(&mut self, line: impl Display) {
        let written = writeln!(self.text, "\t{line};");
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
    }

    /// Lines with declarations of their own.
    pub(super) fn block(&mut self, lines: &[&dyn Display]) {
        self.text.push_str("\t{\n");
        for line in lines {
            self.line(line);
        }
        self.text.push_str("\t}\n");
    }

    /// `instruction destination, operands`.
    pub(super) fn compute(&mut self, class: Class, instruction: &str, operands: &[&dyn Display]) -> Register {
        let destination = self.register(class);
        let mut line = format!("{instruction} {destination}");
        for operand in operands {
            let written = write!(line, ", {operand}");
            debug_assert!(written.is_ok(), "writing into a string cannot fail");
        }
        self.line(line);
        destination
    }

    /// A `u64` parameter.
    pub(super) fn parameter(&mut self, name: &str) -> Register {
        self.compute(Class::Long, "ld.param.u64", &[&format_args!("[{name}]")])
    }

    /// A `u64` parameter that is an address in global memory.
    pub(super) fn address(&mut self, name: &str) -> Register {
        let generic = self.parameter(name);
        self.compute(Class::Long, "cvta.to.global.u64", &[&generic])
    }

    /// The element of an access, loaded once.
    pub(super) fn element(&mut self, access: u32, scalar: ScalarType) -> Register {
        if let Some(register) = self.elements.get(&access) {
            return *register;
        }
        let address = self.address(&format!("access_{access}"));
        let register = self.load("global", scalar, &format_args!("[{address}]"));
        self.elements.insert(access, register);
        register
    }

    /// A host value: the low bytes of an 8-byte parameter.
    pub(super) fn host(&mut self, slot: u32, scalar: ScalarType) -> Register {
        self.load("param", scalar, &format_args!("[host_{slot}]"))
    }

    fn load(&mut self, space: &str, scalar: ScalarType, place: &dyn Display) -> Register {
        let instruction = format!("ld.{space}.{}", memory(scalar));
        if scalar == ScalarType::Bool {
            let byte = self.compute(Class::Word, &instruction, &[place]);
            return self.compute(Class::Predicate, "setp.ne.u32", &[&byte, &0]);
        }
        self.compute(Class::of(scalar), &instruction, &[place])
    }

    /// A value with these bits.
    pub(super) fn constant(&mut self, scalar: ScalarType, bits: u64) -> Register {
        match scalar {
            ScalarType::Bool => {
                let word = self.compute(Class::Word, "mov.b32", &[&bits]);
                self.compute(Class::Predicate, "setp.ne.u32", &[&word, &0])
            }
            ScalarType::F32 => self.compute(Class::Single, "mov.f32", &[&format_args!("0f{bits:08X}")]),
            ScalarType::F64 => self.compute(Class::Double, "mov.f64", &[&format_args!("0d{bits:016X}")]),
            ScalarType::U64 | ScalarType::I64 => self.compute(Class::Long, "mov.b64", &[&format_args!("0x{bits:x}")]),
            _ => {
                let word = extended(scalar, bits);
                self.compute(Class::Word, "mov.b32", &[&format_args!("0x{word:x}")])
            }
        }
    }

    /// Stores a value as an element of this type.
    pub(super) fn store(&mut self, address: Register, scalar: ScalarType, value: Register) {
        let value = if scalar == ScalarType::Bool { self.word_of(value) } else { value };
        self.line(format_args!("st.global.{} [{address}], {value}", memory(scalar).replace('s', "u")));
    }

    /// 1 or 0.
    pub(super) fn word_of(&mut self, predicate: Register) -> Register {
        self.compute(Class::Word, "selp.u32", &[&1, &0, &predicate])
    }

    /// The declarations of the registers, then the lines.
    pub(super) fn finish(mut self) -> String {
        self.line("ret");
        let mut text = String::new();
        for class in Class::ALL {
            let count = self.counts[class as usize];
            if count > 0 {
                let kind = class.bits();
                let written = writeln!(text, "\t.reg .{kind} {}<{count}>;", class.prefix());
                debug_assert!(written.is_ok(), "writing into a string cannot fail");
            }
        }
        text + &self.text
    }
}

/// The bits of a small integer as they lie in a word.
fn extended(scalar: ScalarType, bits: u64) -> u32 {
    let unused = 32 - facts::width(scalar);
    let bits = (bits as u32) << unused;
    if facts::is_signed(scalar) { (bits.cast_signed() >> unused).cast_unsigned() } else { bits >> unused }
}
