//! Graphs over element types, lengths that are constants, and visibilities.

use graph_runtime::prelude::*;

use crate::run::run;

cuda_graph! {
    /// Copies a head and fills the rest.
    pub(crate) graph Pad<T: Element + DeviceValue, const HEAD: usize>(from: &[T; HEAD], to: &out [T; n], value: T)
    where
        T: PartialEq,
    {
        copy(&from, &out to[..HEAD]);
        fill(&out to[HEAD..], value);
    }

    graph Swap3<T: Element>(a: &mut [T; n], b: &mut [T; n]) {
        let spare: [T; n];
        copy(&a, &out spare);
        copy(&b, &out a);
        copy(&spare, &out b);
    }
}

/// Two instances of each graph.
pub fn generic(device: &Device) -> Result<()> {
    let from = device.buffer_from(&[1_u16, 2, 3])?;
    let mut to = device.zeros::<u16>(5)?;
    let mut graph = PadArgs { from: &from, to: &mut to, value: 9 }.build::<3>(device)?;
    run(&mut graph)?;
    assert_eq!(graph.to().to_vec()?, [1, 2, 3, 9, 9]);

    let from = device.buffer_from(&[0.5_f64])?;
    let mut to = device.zeros::<f64>(3)?;
    let mut graph = PadArgs { from: &from, to: &mut to, value: -1.5 }.build::<1>(device)?;
    run(&mut graph)?;
    assert_eq!(graph.to().to_vec()?, [0.5, -1.5, -1.5]);

    let mut a = device.buffer_from(&[[1_u8, 2, 3]])?;
    let mut b = device.buffer_from(&[[7_u8, 8, 9]])?;
    let mut graph = Swap3Args { a: &mut a, b: &mut b }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.a().to_vec()?, graph.b().to_vec()?), (vec![[7, 8, 9]], vec![[1, 2, 3]]));
    Ok(())
}
