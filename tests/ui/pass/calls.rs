// Near-misses of the rules about callbacks, captures, objects and events.
use std::sync::Arc;

use graph_runtime::prelude::*;

pub struct Log;

impl Log {
    pub fn line(&self, _: usize) {}
    pub fn size(&self) -> usize {
        4
    }
}

cuda_graph! {
    graph Calls(c: &mut [u32; 1], h: &mut host [f32; 4], log: &Log, comm: &mut Vec<u32>, e: &Event, wide: bool, limit: u32) {
        let t: host [f32; log.size()];
        let twice = limit * 2;
        fill(&out t, 1.0);
        // A host `if` is no body.
        if wide { host(&t, &mut h, |from, to| to.copy_from_slice(from)); record(&e); }
        // Halves of one buffer; names of buffers give their lengths.
        host(&h[..2], &mut h[2..], |low, high| { high.copy_from_slice(low); log.line(h.len() + twice as usize); });
        // A closure's parameter hides an object and a value.
        host(&t, |comm| { let limit = comm.len(); log.line(limit); });
        while c[0] > limit limit 3 { capture(&mut c, |_, c| { let _ = c; }, cpu = |c| c[0] -= 1); }
        record(&e, &c);
        wait(&e);
        host(&mut comm, |comm| comm.push(limit));
        host(&h, |h| -> std::result::Result<(), std::fmt::Error> { if h[0] > 9.0 { return Err(std::fmt::Error); } Ok(()) });
        host(&h, |h| { let _: f32 = h[0].to_string().parse()?; Ok(()) });
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut c, mut h) = (device.buffer_from(&[5_u32])?, device.pinned_zeros::<f32>(4)?);
    let (log, e) = (Arc::new(Log), device.event()?);
    let mut graph = CallsArgs { c: &mut c, h: &mut h, log, comm: Vec::new(), e: &e, wide: true, limit: 3 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.c().to_vec()?, [3]);
    assert_eq!(graph.h().to_vec()?, [1.0; 4]);
    Ok(())
}
