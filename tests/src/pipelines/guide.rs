//! What the guide shows (`guide/src/from-cuda.md`, `first-graph.md`), with its kernels: the same on every device.

use graph_runtime::prelude::*;

use crate::run::run;

#[cuda_module("kernels/guide.cu")]
unsafe mod filters {
    pub fn smooth(x: &[f32; n], low: Out<[f32; n]>, n: u32) {
        let last = n as usize - 1;
        for i in 0..=last {
            low[i] = 0.25 * x[i.saturating_sub(1)] + 0.5 * x[i] + 0.25 * x[last.min(i + 1)];
        }
    }

    pub fn detail(x: &[f32; n], high: Out<[f32; n]>, n: u32) {
        for i in 0..n as usize {
            high[i] = if i == 0 { 0.0 } else { x[i] - x[i - 1] };
        }
    }

    pub fn blend(low: &[f32; n], high: &[f32; n], y: Out<[f32; n]>, weight: f32, n: u32) {
        for i in 0..n as usize {
            y[i] = low[i] + weight * high[i];
        }
    }

    pub fn settle(from: &[f32; n], to: Out<[f32; n]>, cut: Atomic<[u32; 1]>, n: u32) {
        let last = n as usize - 1;
        for i in 0..=last {
            let most = from[i.saturating_sub(1)].min(from[last.min(i + 1)]) + 1.0;
            to[i] = from[i].min(most);
            cut.fetch_add(0, u32::from(from[i] > most));
        }
    }
}

cuda_graph! {
    /// Filters `x` in two ways, blends the results, and cuts peaks.
    pub graph Filter(x: &[f32; n], y: &out [f32; n], weight: f32) {
        let low: [f32; n];
        let high: [f32; n];
        let next: [f32; n];
        let cut: [u32; 1];
        let blocks = n.div_ceil(256);
        filters::smooth<<<blocks, 256>>>(&x, &out low, n as u32);
        filters::detail<<<blocks, 256>>>(&x, &out high, n as u32);
        filters::blend<<<blocks, 256>>>(&low, &high, &out y, weight, n as u32);
        'settle: loop limit 1000 every 2 {
            cut[0] = 0;
            filters::settle<<<blocks, 256>>>(&y, &out next, &atomic cut, n as u32);
            swap(&mut y, &mut next);
            if cut[0] == 0 { break; }
        }
    }
}

#[cuda_module("kernels/guide.cu")]
unsafe mod scaling {
    pub fn scale(x: &mut [f32; n], by: f32, n: u32) {
        x.iter_mut().for_each(|x| *x *= by);
    }
}

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        scaling::scale<<<n.div_ceil(256), 256>>>(&mut x, by, n as u32);
    }
}

/// The largest signal below the blend whose neighbours differ by one at most, and then three times the signal.
pub fn filtered(device: &Device) -> Result<()> {
    let signal: Vec<f32> = (0..300).map(|i| (i * 37 % 101) as f32 / 4.0).collect();
    let last = signal.len() - 1;
    let blended: Vec<f32> = (0..=last)
        .map(|i| {
            let [left, right] = [signal[i.saturating_sub(1)], signal[last.min(i + 1)]];
            (left + 2.0 * signal[i] + right) / 4.0 + if i == 0 { 0.0 } else { (signal[i] - left) / 2.0 }
        })
        .collect();
    let below = |i: usize| {
        let reach = blended.iter().enumerate().map(|(j, blended)| blended + i.abs_diff(j) as f32);
        reach.fold(f32::INFINITY, f32::min)
    };
    let mut x = device.buffer_from(&signal)?;
    let mut filter = FilterArgs { x: &x, y: device.zeros(signal.len())?, weight: 0.5 }.build(device)?;
    run(&mut filter)?;
    assert_eq!(filter.y().to_vec()?, (0..=last).map(below).collect::<Vec<_>>());
    assert_eq!(filter.exit(Filter::SETTLE)?, Exit::Condition);
    drop(filter);
    let mut scale = ScaleArgs { x: &mut x, by: 3.0 }.build(device)?;
    run(&mut scale)?;
    assert_eq!(scale.x().to_vec()?, signal.iter().map(|x| 3.0 * x).collect::<Vec<_>>());
    Ok(())
}
