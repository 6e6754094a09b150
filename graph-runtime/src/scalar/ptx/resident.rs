//! A loop in one launch: the kernels of its passes run one behind another in the same blocks, which wait for each other in between.
//!
//! A launch costs microseconds and a wait of all blocks about one, so small passes gain most. All blocks have to be on the device at
//! once (a cooperative launch). What a kernel numbers its blocks and threads by are here registers: each block of the launch runs some
//! of the kernel's blocks, so a reduction's order is the same as in a launch of its own.

use std::collections::BTreeSet;

use super::Module;
use super::parameter::Parameter;

/// The most words of parameters that a launch has with every driver.
const MOST_PARAMETERS: usize = 4096 / 8;

/// Words of a phase's geometry: grid and block.
const GEOMETRY: usize = 6;

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
    /// Adds an entry that runs a whole loop; `threads` is the most that a block has. It is launched with the address of a counter of
    /// arrived blocks, whose low 31 bits are zero, and a gate behind it, and for each phase with its own parameters, then its grid and
    /// block, a word each number. `None` if that is more than a launch takes, or if there is no such entry.
    pub(crate) fn resident(&mut self, phases: &Phases<'_>, threads: u32) -> Option<String> {
        let parts: Option<Vec<&Part>> = phases.names().map(|name| self.part(name)).collect();
        let parts = parts?;
        let words: usize = parts.iter().map(|part| part.words() + GEOMETRY).sum();
        if words + 1 > MOST_PARAMETERS {
            return None;
        }
        let (name, last) = (self.names.name("resident", self.residents), parts.len() - 1);
        let mut text = head(&name, &parts, threads);
        text += PROLOGUE;
        text += &LEADER_FIRST.replace("@PHASE", &parts[0].phase(0));
        text += "\t@!%own_p2 bra OVER;\nPASS:\n";
        for (number, (_, waits)) in (1..).zip(&phases.pass) {
            if *waits {
                text += &ALL_WAIT.replace('#', &number.to_string());
            }
            text += &parts[number].phase(number);
        }
        text += &LEADER_FIRST.replace("@PHASE", &parts[last].phase(last));
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
        let lines: Vec<String> = self.lines.lines().map(|line| renamed(line, number, &names)).collect();
        let lines = lines.join("\n");
        // The memory that threads of a block share is used again.
        let again = if lines.contains("bar.sync") { "bar.sync 1, %threads;" } else { "" };
        let (geometry, block) = if self.is_flat() { (FLAT, FLAT_BLOCK) } else { (DEEP, DEEP_BLOCK) };
        let text = PHASE.replace("@GEOMETRY", geometry).replace("@BLOCK", block).replace("@AGAIN", again);
        text.replace('#', &number.to_string()).replace("@LINES", &lines)
    }

    /// Whether its blocks and threads are numbered along `x` alone.
    fn is_flat(&self) -> bool {
        let axes = self.parameters.iter().filter(|parameter| matches!(parameter, Parameter::Count(_))).count();
        axes <= 1 || self.parameters.contains(&Parameter::Partials)
    }
}

/// Registers and addresses of the whole launch. The counter's top bit flips when all blocks have come; the gate holds how often the
/// first block has opened it, and in its low bit what it has decided. Neither can change before this block has come. A block that is alone
/// (`%own_p4`) looks at neither: what its threads wait for, they see.
const PROLOGUE: &str = "\
	.reg .pred %own_p<5>;
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
	setp.eq.u32 %own_p4, %own_r3, 0;
	selp.u32 %own_r4, %own_r4, 1, %own_p0;
";

/// All blocks wait for each other: the first one adds what makes the counter's top bit flip with the others' ones.
const ALL_WAIT: &str = "\
	bar.sync 0;
	@%own_p4 bra ALONE_#;
	@%own_p1 bra COME_#;
	red.release.gpu.global.add.u32 [%own_rd0], %own_r4;
WAIT_#:
	ld.acquire.gpu.global.u32 %own_r7, [%own_rd0];
	xor.b32 %own_r7, %own_r7, %own_r5;
	setp.ge.s32 %own_p3, %own_r7, 0;
	@%own_p3 bra WAIT_#;
	xor.b32 %own_r5, %own_r5, 0x80000000;
COME_#:
	bar.sync 0;
ALONE_#:
";

/// The first thread of the first block runs a phase once all other blocks have come, and then lets them go on with what it has decided.
const LEADER_FIRST: &str = "\
	{
	bar.sync 0;
	mov.u32 %own_r9, 0;
	@%own_p1 bra COME;
	@!%own_p0 bra FOLLOW;
	@%own_p4 bra DECIDE;
LEAD:
	ld.acquire.gpu.global.u32 %own_r7, [%own_rd0];
	and.b32 %own_r8, %own_r7, 0x7fffffff;
	setp.ne.u32 %own_p3, %own_r8, %own_r3;
	@%own_p3 bra LEAD;
DECIDE:
@PHASE	mov.u32 %own_r9, %go;
	@%own_p4 bra COME;
	sub.u32 %own_r7, %own_r7, %own_r3;
	st.relaxed.gpu.global.u32 [%own_rd0], %own_r7;
	add.u32 %own_r8, %own_r6, 2;
	and.b32 %own_r8, %own_r8, 0xfffffffe;
	or.b32 %own_r6, %own_r8, %go;
	st.release.gpu.global.u32 [%own_rd0+4], %own_r6;
	bra TOLD;
