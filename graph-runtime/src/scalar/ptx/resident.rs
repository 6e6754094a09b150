//! A loop in one launch: the kernels of its passes run one behind another in the same blocks, which wait for each other in between.
//!
//! A launch costs microseconds and a wait of all blocks about one, so small passes gain most. All blocks have to be on the device at
//! once (a cooperative launch). What a kernel numbers its blocks and threads by are here registers: each block of the launch runs some
//! of the kernel's blocks, so a reduction's order is the same as in a launch of its own.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Module;
use super::parameter::Parameter;

/// The most words of parameters that a launch has with every driver.
const MOST_PARAMETERS: usize = 4096 / 8;

/// Words of a phase's geometry: grid and block.
const GEOMETRY: usize = 6;

/// Registers and addresses of the whole launch. The counter's top bit flips when all blocks have come; the gate holds how often the
/// first block has opened it, and in its low bit what it has decided. Neither can change before this block has come.
const PROLOGUE: &str = "\
	.reg .pred %own_p<4>;
	.reg .b32 %own_r<10>, %go;
	.reg .b64 %own_rd<1>;
	mov.u32 %own_r0, %tid.x;
	mov.u32 %own_r1, %ctaid.x;
	mov.u32 %own_r2, %nctaid.x;
	mov.u32 %go, 0;
	ld.param.u64 %own_rd0, [arrived];
	cvta.to.global.u64 %own_rd0, %own_rd0;
	sub.u32 %own_r3, %own_r2, 1;
	sub.u32 %own_r4, 0x80000000, %own_r3;
	ld.relaxed.gpu.global.u32 %own_r5, [%own_rd0];
	ld.relaxed.gpu.global.u32 %own_r6, [%own_rd0+4];
	setp.eq.u32 %own_p0, %own_r1, 0;
	setp.ne.u32 %own_p1, %own_r0, 0;
	selp.u32 %own_r4, %own_r4, 1, %own_p0;
";

/// What a launch of several kernels is made of, by the names of their entries.
pub(crate) struct Phases<'n> {
    /// Before the first pass: whether there is one.
    pub(crate) enter: &'n str,
    /// The kernels of a pass, and whether all blocks wait for each other in front of each.
    pub(crate) pass: Vec<(&'n str, bool)>,
    /// At the end of a pass: whether there is another.
    pub(crate) again: &'n str,
}

impl Phases<'_> {
    /// All of them, in the order of their parameters.
    fn names(&self) -> impl Iterator<Item = &str> {
        [self.enter].into_iter().chain(self.pass.iter().map(|(name, _)| *name)).chain([self.again])
    }
}

impl Module {
    /// Adds an entry that runs a whole loop; `threads` is the most that a block has. It is launched with the address of a
    /// counter of arrived blocks, whose low 31 bits are zero, and a gate behind it, and for each phase with its own parameters, then its
    /// grid and block, a word each number. `None` if that is more than a launch takes, or if there is no such entry.
    pub(crate) fn resident(&mut self, phases: &Phases<'_>, threads: u32) -> Option<String> {
        let parts: Option<Vec<&Part>> = phases.names().map(|name| self.part(name)).collect();
        let parts = parts?;
        let words: usize = parts.iter().map(|part| part.words() + GEOMETRY).sum();
        if words + 1 > MOST_PARAMETERS {
            return None;
        }
        let name = format!("resident_{}", self.residents);
        let mut text = head(&name, &parts, threads);
        text += PROLOGUE;
        text += &leader_first(&parts[0].phase(0));
        text += "\t@!%own_p2 bra OVER;\nPASS:\n";
        for (index, (_, waits)) in phases.pass.iter().enumerate() {
            if *waits {
                text += &all_wait(index);
            }
            text += &parts[index + 1].phase(index + 1);
        }
        let last = parts.len() - 1;
        text += &leader_first(&parts[last].phase(last));
        text += "\t@%own_p2 bra PASS;\nOVER:\n\tret;\n}\n";
        self.residents += 1;
        self.text_of_residents += &text;
        Some(name)
    }

    fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

/// An entry as a part of others.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// The lines between the braces.
    pub(super) lines: String,
}

