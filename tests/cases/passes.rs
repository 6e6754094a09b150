//! `every`, `limit`, `swap` and initialisation in loops.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;
use tests::kernels::basic;

cuda_graph! {
    /// Everything that a body may have, unrolled.
    graph Unrolled(x: &mut [u32; n], flag: &[u32; 1], deep: bool) {
        let total: [u32; n] = 0;
        'outer: loop limit 6 every 3 {
            let t: [u32; n] = 1;
            let step = n as u32 * 2;
            'first: odd::count<<<1, 64>>>(&mut t, n as u32);
            if flag[0] > 0 {
                let u: [u32; n];
                'first: copy(&t, &out u);
                #[allow(redundant_after, reason = "each pass has labels of its own")]
                'second: odd::increment<<<1, 64>>>(&mut u, n as u32) after 'first;
                copy(&u, &out t);
            } else {
                t[0] += step;
            }
            match t[1] { 12 => { t[1] += 1; } 2 => { t[1] += 2; } _ => {} }
            'inner: loop limit 4 every 2 {
                let v: [u32; 1] = 3;
                'add: t[2] += v[0];
            } after 'late;
            if deep { { let w: [u32; n] = step; t[0] += w[0]; } }
            'late: total[0] += 1 after 'first;
            total[1] += t[1];
            total[2] += t[2];
            x[0] += t[0];
            if total[0] >= 6 { break; }
        }
        copy(&total[1..], &out x[1..]);
    }

    /// The test of the loop reads a transient of the last pass.
    graph TestReadsLast(x: &mut [u32; 1], y: &out [u32; 1]) {
        y[0] = 0;
        'go: loop limit 100 every 2 {
            let t: [u32; 1];
            x[0] += 1;
            t[0] = x[0] * 2;
            y[0] += t[0];
            if t[0] > 9 { break; }
        }
    }

    /// A rotation of three names by two exchanges.
    graph Rotation(a: &mut [u32; 1], b: &mut [u32; 1], c: &mut [u32; 1]) {
        'turn: loop limit 9 every 3 {
            a[0] += 1;
            b[0] += 10;
            swap(&mut a, &mut b);
            swap(&mut b, &mut c);
            if a[0] > 1000 { break; }
        }
    }

    /// Of a parameter and transients, through a chain, an odd number of times at the top, and again in a loop behind it.
    graph Chain(x: &mut [u32; n], passes: u32) {
        let y: [u32; n];
        let z: [u32; n] = 5;
        copy(&x, &out y);
        odd::count<<<1, 64>>>(&mut y, n as u32);
        swap(&mut x, &mut y);
        swap(&mut y, &mut z);
        swap(&mut x, &mut y);
        // x is 5 now, y one more than x was, z what x was.
        'pairs: loop limit passes every 2 {
            let w: [u32; n];
            copy(&x, &out w);
            odd::increment<<<1, 64>>>(&mut w, n as u32);
            copy(&w, &out x);
            swap(&mut x, &mut y);
        }
        swap(&mut z, &mut x);
        swap(&mut x, &mut y);
    }

    /// Nested: the inner loop exchanges twice per pass, the outer once per two.
    graph NestedSwaps(x: &mut [f32; n], y: &mut [f32; n]) {
        loop limit 4 every 2 {
            basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            loop limit 2 every 2 {
                basic::times_constant<<<1, 64>>>(&mut x, 2.0, n as u32);
                swap(&mut x, &mut y);
            }
            swap(&mut y, &mut x);
        }
    }

    /// Limits of every type; a setter reaches them.
    graph Limits(x: &mut [u32; 4], a: u8, b: i32, c: usize, d: u64) {
        'a: loop limit a { x[0] += 1; }
        'b: loop limit b + 1 { x[1] += 1; }
        'c: while x[2] < 100 limit c * 2 every 2 { x[2] += 1; }
        'd: loop limit (d) { x[3] += 1; if x[3] >= 50 { break; } }
    }

    /// Setters that change a condition, a range and a geometry.
    graph Settings(x: &mut [u32; n], low: u32, from: usize, to: usize, blocks: u32, on: bool) {
        fill(&out x[from..to], low);
        if x[0] >= low && on { odd::count<<<blocks, 8>>>(&mut x[from..to], (to - from) as u32); }
        while x[n - 1] < low * 2 { x[n - 1] += low; }
    }

    /// Initialisation through loops that run at least once, and both arms.
    graph Initialised(x: &mut [u32; 1], y: &out [u32; 4]) {
        let t: [u32; 4];
        let u: [u32; 4];
        if x[0] > 3 { fill(&out t[..2], 1); fill(&out u, 1); } else { fill(&out t, 2); fill(&out u[..3], 2); fill(&out u[3..], 3); }
        fill(&out t[2..], 4);
        loop limit 3 {
            let v: [u32; 4];
            copy(&t, &out v);
            odd::count<<<1, 4>>>(&mut v, 4);
            copy(&v, &out t);
            x[0] += 1;
            if x[0] > 100 { break; }
        }
        match x[0] { 0 => { copy(&u, &out y); } _ => { copy(&t[..1], &out y[..1]); copy(&t[1..], &out y[1..]); } }
    }
}

