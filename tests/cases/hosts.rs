//! The host's side: values that are not `Copy`, `let`s of every type, expressions of every form.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_runtime::prelude::*;

use crate::kernels::odd;
use crate::on_each;
use tests::kernels::basic;

/// A host value of the user's.
#[derive(Clone, Debug)]
struct Config {
    rows: usize,
    names: Vec<String>,
    nested: Nested,
}

#[derive(Clone, Debug)]
struct Nested {
    bias: f32,
    table: BTreeMap<&'static str, u32>,
}

const TWO: usize = 2;
static THREE: u32 = 3;

mod constants {
    pub(super) const FOUR: u64 = 4;
    pub(super) fn double(value: u32) -> u32 {
        value * 2
    }
}

cuda_graph! {
    /// Nothing here is `Copy`.
    graph NotCopy(x: &mut [u32; n], y: &out [f32; config.rows], config: Config, list: Vec<u32>, shared: Arc<[f32]>, text: String,
                  pair: (usize, u32), function: fn(u32) -> u32, maybe: Option<u32>) {
        let sum = list.iter().sum::<u32>();
        let owned = list.clone();
        let double = |value: u32| value * 2;
        let tuple = (sum, pair.1);
        let config2 = config.clone();
        let inner = config2.nested;
        fill(&out x, sum);
        x[0] = tuple.0 + tuple.1;
        x[pair.0] = double(owned[0]) + x[0];
        x[list.len() + 1] = function(maybe.unwrap_or_default()) + constants::double(THREE);
        x[TWO + 2] = if text.is_empty() { 1 } else { text.len() as u32 };
        fill(&out y, shared[0] + inner.bias);
        if x[0] > inner.table["limit"] && config.names.iter().any(|name| name == &text) {
            y[0] = shared[1] * config.nested.bias;
        }
        let block = (32, 2u8);
        let grid: (u32, usize, u64) = (1, 1, 1);
        basic::times_constant<<<grid, block>>>(&mut y, match list.first() { Some(1) => 2.0, Some(_) | None => 3.0 }, config.rows as _);
        while x[5] < constants::FOUR as u32 limit list.len() as u64 * 10 { x[5] += 1; }
    }

    /// Host `if`s in device `if`s, in loops and in each other, with names of their own.
    graph Choices(x: &mut [u32; n], mode: u8, list: Vec<u32>, deep: bool) {
        if mode == 0 {
            let by = 1;
            fill(&out x, by);
        } else if mode == 1 {
            let by = 2;
            let t: [u32; list.len()] = by;
            if deep { t[0] = 50; }
            copy(&t, &out x[..list.len()]);
        }
        if x[0] > 1 {
            if deep && !list.is_empty() {
                x[1] = list[0];
                if x[1] > 8 { if mode > 0 { x[1] += 1; } else { x[1] += 2; } }
            }
        } else {
            if deep { x[1] = 77; }
        }
        'pass: loop limit 3 {
            if deep { x[2] += 1; } else { if mode == 1 { x[2] += 10; } }
            let step = mode as u32 + 1;
            if mode == 1 { let step = step * 100; x[3] += step; }
            x[3] += step;
        }
    }

    /// Expressions that `syn` and rustc must read alike.
    graph Forms(x: &mut [u32; n], a: u32, b: u64) {
        x[0] = (a);
        x[{ 0 + 1 }] = if a > 3 { a } else { 0 };
        x[(1..4).len() - 1] = a << 2 | 1;
        odd::count<<<({ 1 }), [64, 2][0]>>>(&mut x[..(n)], { let m = n; m as u32 });
        odd::count<<<1, 64, {0}>>>(&mut x[..=n - 1], (n as u32));
        odd::count<<<(1,), (64,),>>>(&mut x, { n } as u32,);
        odd::count<<<if a > 3 { 1 } else { 2 }, 64>>>(&mut x, n.try_into().unwrap());
        x[n - 1] = u32::MAX - !a & 0xff_u32 ^ (b as u32) % 7;
        x[n - 2] = (b as u32).pow(2).rotate_left(3);
        x[n - 3] -= (-1i32) as u32;
        x[n - 3] /= 2; x[n - 3] %= 100; x[n - 3] <<= 1; x[n - 3] >>= 0; x[n - 3] |= 1; x[n - 3] &= !0; x[n - 3] ^= 0; x[n - 3] *= 1;
    }
}

#[test]
fn values_that_are_not_copy() {
    on_each(|device| {
        let nested = Nested { bias: 0.5, table: BTreeMap::from([("limit", 10)]) };
        let config = Config { rows: 3, names: vec!["a".to_owned(), "bc".to_owned()], nested };
        let arguments = NotCopyArgs {
            x: device.zeros::<u32>(6)?,
            y: device.zeros(3)?,
            config: config.clone(),
            list: vec![1, 4],
            shared: Arc::from([1.0, 8.0]),
            text: "bc".to_owned(),
            pair: (1, 7),
            function: |value| value + 1,
            maybe: Some(20),
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [12, 14, 5, 27, 2, 5]);
        assert_eq!(graph.y().to_vec()?, [8.0, 3.0, 3.0]);
        graph.set_text(String::new())?;
        graph.set_list(vec![2, 0])?;
        graph.set_maybe(None)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [9, 13, 2, 7, 1, 4]);
        assert_eq!(graph.y().to_vec()?, [4.5; 3]);
        Ok(())
    });
}

#[test]
fn choices_of_the_host() {
    let expected = |mode: u8, deep: bool| -> [u32; 4] {
        let mut x = [9, 9, 9, 9];
        match mode {
            0 => x = [1; 4],
            1 => {
                (x[0], x[1]) = (2, 2);
                if deep {
                    x[0] = 50;
                }
            }
            _ => {}
        }
        if x[0] > 1 {
            if deep {
                x[1] = 8 + u32::from(mode);
                if x[1] > 8 {
                    x[1] += if mode > 0 { 1 } else { 2 };
                }
            }
        } else if deep {
            x[1] = 77;
        }
        for _ in 0..3 {
            x[2] += if deep {
                1
            } else if mode == 1 {
                10
            } else {
                0
            };
            x[3] += if mode == 1 { 200 } else { 0 } + u32::from(mode) + 1;
        }
        x
    };
    on_each(|device| {
        for mode in 0..3 {
            for deep in [false, true] {
                let x = device.buffer_from(&[9_u32; 4])?;
                let list = vec![8 + u32::from(mode), 0];
                let mut graph = ChoicesArgs { x, mode, list, deep }.build(device)?;
                graph.launch()?;
                assert_eq!(graph.x().to_vec()?, expected(mode, deep), "mode {mode}, deep {deep}");
            }
        }
        Ok(())
    });
}

#[test]
fn forms_of_expressions() {
    on_each(|device| {
        let mut graph = FormsArgs { x: device.zeros::<u32>(8)?, a: 5, b: 9 }.build(device)?;
        graph.launch()?;
        // Below zero the element wraps: 4 + 1 = 5, then 5 / 2 = 2, 2 << 1 = 4, 4 | 1 = 5.
        assert_eq!(graph.x().to_vec()?, [9, 9, 25, 4, 4, 5, 81 << 3, u32::MAX - !5 & 0xff ^ 2]);
        Ok(())
    });
}
