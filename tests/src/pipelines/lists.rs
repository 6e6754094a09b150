//! Lists of buffers: parameters and transients, indexed by what the host knows.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph Tables(tables: [&[f32]], sums: [&mut [f32]], total: &mut [f32; n]) {
        for t in 0..tables.len() {
            let width = tables[t].len();
            let slots: [[f32; width]; 2];
            copy(&tables[t], &out slots[t % 2]);
            basic::add_constant<<<1, 8>>>(&mut slots[t % 2], t as f32, width as u32);
            copy(&slots[t % 2], &out sums[t][..width]);
            if t + 1 < tables.len() { copy(&sums[t][..n], &out total); }
        }
        if sums[0][0] > 100.0 { sums[0][1] = tables[1][0] + 0.5; }
    }

    graph Tiled(a: [[&mut [f32; w]]], order: [usize]) {
        for k in 0..a.len() {
            for i in k + 1..a.len() {
                basic::sum_of_two<<<1, 4>>>(&a[k][k], &a[k][order[i]], &out a[i][k], w as u32);
                for j in k + 1..i { basic::add_constant<<<1, 4>>>(&mut a[i][j], 1.0, w as u32); }
            }
        }
    }

    /// Lists that are filled where they are declared, with a literal and with a value of the host's.
    graph Filled(sums: [&mut [u32; n]], value: u32) {
        let ones: [[u32; n]; 2] = 1;
        let many: [[u32; n]; sums.len()] = value + 1;
        for k in 0..sums.len() {
            kernel for i in 0..n { sums[k][i] = ones[k % 2][i] + many[k][i]; }
        }
    }

    graph Slots(x: &mut [u32; n], rounds: usize, slots: usize) {
        let ring: [[u32; n]; slots];
        let count: [[u32; 1]; 2];
        for k in 0..2 { count[k][0] = k as u32; }
        for k in 0..rounds {
            copy(&x, &out ring[k % slots]);
            basic::increment<<<1, 4>>>(&mut ring[k % slots], n as u32);
            copy(&ring[k % slots], &out x);
            count[1][0] += 1;
        }
        'more: while count[1][0] > 0 { count[1][0] -= 1;  basic::increment<<<1, 4>>>(&mut x, n as u32); }
    }
}

/// Buffers of different lengths, rebound one by one.
pub fn tables(device: &Device) -> Result<()> {
    let tables = [device.buffer_from(&[1.0_f32, 2.0])?, device.buffer_from(&[10.0_f32, 20.0, 30.0])?];
    let mut sums = vec![device.zeros::<f32>(2)?, device.zeros::<f32>(4)?];
    let mut total = device.zeros::<f32>(1)?;
    let arguments = TablesArgs { tables: &tables, sums: &mut sums, total: &mut total };
    let mut graph = arguments.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.sums(0)?.to_vec()?, [1.0, 2.0]);
    assert_eq!(graph.sums(1)?.to_vec()?, [11.0, 21.0, 31.0, 0.0]);
    assert_eq!(graph.total().to_vec()?, [1.0]);
    let longer = device.buffer_from(&[200.0_f32])?;
    graph.rebind_tables(0, &longer)?;
    run(&mut graph)?;
    assert_eq!(graph.sums(0)?.to_vec()?, [200.0, 10.5]);
    assert_eq!(graph.total().to_vec()?, [200.0]);
    let error = graph.sums(2).unwrap_err().to_string();
    assert!(error.contains("index 2 is out of bounds: the list `sums` has 2 items"), "{error}");
    graph.sums_mut(1)?.write_from(&[7.0; 4])?;
    run(&mut graph)?;
    assert_eq!(graph.sums(1)?.to_vec()?, [11.0, 21.0, 31.0, 7.0]);
    Ok(())
}

