//! A graph for each length, built once, in one arena.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// Lengths are padded to a multiple of this.
const BUCKET: usize = 32;

cuda_graph! {
    graph Padded(x: &mut [f32; n], by: f32, n: usize) {
        let t: [f32; n];
        let sum: [f32; n];
        basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out t, by, n as u32);
        basic::sum_of_two<<<n.div_ceil(32), 32>>>(&x, &t, &out sum, n as u32);
        copy(&sum, &out x);
    }
}

fn built<'g>(device: &Device, arena: &Arena, n: usize) -> Result<Padded<'g>> {
    PaddedArgs { x: device.zeros(n)?, by: 2.0, n }.build_in(arena, device)
}

/// Requests of many lengths are three times themselves, whichever graph they meet.
pub fn buckets(device: &Device) -> Result<()> {
    let mut cache = Cache::new(device, 2)?;
    cache.warm_up([2 * BUCKET], |n, arena| built(device, arena, *n))?;
    for length in [7_usize, 40, 64, 1, 33, 96, 5] {
        let n = length.next_multiple_of(BUCKET);
        let graph = cache.get_or_build(n, |arena| built(device, arena, n))?;
        let request: Vec<f32> = (0..length).map(|index| index as f32).collect();
        graph.x_mut()?.write_from(&vec![f32::NAN; n])?;
        graph.x_mut()?.slice_mut(..length)?.write_from(&request)?;
        run(graph)?;
        let expected: Vec<f32> = request.iter().map(|x| 3.0 * x).collect();
        assert_eq!(graph.x().slice(..length)?.to_vec()?, expected);
    }
    // 32 is built, 64 is warm; 96 pushes 32 out, which pushes 64 out.
    let figures = cache.figures();
    assert_eq!((figures.hits, figures.builds, figures.evictions), (4, 4, 2));
    assert_eq!(cache.keys().copied().collect::<Vec<_>>(), [32, 96]);
    let largest = cache.peek(&96).map(|graph| graph.memory().transients);
    assert_eq!(Some(cache.arena().bytes()), largest, "room for the largest, not for all");
    Ok(())
}
