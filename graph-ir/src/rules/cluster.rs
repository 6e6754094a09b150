//! CG0213: clusters fill the grid, and a cluster has as many blocks as a device can have.
//!
//! Rejected:
//! ```text
//! #[cluster(4, 1, 1)] k<<<6, 256>>>(&mut x);
//! #[cluster(32, 1, 1)] k<<<64, 256>>>(&mut x);
//! ```
//! Accepted:
//! ```text
//! #[cluster(2, 2, 1)] k<<<(6, 4), 256>>>(&mut x);
//! ```
//! Sound because each size of a cluster must divide the grid's in the same dimension, and no device has clusters of more than 16
//! blocks; what one device allows is checked there.

use super::Report;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Cluster, Dimensions, Node, NodeKind, Program};

const AXES: [&str; 3] = ["x", "y", "z"];
const MOST: u64 = 16;

pub(super) fn check(_: &Program, node: &Node, report: &mut Report) {
    let Some(cluster) = node.attributes.as_ref().and_then(|attributes| attributes.cluster) else { return };
    let NodeKind::Kernel(launch) = &node.kind else { return };
    let found =
        empty(node, cluster).or_else(|| too_many(node, cluster)).or_else(|| uneven(node, cluster, &launch.grid));
    found.into_iter().for_each(|finding| report.refute(finding));
}

fn empty(node: &Node, cluster: Cluster) -> Option<Finding> {
    let axis = cluster.sizes.iter().position(|size| *size == 0)?;
    let message = format!("the cluster of kernel `{}` has size 0 in {}", node.label, AXES[axis]);
    Some(Finding::error(Code::CLUSTER, cluster.place, message).note("each size of a cluster is at least 1"))
}

fn too_many(node: &Node, cluster: Cluster) -> Option<Finding> {
    let blocks: u64 = cluster.sizes.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul);
    (blocks > MOST).then(|| {
        let message = format!("the cluster of kernel `{}` has {blocks} blocks", node.label);
        Finding::error(Code::CLUSTER, cluster.place, message).note(format!("a cluster has at most {MOST} blocks"))
    })
}

fn uneven(node: &Node, cluster: Cluster, grid: &Dimensions) -> Option<Finding> {
    if grid.symbol.is_some() {
        return None;
    }
    for ((size, grid), axis) in cluster.sizes.into_iter().zip(grid.sizes).zip(AXES) {
        if let Some(grid) = grid.known()
            && grid % u64::from(size) != 0
        {
            let message =
                format!("the grid of kernel `{}` is {grid} in {axis}, no multiple of its cluster's {size}", node.label);
            return Some(
                Finding::error(Code::CLUSTER, cluster.place, message)
                    .note("all clusters of a launch have the same size"),
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use crate::code::Code;
    use crate::model::{Cluster, LaunchAttributes, Place};
    use crate::testing::Builder;

    fn message(grid: [u64; 3], sizes: [u32; 3]) -> Option<String> {
        let mut builder = Builder::new("g");
        builder.launch("k", grid, [32, 1, 1], &[]);
        let cluster = Some(Cluster { sizes, place: Place(0) });
        let attributes = LaunchAttributes { cluster, ..LaunchAttributes::default() };
        builder.program().nodes[0].attributes = Some(Box::new(attributes));
        let refuted = check(&builder.finish()).refuted;
        assert!(refuted.iter().all(|finding| finding.code == Code::CLUSTER));
        refuted.first().map(|finding| finding.message.clone())
    }

    #[test]
    fn clusters_that_fill_the_grid_are_accepted() {
        assert_eq!(message([8, 1, 1], [2, 1, 1]), None);
        assert_eq!(message([6, 4, 3], [2, 2, 3]), None);
        assert_eq!(message([16, 1, 1], [16, 1, 1]), None);
    }

    #[test]
    fn others_are_not() {
        let text = "the grid of kernel `k` is 6 in x, no multiple of its cluster's 4";
        assert_eq!(message([6, 1, 1], [4, 1, 1]).as_deref(), Some(text));
        assert_eq!(message([34, 1, 1], [17, 1, 1]).as_deref(), Some("the cluster of kernel `k` has 17 blocks"));
        assert_eq!(message([4, 1, 1], [2, 0, 1]).as_deref(), Some("the cluster of kernel `k` has size 0 in y"));
        assert!(message([4, 3, 1], [2, 2, 1]).is_some());
    }
}
