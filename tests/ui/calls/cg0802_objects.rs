// Objects, each used otherwise than its parameter allows.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Objects(h: &mut host [f32; 4], log: &Vec<u32>, comm: &mut Vec<u32>, e: &Event) {
        host(&h, |h| comm.push(h.len() as u32));
        host(&h, &comm, |h, comm| comm.len());
        host(&h, &mut log, |h, log| log.push(1));
        host(&mut comm, &mut comm, |a, b| a.append(b));
        host(&h, |h| e.synchronize());
        record(&log);
        wait(&ee);
        let k = comm.len();
    }
}

fn main() {}
