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

/// Registers and addresses of the whole launch.
const PROLOGUE: &str = "\
	.reg .pred %own_p<4>;
	.reg .b32 %own_r<8>;
	.reg .b64 %own_rd<4>;
	mov.u32 %own_r0, %tid.x;
	mov.u32 %own_r1, %ctaid.x;
	mov.u32 %own_r2, %nctaid.x;
	ld.param.u64 %own_rd0, [decision];
	cvta.to.global.u64 %own_rd0, %own_rd0;
	ld.param.u64 %own_rd1, [arrived];
	cvta.to.global.u64 %own_rd1, %own_rd1;
	sub.u32 %own_r3, %own_r2, 1;
	sub.u32 %own_r4, 0x80000000, %own_r3;
";

/// Whether there is another pass.
const DECIDED: &str = "\
	ld.volatile.global.u32 %own_r5, [%own_rd0];
	setp.ne.u32 %own_p0, %own_r5, 0;
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
    /// Adds an entry that runs a whole loop; `threads` is the most that a block has. It is launched with the address of the decision that
    /// `enter` and `again` make, that of a counter of arrived blocks whose low 31 bits are zero, and for each phase its own parameters,
    /// then its grid and block, a word each number. `None` if that is more than a launch takes, or if there is no such entry.
    pub(crate) fn resident(&mut self, phases: &Phases<'_>, threads: u32) -> Option<String> {
        let parts: Option<Vec<&Part>> = phases.names().map(|name| self.part(name)).collect();
        let parts = parts?;
        let words: usize = parts.iter().map(|part| part.words() + GEOMETRY).sum();
        if words + 2 > MOST_PARAMETERS {
            return None;
        }
        let name = format!("resident_{}", self.residents);
        let mut text = head(&name, &parts, threads);
        text += PROLOGUE;
        text += &leader_first(&parts[0].phase(0));
        text += DECIDED;
        text += "\t@!%own_p0 bra OVER;\nPASS:\n";
        for (index, (_, waits)) in phases.pass.iter().enumerate() {
            if *waits {
                text += &all_wait(index);
            }
            text += &parts[index + 1].phase(index + 1);
        }
        let last = parts.len() - 1;
        text += &leader_first(&parts[last].phase(last));
        text += DECIDED;
        text += "\t@%own_p0 bra PASS;\nOVER:\n\tret;\n}\n";
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
        let again = if lines.contains("bar.sync") { "\tbar.sync 1, %threads;\n" } else { "" };
        format!(
            "\t{{\n{}PHASE_{number}:\n{BLOCK}\t@%over bra PHASE_{number}_END;\n\t{{\n{lines}\t}}\nPHASE_{number}_DONE:\n{again}\
             \tadd.u32 %number, %number, %own_r2;\n\tbra PHASE_{number};\nPHASE_{number}_END:\n\t}}\n",
            geometry(number)
        )
    }
}

/// Which of the kernel's blocks comes next.
const BLOCK: &str = "\
	rem.u32 %ctaid_x, %number, %nctaid_x;
	div.u32 %ctaid_z, %number, %nctaid_x;
	rem.u32 %ctaid_y, %ctaid_z, %nctaid_y;
	div.u32 %ctaid_z, %ctaid_z, %nctaid_y;
	setp.ge.u32 %over, %number, %blocks;
";

/// The kernel's geometry from the parameters, and where in its blocks this thread is. Threads that no block has are over at once.
fn geometry(number: usize) -> String {
    let mut text = "\t.reg .pred %over, %idle;\n\t.reg .b32 %number, %blocks, %threads;\n".to_owned();
    for name in ["ctaid", "nctaid", "tid", "ntid"] {
        text += &format!("\t.reg .b32 %{name}_x, %{name}_y, %{name}_z;\n");
    }
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
    text += &format!("\tsetp.ge.u32 %idle, %own_r0, %threads;\n\t@%idle bra PHASE_{number}_END;\n");
    text + "\tmov.u32 %number, %own_r1;\n"
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

/// All blocks wait for each other: the counter's top bit flips when the last one has come.
fn all_wait(number: usize) -> String {
    format!(
        "\tbar.sync 0;\n\tsetp.ne.u32 %own_p1, %own_r0, 0;\n\t@%own_p1 bra COME_{number};\n\tsetp.eq.u32 %own_p2, %own_r1, 0;\n\
         \tselp.u32 %own_r5, %own_r4, 1, %own_p2;\n\tatom.acq_rel.gpu.global.add.u32 %own_r6, [%own_rd1], %own_r5;\n{}COME_{number}:\n\
         \tbar.sync 0;\n",
        flips(&format!("WAIT_{number}"))
    )
}

/// Until the counter's top bit is another than in the register.
fn flips(label: &str) -> String {
    format!(
        "{label}:\n\tld.acquire.gpu.global.u32 %own_r7, [%own_rd1];\n\txor.b32 %own_r7, %own_r7, %own_r6;\n\
         \tsetp.ge.s32 %own_p3, %own_r7, 0;\n\t@%own_p3 bra {label};\n"
    )
}

/// The same, and the first thread of the first block runs a phase once all others have come, before they go on.
fn leader_first(phase: &str) -> String {
    format!(
        "\t{{\n\tbar.sync 0;\n\tsetp.ne.u32 %own_p1, %own_r0, 0;\n\t@%own_p1 bra COME;\n\tsetp.ne.u32 %own_p2, %own_r1, 0;\n\
         \t@%own_p2 bra FOLLOW;\nLEAD:\n\tld.acquire.gpu.global.u32 %own_r7, [%own_rd1];\n\
         \tand.b32 %own_r7, %own_r7, 0x7fffffff;\n\tsetp.ne.u32 %own_p3, %own_r7, %own_r3;\n\t@%own_p3 bra LEAD;\n{phase}\
         \tred.release.gpu.global.add.u32 [%own_rd1], %own_r4;\n\tbra COME;\nFOLLOW:\n\
         \tatom.acq_rel.gpu.global.add.u32 %own_r6, [%own_rd1], 1;\n{}COME:\n\tbar.sync 0;\n\t}}\n",
        flips("WAIT")
    )
}

fn head(name: &str, parts: &[&Part], threads: u32) -> String {
    let mut declarations = vec![".param .u64 decision".to_owned(), ".param .u64 arrived".to_owned()];
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
