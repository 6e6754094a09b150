//! Type and constant parameters, bounds, `where` clauses, defaults.

use std::fmt::Debug;
use std::sync::Arc;

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;

cuda_graph! {
    /// Constants in lengths, ranges, geometry, arguments, conditions, limits.
    graph Constants<const N: usize, const HALF: usize, const LIMIT: u64>(x: &mut [u32; N], y: &out [u32; HALF]) {
        let t: [u32; N] = 0;
        copy(&x[HALF..N], &out t[..HALF]);
        odd::count<<<N.div_ceil(64), 64>>>(&mut t, N as u32);
        copy(&t[..HALF], &out y);
        'up: loop limit LIMIT {
            x[N - 1] += HALF as u32;
            if x[N - 1] > N as u32 * 100 { break; }
        }
        fill(&out x[..{ HALF - 1 }], N as u32);
    }

    /// Bounds in both places, a type that only a transient has, one that only a host value has.
    pub(crate) graph Types<T, U: Element + DeviceValue + Default, V: Clone + Send + Debug + 'static>(
        x: &[T; n], y: &out [T; n], first: T, v: V,
    ) where T: Element + DeviceValue + PartialOrd, V: AsRef<[usize]>,
    {
        let t: [U; v.as_ref().len()] = U::default();
        #[allow(unread_result)]
        let s: [U; v.as_ref().len()];
        copy(&t, &out s);
        copy(&x, &out y);
        fill(&out y[..v.as_ref()[0]], first);
        if first > x_of(&v) { fill(&out y[v.as_ref()[0]..], first); }
    }

    graph Defaults<T: Element = f32, const N: usize = 4>(x: &[T; N], y: &out [T; N],) { copy(&x, &out y); }

    graph Arrays<const N: usize,>(d: [u32; N], x: &out [Array<N>; n]) { fill(&out x, d); }

    /// Two buffers of one type parameter, another length each.
    graph Copies<A: Element, B>(a: &[A; n], b: &[B; m], c: &out [A; n], d: &out [B; m]) where B: Element {
        copy(&a, &out c);
        copy(&b, &out d);
    }

    graph Conditions<T: DeviceValue>(x: &mut [u32; 1], _unused: T, go: bool) {
        while go && x[0] < 7 { x[0] += 1; }
    }
}

type Array<const N: usize> = [u32; N];

/// Smaller than everything.
fn x_of<V: AsRef<[usize]>, T: DeviceValue>(_: &V) -> T
where
    T: DeviceValue,
{
    // SAFETY: all types that the tests use have a zero.
    unsafe { std::mem::zeroed() }
}

#[test]
fn constants() {
    on_each(|device| {
        let x = device.buffer_from(&[1_u32, 2, 3, 4, 5, 6])?;
        let mut graph = ConstantsArgs { x, y: device.zeros(3)? }.build::<6, 3, 10>(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [5, 6, 7]);
        assert_eq!(graph.x().to_vec()?, [6, 6, 3, 4, 5, 36]);
        assert_eq!(graph.iterations(Constants::<6, 3, 10>::UP)?, 10);
        let x = device.buffer_from(&[1_u32, 2])?;
        let mut graph = ConstantsArgs { x, y: device.zeros(1)? }.build::<2, 1, 1000>(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [1, 201]);
        Ok(())
    });
}

#[test]
fn types() {
    on_each(|device| {
        let x = device.buffer_from(&[1_i64, 2, 3])?;
        let v: Arc<[usize]> = Arc::from([2, 0]);
        let mut graph = TypesArgs { x: &x, y: device.zeros(3)?, first: -4_i64, v }.build::<u8>(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [-4, -4, 3]);
        graph.set_first(9)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [9; 3]);
        graph.set_v(Arc::from([1]))?;
        graph.set_first(-1)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [-1, 2, 3]);
        Ok(())
    });
}

#[test]
fn defaults_of_a_graph_s_type() {
    fn first(graph: &Defaults<'_>) -> Result<f32> {
        Ok(graph.y().to_vec()?[0])
    }
    on_each(|device| {
        let x = device.buffer_from(&[1.5_f32, 2.0, 3.0, 4.0])?;
        let mut graph = DefaultsArgs { x: &x, y: device.zeros(4)? }.build(device)?;
        graph.launch()?;
        assert_eq!(first(&graph)?, 1.5);
        let x = device.buffer_from(&[3_u8])?;
        let mut graph = DefaultsArgs { x: &x, y: device.zeros(1)? }.build::<_, 1>(device)?;
        graph.launch()?;
        assert_eq!(graph.y().to_vec()?, [3]);
        Ok(())
    });
}

#[test]
fn constants_of_host_values() {
    on_each(|device| {
        let mut graph = ArraysArgs { d: [1, 2, 3], x: device.zeros::<[u32; 3]>(2)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [[1, 2, 3]; 2]);
        let (a, b) = (device.buffer_from(&[1_u8, 2])?, device.buffer_from(&[half(1)])?);
        let mut graph = CopiesArgs { a: &a, b: &b, c: device.zeros(2)?, d: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!((graph.c().to_vec()?, graph.d().to_vec()?), (vec![1, 2], vec![half(1)]));
        let mut graph = ConditionsArgs { x: device.zeros(1)?, _unused: 0.5, go: false }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [0]);
        graph.set_go(true)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [7]);
        Ok(())
    });
}

fn half(value: u64) -> [u64; 2] {
    [value, value + 1]
}