/// Tiles that only the build can tell apart.
pub fn tiled(device: &Device) -> Result<()> {
    let tile = |value: f32| device.buffer_from(&[value, 2.0 * value]);
    let row = |i: usize| (0..3).map(|k| tile((10 * i + k) as f32)).collect::<Result<Vec<_>>>();
    let mut a = (0..3).map(row).collect::<Result<Vec<_>>>()?;
    {
        let mut graph = TiledArgs { a: &mut a, order: &[0, 1, 2] }.build(device)?;
        run(&mut graph)?;
        // a[1][0] = a[0][0] + a[0][1], a[2][0] = a[0][0] + a[0][2], a[2][1] += 1, then a[2][1] = a[1][1] + a[1][2].
        let values = [[0.0, 1.0, 2.0], [1.0, 11.0, 12.0], [2.0, 23.0, 22.0]];
        for (i, row) in values.iter().enumerate() {
            for (k, value) in row.iter().enumerate() {
                assert_eq!(graph.a(i, k)?.to_vec()?, [*value, 2.0 * value], "tile {i}, {k}");
            }
        }
    }
    TiledArgs { a: &mut a[..2], order: [1, 1] }.build(device)?;
    let mut graph = TiledArgs { a: &mut a, order: [9; 3] }.build(device);
    let error = graph.as_mut().map(drop).unwrap_err().to_string();
    assert!(error.contains("index 9 is out of bounds: the list `a[0]` has 3 items"), "{error}");
    Ok(())
}

/// A ring of transients: as many passes side by side as there are slots; device scalars of a list.
pub fn slots(device: &Device) -> Result<()> {
    for slots in [1, 3] {
        let mut x = device.buffer_from(&[5_u32, 6])?;
        let mut graph = SlotsArgs { x: &mut x, rounds: 4, slots }.build(device)?;
        run(&mut graph)?;
        // Four passes, and then 1 + 4 in the loop.
        assert_eq!(graph.x().to_vec()?, [14, 15]);
        assert_eq!(graph.iterations(Slots::MORE)?, 5);
    }
    let mut x = device.buffer_from(&[5_u32, 6])?;
    let mut graph = SlotsArgs { x: &mut x, rounds: 0, slots: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [6, 7]);
    Ok(())
}

/// One buffer of a list twice in a launch is seen when the indices are known.
pub fn alias(device: &Device) -> Result<()> {
    let mut w = vec![device.buffer_from(&[1.0_f32, 2.0])?, device.buffer_from(&[3.0_f32, 4.0])?];
    let mut graph = PairArgs { w: &mut w, i: 0, j: 1 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.w(1)?.to_vec()?, [2.0, 4.0]);
    let error = graph.set_j(0).unwrap_err().to_string();
    assert!(error.contains("is given `w[0]` twice and writes it [CG0202]"), "{error}");
    run(&mut graph)?;
    assert_eq!(graph.w(0)?.to_vec()?, [1.0, 2.0]);
    let short = vec![device.buffer_from(&[1.0_f32])?, device.buffer_from(&[3.0_f32, 4.0])?];
    let error = PairArgs { w: short, i: 0, j: 1 }.build(device).map(drop).unwrap_err().to_string();
    assert!(error.contains("`w[1]`"), "{error}");
    Ok(())
}

cuda_graph! {
    graph Pair(w: [&mut [f32; n]], i: usize, j: usize) {
        basic::copy_scaled<<<1, 64>>>(&w[i], &out w[j], 2.0, n as u32);
    }
}

/// Every buffer of a list gets the value.
pub fn filled(device: &Device) -> Result<()> {
    let mut sums = (0..3).map(|_| device.zeros::<u32>(5)).collect::<Result<Vec<_>>>()?;
    let mut graph = FilledArgs { sums: &mut sums, value: 40 }.build(device)?;
    run(&mut graph)?;
    assert!(graph.plan().to_string().contains("fill many[2]"), "{}", graph.plan());
    graph.set_value(50)?;
    for k in 0..3 {
        assert_eq!(graph.sums(k)?.to_vec()?, [42; 5]);
    }
    run(&mut graph)?;
    for k in 0..3 {
        assert_eq!(graph.sums(k)?.to_vec()?, [52; 5]);
    }
    Ok(())
}
