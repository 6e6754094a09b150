// A mailbox is read and written element by element: nothing takes it whole.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Whole(seen: &mut mailbox [f32; n], x: &mut [f32; n], sum: &mut mailbox [f32; 1]) {
        basic::add_constant<<<1, 64>>>(&mut seen, 1.0, n as u32);
        copy(&seen, &out x);
        fill(&out seen, 0.0);
        kernel for i in 0..n { seen[i] = x[i]; }
        sum[0] = (0..n).map(|i| x[i]).sum();
        host(&seen, |seen| println!("{}", seen[0]));
    }
}

fn main() {}
