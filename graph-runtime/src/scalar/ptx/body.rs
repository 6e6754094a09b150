//! The text of one entry: registers, loads and lines.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Display, Write};

use graph_ir::model::ScalarType;

use crate::scalar::facts;
use crate::scalar::typing::Typed;

/// A kind of register. Integers of fewer than 32 bits lie zero- or sign-extended in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Predicate,
    Half,
    Word,
    Long,
    Single,
    Double,
}

impl Class {
    const ALL: [Self; 6] = [Self::Predicate, Self::Half, Self::Word, Self::Long, Self::Single, Self::Double];

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
            Self::Half => "b16",
            Self::Word => "b32",
            Self::Long => "b64",
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Predicate => "%p",
            Self::Half => "%h",
            Self::Word => "%r",
            Self::Long => "%rd",
            Self::Single => "%f",
            Self::Double => "%fd",
        }
    }
}

/// A virtual register.
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
pub(super) fn memory(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool | ScalarType::U8 => "u8",
        ScalarType::I8 => "s8",
        ScalarType::U16 => "u16",
        ScalarType::I16 => "s16",
        ScalarType::F16 | ScalarType::BF16 => "b16",
        _ => arithmetic(scalar),
    }
}

/// Lines of one entry.
#[derive(Default)]
pub(super) struct Body {
    text: String,
    counts: [u32; 6],
    labels: u32,
    /// What is the same wherever it stands, loaded in front of every branch.
    elements: BTreeMap<u32, Register>,
    /// Of the buffers' first elements, by access.
    buffers: BTreeMap<u32, Register>,
    /// Values that do not depend on the index.
    invariants: HashMap<Typed, Register>,
    /// Whether the numbers of all elements fit into 32 bits.
    pub(super) narrow: bool,
    /// The registers of a body's names.
    pub(super) locals: Vec<Register>,
    /// The elements at this index of buffers that are loaded several at a time, by the buffer's first access.
    pub(super) lanes: BTreeMap<u32, Register>,
    /// This index's elements of buffers that need no memory, by access.
    pub(super) kept: BTreeMap<u32, Register>,
}

/// A place to branch to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(u32);

