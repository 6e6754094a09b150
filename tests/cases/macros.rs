//! Graphs that a `macro_rules` writes.

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;

macro_rules! everything {
    (
        $(#[$meta:meta])* $vis:vis $name:ident<$($generic:ident : $bound:path),*>, $element:ty, $kernel:path, $grid:expr, $block:literal,
        $label:lifetime, $limit:expr, $every:literal, $condition:expr, $pattern:literal, $target:ident[$index:expr], $value:tt, $body:block,
        $($extra:tt)*
    ) => {
        cuda_graph! {
            $(#[$meta])*
            $vis graph $name<$($generic: $bound),*>(x: &mut [$element; n], $target: &mut [$element; n], y: &$($extra)* [$element; m]) {
                let t: [$element; n + $index] = $value;
                $kernel<<<$grid, $block>>>(&mut x, n as u32);
                $label: loop limit $limit every $every { $target[$index] += $value; if $condition { break; } }
                if $condition $body
                match $target[$index] { $pattern => $body _ => { $target[0] = t[0]; } }
                fill(&out y[..$index], $value);
                fill(&out y[$index..], $value);
                copy(&y[$index..=$index], &out $target[$index + 1..n]);
            }
        }
    };
}

everything! {
    /// Of pieces.
    #[allow(endless_loop)]
    pub(crate) Pieces<>, u32, odd::count, 1 + 0, 64, 'turn, 4 + 4, 2, z[1] > 5, 6, z[1], 3, { z[0] += 1; }, out
}

/// A macro that writes a macro that writes a graph.
macro_rules! outer {
    ($($name:ident: $by:literal,)*) => {
        macro_rules! inner {
            ($suffix:ident, $ty:ty) => { $( inner!{ @one $name, $by, $ty } )* };
            (@one $graph:ident, $number:expr, $ty:ty) => {
                cuda_graph! {
                    graph $graph(x: &mut [$ty; n]) { x[n - 1] = $number; fill(&out x[..n - 1], $number + 1 as $ty); }
                }
            };
        }
        inner!(x, u8);
    };
}

outer! { Seven: 7, Nine: 9, }

/// Repeated statements, parameters, arms and whole graphs.
macro_rules! repeated {
    ($($name:ident($($parameter:ident),*): $($step:expr),*;)*) => {
        cuda_graph! {
            $(graph $name($($parameter: &mut [u32; n]),*, out: &out [u32; 1]) {
                out[0] = 0;
                $(out[0] += $parameter[0]; $parameter[0] = 1;)*
                $(out[0] = out[0] * $step;)*
                match out[0] { $($step => { out[0] = 1000; })* _ => {} }
            })*
        }
    };
}

repeated! {
    One(a): 2, 3;
    Three(a, b, c): 10;
}

macro_rules! many {
    ($($number:literal)*) => {
        cuda_graph! { graph Many(x: &mut [u32; 1]) { $(x[0] = x[0] * 3 + $number; odd::count<<<1, 1>>>(&mut x, 1); { let t: [u32; 1] = $number; x[0] ^= t[0]; })* } }
    };
}

macro_rules! hundred {
    ($($digits:literal)*) => { many! { $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* $($digits)* } };
}

hundred! { 0 1 2 3 4 5 6 7 8 9 }

/// The caller's names and the macro's own do not meet.
macro_rules! hygiene {
    ($name:ident, $n:ident, $k:expr) => {
        cuda_graph! {
            graph $name(x: &mut [u32; $n], k: u32) {
                let own = k + 1;
                x[0] = own + $n as u32;
                fill(&out x[$k..], own);
            }
        }
    };
}

const START: usize = 1;
hygiene!(Hygiene, len, START);

#[test]
fn fragments_of_every_kind() {
    on_each(|device| {
        let (x, z) = (device.zeros::<u32>(3)?, device.zeros::<u32>(3)?);
        let mut graph = PiecesArgs { x, z, y: device.zeros(4)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [1; 3]);
        assert_eq!(graph.z().to_vec()?, [2, 6, 3]);
        assert_eq!(graph.iterations(Pieces::TURN)?, 2);
        assert_eq!(graph.y().to_vec()?, [3; 4]);
        Ok(())
    });
}

#[test]
fn macros_of_macros() {
    on_each(|device| {
        let mut graph = SevenArgs { x: device.zeros::<u8>(3)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [8, 8, 7]);
        let mut graph = NineArgs { x: device.zeros::<u8>(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [9]);
        Ok(())
    });
}

#[test]
fn repetitions() {
    on_each(|device| {
        let mut graph = OneArgs { a: device.buffer_from(&[1_u32])?, out: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.out().to_vec()?, [6]);
        let part = || device.buffer_from(&[1_u32]);
        let mut graph = ThreeArgs { a: part()?, b: part()?, c: part()?, out: device.zeros(1)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.out().to_vec()?, [30]);
        Ok(())
    });
}

#[test]
fn many_statements() {
    on_each(|device| {
        let mut graph = ManyArgs { x: device.zeros::<u32>(1)? }.build(device)?;
        graph.launch()?;
        let mut expected = 0_u32;
        for number in (0..10).cycle().take(100) {
            expected = (expected.wrapping_mul(3).wrapping_add(number)).wrapping_add(1) ^ number;
        }
        assert_eq!(graph.x().to_vec()?, [expected]);
        Ok(())
    });
}

#[test]
fn names_of_the_caller() {
    on_each(|device| {
        let mut graph = HygieneArgs { x: device.zeros::<u32>(2)?, k: 4 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [7, 5]);
        Ok(())
    });
}
