//! What conditionals become, by what the driver supports.

use crate::cuda::device::CudaDevice;
use crate::cuda::driver::Version;
use crate::device::Device;
use std::sync::Arc;

/// The node kinds that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent features of a driver, not one state")]
pub(in crate::cuda) struct Lowering {
    /// Of the driver.
    pub(in crate::cuda) version: Version,
    /// A graph that needs conditionals where there are none is run by single launches; else it is refused.
    pub(in crate::cuda) by_launches: bool,
    /// Any conditional at all.
    pub(in crate::cuda) conditionals: bool,
    /// One IF with two bodies; else two IFs with complementary handles (rule R168).
    pub(in crate::cuda) if_else: bool,
    /// SWITCH; else a row of IFs.
    pub(in crate::cuda) switch: bool,
    /// Bodies without a node; else they get a kernel that does nothing (rule R167).
    pub(in crate::cuda) empty_bodies: bool,
    /// Cooperative launches within bodies, unless MPS is on (rule R163).
    pub(in crate::cuda) cooperative_bodies: bool,
}

impl Lowering {
    /// For a driver of this version.
    pub(in crate::cuda) fn of(version: Version) -> Self {
        Self {
            version,
            by_launches: true,
            conditionals: version >= Version::CONDITIONALS,
            if_else: version >= Version::IF_ELSE,
            switch: version >= Version::SWITCH,
            empty_bodies: version >= Version::SWITCH,
            cooperative_bodies: version >= Version::SWITCH,
        }
    }

    /// The same where clients share the device through MPS, or do not.
    pub(in crate::cuda) fn shared(self, by_mps: bool) -> Self {
        Self { cooperative_bodies: self.cooperative_bodies && !by_mps, ..self }
    }

    /// The same for graphs that are one CUDA graph or none.
    pub(in crate::cuda) fn graphs_only(self) -> Self {
        Self { by_launches: false, ..self }
    }
}

impl Device {
    /// For tests: graphs are built as a driver of this version needs them (12040 is 12.4). The CPU is returned as it is.
    #[doc(hidden)]
    #[must_use]
    pub fn as_if_driver(self, version: u32) -> Self {
        let Some(cuda) = self.backend().as_any().downcast_ref::<CudaDevice>() else { return self };
        let planning = self.planning();
        Self::of(&(Arc::new(cuda.as_if_driver(Version(version))) as Arc<_>)).planned(planning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_comes_with_its_version() {
        let of = |version| {
            let lowering = Lowering::of(Version(version));
            let Lowering { conditionals, if_else, switch, empty_bodies, cooperative_bodies, .. } = lowering;
            [conditionals, switch, empty_bodies, cooperative_bodies, if_else]
        };
        assert_eq!(of(12030), [false; 5]);
        assert_eq!(of(12040), [true, false, false, false, false]);
        assert_eq!(of(12080), [true, true, true, true, false]);
        assert_eq!(of(12090), of(12080));
        assert_eq!(of(13000), [true; 5]);
    }

    #[test]
    fn mps_forbids_cooperation_within_bodies_and_nothing_else() {
        let lowering = Lowering::of(Version(13000));
        assert_eq!(lowering.shared(false), lowering);
        assert_eq!(lowering.shared(true), Lowering { cooperative_bodies: false, ..lowering });
    }
}
