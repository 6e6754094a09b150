// `for`, `match`, `if let` and patterns over host values; what depends on the pass is decided when the graph is built.
use graph_runtime::prelude::*;
use tests::kernels::basic;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Plain,
    Twice { times: usize },
}

cuda_graph! {
    graph Sides(x: &mut [f32; n], kinds: Vec<Kind>, sizes: [(u32, f32)], limit: Option<u32>) {
        let (first, ..) = (kinds[0], 0);
        let t: [f32; n];
        for (i, kind) in kinds.iter().enumerate() {
            if i == 0 { fill(&out t, 0.0); }
            let local: [f32; n];
            copy(&t, &out local);
            match kind {
                Kind::Plain => {}
                Kind::Twice { times } if *times > 1 => {
                    'again: for _ in 0..*times { basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32); }
                    copy(&local, &out t) after 'again;
                }
                Kind::Twice { .. } => {}
            }
            swap(&mut x, &mut t);
        }
        for (size, by) in sizes.iter().rev().step_by(2) {
            basic::add_constant<<<*size, 64>>>(&mut x[..*size as usize], *by, *size);
        }
        if let Some(limit) = limit && limit > 2 {
            fill(&out x[..limit as usize], if first == Kind::Plain { 1.0 } else { 2.0 });
        } else if x[0] > 3.0 {
            x[1] = 4.0;
        }
    }
}

pub fn main() -> graph_runtime::Result<()> {
    let device = Device::cpu();
    let mut x = device.buffer_from(&[0.0_f32, 0.0, 0.0, 0.0])?;
    let kinds = vec![Kind::Plain, Kind::Twice { times: 2 }];
    let mut graph = SidesArgs { x: &mut x, kinds, sizes: [(1, 8.0), (2, 10.0)], limit: None }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [10.0, 4.0, 0.0, 0.0]);
    graph.set_sizes(1, (4, 1.0))?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [11.0, 4.0, 1.0, 1.0]);
    Ok(())
}
