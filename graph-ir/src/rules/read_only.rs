//! CG0201: what is declared `&` is not written.
//!
//! Rejected:
//! ```text
//! graph G(x: &[f32; n]) { scale<<<1, 1>>>(&mut x); }
//! ```
//! Accepted:
//! ```text
//! graph G(x: &mut [f32; n]) { scale<<<1, 1>>>(&mut x); }
//! ```
//! Sound because every write is an access with a mode that writes, and the modes of accesses are those that the kernels declare.

use super::{Report, declared, live_nodes, subject};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, BufferId, Family, Mode, Node, Origin, Program};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program) {
        for access in node.accesses.iter().filter(|access| access.mode.writes()) {
            if program.buffer(access.buffer).origin == Origin::Parameter(Mode::Read) {
                report.refute(finding(program, node, access));
            }
        }
    }
}

fn finding(program: &Program, node: &Node, access: &Access) -> Finding {
    let buffer = program.buffer(access.buffer);
    if let Family::Member { list, .. } = buffer.family {
        return of_member(program, node, access, list);
    }
    let was = declared(program, access.buffer);
    let mutable = was.replacen('&', "&mut ", 1);
    let message = format!("{} writes `{}`, which is read-only here", subject(node), buffer.name);
    Finding::error(Code::READ_ONLY, access.place, message)
        .note_at(buffer.place, format!("`{}` is declared `{was}`", buffer.name))
        .help(format!("declare it `{}: {mutable}`, or write to a transient buffer", buffer.name))
}

/// The list, or the struct, is what is declared.
fn of_member(program: &Program, node: &Node, access: &Access, list: BufferId) -> Finding {
    let (written, list) = (&program.buffer(access.buffer).name, program.buffer(list));
    let name = &list.name;
    let message = format!("{} writes `{written}`, which is read-only here", subject(node));
    Finding::error(Code::READ_ONLY, access.place, message)
        .note_at(list.place, format!("`{name}` is declared with `&`"))
        .help("declare it with `&mut`, or write to a transient buffer")
}

#[cfg(test)]
mod tests {
    use super::super::tests::refuted;
    use super::*;
    use crate::testing::{Builder, atomic, number, overwrite, read, update};

    #[test]
    fn every_mode_that_writes_is_refused() {
        for used in [update, overwrite, atomic] {
            let mut block = Builder::new("g");
            let x = block.parameter("x", Mode::Read, number(4));
            let node = block.kernel("k", &[used(x)]);
            let program = block.finish();
            assert_eq!(refuted(&program), [(Code::READ_ONLY, program.node(node).accesses[0].place.0)]);
        }
    }

    #[test]
    fn reading_is_not_writing() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Read, number(4));
        let y = block.parameter("y", Mode::Update, number(4));
        block.kernel("k", &[read(x), update(y)]);
        assert_eq!(refuted(&block.finish()), []);
    }

    #[test]
    fn the_cure_is_the_declaration() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let x = block.parameter("x", Mode::Read, n);
        block.kernel("axpy", &[update(x)]);
        let finding = &super::super::check(&block.finish()).refuted[0];
        assert_eq!(finding.message, "kernel `axpy` writes `x`, which is read-only here");
        assert_eq!(finding.notes[0].text, "`x` is declared `&[f32; n]`");
        assert_eq!(finding.help.as_deref(), Some("declare it `x: &mut [f32; n]`, or write to a transient buffer"));
    }
}
