//! Launch geometry against what the device and the kernel allow, with the numbers.

use graph_ir::code::Code;

use crate::cuda::driver::{Attribute, Context, Failure};
use crate::plan::KernelStep;

/// A device's limits on a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Limits {
    /// Threads in a block.
    pub(in crate::cuda) threads: u32,
    /// Of each dimension of a block.
    pub(in crate::cuda) block: [u32; 3],
    /// Of each dimension of a grid.
    pub(in crate::cuda) grid: [u32; 3],
    /// Bytes of shared memory that a block may have if it asks for them.
    pub(in crate::cuda) shared: u32,
    /// Compute capability, 90 for 9.0.
    pub(in crate::cuda) arch: u32,
    /// Multiprocessors.
    pub(in crate::cuda) processors: u32,
    /// The lowest and the highest priority.
    pub(in crate::cuda) priorities: [i32; 2],
}

/// What a kernel itself allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct KernelLimits {
    /// Threads in a block, by its registers and launch bounds.
    pub(in crate::cuda) threads: u32,
    /// Shared memory that it declares itself, in bytes.
    pub(in crate::cuda) shared: u32,
}

/// What is wrong with a launch, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Unfit {
    pub(in crate::cuda) meaning: String,
    pub(in crate::cuda) help: String,
}

impl From<String> for Unfit {
    fn from(meaning: String) -> Self {
        let help = "change the geometry between `<<<` and `>>>`, or the attributes in front".to_owned();
        Self { meaning, help }
    }
}

impl Limits {
    /// Asks the device.
    pub(in crate::cuda) fn of(context: Context) -> Result<Self, Failure> {
        let ask = |attribute| context.attribute(attribute);
        Ok(Self {
            threads: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            block: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            grid: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            shared: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            arch: 10 * ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
                + ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            processors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            priorities: context.priorities()?,
        })
    }

    /// What is wrong with a launch, if anything. A grid of nothing is no fault: nothing is launched.
    pub(in crate::cuda) fn check(&self, kernel: KernelLimits, step: &KernelStep) -> Result<(), Unfit> {
        self.check_block(kernel, step.block)?;
        within("grid", step.grid, self.grid)?;
        self.check_shared(kernel.shared, step.shared)
    }

    fn check_block(&self, kernel: KernelLimits, block: [u32; 3]) -> Result<(), Unfit> {
        let threads = block.iter().map(|size| u64::from(*size)).product::<u64>();
        if threads == 0 {
            return Err(format!("the block {} has no threads", sizes(block)).into());
        }
        within("block", block, self.block)?;
        if threads > u64::from(self.threads) {
            let block = sizes(block);
            return Err(
                format!("the block {block} has {threads} threads, and this device allows {}", self.threads).into()
            );
        }
        if threads > u64::from(kernel.threads) {
            let (block, code) = (sizes(block), Code::LAUNCH_BOUNDS);
            return Err(Unfit {
                meaning: format!(
                    "the block {block} has {threads} threads, and this kernel's registers and launch bounds allow {} [{code}]",
                    kernel.threads
                ),
                help: format!("launch blocks of at most {} threads, and more of them", kernel.threads),
            });
        }
        Ok(())
    }

    /// `own`: what the kernel declares itself.
    pub(in crate::cuda) fn check_shared(&self, own: u32, asked: u32) -> Result<(), Unfit> {
        let shared = u64::from(own) + u64::from(asked);
        if shared <= u64::from(self.shared) {
            return Ok(());
        }
        let code = Code::SHARED;
        Err(Unfit {
            meaning: format!(
                "a block would have {shared} bytes of shared memory ({asked} that the launch asks for, {own} of the kernel's own), and this \
                 device gives it {} [{code}]",
                self.shared
            ),
            help: format!(
                "ask for at most {} bytes behind the block: `<<<grid, block, bytes>>>`",
                self.shared.saturating_sub(own)
            ),
        })
    }
}

fn within(what: &str, is: [u32; 3], allowed: [u32; 3]) -> Result<(), String> {
    let names = ["x", "y", "z"];
    for axis in 0..3 {
        if is[axis] > allowed[axis] {
            let (name, is, allowed) = (names[axis], is[axis], allowed[axis]);
            return Err(format!("the {what} is {is} in {name}, and this device allows {allowed}"));
        }
    }
    Ok(())
}

fn sizes([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelDeclaration, KernelSymbol, ModuleCode, ModuleSource, SourceLocation};

    const HERE: SourceLocation = SourceLocation { file: "src/main.rs", line: 1, column: 1 };
    static MODULE: ModuleSource = ModuleSource { name: "m", path: "m.ptx", code: ModuleCode::Ptx(""), location: HERE };
    static KERNEL: KernelDeclaration = KernelDeclaration {
        name: "k",
        symbol: KernelSymbol::Name("k"),
        module: &MODULE,
        parameters: &[],
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
    const DEVICE: Limits = Limits {
        threads: 1024,
        block: [1024, 1024, 64],
        grid: [2_147_483_647, 65_535, 65_535],
        shared: 232_448,
        arch: 90,
        processors: 132,
        priorities: [0, -5],
    };
    const OWN: KernelLimits = KernelLimits { threads: 512, shared: 1024 };

    fn check(grid: [u32; 3], block: [u32; 3], shared: u32) -> Result<(), Unfit> {
        DEVICE
            .check(OWN, &KernelStep { declaration: &KERNEL, grid, block, shared, arguments: Vec::new(), passed: None })
    }

    #[test]
    fn what_fits_is_fine() {
        assert_eq!(check([1, 1, 1], [512, 1, 1], 0), Ok(()));
        assert_eq!(check([2_147_483_647, 65_535, 65_535], [8, 8, 8], 231_424), Ok(()));
        assert_eq!(check([0, 1, 1], [1, 1, 1], 0), Ok(()));
    }

    #[test]
    fn what_does_not_is_told_with_both_numbers() {
        let text = |result: Result<(), Unfit>| result.unwrap_err().meaning;
        assert_eq!(text(check([1, 1, 1], [0, 1, 1], 0)), "the block (0, 1, 1) has no threads");
        assert_eq!(text(check([1, 65_536, 1], [1, 1, 1], 0)), "the grid is 65536 in y, and this device allows 65535");
        assert_eq!(text(check([1, 1, 1], [1, 1, 65], 0)), "the block is 65 in z, and this device allows 64");
        assert!(text(check([1, 1, 1], [64, 32, 1], 0)).contains("2048 threads, and this device allows 1024"));
        assert!(text(check([1, 1, 1], [513, 1, 1], 0)).contains("513 threads, and this kernel's"));
        let unfit = check([1, 1, 1], [1, 1, 1], 231_425).unwrap_err();
        let wanted = "a block would have 232449 bytes of shared memory (231425 that the launch asks for, 1024 of the kernel's own), and this \
                      device gives it 232448 [CG0220]";
        assert_eq!(unfit.meaning, wanted);
        assert_eq!(unfit.help, "ask for at most 231424 bytes behind the block: `<<<grid, block, bytes>>>`");
        assert!(text(check([1, 1, 1], [u32::MAX, u32::MAX, 1], 0)).contains("in x"));
    }
}
