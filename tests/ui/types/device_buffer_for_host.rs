// A buffer on the device for a parameter in pinned memory.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bring(from: &host [f32; n], to: &out [f32; n]) {
        copy(&from, &out to);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let (from, mut to) = (device.zeros::<f32>(4)?, device.zeros::<f32>(4)?);
    BringArgs { from: &from, to: &mut to }.build(&device)?.launch()
}