#[test]
fn everything_in_an_unrolled_body() {
    on_each(|device| {
        for (flag, deep) in [(0, false), (0, true), (1, false), (1, true)] {
            let x = device.buffer_from(&[0_u32; 4])?;
            let flag_buffer = device.buffer_from(&[flag])?;
            let mut graph = UnrolledArgs { x, flag: &flag_buffer, deep }.build(device)?;
            graph.launch()?;
            let mut t = if flag > 0 { [12, 13, 12 + 12] } else { [2 + 8, 4, 2 + 12] };
            t[0] += if deep { 8 } else { 0 };
            assert_eq!(graph.x().to_vec()?, [6 * t[0], 6 * t[1], 6 * t[2], 0], "flag {flag}, deep {deep}");
            assert_eq!(graph.iterations(Unrolled::OUTER)?, 6);
            assert_eq!(graph.exit(Unrolled::OUTER)?, Exit::Condition);
            assert_eq!(graph.iterations(Unrolled::INNER)?, 4);
            graph.launch()?;
            assert_eq!(graph.x().to_vec()?[0], 12 * t[0]);
            graph.run_eager()?;
            assert_eq!(graph.x().to_vec()?[0], 18 * t[0]);
        }
        Ok(())
    });
}

#[test]
fn the_test_reads_the_last_pass() {
    on_each(|device| {
        let mut graph = TestReadsLastArgs { x: device.zeros(1)?, y: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![6], vec![42]));
        assert_eq!(graph.iterations(TestReadsLast::GO)?, 6);
        Ok(())
    });
}

#[test]
fn rotations_and_chains() {
    on_each(|device| {
        let (a, b, c) =
            (device.buffer_from(&[0_u32])?, device.buffer_from(&[100_u32])?, device.buffer_from(&[200_u32])?);
        let mut graph = RotationArgs { a, b, c }.build(device)?;
        graph.launch()?;
        let mut expected = [0_u32, 100, 200];
        for _ in 0..9 {
            expected[0] += 1;
            expected[1] += 10;
            expected.swap(0, 1);
            expected.swap(1, 2);
        }
        assert_eq!([graph.a().to_vec()?[0], graph.b().to_vec()?[0], graph.c().to_vec()?[0]], expected);
        assert_eq!(graph.iterations(Rotation::TURN)?, 9);
        for passes in [0, 2, 4] {
            let mut graph = ChainArgs { x: device.buffer_from(&[1_u32; 3])?, passes }.build(device)?;
            for launch in 0..2 {
                graph.launch()?;
                // x = 5, y = before + 1, z = before; each pass adds 10 to x and exchanges; then x is what y was: one of two passes.
                let before = if launch == 0 { 1 } else { 2 + 10 * (passes / 2) };
                assert_eq!(
                    graph.x().to_vec()?,
                    [before + 1 + 10 * (passes / 2); 3],
                    "{passes} passes, launch {launch}"
                );
            }
        }
        let (x, y) = (device.buffer_from(&[1.0_f32])?, device.buffer_from(&[10.0_f32])?);
        let mut graph = NestedSwapsArgs { x, y }.build(device)?;
        graph.launch()?;
        let (mut x, mut y) = (1.0_f32, 10.0_f32);
        for _ in 0..4 {
            x += 1.0;
            for _ in 0..2 {
                x *= 2.0;
                std::mem::swap(&mut x, &mut y);
            }
            std::mem::swap(&mut x, &mut y);
        }
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![x], vec![y]));
        Ok(())
    });
}

