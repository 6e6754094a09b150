//! The smallest graphs of what went wrong for others, by the numbers of `docs/cases.md`.

use graph_runtime::prelude::*;
use graph_runtime::{__private::Program, Graph};
use tests::kernels::basic;
use tests::pipelines::launches::overlapping;

use crate::on_each;

/// Who waits for whom, in the order of the plan.
fn edges<P: Program>(graph: &Graph<'_, P>) -> Vec<(String, String)> {
    graph.plan().edges().into_iter().map(|edge| (edge.from, edge.to)).collect()
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(from, to)| (from.to_owned(), to.to_owned())).into()
}

cuda_graph! {
    graph Ordered(a: &mut [f32; n], b: &mut [f32; n]) {
        'first: basic::add_constant<<<1, 64>>>(&mut a, 1.0, n as u32);
        'then: basic::add_constant<<<1, 64>>>(&mut b, 1.0, n as u32) after 'first;
    }

    graph Free(a: &mut [f32; n], b: &mut [f32; n]) {
        'first: basic::add_constant<<<1, 64>>>(&mut a, 1.0, n as u32);
        'then: basic::add_constant<<<1, 64>>>(&mut b, 1.0, n as u32);
    }
}

#[test]
fn uc_003_an_order_without_data() {
    on_each(|device| {
        let ordered = OrderedArgs { a: device.zeros::<f32>(4)?, b: device.zeros::<f32>(4)? }.build(device)?;
        assert_eq!(edges(&ordered), pairs([("first", "then")]));
        let free = FreeArgs { a: device.zeros::<f32>(4)?, b: device.zeros::<f32>(4)? }.build(device)?;
        assert_eq!(edges(&free), []);
        Ok(())
    });
}

cuda_graph! {
    graph Written(a: &[f32; n], o: &out [f32; n], p: &out [f32; n]) {
        'one: basic::copy_scaled<<<1, 64>>>(&a, &out o, 1.0, n as u32);
        'two: basic::copy_scaled<<<1, 64>>>(&a, &out o, 2.0, n as u32);
        'three: basic::copy_scaled<<<1, 64>>>(&a, &out o, 3.0, n as u32);
        'read: basic::copy_scaled<<<1, 64>>>(&o, &out p, 10.0, n as u32);
    }
}

#[test]
fn uc_004_the_last_write_counts() {
    on_each(|device| {
        let a = device.buffer_from(&[1.0_f32, 5.0])?;
        let mut graph = WrittenArgs { a: &a, o: device.zeros(2)?, p: device.zeros(2)? }.build(device)?;
        assert_eq!(edges(&graph), pairs([("one", "two"), ("two", "three"), ("three", "read")]));
        graph.launch()?;
        assert_eq!(graph.p().to_vec()?, [30.0, 150.0]);
        Ok(())
    });
}

cuda_graph! {
    graph Halves(x: &mut [f32; n], y: &out [f32; half], half: usize) {
        'low: basic::add_constant<<<1, 64>>>(&mut x[..half], 1.0, half as u32);
        'high: basic::add_constant<<<1, 64>>>(&mut x[half..], 2.0, (n - half) as u32);
        'read: basic::copy_scaled<<<1, 64>>>(&x[..half], &out y, 1.0, half as u32);
    }
}

#[test]
fn uc_015_halves_are_buffers_of_their_own() {
    on_each(|device| {
        let mut graph = HalvesArgs { x: device.zeros::<f32>(5)?, y: device.zeros(2)?, half: 2 }.build(device)?;
        assert_eq!(edges(&graph), pairs([("low", "read")]));
        graph.launch()?;
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![1.0, 1.0, 2.0, 2.0, 2.0], vec![1.0, 1.0]));
        Ok(())
    });
}

cuda_graph! {
    graph Joins(a: &[f32; n], b: &out [f32; n], c: &[f32; n], d: &out [f32; n], e: &out [f32; n]) {
        'left: basic::copy_scaled<<<1, 64>>>(&a, &out b, 2.0, n as u32);
        'right: basic::copy_scaled<<<1, 64>>>(&c, &out d, 3.0, n as u32);
        'join: basic::sum_of_two<<<1, 64>>>(&b, &d, &out e, n as u32);
    }
}

