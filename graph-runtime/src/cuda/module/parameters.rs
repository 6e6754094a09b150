//! CG0217 of loaded kernels: as many parameters as declared, each of its size, and none where its type cannot lie (rule R044).
//!
//! The macro has compared what it could read of the kernel file; this is what the driver says of the kernel that it has loaded, whatever
//! the file was.

use graph_ir::code::Code;

use crate::cuda::driver::LoadedParameter;
use crate::kernel::{KernelDeclaration, ParameterDeclaration, ParameterKind};

/// What is declared of a parameter.
struct Declared {
    size: usize,
    align: usize,
    /// As a message calls it: "a buffer", "`u64`".
    what: String,
}

/// Compares a declaration with the kernel that its module has loaded.
pub(super) fn compare(declaration: &KernelDeclaration, loaded: &[LoadedParameter]) -> Result<(), String> {
    let parameters = declaration.parameters;
    if parameters.len() != loaded.len() {
        return Err(told(declaration, &count(declaration, loaded), "declare each of its parameters, in order"));
    }
    for (parameter, loaded) in parameters.iter().zip(loaded) {
        one(declaration, parameter, *loaded)?;
    }
    Ok(())
}

fn one(
    declaration: &KernelDeclaration,
    parameter: &ParameterDeclaration,
    loaded: LoadedParameter,
) -> Result<(), String> {
    let Declared { size, align, what } = declared(parameter);
    let (kernel, path, name) = (declaration.name, declaration.module.path, parameter.name);
    let LoadedParameter { offset, size: other } = loaded;
    let help = format!("declare `{name}` with the type that the kernel has there");
    if size != other {
        let message =
            format!("parameter `{name}` of kernel `{kernel}` is {what} of {size} bytes, and has {other} in `{path}`");
        return Err(told(declaration, &message, &help));
    }
    if offset.is_multiple_of(align) {
        return Ok(());
    }
    let message = format!(
        "parameter `{name}` of kernel `{kernel}` is {what}, which no parameter at byte {offset} of the one in `{path}` can be: it would lie \
         at a multiple of {align}"
    );
    Err(told(declaration, &message, &help))
}

fn declared(parameter: &ParameterDeclaration) -> Declared {
    const WORD: usize = size_of::<u64>();
    match &parameter.kind {
        ParameterKind::Buffer { .. } => Declared { size: WORD, align: WORD, what: "a buffer".to_owned() },
        ParameterKind::Condition => Declared { size: WORD, align: WORD, what: "a condition".to_owned() },
        ParameterKind::List { .. } => Declared { size: 2 * WORD, align: WORD, what: "a list".to_owned() },
        ParameterKind::Value { layout } => {
            let layout = layout();
            Declared { size: layout.size, align: layout.align.max(1), what: format!("`{}`", layout.name) }
        }
    }
}

fn count(declaration: &KernelDeclaration, loaded: &[LoadedParameter]) -> String {
    let plural = |count: usize| if count == 1 { "1 parameter".to_owned() } else { format!("{count} parameters") };
    let sizes: Vec<String> = loaded.iter().map(|parameter| parameter.size.to_string()).collect();
    let of = if sizes.is_empty() { String::new() } else { format!(", of {} bytes", sizes.join(", ")) };
    let (kernel, path) = (declaration.name, declaration.module.path);
    format!(
        "kernel `{kernel}` is declared with {}, and the one in `{path}` has {}{of}",
        plural(declaration.parameters.len()),
        plural(loaded.len())
    )
}

