//! The kernels of the pipelines, with their CPU bodies.

use graph_runtime::prelude::*;

/// See `kernels/basic.cu`.
#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    /// `x += by`
    pub fn add_constant(x: &mut [f32; n], by: f32, n: u32) {
        let _ = n;
        for x in x {
            *x += by;
        }
    }

    /// `x *= by`
    pub fn times_constant(x: &mut [f32; n], by: f32, n: u32) {
        let _ = n;
        for x in x {
            *x *= by;
        }
    }

    /// `to = from * by`
    pub fn copy_scaled(from: &[f32; n], mut to: Out<[f32; n]>, by: f32, n: u32) {
        let _ = n;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from * by);
    }

    /// `c = a + b`
    pub fn sum_of_two(a: &[f32; n], b: &[f32; n], mut c: Out<[f32; n]>, n: u32) {
        let _ = n;
        c.iter_mut().zip(a.iter().zip(b)).for_each(|(c, (a, b))| *c = a + b);
    }

    /// Adds to `count` how many elements equal `value`.
    pub fn count_equal(x: &[u32; n], value: u32, count: Atomic<[u32; 1]>, n: u32) {
        let _ = n;
        for _ in x.iter().filter(|x| **x == value) {
            count.fetch_add(0, 1);
        }
    }

    /// `x += 1`
    pub fn increment(x: &mut [u32; n], n: u32) {
        let _ = n;
        for x in x {
            *x += 1;
        }
    }

    /// `x[j][i] = 1000 j + i`
    pub fn index_2d(mut x: Out<[u32; w * h]>, w: u32, h: u32) {
        for j in 0..h {
            for i in 0..w {
                x[(j * w + i) as usize] = 1000 * j + i;
            }
        }
    }

    /// `x[k][j][i] = 10000 k + 100 j + i`
    pub fn index_3d(mut x: Out<[u32; a * b * c]>, a: u32, b: u32, c: u32) {
        for k in 0..c {
            for j in 0..b {
                for i in 0..a {
                    x[((k * b + j) * a + i) as usize] = 10_000 * k + 100 * j + i;
                }
            }
        }
    }

    /// Reverses each block of 64; `n` is a multiple of 64.
    pub fn reverse_block(x: &mut [u32; n], n: u32) {
        let _ = n;
        x.chunks_mut(64).for_each(<[u32]>::reverse);
    }

    /// Writes one value of each type.
    pub fn write_values(
        mut f: Out<[f32; 1]>,
        mut d: Out<[f64; 1]>,
        mut u: Out<[u32; 1]>,
        mut w: Out<[u64; 1]>,
        vf: f32,
        vd: f64,
        vu: u32,
        vw: u64,
    ) {
        (f[0], d[0], u[0], w[0]) = (vf, vd, vu, vw);
    }

    /// One sweep of Jacobi's method on a line.
    pub fn sweep(b: &[f64; n], x: &[f64; n], mut next: Out<[f64; n]>, n: u32) {
        let n = n as usize;
        for i in 0..n {
            let left = if i > 0 { x[i - 1] } else { 0.0 };
            let right = if i + 1 < n { x[i + 1] } else { 0.0 };
            next[i] = 0.5 * (b[i] + left + right);
        }
    }

    /// The largest difference, as the bits of a non-negative number.
    pub fn distance(x: &[f64; n], y: &[f64; n], error: Atomic<[u64; 1]>, n: u32) {
        let _ = n;
        for (x, y) in x.iter().zip(y) {
            error.fetch_max(0, (x - y).abs().to_bits());
        }
    }
}

/// Kernels that are still running when the host goes on. See `kernels/late.cu`.
#[cuda_module("kernels/late.cu")]
pub unsafe mod late {
    /// `x += by`
    pub fn add(x: &mut [u32; n], by: u32, cycles: u64, n: u32) {
        let _ = (cycles, n);
        for x in x {
            *x = x.wrapping_add(by);
        }
    }

    /// `x *= by`
    pub fn times(x: &mut [u32; n], by: u32, cycles: u64, n: u32) {
        let _ = (cycles, n);
        for x in x {
            *x = x.wrapping_mul(by);
        }
    }