fn joins(device: &Device) -> Result<Joins<'static>> {
    let (a, c) = (device.buffer_from(&[1.0_f32])?, device.buffer_from(&[10.0_f32])?);
    JoinsArgs { a, b: device.zeros(1)?, c, d: device.zeros(1)?, e: device.zeros(1)? }.build(device)
}

#[test]
fn uc_016_only_conflicts_are_edges() {
    on_each(|device| {
        let graph = joins(device)?;
        assert_eq!(edges(&graph), pairs([("left", "join"), ("right", "join")]));
        Ok(())
    });
}

#[test]
fn uc_017_how_wide_a_graph_is() {
    on_each(|device| {
        assert_eq!(joins(device)?.plan().width(), 2);
        Ok(())
    });
}

#[test]
fn uc_019_what_is_bound_by_value_lives() {
    on_each(|device| {
        let mut graph = joins(device)?;
        drop(device.buffer_from(&[9.0_f32; 64])?);
        graph.launch()?;
        assert_eq!(graph.e().to_vec()?, [32.0]);
        Ok(())
    });
}

cuda_graph! {
    graph Table(table: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        'bring: copy(&table, &out t);
        'read: basic::copy_scaled<<<1, 64>>>(&t, &out y, 2.0, n as u32);
        'reuse: basic::copy_scaled<<<1, 64>>>(&table, &out t, 100.0, n as u32);
        'more: basic::add_constant<<<1, 64>>>(&mut y, t.len() as f32, n as u32);
        'last: basic::sum_of_two<<<1, 64>>>(&t, &table, &out y, n as u32);
    }
}

#[test]
fn uc_032_a_read_comes_before_the_next_write() {
    on_each(|device| {
        let table = device.buffer_from(&[1.0_f32, 2.0])?;
        let mut graph = TableArgs { table: &table, y: device.zeros(2)? }.build(device)?;
        let edges = edges(&graph);
        assert!(edges.contains(&("bring".to_owned(), "read".to_owned())), "{edges:?}");
        assert!(edges.contains(&("read".to_owned(), "reuse".to_owned())), "{edges:?}");
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [101.0, 202.0]);
        Ok(())
    });
}

cuda_graph! {
    graph Part(x: &[u32; m], y: &mut [u32; m], n: usize) {
        copy(&x[..n], &out y[..n]);
        kernel for i in 0..n { y[i] += 1; }
    }
}

#[test]
fn uc_051_nothing_and_back() {
    on_each(|device| {
        let x = device.buffer_from(&[7_u32; 100])?;
        let mut graph = PartArgs { x: &x, y: device.zeros(100)?, n: 100 }.build(device)?;
        for n in [100, 0, 100, 1] {
            graph.set_n(n)?;
            graph.y_mut()?.write_from(&[3; 100])?;
            graph.launch()?;
            let expected: Vec<u32> = (0..100).map(|i| if i < n { 8 } else { 3 }).collect();
            assert_eq!(graph.y().to_vec()?, expected, "{n} of 100");
        }
        Ok(())
    });
}

cuda_graph! {
    graph Scaled(x: &[f32; n], y: &out [f32; n], alpha: f32) {
        basic::copy_scaled<<<1, 64>>>(&x, &out y, alpha, n as u32);
    }
}

#[test]
fn uc_053_a_value_for_each_launch() {
    on_each(|device| {
        let x = device.buffer_from(&[1.0_f32, 2.0, 4.0])?;
        let mut graph = ScaledArgs { x: &x, y: device.zeros(3)?, alpha: 0.0 }.build(device)?;
        for alpha in 0..50_u8 {
            let alpha = f32::from(alpha);
            graph.set_alpha(alpha)?;
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [alpha, 2.0 * alpha, 4.0 * alpha]);
        }
        Ok(())
    });
}

cuda_graph! {
    graph Passes(x: &mut [u32; 1], by: u32, passes: u64) {
        loop limit passes { x[0] += by; }
    }
}

#[test]
fn uc_064_a_host_value_is_one_value_in_all_passes() {
    on_each(|device| {
        let mut graph = PassesArgs { x: device.zeros(1)?, by: 3, passes: 4 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [12]);
        graph.set_by(1)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [16]);
        Ok(())
    });
}

cuda_graph! {
    graph Total(x: &[u32; 1000], s: &out [u32; 1], n: usize <= 1000) {
        s[0] = (0..n).map(|i| x[i]).sum();
    }
}

