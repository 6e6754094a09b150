// One object that is used alone, for two graphs that may be in flight at once.
use graph_runtime::prelude::*;
use tests::launcher::Launcher;

cuda_graph! {
    graph Reduce(x: &mut [f32; n], launcher: &mut Launcher) {
        capture(&mut x, &mut launcher, |stream, x, launcher| launcher.twice(stream, &x, 1.0));
    }
}

fn main() -> Result<()> {
    let device = Device::best()?;
    let mut launcher = Launcher::new(&device).unwrap();
    let mut first = ReduceArgs { x: device.zeros(4)?, launcher: &mut launcher }.build(&device)?;
    let mut second = ReduceArgs { x: device.zeros(4)?, launcher: &mut launcher }.build(&device)?;
    first.launch()?;
    second.launch()
}
