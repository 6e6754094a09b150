//! CG0217: a kernel is declared as its file has it.
//!
//! Compared are the number of parameters, pointers against buffers, `const` against `&`, and the sizes of numbers. What the scan of the file
//! leaves open (typedefs, macros, overloads) agrees with everything: the build compares the loaded kernel's sizes.

use std::collections::HashSet;

use graph_ir::code::Code;
use graph_ir::model::Mode;
use syn::Type;

use super::ast::{Form, Kernel, Parameter as Declared};
use super::parameters::{self, Parameter, Signature};
use super::source::Contents;
use crate::diagnostic::Diagnostic;

/// The first thing in which the declaration and the file differ.
pub(super) fn first(kernel: &Kernel, name: &str, contents: &Contents, path: &str) -> Option<Diagnostic> {
    let file = signature(name, contents)?;
    let (declared, written) = (kernel.parameters.len(), file.parameters.len());
    let place = format!("`{name}` stands in line {} of `{path}`", file.line);
    if declared != written {
        let message = format!(
            "kernel `{}` is declared with {}, and the one in `{path}` has {written}",
            kernel.name,
            counted(declared)
        );
        return Some(Diagnostic::error(Code::DISAGREES, kernel.name.span(), message).note(place));
    }
    kernel.parameters.iter().zip(&file.parameters).find_map(|(declared, written)| {
        let (what, help) = differs(declared, *written)?;
        Some(Diagnostic::error(Code::DISAGREES, declared.name.span(), what).note(place.clone()).help(help))
    })
}

fn counted(count: usize) -> String {
    if count == 1 { "1 parameter".to_owned() } else { format!("{count} parameters") }
}

fn signature(name: &str, contents: &Contents) -> Option<Signature> {
    match contents {
        Contents::Cubin => None,
        Contents::Ptx { text } => parameters::of_ptx(text, name),
        Contents::Cuda { text, headers, options } => {
            // Names given to the compiler replace text too.
            let given = options.iter().filter_map(|option| option.split(['=', 'D', ' ']).find(|part| is_name(part)));
            let texts = || std::iter::once(text.as_str()).chain(headers.iter().map(|header| header.text.as_str()));
            let defined: HashSet<&str> = texts().flat_map(parameters::defined).chain(given).collect();
            let elsewhere = headers.iter().any(|header| parameters::of_cuda(&header.text, name, &defined).is_some());
            if elsewhere { None } else { parameters::of_cuda(text, name, &defined) }
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// How a parameter differs from the file's, and what to do.
fn differs(declared: &Declared, written: Parameter) -> Option<(String, String)> {
    let name = &declared.name;
    match (&declared.form, written) {
        (Form::Buffer { .. }, Parameter::Number { bytes, .. }) => {
            let message = format!("`{name}` is a buffer here, and a number of {bytes} bytes in the kernel file");
            Some((message, "declare the number, or make it a pointer in the file".to_owned()))
        }
        (Form::Buffer { mode: Mode::Read, element, .. }, Parameter::Pointer { constant: false }) => {
            let element = crate::lower::text::of(element);
            let message = format!("`{name}` is only read here, and the kernel file may write it");
            Some((
                message,
                format!("write `const` in front of the pointer's type in the file, or declare `&mut [{element}; …]`"),
            ))
        }
        (Form::Value(ty), written) => value(&name.to_string(), ty, written),
        _ => None,
    }
}

fn value(name: &str, ty: &Type, written: Parameter) -> Option<(String, String)> {
    let Type::Path(path) = ty else { return None };
    let word = path.path.get_ident()?.to_string();
    let (bytes, float) = number(&word)?;
    let what = match written {
        Parameter::Pointer { .. } if bytes != 8 => format!("has {bytes} bytes, and is a pointer in the kernel file"),
        Parameter::Number { bytes: other, .. } | Parameter::Bytes(other) if other != bytes => {
            format!("has {bytes} bytes, and {other} in the kernel file")
        }
        Parameter::Number { float: true, .. } if !float => "is a floating-point number in the kernel file".to_owned(),
        Parameter::Number { float: false, .. } if float => "is an integer in the kernel file".to_owned(),
        _ => return None,
    };
    Some((format!("`{name}: {word}` {what}"), cure(name, written)))
}

fn cure(name: &str, written: Parameter) -> String {
    let ty = match written {
        Parameter::Number { bytes: 8, float: true } => "f64",
        Parameter::Number { float: true, .. } => "f32",
        Parameter::Number { bytes: 1, .. } => "u8",
        Parameter::Number { bytes: 2, .. } => "u16",
        Parameter::Number { bytes: 4, .. } => "u32",
        Parameter::Number { .. } => "u64",
        Parameter::Pointer { .. } => return format!("declare a buffer: `{name}: &[f32; n]`, `&mut` or `Out`"),
        Parameter::Bytes(bytes) => return format!("declare a type of {bytes} bytes"),
        Parameter::Open => return "declare the file's type".to_owned(),
    };
    format!("declare it as `{name}: {ty}`")
}

/// Bytes of Rust's number types where GPUs are, and whether they are floating-point numbers.
fn number(word: &str) -> Option<(u64, bool)> {
    Some(match word {
        "u8" | "i8" | "bool" => (1, false),
        "u16" | "i16" => (2, false),
        "u32" | "i32" => (4, false),
        "u64" | "i64" | "usize" | "isize" => (8, false),
        "f32" => (4, true),
        "f64" => (8, true),
        _ => return None,
    })
}
