// Kernels that only a compiler can read are declared all the same, and nothing is said where that is allowed; nor of those that can be read.
use graph_runtime::prelude::*;

#[cuda_module("kernels/unread.cu")]
#[allow(unread_kernel)]
unsafe mod allowed {
    pub fn by_macro(mut y: Out<[f32; n]>, x: &[f32; n], n: u32) {
        let _ = n;
        y.copy_from_slice(x);
    }
}

#[cuda_module("kernels/unread.cu")]
#[deny(unread_kernel, deprecated)]
unsafe mod read {
    #[allow(unread_kernel)]
    pub fn by_branch(x: &mut [f32; n], n: u32);
    pub fn plain(x: &mut [f32; n], n: u32) {
        x[..n as usize].iter_mut().for_each(|x| *x += 1.0);
    }
}

cuda_graph! {
    graph Copies(x: &[f32; n], y: &out [f32; n]) {
        allowed::by_macro<<<1, 32>>>(&out y, &x, n as u32);
        read::plain<<<1, 32>>>(&mut y, n as u32);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (x, mut y) = (device.buffer_from(&[1.0_f32, 2.0])?, device.zeros::<f32>(2)?);
    let mut graph = CopiesArgs { x: &x, y: &mut y }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [2.0, 3.0]);
    Ok(())
}
