#![deny(deprecated)]
// CG0106, CG0305, CG0306, CG0408, CG0506: near-misses of each, and attributes that silence them.
use graph_runtime::prelude::*;
use tests::kernels::basic;

/// Names that look alike.
struct Log;

impl Log {
    fn size(&self) -> usize {
        3
    }
}

cuda_graph! {
    graph Inner(a: &[f32; n], b: &mut [f32; n]) {
        kernel for i in 0..n { b[i] += a[i]; }
    }

    graph Used(
        x: &mut [f32; n], like: &[f32; m], z: &out [f32; m], capacity: u32, k: u32 <= capacity, text: String, deep: usize, log: &Log,
        _later: &[f32], #[allow(unused_parameter)] unused: f32,
    ) {
        let t: [f32; log.size()];
        let s: [f32; 4];
        let _u: [f32; 7];
        #[allow(unused_buffer)]
        let v: [f32; s.len()];
        fill(&out z, text.len() as f32);
        fill(&out t, 0.0);
        kernel for i in 0..n { x[i] += 1.0 + t[0] * z[0]; }
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, k);
        assert!(x[0] >= 0.0, "at {deep}");
    }

    graph Orders(x: &mut [f32; n], y: &mut [f32; n], c: &mut [u32; 4], k: usize, flag: bool) {
        'low: kernel for i in 0..k { x[i] += 1.0; }
        'high: kernel for i in k..n { x[i] += 1.0; } after 'low;
        'part: fill(&out y[..k], 0.0);
        'rest: fill(&out y[k..], 0.0) after 'part;
        'inside: Inner { a: &x, b: &mut y } after 'high;
        'host: if flag { basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32); } else {} after 'inside;
        'each: for _ in 0..k { basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32); }
        'behind: basic::times_constant<<<1, 64>>>(&mut x, 2.0, n as u32) after 'each;
        'first: c[0] = 1;
        'second: c[1] = 2 after 'first;
        'odd: kernel for i in 0..n { if i >= k { x[i] = 0.0; } }
        'even: kernel for i in 0..k { x[i] = 1.0; } after 'odd;
        #[allow(redundant_after, reason = "for who reads it")]
        'third: c[2] = c[1] after 'second;
    }

    graph Ends(x: &mut [f32; 1], k: &mut [u32; 1], t: &mut [f64; 1]) {
        while x[0] > 0.5 limit 9 { x[0] *= 0.5; }
        while x[0] > 0.5 && k[0] < 9 { x[0] *= 0.5; k[0] += 1; }
        while (k[0] as f32) < 20.0 { k[0] += 1; }
        loop { x[0] *= 0.5; k[0] += 1; if x[0] < 0.5 || k[0] > 99 { break; } }
        loop limit 3 { x[0] *= 0.5; if x[0] < 0.5 { break; } }
        #[allow(unlimited_loop)]
        while t[0] < 1.0 { t[0] += 0.125; }
    }
}

cuda_graph! {
    graph Waits(x: &mut [f32; n], y: &mut [f32; n], z: &out [f32; n], c: &mut [u32; 1]) {
        let t: [f32; n];
        kernel for i in 0..n { t[i] = x[i]; }
        kernel for i in 0..n { y[i] = t[i]; }
        // Waits for `y` anyway.
        kernel for i in 0..n { t[i] = y[i]; }
        kernel for i in 0..n { x[i] = t[i]; }
        if c[0] > 0 {
            let s: [f32; n];
            kernel for i in 0..n { s[i] = x[i]; }
            kernel for i in 0..n { y[i] = s[i]; }
            // A part of it stays.
            kernel for i in 1..n { s[i] = 0.0; }
            kernel for i in 0..n { z[i] = s[i]; }
        } else {
            copy(&x, &out z);
        }
        #[allow(needless_wait)]
        if c[0] > 1 {
            let s: [f32; n];
            copy(&x, &out s);
            copy(&s, &out y);
            copy(&z, &out s);
            copy(&s, &out x);
        }
    }

    // The build puts these among the nodes around them.
    graph Placed(x: &mut [f32; n], y: &mut [f32; n], z: &mut [f32; n], k: usize, wide: bool) {
        for i in 0..k {
            let t: [f32; n];
            copy(&x, &out t);
            copy(&t, &out y);
            copy(&z, &out t);
            kernel for j in 0..n { x[j] += t[j] + i as f32; }
        }
        if wide {
            let s: [f32; n];
            copy(&x, &out s);
            copy(&s, &out y);
            copy(&z, &out s);
            copy(&s, &out x);
        }
    }
}

macro_rules! twice {
    ($name:ident, $x:ident, $y:ident, $($more:tt)*) => {
        cuda_graph! {
            graph $name($x: &mut [f32; n], $y: &mut [f32; n]) {
                'a: kernel for i in 0..n { $x[i] += 1.0; }
                'b: kernel for i in 0..n { $y[i] += 1.0; } after 'a;
                $($more)*
            }
        }
    };
}

twice!(Plain, x, y,);
twice!(More, x, y, 'c: copy(&y, &out x););

pub fn main() -> Result<()> {
    Ok(())
}