#[test]
fn limits_of_every_type_and_setters_of_them() {
    on_each(|device| {
        let mut graph = LimitsArgs { x: device.zeros(4)?, a: 3, b: -1, c: 4, d: 60 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [3, 0, 8, 50]);
        assert_eq!((graph.iterations(Limits::C)?, graph.exit(Limits::C)?), (8, Exit::Limit));
        graph.set_a(0)?;
        graph.set_b(4)?;
        graph.set_c(0)?;
        graph.set_d(1)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [3, 5, 8, 51]);
        assert!(graph.set_b(-2).is_err());
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [3, 10, 8, 52]);
        Ok(())
    });
}

#[test]
fn setters_of_conditions_ranges_and_geometry() {
    on_each(|device| {
        let arguments = SettingsArgs { x: device.zeros::<u32>(6)?, low: 5, from: 0, to: 4, blocks: 1, on: true };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [6, 6, 6, 6, 0, 10]);
        graph.set_low(7)?;
        graph.set_from(1)?;
        graph.set_blocks(2)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [6, 7, 7, 7, 0, 17]);
        graph.set_on(false)?;
        graph.set_low(1)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [6, 1, 1, 1, 0, 17]);
        assert!(graph.set_to(7).is_err());
        assert!(graph.set_blocks(0).is_err());
        graph.set_to(6)?;
        graph.set_on(true)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [6, 2, 2, 2, 2, 2]);
        Ok(())
    });
}

#[test]
fn initialised_on_every_path() {
    on_each(|device| {
        for (start, expected) in [(0_u32, [5, 5, 7, 7]), (4, [4, 4, 7, 7])] {
            let mut graph = InitialisedArgs { x: device.buffer_from(&[start])?, y: device.zeros(4)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, expected);
        }
        Ok(())
    });
}

cuda_graph! {
    /// A buffer that another of its name hides is not exchanged with it, nor is what `swap` left in it.
    graph Hidden(x: &mut [u32; 1], y: &mut [u32; 1]) {
        let t: [u32; 1] = 5;
        swap(&mut x, &mut t);
        {
            let t: [u32; 1] = 1;
            let y: [u32; 1] = 0;
            loop limit 4 every 2 {
                x[0] += t[0];
                y[0] += 10;
            }
            if t[0] > 0 { x[0] += y[0]; }
        }
        y[0] = t[0];
        swap(&mut x, &mut t);
        x[0] += t[0];
    }
}

#[test]
fn hidden_buffers_stay_where_they_are() {
    on_each(|device| {
        let mut graph = HiddenArgs { x: device.buffer_from(&[100_u32])?, y: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![149], vec![100]));
        Ok(())
    });
}

cuda_graph! {
    /// What `swap` left in a name outlives the block of the other, and its end by `drop`.
    graph Outlives(x: &mut [u32; n], y: &mut [u32; n]) {
        {
            let t: [u32; n] = 5;
            swap(&mut x, &mut t);
            odd::count<<<1, 64>>>(&mut t, n as u32);
        }
        let u: [u32; n] = 7;
        odd::count<<<1, 64>>>(&mut x, n as u32);
        swap(&mut y, &mut u);
        drop(u);
        let v: [u32; n] = 9;
        odd::increment<<<1, 64>>>(&mut y, n as u32);
        x[0] += v[0];
    }
}

#[test]
fn what_a_swap_left_outlives_the_other_name() {
    on_each(|device| {
        let (x, y) = (device.buffer_from(&[1_u32, 2])?, device.buffer_from(&[3_u32, 4])?);
        let mut graph = OutlivesArgs { x, y }.build(device)?;
        for _ in 0..2 {
            graph.launch()?;
            assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![15, 6], vec![17, 17]));
        }
        Ok(())
    });
}
