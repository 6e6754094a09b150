//! CG0212, CG0215: a launch keeps what the kernel's declaration fixes and requires. Decided where declarations are known: when the
//! graph is built.

use crate::code::Code;
use crate::finding::Finding;
use crate::model::Place;

/// The launch has another block than `#[block(…)]` says.
pub fn other_block(kernel: &str, written: [u32; 3], fixed: [u32; 3], place: Place) -> Finding {
    let message = format!("kernel `{kernel}` is launched with the block {}, not with its own", sizes(written));
    Finding::error(Code::FIXED_BLOCK, place, message)
        .note(format!("its declaration fixes the block: `#[block{}]`", sizes(fixed)))
        .help("leave the block out: `<<<grid>>>`")
}

/// The launch does not meet `#[requires(…)]`; `facts` are the numbers of what that names.
pub fn unmet(kernel: &str, requirement: &str, facts: Vec<String>, place: Place) -> Finding {
    let message = format!("kernel `{kernel}` requires `{requirement}`, which does not hold");
    facts.into_iter().fold(Finding::error(Code::REQUIRES, place, message), Finding::note)
}

/// `(256)`, `(32, 8)`, `(8, 8, 4)`
fn sizes([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => format!("({x})"),
        (_, 1) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_told() {
        let finding = other_block("reduce", [256, 1, 1], [16, 32, 1], Place(0));
        assert_eq!(finding.message, "kernel `reduce` is launched with the block (256), not with its own");
        assert_eq!(finding.notes[0].text, "its declaration fixes the block: `#[block(16, 32)]`");
    }

    #[test]
    fn an_unmet_requirement_has_its_numbers() {
        let finding = unmet("axpy", "n % 4 == 0", vec!["`n` is 10".to_owned()], Place(0));
        assert_eq!(finding.message, "kernel `axpy` requires `n % 4 == 0`, which does not hold");
        assert_eq!(finding.notes[0].text, "`n` is 10");
    }
}
