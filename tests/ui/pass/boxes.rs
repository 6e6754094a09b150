// CG0110, CG0202, CG0205, CG0210, CG0601: boxes that fit, side by side, and rows of one piece.
use graph_runtime::prelude::*;
use tests::kernels::boxes;

const W: usize = 8;

cuda_graph! {
    graph Boxes<const H: usize>(x: &mut [f32; (H, W)], y: &[f32; (h, w)], z: &out [f32; (h, w)], row: &out [f32; n], h: usize, w: usize) {
        boxes::tile_product<<<1, 64>>>(&x[(..4, ..4)], &x[(4..8, ..4)], &mut x[(4..8, 4..8)], 4, W as u32);
        boxes::tile_product<<<1, 64>>>(&x[(..4, 4..)], &x[(..4, 4..)], &mut x[(..4, ..4)], 4, x.pitch() as u32);
        copy(&y[..h - 1], &out z[1..]);
        copy(&y[h - 1..], &out z[0..1]);
        copy(&y[(0, ..)], &out row);
        fill(&out x[(H - 1..=H - 1, 2..)], 1.0);
        x[(0, 0)] = x[(H - 1, W - 1)] + y[(h - 1, 0)];
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
