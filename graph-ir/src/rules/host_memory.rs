//! CG0801: a host callback is given pinned memory of the host.
//!
//! Rejected:
//! ```text
//! graph G(x: &[f32; n]) { host(&x, |x| log(x)); }
//! ```
//! Accepted:
//! ```text
//! graph G(x: &[f32; n]) { let seen: host [f32; n]; copy(&x, &out seen); host(&seen, |seen| log(seen)); }
//! ```
//! Sound because every buffer that a callback's closure gets as a slice is one of its accesses.

use super::{Report, live_nodes};
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, Memory, NodeKind, Origin, Program};

pub(super) fn check(program: &Program, report: &mut Report) {
    for node in live_nodes(program).filter(|node| matches!(node.kind, NodeKind::Host(_))) {
        for access in &node.accesses {
            if program.buffer(access.buffer).memory == Memory::Device {
                report.refute(finding(program, access));
            }
        }
    }
}

fn finding(program: &Program, access: &Access) -> Finding {
    let buffer = program.buffer(access.buffer);
    let (name, element, length) = (&buffer.name, &buffer.element, program.shape_text(&buffer.shape));
    let message = format!("a host callback is given `{name}`, which lies on the device");
    let help = match (buffer.origin, access.mode.writes()) {
        (Origin::Transient, _) => format!("declare it `let {name}: host [{element}; {length}];`"),
        (Origin::Parameter(_) | Origin::Static(_), false) => {
            format!(
                "copy it to pinned memory before: `let seen: host [{element}; {length}]; copy(&{name}, &out seen);`"
            )
        }
        (Origin::Parameter(_) | Origin::Static(_), true) => {
            format!("write pinned memory, and copy that to `{name}` behind the callback")
        }
    };
    Finding::error(Code::HOST_MEMORY, access.place, message)
        .note_at(buffer.place, format!("`{name}` is declared without `host`"))
        .help(help)
}

#[cfg(test)]
mod tests {
    use super::super::tests::codes;
    use super::*;
    use crate::model::{Call, Mode};
    use crate::testing::{Builder, number, read};

    fn callback(memory: Memory) -> Vec<Code> {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Read, number(4));
        block.program().buffers[0].memory = memory;
        block.node("host", NodeKind::Host(Call::default()), &[read(x)]);
        codes(&block.finish()).0
    }

    #[test]
    fn the_memory_decides() {
        assert_eq!(callback(Memory::Device), [Code::HOST_MEMORY]);
        assert_eq!(callback(Memory::Host), []);
    }
}