impl Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "L{}", self.0)
    }
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

    /// A place to branch to, which [`Body::mark`] puts somewhere.
    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Puts a label here.
    pub(super) fn mark(&mut self, label: Label) {
        let written = writeln!(self.text, "{label}:");
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
    }

    /// Goes on at a label.
    pub(super) fn jump(&mut self, label: Label) {
        self.line(format_args!("bra {label}"));
    }

    /// Goes on at a label if the predicate holds.
    pub(super) fn jump_if(&mut self, predicate: Register, label: Label) {
        self.line(format_args!("@{predicate} bra {label}"));
    }

    /// Goes on at a label if the predicate does not hold.
    pub(super) fn jump_unless(&mut self, predicate: Register, label: Label) {
        self.line(format_args!("@!{predicate} bra {label}"));
    }

    /// Gives a register another value of its class.
    pub(super) fn assign(&mut self, register: Register, value: Register) {
        self.line(format_args!("mov.{} {register}, {value}", register.class.bits()));
    }

    /// A copy of a value, which can be given others.
    pub(super) fn copy(&mut self, value: Register) -> Register {
        let register = self.register(value.class);
        self.assign(register, value);
        register
    }

    /// The only element of an access, loaded once.
    pub(super) fn element(&mut self, access: u32, storage: ScalarType) -> Register {
        self.element_in("global", access, storage)
    }

    /// The same in a mailbox: by one instruction that no cache answers.
    pub(super) fn mail(&mut self, access: u32, storage: ScalarType) -> Register {
        self.element_in("volatile.global", access, storage)
    }

    fn element_in(&mut self, space: &str, access: u32, storage: ScalarType) -> Register {
        if let Some(register) = self.elements.get(&access) {
            return *register;
        }
        let address = self.address(&format!("access_{access}"));
        let register = self.load(space, storage, &format_args!("[{address}]"));
        self.elements.insert(access, register);
        register
    }

    /// The value of the only element of an access, known otherwise.
    pub(super) fn set_element(&mut self, access: u32, value: Register) {
        self.elements.insert(access, value);
    }

    /// The address of the first element of an access's buffer.
    pub(super) fn buffer(&mut self, access: u32) -> Register {
        if let Some(register) = self.buffers.get(&access) {
            return *register;
        }
        let register = self.address(&format!("buffer_{access}"));
        self.buffers.insert(access, register);
        register
    }

    /// The value of an expression that does not depend on the index, once it is known.
    pub(super) fn invariant(&self, typed: &Typed) -> Option<Register> {
        self.invariants.get(typed).copied()
    }

    /// Keeps the value of an expression that does not depend on the index.
    pub(super) fn keep_invariant(&mut self, typed: &Typed, value: Register) {
        self.invariants.insert(typed.clone(), value);
    }

    /// An element may have been stored: it is loaded again.
    pub(super) fn forget_element(&mut self, access: u32) {
        self.elements.remove(&access);
    }

    /// A host value: the low bytes of an 8-byte parameter.
    pub(super) fn host(&mut self, slot: u32, scalar: ScalarType) -> Register {
        self.load("param", scalar, &format_args!("[host_{slot}]"))
    }

    pub(super) fn load(&mut self, space: &str, scalar: ScalarType, place: &dyn Display) -> Register {
        let instruction = format!("ld.{space}.{}", memory(scalar));
        let raw = self.compute(Self::raw_class(scalar), &instruction, &[place]);
        self.widen(scalar, raw)
    }

    /// Where elements of this type lie when they come from memory.
    pub(super) fn raw_class(scalar: ScalarType) -> Class {
        match scalar {
            ScalarType::Bool => Class::Word,
            ScalarType::F16 | ScalarType::BF16 => Class::Half,
            _ => Class::of(scalar),
        }
    }

    /// What came from memory, as the type that it is computed as.
    pub(super) fn widen(&mut self, scalar: ScalarType, raw: Register) -> Register {
        match scalar {
            ScalarType::Bool => self.compute(Class::Predicate, "setp.ne.u32", &[&raw, &0]),
            ScalarType::F16 => self.compute(Class::Single, "cvt.f32.f16", &[&raw]),
            ScalarType::BF16 => {
                let word = self.compute(Class::Word, "cvt.u32.u16", &[&raw]);
                let bits = self.compute(Class::Word, "shl.b32", &[&word, &16]);
                self.compute(Class::Single, "mov.b32", &[&bits])
            }
            _ => raw,
        }
    }

    /// A value, as elements of this type lie in memory: rounded to nearest even.
    pub(super) fn narrow(&mut self, scalar: ScalarType, value: Register) -> Register {
        match scalar {
            ScalarType::Bool => self.word_of(value),
            ScalarType::F16 => self.compute(Class::Half, "cvt.rn.f16.f32", &[&value]),
            ScalarType::BF16 => self.narrow_brain(value),
            _ => value,
        }
    }

    /// A value as it comes back from memory once it was stored as an element of this type.
    pub(super) fn rounded(&mut self, scalar: ScalarType, value: Register) -> Register {
        match scalar {
            ScalarType::F16 | ScalarType::BF16 => {
                let stored = self.narrow(scalar, value);
                self.widen(scalar, stored)
            }
            _ => value,
        }
    }

    /// In integers, since old devices have no instruction for it. A NaN stays one.
    fn narrow_brain(&mut self, value: Register) -> Register {
        let bits = self.compute(Class::Word, "mov.b32", &[&value]);
        let odd = self.compute(Class::Word, "bfe.u32", &[&bits, &16, &1]);
        let half = self.compute(Class::Word, "add.u32", &[&odd, &0x7fff]);
        let rounded = self.compute(Class::Word, "add.u32", &[&bits, &half]);
        let quiet = self.compute(Class::Word, "or.b32", &[&bits, &0x0040_0000]);
        let nan = self.compute(Class::Predicate, "testp.notanumber.f32", &[&value]);
        let chosen = self.compute(Class::Word, "selp.b32", &[&quiet, &rounded, &nan]);
        let high = self.compute(Class::Word, "shr.u32", &[&chosen, &16]);
        self.compute(Class::Half, "cvt.u16.u32", &[&high])
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
        self.store_in("global", address, scalar, value);
    }

    /// The same in a mailbox: by one instruction that the host sees at once.
    pub(super) fn post(&mut self, address: Register, scalar: ScalarType, value: Register) {
        self.store_in("volatile.global", address, scalar, value);
    }

    fn store_in(&mut self, space: &str, address: Register, scalar: ScalarType, value: Register) {
        let value = self.narrow(scalar, value);
        self.line(format_args!("st.{space}.{} [{address}], {value}", memory(scalar).replace('s', "u")));
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
