//! `#[cfg]` in a block: what is there, and what of it runs.

use graph_runtime::prelude::*;

use crate::on_each;

cuda_graph! {
    /// Each digit of `x[0]` that is 1 is of a statement that is there; the others are left out.
    graph Chosen(
        x: &mut [u32; 4],
        #[cfg(all())] ten: u32,
        #[cfg(any())] gone: [u32; 9],
        #[cfg_attr(all(), allow(unused_parameter))] #[cfg(target_pointer_width = "64")] _wide: u64,
    ) {
        x[0] = 1;
        #[cfg(all())]
        x[0] += ten;
        #[cfg(any())]
        x[0] += 20;
        #[cfg(not(any()))]
        #[cfg(all())]
        if x[0] > 0 {
            #[cfg(any())]
            x[0] += 200;
            #[cfg(all())]
            x[0] += 100;
        }
        #[cfg(any())]
        'gone: while x[3] < 9 { x[3] += 1; }
        'kept: loop limit 5 {
            x[1] += 1;
            #[cfg(any())]
            if x[1] > 1 { break; }
            #[cfg(all())]
            if x[1] > 2 { break; }
        }
        match x[1] {
            #[cfg(any())]
            3 => { x[2] = 1; }
            #[cfg(all())]
            3 => { x[2] = 2; }
            _ => {}
        }
    }

    #[cfg(any())]
    graph Chosen(nothing: Nowhere) {}

    /// In the body of a kernel in the block: statements, arms, a `let`, a loop's body.
    graph Bodies(x: &mut [u32; n]) {
        kernel for i in 0..n {
            #[cfg(all())]
            let step = 1;
            #[cfg(any())]
            let step = 2;
            #[cfg(all())]
            x[i] += step;
            #[cfg(any())]
            x[i] += 1000;
            for k in 0..3 {
                #[cfg(any())]
                { x[i] += 1000; }
                #[cfg(all())]
                { x[i] += 10 * k; }
            }
            match x[i] {
                #[cfg(any())]
                31 => { x[i] = 1000; }
                #[cfg(all())]
                31 => { x[i] = 5; }
                _ => {}
            }
        }
    }

    /// A graph inside with a field that is left out, and host values that are chosen.
    graph Outer(x: &mut [u32; n], y: &mut [u32; 4]) {
        #[cfg(all())]
        let by = 7;
        #[cfg(any())]
        let by = 8;
        Bodies { x: &mut x };
        Chosen { x: &mut y, #[cfg(any())] nobody: 3, #[cfg(all())] ten: by, #[cfg(target_pointer_width = "64")] _wide: 0 };
        if cfg!(any()) {
            x[0] = 1000;
        } else if cfg!(all()) {
            x[0] += 1;
        }
    }
}

#[test]
fn what_is_left_out_is_not_there() {
    on_each(|device| {
        let x = device.buffer_from(&[0_u32; 4])?;
        let mut graph = ChosenArgs { x, ten: 10, _wide: 1 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [111, 3, 2, 0]);
        assert_eq!(graph.iterations(Chosen::KEPT)?, 3);
        Ok(())
    });
}

#[test]
fn bodies_and_graphs_inside_are_chosen_too() {
    on_each(|device| {
        let (x, y) = (device.buffer_from(&[0_u32, 1, 2])?, device.buffer_from(&[0_u32; 4])?);
        let mut graph = OuterArgs { x, y }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [6, 32, 33]);
        assert_eq!(graph.y().to_vec()?, [108, 3, 2, 0]);
        Ok(())
    });
}

#[test]
fn a_block_may_stand_in_a_function() {
    cuda_graph! {
        graph Local(x: &mut [u32; n]) {
            #[cfg(all())]
            fill(&out x, 3);
            #[cfg(any())]
            fill(&out x, 4);
        }
    }
    on_each(|device| {
        let mut graph = LocalArgs { x: device.buffer_from(&[0_u32; 2])? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [3, 3]);
        Ok(())
    });
}
