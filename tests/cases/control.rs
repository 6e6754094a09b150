//! Device control flow: conditions with casts and methods, nesting, order within and around bodies; chains whose value shows each order.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;
use tests::kernels::basic;

cuda_graph! {
    /// UC-133: add, then multiply twice.
    #[allow(redundant_after, reason = "as in the case")]
    graph AddTimesTimes(x: &mut [f32; n]) {
        'add: basic::add_constant<<<1, 64>>>(&mut x, 2.0, n as u32);
        'first: basic::times_constant<<<1, 64>>>(&mut x, 3.0, n as u32) after 'add;
        basic::times_constant<<<1, 64>>>(&mut x, 3.0, n as u32) after 'first;
    }

    /// UC-12: a kernel's input and output are one buffer by way of a second one.
    graph Through(x: &mut [u32; n]) {
        let y: [u32; n];
        copy(&x, &out y);
        odd::r#move<<<1, 64>>>(&mut y, n as u32);
        copy(&y, &out x);
    }

    /// Casts, methods, logic without parentheses.
    graph Conditions(x: &[f32; 4], y: &out [u32; 6], n: u32, e: f64) {
        fill(&out y, 0);
        if x[0].abs().sqrt() as u32 + 1 == n && !x[1].is_nan() || false { y[0] = 1; }
        if (x[0] as f64 - 4.0).abs() < e { y[1] = 1; }
        if x[0].max(x[1]).min(8.5) > n as f32 - 1. { y[2] = 1; }
        if !(x[2] >= 0.0) & !(x[2] < 0.0) { y[3] = 1; }
        if x[3] as i8 == i8::MIN && (x[3] as u8 == 0) == true { y[4] = 1; }
        if (if x[0] > 1.0 { x[1] } else { x[2] }).floor() == x[1].trunc() { y[5] = (x[1].ceil() as usize as u64 + 1) as u32; }
    }

    /// `after` forward, to a whole loop, from a conditional, and to a `match`.
    #[allow(redundant_after, reason = "labels are looked up in both directions")]
    graph Orders(x: &mut [u32; 1], y: &mut [u32; 1], log: &mut [u32; 1]) {
        'last: y[0] += 1 after 'loop_, 'choice, 'branch;
        'loop_: while x[0] > 0 { x[0] -= 1; } after 'choice;
        'choice: match log[0] { 0 => { 'last: log[0] = 1; } _ => {} };
        'branch: if log[0] > 0 { 'loop_: log[0] += 1; } else {} after 'loop_;
    }

    /// Bodies within bodies within bodies, with one label in each.
    #[allow(redundant_after, reason = "each body has labels of its own")]
    graph Deep(x: &mut [u32; 4]) {
        'a: while x[0] < 3 {
            'a: if x[0] != 1 {
                'a: match x[0] % 2 {
                    0 => {
                        'a: loop limit 2 {
                            'a: if x[1] < 100 {
                                'a: x[1] += 1;
                                { }
                            } else { 'a: x[1] += 1000; }
                            'b: x[2] += 1 after 'a;
                        }
                    }
                    _ => { 'a: x[3] = 1; }
                }
            } else { 'a: x[3] += 5; }
            'b: x[0] += 1 after 'a;
        }
    }

    /// Attributes and comments wherever they may stand.
    #[doc = "A graph."]
    #[allow(dead_code, endless_loop)]
    graph Attributes(
        /// Read and written.
        #[doc(alias = "ex")]
        x: &mut [u32; 1],
        /** A value. */ by: u32, // nothing
    ) {
        #![allow(unused)]
        //! Inner docs.
        /// A statement.
        #[allow(endless_loop)]
        'here: loop limit 2 { /* nothing */ }
        /// A scalar.
        x[0] += by;
        /// A branch.
        if x[0] > 0 {
            /// Within.
            x[0] += 1;
        }
        match x[0] {
            /// An arm.
            0 => {}
            #[allow(endless_loop)]
            _ => { x[0] *= 2; }
        }
        /// A block.
        { /// A transient.
          let t: [u32; 1] = 1; /// A host value.
          let k = 1; x[0] += t[0] + k; }
    }
}

#[test]
fn uc_133_add_times_times() {
    on_each(|device| {
        let mut graph = AddTimesTimesArgs { x: device.buffer_from(&[1.0_f32; 3])? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [27.0; 3]);
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [261.0; 3]);
        Ok(())
    });
}

#[test]
fn uc_12_output_is_the_next_input() {
    on_each(|device| {
        let mut graph = ThroughArgs { x: device.buffer_from(&[1_u32, 3])? }.build(device)?;
        for launch in 1..=3 {
            graph.launch()?;
            assert_eq!(graph.x().to_vec()?, [1 << launch, 3 << launch]);
        }
        Ok(())
    });
}

#[test]
fn conditions_with_casts_and_methods() {
    on_each(|device| {
        let x = device.buffer_from(&[4.0_f32, 8.25, f32::NAN, -1e9])?;
        let mut graph = ConditionsArgs { x: &x, y: device.zeros(6)?, n: 3, e: 0.5 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [1, 1, 1, 1, 1, 10]);
        graph.set_n(20)?;
        graph.set_e(0.0)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [0, 0, 0, 1, 1, 10]);
        Ok(())
    });
}

#[test]
fn after_forward_and_to_bodies() {
    on_each(|device| {
        let (x, y) = (device.buffer_from(&[3_u32])?, device.zeros(1)?);
        let mut graph = OrdersArgs { x, y, log: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [0]);
        assert_eq!(graph.y().to_vec()?, [1]);
        assert_eq!(graph.log().to_vec()?, [2]);
        Ok(())
    });
}

#[test]
fn bodies_within_bodies() {
    on_each(|device| {
        let mut graph = DeepArgs { x: device.zeros::<u32>(4)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [3, 4, 4, 5]);
        assert_eq!(graph.iterations(Deep::A)?, 3);
        Ok(())
    });
}

#[test]
fn attributes_everywhere() {
    on_each(|device| {
        let mut graph = AttributesArgs { x: device.buffer_from(&[1_u32])?, by: 4 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [14]);
        Ok(())
    });
}

cuda_graph! {
    /// The first arm that fits runs, also where arms overlap.
    graph Overlap(x: &[u8; 1], y: &out [u32; 1]) {
        y[0] = 0;
        match x[0] { 5 => { y[0] += 1; } 0..=5 => { y[0] += 10; } 3..=9 | 20 => { y[0] += 100; } _ | 30 => { y[0] += 1000; } }
    }

    /// A generic element in a condition.
    graph Clamp<T: Element + PartialOrd + graph_runtime::element::Scalar>(x: &mut [T; 1], most: T) {
        if x[0] > most { fill(&out x, most); }
    }
}

#[test]
fn the_first_arm_that_fits() {
    on_each(|device| {
        for (value, expected) in [(0_u8, 10), (4, 10), (5, 1), (6, 100), (20, 100), (30, 1000), (255, 1000)] {
            let x = device.buffer_from(&[value])?;
            let mut graph = OverlapArgs { x: &x, y: device.zeros(1)? }.build(device)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [expected], "{value}");
        }
        let mut graph = ClampArgs { x: device.buffer_from(&[7_i16])?, most: -2 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [-2]);
        let mut graph = ClampArgs { x: device.buffer_from(&[f64::NAN])?, most: 0.5 }.build(device)?;
        graph.launch()?;
        assert!(graph.x().to_vec()?[0].is_nan());
        Ok(())
    });
}
