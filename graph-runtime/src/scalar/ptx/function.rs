//! Functions that PTX has no accurate instruction for: they come from the compiler's own library, which NVRTC compiles.

use std::fmt::Write;

use graph_ir::model::{Method, ScalarType};

use super::body::{self, Body, Class, Register};

/// Rust's name, and that of C, to which `f` is added for `float`.
const FUNCTIONS: [(Method, &str); 20] = [
    (Method::Exp, "exp"),
    (Method::Exp2, "exp2"),
    (Method::ExpM1, "expm1"),
    (Method::Ln, "log"),
    (Method::Log2, "log2"),
    (Method::Log10, "log10"),
    (Method::Ln1p, "log1p"),
    (Method::Sin, "sin"),
    (Method::Cos, "cos"),
    (Method::Tan, "tan"),
    (Method::Asin, "asin"),
    (Method::Acos, "acos"),
    (Method::Atan, "atan"),
    (Method::Atan2, "atan2"),
    (Method::Sinh, "sinh"),
    (Method::Cosh, "cosh"),
    (Method::Tanh, "tanh"),
    (Method::Powf, "pow"),
    (Method::Hypot, "hypot"),
    (Method::Cbrt, "cbrt"),
];

/// What a text of entries needs beside itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Library {
    /// CUDA C++ with one function each.
    pub(crate) text: String,
    /// The methods, as Rust calls them, for messages.
    pub(crate) methods: Vec<&'static str>,
}

/// Whether a method comes from the library.
pub(super) fn needs_library(method: Method) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == method)
}

/// A call of a function of the library.
pub(super) fn call(body: &mut Body, method: Method, scalar: ScalarType, values: &[Register]) -> Register {
    let class = Class::of(scalar);
    let (suffix, bits) = (body::arithmetic(scalar), if class == Class::Double { "b64" } else { "b32" });
    let value = body.register(class);
    let names: Vec<String> = (0..values.len()).map(|index| format!("operand_{index}")).collect();
    let mut lines = vec![format!(".param .{bits} result")];
    for (name, operand) in names.iter().zip(values) {
        lines.push(format!(".param .{bits} {name}"));
        lines.push(format!("st.param.{suffix} [{name}], {operand}"));
    }
    lines.push(format!("call (result), {}, ({})", name(method, scalar), names.join(", ")));
    lines.push(format!("ld.param.{suffix} {value}, [result]"));
    let lines: Vec<&dyn std::fmt::Display> = lines.iter().map(|line| line as &dyn std::fmt::Display).collect();
    body.block(&lines);
    value
}

fn name(method: Method, scalar: ScalarType) -> String {
    format!("math_{}_{}", method.name(), body::arithmetic(scalar))
}

/// The functions that a text of entries calls; `None` if it calls none.
pub(crate) fn library(entries: &str) -> Option<Library> {
    let mut library = Library { text: String::new(), methods: Vec::new() };
    for (method, c_name) in FUNCTIONS {
        for (scalar, c_type, suffix) in [(ScalarType::F32, "float", "f"), (ScalarType::F64, "double", "")] {
            let name = name(method, scalar);
            if !entries.contains(&format!(" {name},")) {
                continue;
            }
            let operands: Vec<String> = (0..method.arity()).map(|index| format!("x{index}")).collect();
            let parameters: Vec<String> = operands.iter().map(|operand| format!("{c_type} {operand}")).collect();
            let (parameters, operands) = (parameters.join(", "), operands.join(", "));
            let written = writeln!(
                library.text,
                "extern \"C\" __device__ {c_type} {name}({parameters}) {{ return {c_name}{suffix}({operands}); }}"
            );
            debug_assert!(written.is_ok(), "writing into a string cannot fail");
            if !library.methods.contains(&method.name()) {
                library.methods.push(method.name());
            }
        }
    }
    (!library.methods.is_empty()).then_some(library)
}

/// The entries behind the library's compiled text, under its header.
pub(crate) fn with_library(library: &str, entries: &str) -> String {
    let mut headers = [super::HEADER, super::OVERLAPPING].into_iter();
    let entries = headers.find_map(|header| entries.strip_prefix(header)).unwrap_or(entries);
    format!("{}\n{entries}", library.trim_end_matches('\0'))
}
