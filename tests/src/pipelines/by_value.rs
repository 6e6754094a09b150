//! What the host repeats on the device: arms of a `match` by value, passes between two tests.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// A value that an arm is for.
const SPECIAL: u32 = 40;

cuda_graph! {
    /// One arm for each of the buffers of `w`: what is chosen is multiplied by its own number, and counted.
    graph Expert(top: &[u32; 1], w: [&[f32; n]], y: &mut [f32; n], hits: &mut [u32; 4], tail: u32) {
        let experts = w.len();
        match top[0] {
            e @ 0..experts => {
                let scaled: [f32; n];
                'scale: basic::copy_scaled<<<1, 64>>>(&w[e], &out scaled, (e + 1) as f32, n as u32);
                basic::sum_of_two<<<1, 64>>>(&scaled, &w[e], &out y, n as u32);
                if e % 2 == 1 { hits[0] += 1; }
            }
            k @ (100 | 102 | 104..=tail) if k % 4 == 0 => { hits[1] += k; }
            SPECIAL => { hits[2] += 1; }
            _ if tail > 200 => { hits[3] += 10; }
            _ => { hits[3] += 1; }
        }
    }

    /// No name, a host's range, arms of which earlier ones take values, and no arm for the rest.
    graph Earlier(top: &[i64; 1], y: &mut [u32; 1], low: u32, high: u32) {
        match top[0] {
            3 => { y[0] = 30; }
            k @ low..high => { y[0] = 100 + k; }
            5..=9 => { y[0] = 59; }
        }
    }

    /// There may be no arm at all.
    graph Perhaps(top: &[u32; 1], y: &mut [u32; 1], count: u32) {
        match top[0] {
            k @ 0..count => { y[0] = k + 1; }
        }
    }

    /// Arms within arms and passes: both names are the host's.
    graph Nested(at: &[u32; 2], y: &mut [u32; 1], passes: u32) {
        for p in 0..passes {
            match at[0] {
                i @ 0..3 => {
                    match at[1] {
                        j @ 0..passes if j != p => { y[0] += 100 * i + 10 * j + 1; }
                        _ => { y[0] += 1000; }
                    }
                }
            }
        }
    }

    /// `k` passes between two tests, with the names exchanged in each.
    graph Counted(x: &mut [u32; 1], left: &mut [u32; 1], k: u32, most: u64) {
        let next: [u32; 1];
        'count: while left[0] > 0 limit most every k {
            next[0] = x[0] + 1;
            left[0] -= left[0].min(1);
            swap(&mut x, &mut next);
        }
    }

    /// The same with its test behind, and a transient of each pass.
    graph Behind(x: &mut [u32; 4], total: &mut [u32; 1], by: usize) {
        'steps: loop limit 60 every 2 * by {
            let one: [u32; 4] = 1;
            kernel for i in 0..4 { x[i] += one[i]; }
            total[0] = (0..4).map(|i| x[i]).sum();
            if total[0] >= 30 { break; }
        }
    }

    /// Names and guards in a kernel.
    graph Sorted(x: &[i32; n], y: &mut [i32; n], limit: i32) {
        kernel for i in 0..n {
            match x[i] {
                k @ 0..=9 if k < limit => { y[i] = k * 10; }
                3 => { y[i] = 300; }
                k @ (5 | 7) => { y[i] = -k; }
                k if k < 0 => { y[i] = k + limit; }
                k => { y[i] = k; }
            }
        }
    }

    /// For each row the first column from which no entry is negative, and how many rows were looked through to the end.
    graph Labels(x: &[i32; (h, w)], first: &out [u32; h], odd: &mut [u32; h], h: usize, w: usize) {
        kernel for i in 0..h {
            let mut found = 0;
            'starts: for start in 0..w {
                found = start as u32;
                let mut k = start;
                while k < w {
                    if x[(i, k)] < 0 { continue 'starts; }
                    k += 1;
                }
                break 'starts;
            }
            first[i] = found;
            'outer: for a in 0..w {
                for b in 0..w {
                    if x[(i, a)] + x[(i, b)] == 7 { break 'outer; }
                    if x[(i, b)] == 99 { continue 'outer; }
                    odd[i] += 1;
                }
            }
        }
    }
}