#[test]
fn uc_084_one_graph_for_many_lengths() {
    on_each(|device| {
        let x = device.buffer_from(&(0..1000).collect::<Vec<u32>>())?;
        let mut graph = TotalArgs { x: &x, s: device.zeros(1)?, n: 1 }.build(device)?;
        let memory = graph.memory();
        for n in [1, 2, 10, 999, 1000, 0] {
            graph.set_n(n)?;
            graph.launch()?;
            let n = n as u32;
            assert_eq!(graph.s().to_vec()?, [n * n.saturating_sub(1) / 2]);
            assert_eq!(graph.memory(), memory);
        }
        Ok(())
    });
}

#[test]
fn uc_090_launches_follow_each_other() {
    on_each(|device| {
        let mut graph = PassesArgs { x: device.zeros(1)?, by: 1, passes: 1 }.build(device)?;
        for _ in 0..100 {
            graph.launch()?;
        }
        assert_eq!(graph.x().to_vec()?, [100]);
        Ok(())
    });
}

#[test]
fn uc_094_a_buffer_of_another_device() {
    on_each(|device| {
        let x = Device::dry().zeros::<u32>(1)?;
        let error = PassesArgs { x, by: 1, passes: 1 }.build(device).map(drop).unwrap_err().to_string();
        assert!(error.contains("buffer `x` lies on ") && error.contains("graph `Passes` is built on "), "{error}");
        Ok(())
    });
}

cuda_graph! {
    graph Doubles(x: &mut [f32; n]) {
        let t: [f32; n];
        copy(&x, &out t);
        basic::copy_scaled<<<1, 64>>>(&t, &out x, 2.0, n as u32);
    }

    graph Quadruples(x: &mut [f32; n], again: &mut [u32; 1]) {
        Doubles { x: &mut x };
        while again[0] > 0 {
            again[0] -= 1;
            Doubles { x: &mut x };
        }
    }
}

#[test]
fn uc_098_memory_of_a_graph_inside_a_graph() {
    on_each(|device| {
        let (x, again) = (device.buffer_from(&[1.0_f32, 3.0])?, device.buffer_from(&[2_u32])?);
        let mut graph = QuadruplesArgs { x, again }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [8.0, 24.0]);
        Ok(())
    });
}

cuda_graph! {
    graph Alone(x: &mut [u32; n]) {
        #[overlap]
        overlapping::step<<<1, 64>>>(&mut x, n as u32);
    }
}

#[test]
fn uc_125_nothing_to_overlap_with() {
    on_each(|device| {
        let mut graph = AloneArgs { x: device.buffer_from(&[5_u32])? }.build(device)?;
        assert_eq!(edges(&graph), []);
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [11]);
        Ok(())
    });
}

cuda_graph! {
    graph Sums(y: &out [u32; 1]) {
        let s: [u32; 1] = 0;
        loop limit 3 { s[0] += 5; }
        y[0] = s[0];
    }
}

#[test]
fn uc_131_a_sum_begins_at_zero_at_each_launch() {
    on_each(|device| {
        let mut graph = SumsArgs { y: device.zeros(1)? }.build(device)?;
        for _ in 0..3 {
            graph.launch()?;
            assert_eq!(graph.y().to_vec()?, [15]);
        }
        Ok(())
    });
}

/// Does not do what it says.
#[cuda_module("kernels/basic.cu")]
unsafe mod idle {
    pub fn copy_scaled(from: &[f32; n], to: Out<[f32; n]>, by: f32, n: u32) {
        let _ = (from, to, by, n);
    }
}

cuda_graph! {
    graph Idle(x: &[f32; n], y: &out [f32; n]) {
        idle::copy_scaled<<<1, 64>>>(&x, &out y, 1.0, n as u32);
    }
}

#[test]
fn uc_132_outputs_hold_nonsense_before_a_launch() {
    on_each(|device| {
        let (x, y) = (device.buffer_from(&[1.0_f32; 3])?, device.buffer_from(&[1.0_f32; 3])?);
        let mut graph = IdleArgs { x: &x, y }.build(device)?;
        graph.launch()?;
        assert!(graph.y().to_vec()?.iter().all(|value| value.is_nan()));
        Ok(())
    });
}
