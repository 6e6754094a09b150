//! What launches ask of a kernel's declaration, as bounds: rustc says it where the launch is written.

/// A kernel with `#[block(…)]`.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` is launched without a block",
    label = "expected `<<<grid, block>>>`",
    note = "the block may be left out if the declaration fixes it: `#[block(256)] pub fn …`"
)]
pub trait FixedBlock {
    /// x, y, z.
    const BLOCK: [u32; 3];
}

/// The block that a kernel's declaration fixes.
pub fn fixed_block<K: FixedBlock>() -> (u32, u32, u32) {
    let [x, y, z] = K::BLOCK;
    (x, y, z)
}

/// Whether a launch with a block of this size agrees with the declaration.
pub const fn agrees(declared: Option<[u32; 3]>, written: [u32; 3]) -> bool {
    match declared {
        Some(declared) => declared[0] == written[0] && declared[1] == written[1] && declared[2] == written[2],
        None => true,
    }
}

/// Threads that no block has more of: a rule of its own tells.
const MOST_THREADS: u64 = 1024;

/// Whether a block of this size has no more threads than the kernel file allows.
pub const fn within(bound: Option<u32>, written: [u32; 3]) -> bool {
    let threads = (written[0] as u64).saturating_mul(written[1] as u64).saturating_mul(written[2] as u64);
    match bound {
        Some(bound) => threads <= bound as u64 || threads > MOST_THREADS,
        None => true,
    }
}

/// A kernel with `#[waits]`.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` cannot overlap with those before it: it is not declared `#[waits]`",
    label = "expected a kernel that waits before it touches memory",
    note = "remove `#[overlap]`; or, if it executes `griddepcontrol.wait` before it touches memory, declare it `#[waits] pub fn …`"
)]
pub trait Waits {}

/// The check of `#[overlap]`.
pub fn overlaps<K: Waits>() {}

/// What was typed, as it is: only an editor looks at it, in an item that rustc leaves out.
#[doc(hidden)]
#[macro_export]
macro_rules! __half_typed {
    ($($token:tt)*) => { $($token)* };
}

/// What stands for a function that is launched and is no kernel, so that rustc says one thing about it.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_kernel {
    ($name:ident) => {
        #[allow(non_camel_case_types, dead_code)]
        pub struct $name {}

        #[allow(dead_code)]
        impl $name {
            pub const __DECLARATION: &'static $crate::__private::KernelDeclaration =
                ::core::panic!("a launch of a function that is no kernel of a `#[cuda_module]`");
            pub const __BLOCK: ::core::option::Option<[u32; 3]> = ::core::option::Option::None;
            pub const __OTHER_BLOCK: &'static str = "";
            pub const __THREADS: ::core::option::Option<u32> = ::core::option::Option::None;
            pub const __LARGE_BLOCK: &'static str = "";
            pub const __MOST_SHARED: u64 = u64::MAX;
            pub const __LARGE_SHARED: &'static str = "";
        }

        impl $crate::__private::AnyParam for $name {}
    };
}

#[cfg(test)]
mod tests {
    use super::{agrees, within};

    #[test]
    fn only_another_block_disagrees() {
        assert!(agrees(None, [256, 1, 1]));
        assert!(agrees(Some([8, 8, 1]), [8, 8, 1]));
        for other in [[8, 8, 2], [8, 4, 1], [4, 8, 1]] {
            assert!(!agrees(Some([8, 8, 1]), other));
        }
    }

    #[test]
    fn larger_blocks_than_the_file_allows() {
        assert!(within(None, [1024, 1, 1]));
        assert!(within(Some(64), [8, 8, 1]));
        assert!(!within(Some(64), [8, 8, 2]) && !within(Some(64), [65, 1, 1]));
        assert!(within(Some(64), [2048, 1, 1]) && within(Some(64), [u32::MAX; 3]), "said elsewhere");
    }
}