impl Part {
    /// How many words its parameters have.
    fn words(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.words()).sum()
    }

    /// The lines with other names for the parameters, blocks and threads, for as many of the kernel's blocks as this block has to run.
    fn phase(&self, number: usize) -> String {
        let names: BTreeSet<String> = self.parameters.iter().map(|parameter| parameter.name()).collect();
        let mut lines = String::new();
        for line in self.lines.lines() {
            lines += &renamed(line, number, &names);
            lines.push('\n');
        }
        // The memory that threads of a block share is used again.
        let again = if lines.contains("bar.sync") { "\tbar.sync 1, %threads;\n" } else { "" };
        let (geometry, block) = if self.is_flat() { (flat(number), FLAT_BLOCK) } else { (geometry(number), BLOCK) };
        format!(
            "\t{{\n{geometry}\tmov.u32 %number, %own_r1;\n\tsetp.ge.u32 %over, %own_r0, %threads;\n\t@%over bra PHASE_{number}_END;\n\
             \tsetp.ge.u32 %over, %number, %blocks;\n\t@%over bra PHASE_{number}_END;\nPHASE_{number}:\n{block}\t{{\n{lines}\t}}\n\
             PHASE_{number}_DONE:\n\tadd.u32 %number, %number, %own_r2;\n\tsetp.ge.u32 %over, %number, %blocks;\n\
             \t@%over bra PHASE_{number}_END;\n{again}\tbra PHASE_{number};\nPHASE_{number}_END:\n\t}}\n"
        )
    }

    /// Whether its blocks and threads are numbered along `x` alone.
    fn is_flat(&self) -> bool {
        let axes = self.parameters.iter().filter(|parameter| matches!(parameter, Parameter::Count(_))).count();
        axes <= 1 || self.parameters.contains(&Parameter::Partials)
    }
}

/// The number of a kernel's block along `x`.
const FLAT_BLOCK: &str = "\tmov.u32 %ctaid_x, %number;\n";

/// Which of the kernel's blocks comes next.
const BLOCK: &str = "\
	rem.u32 %ctaid_x, %number, %nctaid_x;
	div.u32 %ctaid_z, %number, %nctaid_x;
	rem.u32 %ctaid_y, %ctaid_z, %nctaid_y;
	div.u32 %ctaid_z, %ctaid_z, %nctaid_y;
";

/// The registers of a phase.
fn registers() -> String {
    let mut text = "\t.reg .pred %over;\n\t.reg .b32 %number, %blocks, %threads;\n".to_owned();
    for name in ["ctaid", "nctaid", "tid", "ntid"] {
        text += &format!("\t.reg .b32 %{name}_x, %{name}_y, %{name}_z;\n");
    }
    text
}

/// The geometry of a kernel whose blocks and threads are numbered along `x` alone.
fn flat(number: usize) -> String {
    let mut text = registers();
    for (name, word, product) in [("nctaid", "grid", "blocks"), ("ntid", "block", "threads")] {
        text += &format!("\tld.param.u32 %{name}_x, [phase{number}_{word}_x];\n\tmov.u32 %{product}, %{name}_x;\n");
        text += &format!("\tmov.u32 %{name}_y, 1;\n\tmov.u32 %{name}_z, 1;\n");
    }
    for name in ["ctaid", "tid"] {
        text += &format!("\tmov.u32 %{name}_y, 0;\n\tmov.u32 %{name}_z, 0;\n");
    }
    text + "\tmov.u32 %tid_x, %own_r0;\n"
}

/// The kernel's geometry from the parameters, and where in its blocks this thread is.
fn geometry(number: usize) -> String {
    let mut text = registers();
    for (name, word) in [("nctaid", "grid"), ("ntid", "block")] {
        for axis in ["x", "y", "z"] {
            text += &format!("\tld.param.u32 %{name}_{axis}, [phase{number}_{word}_{axis}];\n");
        }
    }
    for (product, name) in [("blocks", "nctaid"), ("threads", "ntid")] {
        text += &format!(
            "\tmul.lo.u32 %{product}, %{name}_x, %{name}_y;\n\tmul.lo.u32 %{product}, %{product}, %{name}_z;\n"
        );
    }
    text += "\trem.u32 %tid_x, %own_r0, %ntid_x;\n\tdiv.u32 %tid_z, %own_r0, %ntid_x;\n";
    text += "\trem.u32 %tid_y, %tid_z, %ntid_y;\n\tdiv.u32 %tid_z, %tid_z, %ntid_y;\n";
    text
}

