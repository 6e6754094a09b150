// CG0002, CG0404: what may be switched off writes what is initialised without it; in a body and in passes.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Switched(x: &mut [f32; 2]) {
        let t: [f32; 2] = 5.0;
        #[optional]
        'copied: copy(&x, &out t);
        for i in 0..2 {
            #[optional]
            'filled: fill(&out t[i..=i], 7.0);
        }
        while x[0] < 3.0 limit 3 {
            #[optional]
            'doubled: x[1] *= 2.0;
            x[0] += 1.0;
        }
        x[0] = t[0] + t[1];
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = SwitchedArgs { x: device.buffer_from(&[1.0_f32, 1.0])? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [14.0, 4.0]);
    graph.x_mut()?.write_from(&[2.0, 1.0])?;
    graph.disable(Switched::FILLED.pass(1))?;
    graph.disable(Switched::DOUBLED)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [7.0 + 1.0, 1.0]);
    Ok(())
}
