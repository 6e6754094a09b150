// Types, constants and bounds of the user's, two instances of one graph.
use graph_runtime::prelude::*;

cuda_graph! {
    /// Copies a head and fills the rest.
    pub(crate) graph Pad<T: Element + DeviceValue, const HEAD: usize>(
        from: &[T; HEAD],
        to: &out [T; n],
        value: T,
    )
    where
        T: PartialEq,
    {
        copy(&from, &out to[..HEAD]);
        fill(&out to[HEAD..], value);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let from = device.buffer_from(&[1_u16, 2, 3])?;
    let mut to = device.zeros::<u16>(5)?;
    let mut graph = PadArgs { from: &from, to: &mut to, value: 9 }.build::<3>(&device)?;
    graph.launch()?;
    assert_eq!(graph.to().to_vec()?, [1, 2, 3, 9, 9]);
    let from = device.buffer_from(&[0.5_f64])?;
    let mut graph = PadArgs { from: &from, to: device.zeros(3)?, value: -1.5 }.build::<1>(&device)?;
    graph.launch()?;
    assert_eq!(graph.to().to_vec()?, [0.5, -1.5, -1.5]);
    Ok(())
}
