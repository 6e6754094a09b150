#![deny(deprecated)]
// CG0403: results that somebody may read, parts that stay, names that ask for no warning, and a lint that is allowed.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Read(a: &[f32; n], o: &out [f32; n], s: &mut [u32; 4], half: usize) {
        let _kept: [f32; n];
        let launched: [f32; n];
        let tested: [u32; 1] = 1;
        copy(&a, &out _kept);
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&a, &out launched, 1.0, n as u32);
        fill(&out o, 0.0);
        fill(&out o[..half], 1.0);
        s[0] = 1;
        if tested[0] > 0 { s[0] = 2; }
        s[1] = 3;
        s[2] = s[1];
        s[1] = 4;
        s[3] = 5;
        basic::increment<<<1, 4>>>(&mut s, 4);
        s[3] = 6;
    }

    #[allow(unread_result)]
    graph Allowed(x: &out [f32; n]) {
        fill(&out x, 1.0);
        fill(&out x, 2.0);
    }

    graph AllowedHere(x: &out [f32; n]) {
        #[allow(unread_result)]
        fill(&out x, 1.0);
        fill(&out x, 2.0);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let a = device.buffer_from(&[7.0_f32; 4])?;
    let mut graph = ReadArgs { a: &a, o: device.zeros(4)?, s: device.zeros(4)?, half: 1 }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.o().to_vec()?, graph.s().to_vec()?), (vec![1.0, 0.0, 0.0, 0.0], vec![3, 5, 4, 6]));
    let mut allowed = AllowedArgs { x: device.zeros(2)? }.build(&device)?;
    allowed.launch()?;
    assert_eq!(allowed.x().to_vec()?, [2.0; 2]);
    Ok(())
}
