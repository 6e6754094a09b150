//! Lengths and ranges: equal by text, by symbols, dependent on others, absent.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;

cuda_graph! {
    /// Each part is written by a range whose ends are equal by text only.
    graph Parts(x: &[u32; n], y: &out [u32; n], k: usize, f: fn(usize) -> usize) {
        copy(&x[..k], &out y[..k]);
        fill(&out y[k..k + 1], 5);
        fill(&out y[k + 1..f(k)], 6);
        copy(&x[f(k)..], &out y[f(k)..]);
        let t: [u32; n];
        copy(&y[..=k], &out t[..=k]);
        copy(&y[(k) + 1..n], &out t[(k) + 1..n]);
        odd::count<<<1, 64>>>(&mut t, n as u32);
        copy(&t, &out y);
    }

    /// Without lengths: `.len()` is a length, a geometry, an argument, an index, and in a condition.
    graph WithoutLengths(x: &[u32], y: &out [u32], z: &mut [u32]) {
        let t: [u32; x.len()];
        copy(&x, &out t);
        copy(&t, &out y);
        odd::count<<<x.len().div_ceil(32), 32>>>(&mut y, x.len() as u32);
        z[z.len() - 1] = y[y.len() - 1] + z.len() as u32;
        if x[x.len() / 2] > t.len() as u32 { fill(&out z[..x.len() - 1], 4); }
    }

    /// One name in many buffers, and lengths made of others, of parameters, constants and `len()`.
    graph Dependent(row: &[u32; n + 1], a: &[u32; n], b: &[u32; n], c: &out [u32; w * h], d: &out [u32; a.len() * 2], w: usize, h: usize,
                    e: &out [u32; c.len() + d.len()], f: &out host [u32; n], g: &[u32; 2]) {
        copy(&row[1..], &out c[..n]);
        fill(&out c[n..], n as u32);
        copy(&a, &out d[..n]);
        copy(&b, &out d[n..]);
        copy(&c, &out e[..w * h]);
        copy(&d, &out e[c.len()..]);
        copy(&row[..n], &out f);
        e[0] = g[1];
    }

    /// A `let` between two uses of a text gives it another meaning.
    graph Renamed(x: &mut [u32; n]) {
        fill(&out x[..n - 1], 1);
        fill(&out x[n - 1..], 2);
        let n = n / 2;
        fill(&out x[..n - 1], 3);
        fill(&out x[n - 1..n], 4);
        let t: [u32; n] = 9;
        {
            let n = n / 2;
            copy(&t[..n], &out x[..n]);
            let t: [u32; n] = n as u32;
            copy(&t, &out x[n..2 * n]);
        }
        x[n] = n as u32;
    }

    /// Fields and methods that are called like host values.
    graph Fields(x: &mut [u32; n], y: &mut [u32; n], pair: (usize, usize), len: usize) {
        #[allow(unread_result)]
        let z: [u32; x.len()] = 0;
        swap(&mut x, &mut z);
        let n = pair.0;
        swap(&mut x, &mut z);
        fill(&out x[..pair.0], len as u32);
        copy(&x, &out y);
    }
}

#[test]
fn parts_that_meet_by_text() {
    on_each(|device| {
        let x = device.buffer_from(&[0_u32, 10, 20, 30, 40, 50])?;
        let mut graph = PartsArgs { x: &x, y: device.zeros(6)?, k: 2, f: |k| k + 2 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [1, 11, 6, 7, 41, 51]);
        graph.set_k(0)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [6, 7, 21, 31, 41, 51]);
        graph.set_k(4)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [1, 11, 21, 31, 6, 7]);
        assert!(graph.set_k(5).is_err());
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [1, 11, 21, 31, 6, 7]);
        Ok(())
    });
}

#[test]
fn buffers_without_lengths() {
    on_each(|device| {
        let x = device.buffer_from(&[1_u32, 20, 3])?;
        let mut graph = WithoutLengthsArgs { x: &x, y: device.zeros(3)?, z: device.zeros(2)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [2, 21, 4]);
        assert_eq!(graph.z().to_vec()?, [4, 4]);
        let longer = device.buffer_from(&[1_u32, 2, 3, 4])?;
        let refused = WithoutLengthsArgs { x: &longer, y: device.zeros(3)?, z: device.zeros(2)? }.build(device);
        assert!(refused.is_err());
        Ok(())
    });
}

#[test]
fn lengths_that_depend_on_others() {
    on_each(|device| {
        let row = device.buffer_from(&[100_u32, 1, 2, 3])?;
        let (a, b) = (device.buffer_from(&[4_u32, 5, 6])?, device.buffer_from(&[7_u32, 8, 9])?);
        let g = device.buffer_from(&[0_u32, 55])?;
        let mut f = device.pinned_zeros::<u32>(3)?;
        let arguments = DependentArgs {
            row: &row,
            a: &a,
            b: &b,
            c: device.zeros(4)?,
            d: device.zeros(6)?,
            w: 2,
            h: 2,
            e: device.zeros(10)?,
            f: &mut f,
            g: &g,
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.e().to_vec()?, [55, 2, 3, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(graph.f().to_vec()?, [100, 1, 2]);
        Ok(())
    });
}

#[test]
fn a_let_gives_a_text_another_meaning() {
    on_each(|device| {
        let mut graph = RenamedArgs { x: device.zeros::<u32>(8)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [9, 9, 2, 2, 4, 1, 1, 2]);
        let arguments = FieldsArgs { x: device.buffer_from(&[1_u32, 2])?, y: device.zeros(2)?, pair: (1, 9), len: 3 };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [3, 2]);
        Ok(())
    });
}
