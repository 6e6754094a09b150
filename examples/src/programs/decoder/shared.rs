//! Bytes of shared memory that the kernels need for vectors of `d` elements; `decoder/sizes.cuh` has the same, and the kernels check it.

pub(super) fn attend(d: usize) -> usize {
    82 * d + 9 * 1024
}

pub(super) fn feed_forward(d: usize) -> usize {
    d * d / 128 * 17 + 16 * d + 2 * 1024
}

pub(super) fn unembed(d: usize) -> usize {
    153 * d + 1024
}
