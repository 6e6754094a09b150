//! Graphs of a library, as another crate names them: `tests/ui/crates` does so wrongly, `tests/ui/pass/graphs_of_another_crate.rs` rightly.

use graph_runtime::prelude::*;

/// A weight and a bias for each element.
#[derive(Buffers)]
pub struct Affine {
    /// The factors.
    pub weight: Buffer<f32>,
    /// What is added.
    pub bias: Buffer<f32>,
}

/// What is told of progress.
#[derive(Debug, Default)]
pub struct Progress(std::sync::Mutex<Vec<f32>>);

impl Progress {
    /// What has been seen so far.
    ///
    /// # Panics
    /// If a callback has.
    pub fn seen(&self) -> Vec<f32> {
        self.0.lock().unwrap().clone()
    }
}

cuda_graph! {
    /// `y = by * x`
    pub graph Scale(x: &[f32; n], y: &out [f32; n], by: f32) {
        kernel for i in 0..n {
            y[i] = by * x[i];
        }
    }

    /// `total += x`
    pub graph Accumulate(x: &[f32; n], total: &mut [f32; n]) {
        kernel for i in 0..n {
            total[i] += x[i];
        }
    }

    /// `a` and `b` exchange their contents.
    pub graph Exchange<T: Element>(a: &mut [T; n], b: &mut [T; n]) {
        let spare: [T; n];
        copy(&a, &out spare);
        copy(&b, &out a);
        copy(&spare, &out b);
    }

    /// `x = weight * x + bias`
    pub graph Apply(layer: &Affine, x: &mut [f32; n]) {
        kernel for i in 0..n {
            x[i] = layer.weight[i] * x[i] + layer.bias[i];
        }
    }

    /// Adds one `times` times, and the upper half of a table of eight.
    pub graph Repeat(x: &mut [f32; n], table: &[f32; 8], times: usize) {
        for _ in 0..times {
            kernel for i in 0..n { x[i] += 1.0; }
        }
        kernel for i in 0..4 { x[i] += table[i + 4]; }
    }

    /// Tells `progress` what the first element is.
    pub graph Tell(x: &[f32; n], progress: &Progress) {
        let seen: host [f32; 1];
        copy(&x[0..1], &out seen);
        host(&seen, &progress, |seen, progress| progress.0.lock().unwrap().push(seen[0]));
    }

    /// As `Tell`, by way of it.
    pub graph TellTwice(x: &[f32; n], progress: &Progress) {
        Tell { x: &x, progress: &progress };
        Tell { x: &x, progress: &progress };
    }

    #[allow(dead_code)]
    graph Private(x: &mut [f32; n]) {
        kernel for i in 0..n { x[i] = 0.0; }
    }
}

/// A graph that doubles `x` into `y`, and goes on with what the caller says.
#[macro_export]
macro_rules! doubling {
    ($name:ident, $x:ident, $y:ident, $($more:tt)*) => {
        ::graph_runtime::cuda_graph! {
            graph $name($x: &[f32; n], $y: &out [f32; n]) {
                kernel for i in 0..n { $y[i] = 2.0 * $x[i]; }
                $($more)*
            }
        }
    };
}