    /// `to = from + by`
    pub fn shift(from: &[u32; n], mut to: Out<[u32; n]>, by: u32, cycles: u64, n: u32) {
        let _ = (cycles, n);
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from.wrapping_add(by));
    }
}

/// Kernels on boxes. See `kernels/boxes.cu`.
#[cuda_module("kernels/boxes.cu")]
pub unsafe mod boxes {
    /// `out[row] = sum of table[index[row][..]]`, 64 wide; indices behind the table count as zeros.
    pub fn bag(
        table: &[f32; (rows, 64)],
        index: &[u32; (n, per)],
        mut out: Out<[f32; (n, 64).pitch(pitch)]>,
        rows: u32,
        n: u32,
        per: u32,
        pitch: u32,
    ) {
        let _ = (n, per, pitch);
        for (to, bag) in out.rows_mut().zip(index.rows()) {
            to.fill(0.0);
            for &at in bag.iter().filter(|at| **at < rows) {
                (0..64).for_each(|column| to[column] += table[(at as usize, column)]);
            }
        }
    }

    /// `c += a * b`
    pub fn tile_product(
        a: &[f32; (size, size).pitch(pitch)],
        b: &[f32; (size, size).pitch(pitch)],
        c: &mut [f32; (size, size).pitch(pitch)],
        size: u32,
        pitch: u32,
    ) {
        let _ = pitch;
        let size = size as usize;
        for i in 0..size {
            for j in 0..size {
                c[(i, j)] = (0..size).fold(c[(i, j)], |sum, k| sum + a[(i, k)] * b[(k, j)]);
            }
        }
    }

    /// `x += by`
    pub fn add_to_box(
        x: &mut [i32; (d, h, w).pitch(slice, pitch)],
        by: i32,
        d: u32,
        h: u32,
        w: u32,
        slice: u32,
        pitch: u32,
    ) {
        let _ = (w, slice, pitch);
        for z in 0..d as usize {
            for y in 0..h as usize {
                for x_index in 0..w as usize {
                    x[(z, y, x_index)] += by;
                }
            }
        }
    }

    /// `sums[row] = sum of x[row]`
    pub fn row_sums(x: &[f32; (h, w)], mut sums: Out<[f32; h]>, h: u32, w: u32) {
        let _ = (h, w);
        sums.iter_mut().zip(x.rows()).for_each(|(sum, row)| *sum = row.iter().sum());
    }
}

/// See `kernels/tables.cu`: kernels that take whole lists.
#[cuda_module("kernels/tables.cu")]
pub unsafe mod tables {
    /// `to[j] += by * from[j]`, as far as both go; `grid.y` buffers at most.
    pub fn add_all(from: &List<[f32]>, to: &mut List<[f32]>, by: f32) {
        for (to, from) in to.iter_mut().zip(from) {
            to.iter_mut().zip(*from).for_each(|(to, from)| *to += by * from);
        }
    }

    /// The same for lists that match.
    #[name = "add_all"]
    #[requires(from.len() == to.len())]
    #[requires(from.iter().zip(to.iter()).all(|(from, to)| from.len() == to.len()))]
    pub fn add_matching(from: &List<[f32]>, to: &mut List<[f32]>, by: f32) {
        for (to, from) in to.iter_mut().zip(from) {
            to.iter_mut().zip(*from).for_each(|(to, from)| *to += by * from);
        }
    }

    /// `to[j][i] = 100 j + i`
    pub fn number_all(to: Out<List<[u32]>>) {
        for (j, to) in to.iter_mut().enumerate() {
            for (i, to) in to.iter_mut().enumerate() {
                *to = 100 * j as u32 + i as u32;
            }
        }
    }

    /// How many elements there are altogether, and how many buffers.
    pub fn count_all(of: &List<[u32]>, mut count: Out<[u32; 2]>) {
        count[0] = of.iter().map(|of| of.len() as u32).sum();
        count[1] = of.len() as u32;
    }
}
