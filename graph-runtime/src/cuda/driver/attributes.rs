//! Attributes of launches. The context is current.

use std::mem::MaybeUninit;

use cudarc::driver::sys::{self, CUlaunchAttribute, CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchConfig};

use super::error::{Failure, check};
use super::{Context, Function, Node, Stream, functions};

/// What a launch asks for beside its geometry, in the device's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cuda) struct Attributes {
    /// Lower begins first.
    pub(in crate::cuda) priority: Option<i32>,
    /// Blocks of a cluster.
    pub(in crate::cuda) cluster: Option<[u32; 3]>,
    /// All blocks run at once.
    pub(in crate::cuda) cooperative: bool,
}

impl Attributes {
    /// As the driver wants them.
    fn list(self) -> Vec<CUlaunchAttribute> {
        let mut list = Vec::new();
        if self.cooperative {
            list.push(attribute(CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, |value| value.cooperative = 1));
        }
        if let Some([x, y, z]) = self.cluster {
            list.push(attribute(CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, |value| {
                // SAFETY: the value is zeroed, and a cluster's sizes are plain integers.
                let cluster = unsafe { &mut value.clusterDim };
                (cluster.x, cluster.y, cluster.z) = (x, y, z);
            }));
        }
        if let Some(priority) = self.priority {
            list.push(attribute(CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PRIORITY, |value| value.priority = priority));
        }
        list
    }

    /// Gives them to a kernel node.
    ///
    /// # Safety
    /// The node is a kernel node of a graph that lives.
    pub(in crate::cuda) unsafe fn set(self, node: Node) -> Result<(), Failure> {
        for attribute in self.list() {
            // SAFETY: the caller's promise, and the value is one of the attribute.
            check(unsafe {
                functions::cuGraphKernelNodeSetAttribute(node.0, attribute.id, &raw const attribute.value)
            })?;
        }
        Ok(())
    }
}

fn attribute(id: CUlaunchAttributeID, set: impl FnOnce(&mut CUlaunchAttributeValue)) -> CUlaunchAttribute {
    // SAFETY: zero is valid for every byte of the value that is looked at: integers.
    let mut value: CUlaunchAttributeValue = unsafe { MaybeUninit::zeroed().assume_init() };
    set(&mut value);
    CUlaunchAttribute { id, pad: [0; 4], value }
}

/// A launch as `cuLaunchKernelEx` wants it. `attributes` outlive it.
pub(super) fn config(
    [grid, block]: [[u32; 3]; 2],
    shared: u32,
    attributes: &mut [CUlaunchAttribute],
    stream: Option<&Stream>,
) -> CUlaunchConfig {
    let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
    CUlaunchConfig {
        gridDimX: gx,
        gridDimY: gy,
        gridDimZ: gz,
        blockDimX: bx,
        blockDimY: by,
        blockDimZ: bz,
        sharedMemBytes: shared,
        hStream: stream.map_or(std::ptr::null_mut(), Stream::raw),
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as u32,
    }
}

impl Function {
    /// Launches into a stream with attributes.
    ///
    /// # Safety
    /// As for [`Function::launch`].
    pub(in crate::cuda) unsafe fn launch_with(
        self,
        geometry: [[u32; 3]; 2],
        shared: u32,
        attributes: Attributes,
        arguments: &mut [*mut std::ffi::c_void],
        stream: &Stream,
    ) -> Result<(), Failure> {
        let mut list = attributes.list();
        let config = config(geometry, shared, &mut list, Some(stream));
        // SAFETY: the caller's promise; the configuration and its attributes live.
        check(unsafe {
            functions::cuLaunchKernelEx(&raw const config, self.0, arguments.as_mut_ptr(), std::ptr::null_mut())
        })
    }

    /// How many blocks of this size one multiprocessor runs at once.
    pub(in crate::cuda) fn resident_blocks(self, threads: u32, shared: u32) -> Result<u32, Failure> {
        let mut blocks: std::ffi::c_int = 0;
        let threads = threads.cast_signed();
        // SAFETY: the module is loaded and `blocks` is a valid place.
        check(unsafe {
            functions::cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, self.0, threads, shared as usize)
        })?;
        Ok(u32::try_from(blocks).unwrap_or(0))
    }

    /// How many clusters of this launch the device runs at once.
    pub(in crate::cuda) fn resident_clusters(
        self,
        geometry: [[u32; 3]; 2],
        shared: u32,
        cluster: [u32; 3],
    ) -> Result<u32, Failure> {
        let mut list = Attributes { cluster: Some(cluster), ..Attributes::default() }.list();
        let config = config(geometry, shared, &mut list, None);
        let mut clusters: std::ffi::c_int = 0;
        // SAFETY: the module is loaded, `clusters` is a valid place, and the configuration and its attributes live.
        check(unsafe { functions::cuOccupancyMaxActiveClusters(&raw mut clusters, self.0, &raw const config) })?;
        Ok(u32::try_from(clusters).unwrap_or(0))
    }

    /// Lets clusters have more than eight blocks.
    pub(in crate::cuda) fn allow_large_clusters(self) -> Result<(), Failure> {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        // SAFETY: the module is loaded.
        check(unsafe { functions::cuFuncSetAttribute(self.0, attribute, 1) })
    }
}

impl Context {
    /// The lowest and the highest priority that the device tells apart.
    pub(in crate::cuda) fn priorities(self) -> Result<[i32; 2], Failure> {
        self.bind()?;
        let (mut low, mut high) = (0, 0);
        // SAFETY: a context is current and both places are valid.
        check(unsafe { functions::cuCtxGetStreamPriorityRange(&raw mut low, &raw mut high) })?;
        Ok([low, high])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attribute_has_its_number_and_value() {
        let attributes = Attributes { priority: Some(-5), cluster: Some([2, 3, 1]), cooperative: true };
        let list = attributes.list();
        let ids: Vec<u32> = list.iter().map(|attribute| attribute.id as u32).collect();
        assert_eq!(ids, [2, 4, 8]);
        // SAFETY: the values are those that were set.
        unsafe {
            assert_eq!(list[0].value.cooperative, 1);
            let cluster = list[1].value.clusterDim;
            assert_eq!([cluster.x, cluster.y, cluster.z], [2, 3, 1]);
            assert_eq!(list[2].value.priority, -5);
        }
        assert!(Attributes::default().list().is_empty());
    }

    #[test]
    fn a_launch_has_its_geometry_and_attributes() {
        let mut list = Attributes { priority: Some(1), ..Attributes::default() }.list();
        let config = config([[1, 2, 3], [4, 5, 6]], 7, &mut list, None);
        assert_eq!([config.gridDimX, config.gridDimY, config.gridDimZ], [1, 2, 3]);
        assert_eq!([config.blockDimX, config.blockDimY, config.blockDimZ], [4, 5, 6]);
        assert_eq!((config.sharedMemBytes, config.numAttrs), (7, 1));
    }
}
