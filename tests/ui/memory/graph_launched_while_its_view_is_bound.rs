// A graph that is bound to a view borrows the graph whose view it is.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut lender = ScaleArgs { x: device.zeros::<f32>(4)?, by: 2.0 }.build(&device)?;
    let mut borrower = ScaleArgs { x: lender.x_mut()?, by: 3.0 }.build(&device)?;
    borrower.launch()?;
    lender.launch()?;
    borrower.launch()
}
