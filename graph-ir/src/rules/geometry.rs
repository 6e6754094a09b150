//! CG0204: a grid and a block have sizes that a device accepts.
//!
//! Rejected:
//! ```text
//! k<<<1, 2048>>>(&mut x);
//! k<<<0, 256>>>(&mut x);
//! ```
//! Accepted:
//! ```text
//! k<<<(1, 65535), (32, 32)>>>(&mut x);
//! ```
//! Sound because these are limits of every device that CUDA supports; what is smaller on one device is checked there. Sizes that
//! are not known yet are not listed: they are checked when they are.

use super::Report;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Dimensions, Extent, Node, NodeKind, Program};

const AXES: [&str; 3] = ["x", "y", "z"];
const GRID: [u64; 3] = [i32::MAX as u64, 65_535, 65_535];
const BLOCK: [u64; 3] = [1024, 1024, 64];
const THREADS: u64 = 1024;
const SMALLER: &str = "launch smaller blocks, and more of them";

pub(super) fn check(_: &Program, node: &Node, report: &mut Report) {
    if let NodeKind::Kernel(launch) = &node.kind {
        let fits = |dimensions: &Dimensions, limits: [u64; 3]| {
            let [x, y, z] = dimensions.sizes.map(|size| size.known().unwrap_or(1));
            let within = |size: u64, limit: u64| size.wrapping_sub(1) < limit;
            within(x, limits[0]) && within(y, limits[1]) && within(z, limits[2])
        };
        let threads_fit = |[x, y, z]: [Extent; 3]| {
            let known = |size: Extent| size.known().unwrap_or(1);
            known(x) * known(y) * known(z) <= THREADS
        };
        if fits(&launch.grid, GRID) && fits(&launch.block, BLOCK) && threads_fit(launch.block.sizes) {
            return;
        }
        let label = &node.label;
        let grid = per_axis("grid", label, &launch.grid, GRID);
        let block = per_axis("block", label, &launch.block, BLOCK).or_else(|| threads(label, &launch.block));
        grid.into_iter().chain(block).for_each(|finding| report.refute(finding));
    }
}

fn per_axis(what: &str, label: &str, dimensions: &Dimensions, limits: [u64; 3]) -> Option<Finding> {
    let error = |message: String| Finding::error(Code::GEOMETRY, dimensions.place, message);
    for ((size, limit), axis) in dimensions.sizes.into_iter().zip(limits).zip(AXES) {
        match size.known() {
            Some(0) => {
                let message = format!("the {what} of kernel `{label}` has size 0 in {axis}");
                return Some(error(message).note(format!("each size of a {what} is at least 1")));
            }
            Some(size) if size > limit => {
                let message = format!("the {what} of kernel `{label}` has size {size} in {axis}");
                let finding = error(message).note(format!("a {what} has at most {limit} in {axis}"));
                return Some(if what == "block" { finding.help(SMALLER) } else { finding });
            }
            _ => {}
        }
    }
    None
}

fn threads(label: &str, block: &Dimensions) -> Option<Finding> {
    let product = block.sizes.into_iter().map(Extent::known).try_fold(1_u64, |all, size| Some(all * size?))?;
    (product > THREADS).then(|| {
        let message = format!("the block of kernel `{label}` has {product} threads");
        Finding::error(Code::GEOMETRY, block.place, message)
            .note(format!("a block has at most {THREADS} threads"))
            .help(SMALLER)
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use crate::code::Code;
    use crate::testing::Builder;

    fn message(grid: [u64; 3], block: [u64; 3]) -> Option<String> {
        let mut builder = Builder::new("g");
        builder.launch("k", grid, block, &[]);
        let refuted = check(&builder.finish()).refuted;
        assert!(refuted.iter().all(|finding| finding.code == Code::GEOMETRY));
        refuted.first().map(|finding| finding.message.clone())
    }

    #[test]
    fn the_largest_sizes_are_accepted() {
        assert_eq!(message([2_147_483_647, 65_535, 65_535], [1024, 1, 1]), None);
        assert_eq!(message([1, 1, 1], [4, 4, 64]), None);
    }

    #[test]
    fn one_more_is_not() {
        let wide = message([1, 65_536, 1], [1, 1, 1]);
        assert_eq!(wide.as_deref(), Some("the grid of kernel `k` has size 65536 in y"));
        assert_eq!(message([1, 1, 1], [1, 1, 65]).as_deref(), Some("the block of kernel `k` has size 65 in z"));
        assert_eq!(message([1, 1, 1], [32, 33, 1]).as_deref(), Some("the block of kernel `k` has 1056 threads"));
        assert_eq!(message([0, 1, 1], [32, 1, 1]).as_deref(), Some("the grid of kernel `k` has size 0 in x"));
        assert!(message([2_147_483_648, 1, 1], [1, 1, 1]).is_some());
    }
}