/// A line of an entry as a line of a phase.
fn renamed(line: &str, number: usize, parameters: &BTreeSet<String>) -> String {
    let mut line = line.replace("bar.sync 0", "bar.sync 1, %threads");
    for name in ["ctaid", "tid"] {
        for axis in ["x", "y", "z"] {
            line = line.replace(&format!("%n{name}.{axis}"), &format!("%n{name}_{axis}"));
            line = line.replace(&format!("%{name}.{axis}"), &format!("%{name}_{axis}"));
        }
    }
    if let Some(before) = line.strip_suffix("ret;") {
        return format!("{before}bra PHASE_{number}_DONE;");
    }
    let Some((before, behind)) = line.split_once('[').filter(|(before, _)| before.contains("ld.param")) else {
        return line;
    };
    let name: String = behind.chars().take_while(|one| one.is_ascii_alphanumeric() || *one == '_').collect();
    if parameters.contains(&name) { format!("{before}[phase{number}_{behind}") } else { line }
}

/// All blocks wait for each other.
fn all_wait(number: usize) -> String {
    format!(
        "\tbar.sync 0;\n\t@%own_p1 bra COME_{number};\n\tred.release.gpu.global.add.u32 [%own_rd0], %own_r4;\nWAIT_{number}:\n\
         \tld.acquire.gpu.global.u32 %own_r7, [%own_rd0];\n\txor.b32 %own_r7, %own_r7, %own_r5;\n\
         \tsetp.ge.s32 %own_p3, %own_r7, 0;\n\t@%own_p3 bra WAIT_{number};\n\txor.b32 %own_r5, %own_r5, 0x80000000;\n\
         COME_{number}:\n\tbar.sync 0;\n"
    )
}

/// The first thread of the first block runs a phase once all other blocks have come, and then lets them go on with what it has decided.
fn leader_first(phase: &str) -> String {
    format!(
        "\t{{\n\tbar.sync 0;\n\tmov.u32 %own_r9, 0;\n\t@%own_p1 bra COME;\n\t@!%own_p0 bra FOLLOW;\nLEAD:\n\
         \tld.acquire.gpu.global.u32 %own_r7, [%own_rd0];\n\tand.b32 %own_r8, %own_r7, 0x7fffffff;\n\
         \tsetp.ne.u32 %own_p3, %own_r8, %own_r3;\n\t@%own_p3 bra LEAD;\n{phase}\
         \tsub.u32 %own_r7, %own_r7, %own_r3;\n\tst.relaxed.gpu.global.u32 [%own_rd0], %own_r7;\n\
         \tadd.u32 %own_r8, %own_r6, 2;\n\tand.b32 %own_r8, %own_r8, 0xfffffffe;\n\tor.b32 %own_r6, %own_r8, %go;\n\
         \tst.release.gpu.global.u32 [%own_rd0+4], %own_r6;\n\tbra TOLD;\nFOLLOW:\n\
         \tred.release.gpu.global.add.u32 [%own_rd0], 1;\nWAIT:\n\tld.acquire.gpu.global.u32 %own_r7, [%own_rd0+4];\n\
         \txor.b32 %own_r8, %own_r7, %own_r6;\n\tsetp.le.u32 %own_p3, %own_r8, 1;\n\t@%own_p3 bra WAIT;\n\
         \tmov.u32 %own_r6, %own_r7;\nTOLD:\n\tand.b32 %own_r9, %own_r6, 1;\nCOME:\n\
         \tsetp.ne.u32 %own_p3, %own_r9, 0;\n\tbar.red.or.pred %own_p2, 0, %own_p3;\n\t}}\n"
    )
}

fn head(name: &str, parts: &[&Part], threads: u32) -> String {
    let mut declarations = vec![".param .u64 arrived".to_owned()];
    for (number, part) in parts.iter().enumerate() {
        declarations.extend(part.parameters.iter().map(|parameter| parameter.declared(&format!("phase{number}_"))));
        for word in ["grid", "block"] {
            declarations.extend(["x", "y", "z"].map(|axis| format!(".param .u64 phase{number}_{word}_{axis}")));
        }
    }
    let mut text = String::new();
    let written =
        write!(text, "\n.visible .entry {name}(\n\t{}\n)\n.maxntid {threads}, 1, 1\n{{\n", declarations.join(",\n\t"));
    debug_assert!(written.is_ok(), "writing into a string cannot fail");
    text
}
