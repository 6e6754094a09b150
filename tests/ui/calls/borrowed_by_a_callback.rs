// A callback may run when what is borrowed here is gone.
use graph_runtime::prelude::*;

struct Log;

impl Log {
    fn line(&self, _: f32) {}
}

cuda_graph! {
    graph Tell(h: &host [f32; 1], log: &Log) {
        host(&h, |h| log.line(h[0]));
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let (h, log) = (device.pinned_from(&[1.0_f32])?, Log);
    TellArgs { h: &h, log: &log }.build(&device)?.launch()
}
