//! Whole programs: one without a fault, one that uses much that is not yet supported.

use super::{all_said, block, dump};

pub(super) const CG: &str = r"
/// Solves `A x = b` for a symmetric positive definite CSR matrix, until the squared residual is at most `tolerance`.
pub graph Cg(value: &[f32; nz], column: &[u32; nz], row: &[u32; n + 1], b: &[f32; n], x: &mut [f32; n], tolerance: f32) {
    let r: [f32; n];  let p: [f32; n];  let q: [f32; n];
    let rr: [f32; 1];  let new: [f32; 1];  let pq: [f32; 1];

    kernel for i in 0..n { x[i] = 0.0;  r[i] = b[i];  p[i] = b[i]; }
    rr[0] = (0..n).map(|i| r[i] * r[i]).sum();
    'solve: while rr[0] > tolerance limit 10_000 {
        kernel for i in 0..n {
            let mut sum = 0.0;
            for k in row[i]..row[i + 1] { sum += value[k] * p[column[k]]; }
            q[i] = sum;
        }
        pq[0] = (0..n).map(|i| p[i] * q[i]).sum();
        kernel for i in 0..n { x[i] += rr[0] / pq[0] * p[i];  r[i] -= rr[0] / pq[0] * q[i]; }
        new[0] = (0..n).map(|i| r[i] * r[i]).sum();
        kernel for i in 0..n { p[i] = r[i] + new[0] / rr[0] * p[i]; }
        rr[0] = new[0];
    }
}";

pub(super) const JACOBI: &str = r"
pub graph Jacobi(b: &[f32; n], x: &mut [f32; n], tolerance: f32) {
    let next:  [f32; n];
    let error: [f32; 1];
    loop limit 10_000 every 2 {
        jacobi::sweep<<<n.div_ceil(256), 256>>>(&b, &x, &out next, n as u32);
        error[0] = 0.0;
        jacobi::distance<<<n.div_ceil(256), 256>>>(&x, &next, &atomic error, n as u32);
        swap(&mut x, &mut next);
        if error[0] <= tolerance { break; }
    }
}";

#[test]
fn jacobi_parses_whole() {
    let (block, diagnostics) = block(JACOBI);
    assert_eq!(all_said(&diagnostics), Vec::<String>::new());
    let graph = &block.graphs[0];
    let parameters: Vec<String> = graph.parameters.iter().map(dump::parameter).collect();
    assert_eq!(parameters, ["b: & [f32; n]", "x: &mut [f32; n]", "tolerance: value f32"]);
    assert_eq!(
        dump::statements(&graph.body),
        [
            "buffer next: [f32; n]",
            "buffer error: [f32; 1]",
            "loop limit 10_000 every 2 {\
             jacobi::sweep<n.div_ceil(256),256>(& b, & x, &out next, nasu32); \
             error[0] = 0.0; \
             jacobi::distance<n.div_ceil(256),256>(& x, & next, &atomic error, nasu32); \
             swap &mut x &mut next} until error[0]<=tolerance",
        ]
    );
    assert!(graph.salvage.is_empty());
}

#[test]
fn conjugate_gradient_parses_whole() {
    let (block, diagnostics) = block(CG);
    assert_eq!(all_said(&diagnostics), Vec::<String>::new());
    let statements = dump::statements(&block.graphs[0].body);
    assert_eq!(statements[6], "kernel for i in 0..n {x [i] = 0.0 ; r [i] = b [i] ; p [i] = b [i] ;}");
    assert_eq!(statements[7], "rr[0] = sum of r [i] * r [i] for i in 0..n");
    assert!(
        statements[8]
            .starts_with("'solve: while rr[0]>tolerance limit 10_000 {kernel for i in 0..n {let mut sum = 0.0 ;")
    );
    assert_eq!(statements.len(), 9);
}

#[test]
fn several_graphs_in_one_block() {
    let third = JACOBI.replace("graph Jacobi", "graph Third");
    let (block, diagnostics) = block(&format!("{JACOBI} graph Other() {{}} {third}"));
    assert_eq!(diagnostics.len(), 0);
    let names: Vec<String> = block.graphs.iter().map(|graph| graph.name.to_string()).collect();
    assert_eq!(names, ["Jacobi", "Other", "Third"]);
}
