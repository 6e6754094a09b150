// CG0504: items of one list and of two, by indices that only the build knows, in passes, in arms, and fields of structs.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct State {
    x: Buffer<f32>,
    y: Buffer<f32>,
}

cuda_graph! {
    graph Lists(l: [&mut [f32; n]], s: &mut State, flag: &[u32; 1], at: usize) {
        let t: [[f32; n]; 2];
        fill(&out t[0], 1.0);
        fill(&out t[1], 2.0);
        swap(&mut l[at], &mut t[at]);
        for k in 0..l.len() {
            let u: [[f32; n]; 2];
            fill(&out u[0], 3.0);
            swap(&mut u[0], &mut u[1]);
            if k % 2 == 1 {
                swap(&mut t[k - 1], &mut t[k]);
            }
            copy(&u[1], &out l[k]);
        }
        if flag[0] > 0 {
            swap(&mut s.x, &mut s.y);
            fill(&out s.x, 4.0);
            swap(&mut s.x, &mut s.y);
        }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut l = [device.zeros::<f32>(3)?, device.zeros::<f32>(3)?];
    let s = State { x: device.zeros(3)?, y: device.zeros(3)? };
    let flag = device.buffer_from(&[1_u32])?;
    let mut graph = ListsArgs { l: &mut l, s, flag: &flag, at: 1 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.l(0)?.to_vec()?, [3.0; 3]);
    assert_eq!(graph.l(1)?.to_vec()?, [3.0; 3]);
    let s = graph.into_parts().s.into_inner().expect("bound by value");
    assert_eq!((s.x.to_vec()?, s.y.to_vec()?), (vec![0.0; 3], vec![4.0; 3]));
    Ok(())
}
