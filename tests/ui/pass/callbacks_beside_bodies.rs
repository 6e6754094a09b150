// CG0501, CG0801: callbacks in front of a conditional, behind it, in host passes and arms, on pinned memory.
use graph_runtime::prelude::*;
use std::sync::{Arc, Mutex};

cuda_graph! {
    graph Beside(x: &mut [f32; 2], seen: &Mutex<Vec<f32>>, rounds: u32) {
        let h: host [f32; 2];
        copy(&x, &out h);
        host(&h, |h| seen.lock().unwrap().push(h[0]));
        'down: while x[0] > 1.0 limit 10 { x[0] *= 0.5; }
        for round in 0..rounds {
            copy(&x, &out h);
            match round {
                0 => { host(&mut h, |h| h[1] = 7.0); }
                _ => { host(&h[..1], |h| seen.lock().unwrap().push(h[0])); }
            }
            copy(&h, &out x);
        }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut x = device.buffer_from(&[8.0_f32, 0.0])?;
    let mut graph = BesideArgs { x: &mut x, seen: Arc::clone(&seen), rounds: 2 }.build(&device)?;
    graph.launch()?;
    graph.synchronize()?;
    assert_eq!(*seen.lock().unwrap(), [8.0, 1.0]);
    assert_eq!(graph.x().to_vec()?, [1.0, 7.0]);
    Ok(())
}