/// The headline with its code, where the declaration is, and what to do.
fn told(declaration: &KernelDeclaration, message: &str, help: &str) -> String {
    let (code, module) = (Code::DISAGREES, declaration.module.name);
    let place = declaration.location;
    format!(
        "{message} [{code}]\nnote: it is declared in module `{module}` ({}:{}:{})\nhelp: {help}",
        place.file, place.line, place.column
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementLayout;
    use crate::kernel::{KernelSymbol, ModuleCode, ModuleSource, SourceLocation};

    const HERE: SourceLocation = SourceLocation { file: "src/main.rs", line: 3, column: 1 };
    static MODULE: ModuleSource =
        ModuleSource { name: "m", path: "k/m.cubin", code: ModuleCode::Cubin(&[]), location: HERE };

    #[repr(C)]
    struct Rect {
        _sizes: [u32; 4],
    }

    const fn value(name: &'static str, layout: fn() -> ElementLayout) -> ParameterDeclaration {
        ParameterDeclaration { name, kind: ParameterKind::Value { layout } }
    }

    static SWEEP: KernelDeclaration = KernelDeclaration {
        name: "sweep",
        symbol: KernelSymbol::Name("sweep"),
        module: &MODULE,
        parameters: &[
            ParameterDeclaration {
                name: "x",
                kind: ParameterKind::Buffer {
                    mode: graph_ir::model::Mode::Read,
                    element: ElementLayout::of::<f32>,
                    length: "n",
                    dimensions: 1,
                    pitched: false,
                },
            },
            value("n", ElementLayout::of::<u32>),
            value("part", ElementLayout::of::<Rect>),
            value("by", ElementLayout::of::<f64>),
        ],
        lengths: |_| Ok(Vec::new()),
        block: None,
        requires: None,
        waits: false,
        waits_first: false,
        early: &[],
        effects: false,
        cpu: None,
        location: HERE,
    };

    fn with(table: &[(usize, usize)]) -> Result<(), String> {
        let loaded: Vec<LoadedParameter> =
            table.iter().map(|&(offset, size)| LoadedParameter { offset, size }).collect();
        compare(&SWEEP, &loaded)
    }

    #[test]
    fn what_the_kernel_has_is_fine() {
        assert_eq!(with(&[(0, 8), (8, 4), (12, 16), (32, 8)]), Ok(()));
        // A struct that the file aligns further apart has the same bytes.
        assert_eq!(with(&[(0, 8), (8, 4), (16, 16), (32, 8)]), Ok(()));
    }

    #[test]
    fn a_size_that_differs_is_told_with_both_numbers_and_the_declaration() {
        let text = with(&[(0, 8), (8, 8), (16, 16), (32, 8)]).unwrap_err();
        assert_eq!(
            text,
            "parameter `n` of kernel `sweep` is `u32` of 4 bytes, and has 8 in `k/m.cubin` [CG0217]\n\
             note: it is declared in module `m` (src/main.rs:3:1)\n\
             help: declare `n` with the type that the kernel has there"
        );
        let text = with(&[(0, 8), (8, 4), (12, 12), (24, 8)]).unwrap_err();
        assert!(text.starts_with("parameter `part` of kernel `sweep` is `"), "{text}");
        assert!(text.contains("Rect` of 16 bytes, and has 12 in"), "{text}");
        let text = with(&[(0, 4), (4, 4), (8, 16), (24, 8)]).unwrap_err();
        assert!(text.starts_with("parameter `x` of kernel `sweep` is a buffer of 8 bytes, and has 4 in"), "{text}");
    }

    #[test]
    fn a_place_where_the_type_cannot_lie_is_told() {
        let text = with(&[(0, 8), (8, 4), (12, 16), (28, 8)]).unwrap_err();
        let wanted = "parameter `by` of kernel `sweep` is `f64`, which no parameter at byte 28 of the one in `k/m.cubin` can be: it would \
                      lie at a multiple of 8 [CG0217]\n";
        assert!(text.starts_with(wanted), "{text}");
    }

    #[test]
    fn another_number_of_parameters_is_told_with_what_there_is() {
        let text = with(&[(0, 8), (8, 4)]).unwrap_err();
        let wanted = "kernel `sweep` is declared with 4 parameters, and the one in `k/m.cubin` has 2 parameters, of 8, 4 bytes [CG0217]\n";
        assert!(text.starts_with(wanted), "{text}");
        assert!(with(&[]).unwrap_err().contains("has 0 parameters [CG0217]"));
    }
}