/// The arms, the guard, the constant and the rest; what a setter changes is built anew.
pub fn arms_by_value(device: &Device) -> Result<()> {
    let w: Vec<Vec<f32>> = (0..3).map(|e| vec![(10 * e + 1) as f32; 5]).collect();
    let w = w.iter().map(|w| device.buffer_from(w)).collect::<Result<Vec<_>>>()?;
    let (mut top, mut y, mut hits) = (device.zeros::<u32>(1)?, device.zeros::<f32>(5)?, device.zeros::<u32>(4)?);
    for tail in [104, 210, 104] {
        for value in [0_u32, 1, 2, 3, SPECIAL, 100, 102, 104, 105, 108, 208, 7] {
            top.write_from(&[value])?;
            y.write_from(&[-1.0; 5])?;
            hits.write_from(&[0; 4])?;
            let args = ExpertArgs { top: &top, w: w.iter().collect::<Vec<_>>(), y: &mut y, hits: &mut hits, tail };
            let mut graph = args.build(device)?;
            run(&mut graph)?;
            let y = if value < 3 { ((value + 2) * (10 * value + 1)) as f32 } else { -1.0 };
            assert_eq!(graph.y().to_vec()?, [y; 5], "{value}");
            let guarded = value == 100 || (104..=tail).contains(&value) && value % 4 == 0;
            let expected = match value {
                0 | 2 => [0; 4],
                1 => [1, 0, 0, 0],
                _ if guarded => [0, value, 0, 0],
                SPECIAL => [0, 0, 1, 0],
                _ => [0, 0, 0, if tail > 200 { 10 } else { 1 }],
            };
            assert_eq!(graph.hits().to_vec()?, expected, "{value}, {tail}");
        }
    }
    let text = ExpertArgs { top: &top, w: w.iter().collect::<Vec<_>>(), y: &mut y, hits: &mut hits, tail: 20_000 }
        .build(device);
    let text = text.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("this arm stands for 4976 values [CG0206]"), "{text}");
    Ok(())
}

/// The first arm that fits runs; a value that none fits changes nothing.
pub fn earlier_arms(device: &Device) -> Result<()> {
    let (mut top, mut y) = (device.zeros::<i64>(1)?, device.zeros::<u32>(1)?);
    for (low, high) in [(2, 6), (0, 0), (4, 12)] {
        for value in [-1_i64, 0, 2, 3, 4, 5, 6, 9, 10, 11, 12] {
            top.write_from(&[value])?;
            y.write_from(&[0])?;
            let mut graph = EarlierArgs { top: &top, y: &mut y, low, high }.build(device)?;
            run(&mut graph)?;
            let expected = match value {
                3 => 30,
                k if (i64::from(low)..i64::from(high)).contains(&k) => 100 + u32::try_from(k).unwrap_or(0),
                5..=9 => 59,
                _ => 0,
            };
            assert_eq!(graph.y().to_vec()?, [expected], "{value} of {low}..{high}");
        }
    }
    top.write_from(&[12])?;
    let mut graph = EarlierArgs { top: &top, y: &mut y, low: 0, high: 1 }.build(device)?;
    graph.set_high(20)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [112]);
    Ok(())
}

/// A `match` without an arm does nothing.
pub fn no_arm(device: &Device) -> Result<()> {
    let (top, mut y) = (device.buffer_from(&[1_u32])?, device.zeros::<u32>(1)?);
    for (count, expected) in [(0, 0), (1, 0), (2, 2)] {
        let mut graph = PerhapsArgs { top: &top, y: &mut y, count }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.y().to_vec()?, [expected], "{count}");
    }
    Ok(())
}