FOLLOW:
	red.release.gpu.global.add.u32 [%own_rd0], 1;
WAIT:
	ld.acquire.gpu.global.u32 %own_r7, [%own_rd0+4];
	xor.b32 %own_r8, %own_r7, %own_r6;
	setp.le.u32 %own_p3, %own_r8, 1;
	@%own_p3 bra WAIT;
	mov.u32 %own_r6, %own_r7;
TOLD:
	and.b32 %own_r9, %own_r6, 1;
COME:
	setp.ne.u32 %own_p3, %own_r9, 0;
	bar.red.or.pred %own_p2, 0, %own_p3;
	}
";

/// A kernel's blocks, as many as this block has to run. Threads that the kernel's blocks have not are over at once.
const PHASE: &str = "\
	{
	.reg .pred %over;
	.reg .b32 %number, %blocks, %threads;
	.reg .b32 %ctaid_x, %ctaid_y, %ctaid_z, %nctaid_x, %nctaid_y, %nctaid_z;
	.reg .b32 %tid_x, %tid_y, %tid_z, %ntid_x, %ntid_y, %ntid_z;
@GEOMETRY	mov.u32 %number, %own_r1;
	setp.ge.u32 %over, %own_r0, %threads;
	@%over bra PHASE_#_END;
	setp.ge.u32 %over, %number, %blocks;
	@%over bra PHASE_#_END;
PHASE_#:
@BLOCK	{
@LINES
	}
PHASE_#_DONE:
	add.u32 %number, %number, %own_r2;
	setp.ge.u32 %over, %number, %blocks;
	@%over bra PHASE_#_END;
	@AGAIN
	bra PHASE_#;
PHASE_#_END:
	}
";

/// The geometry of a kernel whose blocks and threads are numbered along `x` alone.
const FLAT: &str = "\
	ld.param.u32 %blocks, [phase#_grid_x];
	ld.param.u32 %threads, [phase#_block_x];
	mov.u32 %nctaid_x, %blocks;
	mov.u32 %nctaid_y, 1;
	mov.u32 %nctaid_z, 1;
	mov.u32 %ntid_x, %threads;
	mov.u32 %ntid_y, 1;
	mov.u32 %ntid_z, 1;
	mov.u32 %ctaid_y, 0;
	mov.u32 %ctaid_z, 0;
	mov.u32 %tid_x, %own_r0;
	mov.u32 %tid_y, 0;
	mov.u32 %tid_z, 0;
";

/// The number of its next block.
const FLAT_BLOCK: &str = "\tmov.u32 %ctaid_x, %number;\n";

/// The geometry of any other kernel, and where in a block this thread is.
const DEEP: &str = "\
	ld.param.u32 %nctaid_x, [phase#_grid_x];
	ld.param.u32 %nctaid_y, [phase#_grid_y];
	ld.param.u32 %nctaid_z, [phase#_grid_z];
	ld.param.u32 %ntid_x, [phase#_block_x];
	ld.param.u32 %ntid_y, [phase#_block_y];
	ld.param.u32 %ntid_z, [phase#_block_z];
	mul.lo.u32 %blocks, %nctaid_x, %nctaid_y;
	mul.lo.u32 %blocks, %blocks, %nctaid_z;
	mul.lo.u32 %threads, %ntid_x, %ntid_y;
	mul.lo.u32 %threads, %threads, %ntid_z;
	rem.u32 %tid_x, %own_r0, %ntid_x;
	div.u32 %tid_z, %own_r0, %ntid_x;
	rem.u32 %tid_y, %tid_z, %ntid_y;
	div.u32 %tid_z, %tid_z, %ntid_y;
";

/// The numbers of its next block.
const DEEP_BLOCK: &str = "\
	rem.u32 %ctaid_x, %number, %nctaid_x;
	div.u32 %ctaid_z, %number, %nctaid_x;
	rem.u32 %ctaid_y, %ctaid_z, %nctaid_y;
	div.u32 %ctaid_z, %ctaid_z, %nctaid_y;
";

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
    let loads = |(before, _): &(&str, &str)| before.contains("ld.param");
    let Some((before, behind)) = line.split_once('[').filter(loads) else { return line };
    let name: String = behind.chars().take_while(|one| one.is_ascii_alphanumeric() || *one == '_').collect();
    if parameters.contains(&name) { format!("{before}[phase{number}_{behind}") } else { line }
}

fn head(name: &str, parts: &[&Part], threads: u32) -> String {
    let mut declarations = vec![".param .u64 arrived".to_owned()];
    for (number, part) in parts.iter().enumerate() {
        declarations.extend(part.parameters.iter().map(|parameter| parameter.declared(&format!("phase{number}_"))));
        for word in ["grid", "block"] {
            declarations.extend(["x", "y", "z"].map(|axis| format!(".param .u64 phase{number}_{word}_{axis}")));
        }
    }
    let declarations = declarations.join(",\n\t");
    format!("\n.visible .entry {name}(\n\t{declarations}\n)\n.maxntid {threads}, 1, 1\n{{\n")
}
