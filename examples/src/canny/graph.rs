//! The graph: one block, and the declarations of the kernels of `kernels/canny.cu` with their bodies for the CPU.

use graph_runtime::prelude::*;

/// The kernels: CUDA C++ on a GPU, [`super::cpu`] on the CPU.
#[cuda_module("kernels/canny.cu")]
unsafe mod kernels {
    use crate::canny::cpu;

    /// Row-wise half of the blur.
    pub fn blur_rows(image: &[u8; w * h], halfway: Out<[u16; w * h]>, w: u32, h: u32) {
        cpu::blur_rows(image, &mut halfway, w, h);
    }

    /// Column-wise half of the blur.
    pub fn blur_columns(halfway: &[u16; w * h], smooth: Out<[u8; w * h]>, w: u32, h: u32) {
        cpu::blur_columns(halfway, &mut smooth, w, h);
    }

    /// Horizontal gradient.
    pub fn sobel_x(smooth: &[u8; w * h], gx: Out<[i16; w * h]>, w: u32, h: u32) {
        cpu::sobel_x(smooth, &mut gx, w, h);
    }

    /// Vertical gradient.
    pub fn sobel_y(smooth: &[u8; w * h], gy: Out<[i16; w * h]>, w: u32, h: u32) {
        cpu::sobel_y(smooth, &mut gy, w, h);
    }

    /// Non-maximum suppression.
    pub fn suppress(gx: &[i16; w * h], gy: &[i16; w * h], peak: Out<[u16; w * h]>, w: u32, h: u32) {
        cpu::suppress(gx, gy, &mut peak, w, h);
    }

    /// Double threshold; sets `changed` if there is a strong pixel.
    pub fn threshold(
        peak: &[u16; w * h],
        marks: Out<[u8; w * h]>,
        changed: Atomic<[u32; 1]>,
        low: i32,
        high: i32,
        w: u32,
        h: u32,
    ) {
        if cpu::threshold(peak, &mut marks, low, high, w, h) {
            changed.fetch_or(0, 1);
        }
    }

    /// One pass of the hysteresis, in blocks of 32 x 32; sets `changed` if a weak pixel became strong.
    pub fn grow(marks: &[u8; w * h], next: Out<[u8; w * h]>, changed: Atomic<[u32; 1]>, w: u32, h: u32) {
        if cpu::grow(marks, &mut next, w, h) {
            changed.fetch_or(0, 1);
        }
    }

    /// Marks to black and white.
    pub fn finish(marks: &[u8; w * h], edges: Out<[u8; w * h]>, w: u32, h: u32) {
        cpu::finish(marks, &mut edges, w, h);
    }
}

cuda_graph! {
    /// Finds the edges of a gray picture of `w` x `h` bytes: 255 where there is one, else 0.
    ///
    /// The same bits as `OpenCV`'s `Canny(GaussianBlur(image, (5, 5), 0), low, high)`, for `low <= high`.
    pub graph Canny(image: &[u8; w * h], edges: &out [u8; w * h], low: i32, high: i32, w: usize, h: usize) {
        let columns = w as u32;
        let rows = h as u32;
        let grid = (columns.div_ceil(32), rows.div_ceil(8));
        let tiles = (columns.div_ceil(32), rows.div_ceil(32));

        let halfway: [u16; w * h];
        let smooth: [u8; w * h];
        let gx: [i16; w * h];
        let gy: [i16; w * h];
        let peak: [u16; w * h];
        let marks: [u8; w * h];
        let next: [u8; w * h];
        let changed: [u32; 1];

        kernels::blur_rows<<<grid, (32, 8)>>>(&image, &out halfway, columns, rows);
        kernels::blur_columns<<<grid, (32, 8)>>>(&halfway, &out smooth, columns, rows);
        kernels::sobel_x<<<grid, (32, 8)>>>(&smooth, &out gx, columns, rows);
        kernels::sobel_y<<<grid, (32, 8)>>>(&smooth, &out gy, columns, rows);             // runs beside `sobel_x`
        kernels::suppress<<<grid, (32, 8)>>>(&gx, &gy, &out peak, columns, rows);
        changed[0] = 0;                                                                   // runs beside everything above
        kernels::threshold<<<grid, (32, 8)>>>(&peak, &out marks, &atomic changed, low, high, columns, rows);

        // Ends by itself: each pass but the last makes a weak pixel strong, and none becomes weak again.
        'hysteresis: while changed[0] != 0 every 2 {
            changed[0] = 0;
            kernels::grow<<<tiles, (32, 32)>>>(&marks, &out next, &atomic changed, columns, rows);
            swap(&mut marks, &mut next);
        }
        kernels::finish<<<grid, (32, 8)>>>(&marks, &out edges, columns, rows);
    }
}
