// A mailbox holds numbers that host and device read and write as a whole, and is no buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Posting(seen: &mut mailbox [u32; 1]) {
        seen[0] = 1;
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let _small = device.mailbox(&[1_u16])?;
    let mut seen = device.zeros::<u32>(1)?;
    PostingArgs { seen: &mut seen }.build(&device)?.launch()
}
