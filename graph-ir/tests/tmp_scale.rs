use graph_ir::analysis::*; use graph_ir::model::*; use graph_ir::optimize::*; use graph_ir::testing::*; use std::time::Instant;
fn run(name: &str, p: Program) {
    let t = Instant::now(); let e = dependences(&p, RegionId::GRAPH); let a = t.elapsed();
    let t = Instant::now(); let r = reduce(&p, RegionId::GRAPH, &e); let b = t.elapsed();
    let t = Instant::now(); let w = width(&p.region(RegionId::GRAPH).nodes, &r); let c = t.elapsed();
    let t = Instant::now(); let f = graph_ir::rules::check(&p); let d = t.elapsed();
    let t = Instant::now(); let x = graph_ir::concrete::concretize(&p, &|_| None).is_ok(); let g = t.elapsed();
    println!("{name}: edges {} reduced {} width {w} findings {} {} | dep {a:?} red {b:?} width {c:?} check {d:?} concretize {g:?} {x}", e.len(), r.len(), f.refuted.len(), f.open.len());
}
#[test] fn scale() {
    let n = 100_000u64;
    let mut b = Builder::new("line"); let x = b.parameter("x", Mode::Update, number(4)); for _ in 0..n { b.kernel("k", &[update(x)]); } run("line", b.finish());
    let mut b = Builder::new("hub"); let x = b.parameter("x", Mode::Update, number(4)); let y = b.parameter("y", Mode::Overwrite, number(4)); b.kernel("f", &[overwrite(y)]); for _ in 0..n { b.kernel("k", &[read(y), update(x)]); } run("hub line", b.finish());
    let mut b = Builder::new("tiles"); let x = b.parameter("x", Mode::Update, number(n)); for i in 0..n { b.kernel("k", &[update(x).range(i, i+1)]); } for i in 0..1000 { b.kernel("k", &[update(x).range(i*100, i*100+101)]);} run("tiles", b.finish());
    let mut b = Builder::new("chains"); let xs: Vec<_> = (0..32).map(|i| b.parameter(&format!("x{i}"), Mode::Update, number(4))).collect(); for i in 0..n { b.kernel("k", &[update(xs[(i%32) as usize]), read(xs[((i*7+1)%32) as usize])]); } run("32 chains crossing", b.finish());
    let mut b = Builder::new("stencil"); let m=1000; let x = b.transient("x", number(m)); let y = b.transient("y", number(m)); b.fill("f", overwrite(x)); b.fill("f", overwrite(y)); for t in 0..100 { for i in 0..m { let (s,d) = if t%2==0 {(x,y)} else {(y,x)}; b.kernel("k", &[read(s).range(i.saturating_sub(1), (i+2).min(m)), overwrite(d).range(i,i+1)]); } } run("stencil 1000x100", b.finish());
    let mut b = Builder::new("many"); let xs: Vec<_> = (0..10_000).map(|i| b.transient(&format!("x{i}"), number(4))).collect(); let c = b.parameter("c", Mode::Read, number(1)); for i in 0..10_000usize { b.fill("f", overwrite(xs[i])); b.when(&[read(c)], |b| b.kernel("k", &[update(xs[i])])); } run("10k ifs", b.finish());
    let mut b = Builder::new("sym"); let k: Vec<_> = (0..2000).map(|i| b.symbol(&format!("k{i}"))).collect(); let x = b.parameter("x", Mode::Overwrite, k[1999]); for i in 1..2000usize { b.kernel("k", &[overwrite(x).between(k[i-1], k[i])]); } run("2000 symbolic ranges", b.finish());
}