/// Each pass has arms of its own.
pub fn nested_arms(device: &Device) -> Result<()> {
    let (mut at, mut y) = (device.zeros::<u32>(2)?, device.zeros::<u32>(1)?);
    for (i, j) in [(0, 0), (2, 1), (1, 5), (3, 0)] {
        at.write_from(&[i, j])?;
        y.write_from(&[0])?;
        let mut graph = NestedArgs { at: &at, y: &mut y, passes: 3 }.build(device)?;
        run(&mut graph)?;
        let pass = |p: u32| if j < 3 && j != p { 100 * i + 10 * j + 1 } else { 1000 };
        let expected = if i < 3 { (0..3).map(pass).sum() } else { 0 };
        assert_eq!(graph.y().to_vec()?, [expected], "{i}, {j}");
    }
    Ok(())
}

/// As many passes as the host says between two tests.
pub fn every_by_host(device: &Device) -> Result<()> {
    for (start, k) in [(0_u32, 2), (1, 2), (5, 2), (8, 4), (9, 4), (3, 10)] {
        let (mut x, mut left) = (device.zeros::<u32>(1)?, device.buffer_from(&[start])?);
        let mut graph = CountedArgs { x: &mut x, left: &mut left, k, most: 40 }.build(device)?;
        run(&mut graph)?;
        let passes = start.div_ceil(k) * k;
        assert_eq!(graph.x().to_vec()?, [passes], "{start} by {k}");
        assert_eq!(graph.iterations(Counted::COUNT)?, u64::from(passes));
    }
    let (mut x, mut left) = (device.zeros::<u32>(1)?, device.buffer_from(&[1])?);
    for (k, most, said) in [
        (3, 39, "are left exchanged behind 3 passes of this body [CG0504]"),
        (0, 40, "`every` is 0, expected a number of passes from 1 to 1000 [CG0206]"),
        (1002, 2004, "`every` is 1002, expected a number of passes from 1 to 1000 [CG0206]"),
        (6, 40, "`limit 40` is not a multiple of `every 6` [CG0503]"),
    ] {
        let text = CountedArgs { x: &mut x, left: &mut left, k, most }.build(device).err();
        let text = text.map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains(said), "{text}");
    }
    for (by, passes) in [(1, 8), (2, 8), (3, 12), (5, 10)] {
        let (mut x, mut total) = (device.zeros::<u32>(4)?, device.zeros::<u32>(1)?);
        let mut graph = BehindArgs { x: &mut x, total: &mut total, by }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.x().to_vec()?, [passes; 4], "{by}");
        assert_eq!(graph.iterations(Behind::STEPS)?, u64::from(passes));
        assert_eq!(graph.total().to_vec()?, [4 * passes]);
    }
    Ok(())
}

/// Loops in a kernel that are left from within another one.
pub fn labels_in_kernels(device: &Device) -> Result<()> {
    let rows: [[i32; 4]; 4] = [[1, -1, 2, 3], [-5, 6, -7, -8], [1, 2, 3, 99], [3, 4, 1, 0]];
    let x = device.buffer_from(&rows.concat())?;
    let (mut first, mut odd) = (device.zeros::<u32>(4)?, device.zeros::<u32>(4)?);
    let mut graph = LabelsArgs { x: &x, first: &mut first, odd: &mut odd, h: 4, w: 4 }.build(device)?;
    run(&mut graph)?;
    // Of row 1 every start meets a negative entry. Row 2: three columns before the 99 of each pass. Row 3: 3 + 4 at once.
    assert_eq!(graph.first().to_vec()?, [2, 3, 0, 0]);
    assert_eq!(graph.odd().to_vec()?, [16, 16, 12, 1]);
    Ok(())
}

/// The first arm whose pattern and guard fit.
pub fn names_in_kernels(device: &Device) -> Result<()> {
    let values: Vec<i32> = (-3..14).collect();
    let (x, mut y) = (device.buffer_from(&values)?, device.zeros::<i32>(values.len())?);
    for limit in [0, 4, 20] {
        let mut graph = SortedArgs { x: &x, y: &mut y, limit }.build(device)?;
        run(&mut graph)?;
        let expected = values.iter().map(|value| match *value {
            value if (0..10).contains(&value) && value < limit => 10 * value,
            3 => 300,
            5 | 7 => -*value,
            value if value < 0 => value + limit,
            value => value,
        });
        assert_eq!(graph.y().to_vec()?, expected.collect::<Vec<_>>(), "{limit}");
    }
    Ok(())
}
