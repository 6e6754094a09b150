//! Attributes of launches in a device's numbers, and whether it can do what they ask for.

use graph_ir::model::{LaunchAttributes, Priority};

use super::Limits;
use crate::cuda::driver::{Attributes, Failure, Function};
use crate::plan::KernelStep;

/// The first compute capability with clusters and overlapping kernels.
const HOPPER: u32 = 90;
/// Blocks of a cluster on any device that has clusters.
const PORTABLE: u32 = 8;

impl Limits {
    /// Whether kernels may begin before those that they wait for are over.
    pub(in crate::cuda) fn overlaps(&self) -> bool {
        self.arch >= HOPPER
    }

    /// What a launch asks for, in this device's numbers.
    pub(super) fn attributes(&self, asked: &LaunchAttributes) -> Attributes {
        let [low, high] = self.priorities;
        let priority = asked.priority.map(|priority| match priority {
            Priority::High => high,
            Priority::Low => low,
            Priority::Number(number) => number.clamp(high, low),
        });
        let cluster = asked.cluster.map(|cluster| cluster.sizes);
        Attributes { priority, cluster, cooperative: asked.cooperative.is_some() }
    }

    /// What is wrong with a launch's attributes, if anything.
    pub(super) fn check_attributes(
        &self,
        function: Function,
        attributes: Attributes,
        step: &KernelStep,
    ) -> Result<(), String> {
        let said = |failure: Failure| {
            failure.describe("asking how much of the launch runs at once".to_owned(), None).to_string()
        };
        if attributes.cooperative {
            let threads = step.block.iter().product();
            let each = function.resident_blocks(threads, step.shared).map_err(said)?;
            self.all_at_once(step.grid, each)?;
        }
        let Some(cluster) = attributes.cluster else { return Ok(()) };
        self.has_clusters()?;
        let blocks: u32 = cluster.iter().product();
        if blocks > PORTABLE {
            function.allow_large_clusters().map_err(said)?;
        }
        match function.resident_clusters([step.grid, step.block], step.shared, cluster).map_err(said)? {
            0 => Err(format!("a cluster of {blocks} blocks of this size does not fit on this device")),
            _ => Ok(()),
        }
    }

    fn has_clusters(&self) -> Result<(), String> {
        if self.arch >= HOPPER {
            return Ok(());
        }
        let (major, minor) = (self.arch / 10, self.arch % 10);
        Err(format!("clusters need compute capability 9.0, and this device has {major}.{minor}"))
    }

    /// A cooperative launch has all its blocks on the device at once (rule R051).
    fn all_at_once(&self, grid: [u32; 3], each: u32) -> Result<(), String> {
        let blocks: u64 = grid.iter().map(|size| u64::from(*size)).product();
        let most = u64::from(each) * u64::from(self.processors);
        if blocks <= most {
            return Ok(());
        }
        Err(format!("a cooperative launch runs all its {blocks} blocks at once, and this device runs {most} of them"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_ir::model::{Cluster, Place};

    const DEVICE: Limits = Limits {
        threads: 1024,
        block: [1024, 1024, 64],
        grid: [2_147_483_647, 65_535, 65_535],
        shared: 232_448,
        arch: 80,
        processors: 108,
        priorities: [0, -5],
    };

    #[test]
    fn words_become_the_devices_numbers() {
        let priority = |priority| {
            let asked = LaunchAttributes { priority: Some(priority), ..LaunchAttributes::default() };
            DEVICE.attributes(&asked).priority
        };
        assert_eq!(priority(Priority::High), Some(-5));
        assert_eq!(priority(Priority::Low), Some(0));
        assert_eq!(priority(Priority::Number(-3)), Some(-3));
        assert_eq!(priority(Priority::Number(-9)), Some(-5));
        assert_eq!(priority(Priority::Number(4)), Some(0));
        let cluster = Some(Cluster { sizes: [2, 1, 1], place: Place(0) });
        let asked = LaunchAttributes { cluster, cooperative: Some(Place(0)), ..LaunchAttributes::default() };
        assert_eq!(
            DEVICE.attributes(&asked),
            Attributes { priority: None, cluster: Some([2, 1, 1]), cooperative: true }
        );
    }

    #[test]
    fn what_the_device_lacks_is_told_with_numbers() {
        let text = DEVICE.has_clusters().unwrap_err();
        assert_eq!(text, "clusters need compute capability 9.0, and this device has 8.0");
        assert!(Limits { arch: 100, ..DEVICE }.has_clusters().is_ok());
        assert_eq!(DEVICE.all_at_once([108, 2, 1], 2), Ok(()));
        let text = DEVICE.all_at_once([217, 1, 1], 2).unwrap_err();
        assert_eq!(text, "a cooperative launch runs all its 217 blocks at once, and this device runs 216 of them");
        assert!(!DEVICE.overlaps() && Limits { arch: 90, ..DEVICE }.overlaps());
    }
}
