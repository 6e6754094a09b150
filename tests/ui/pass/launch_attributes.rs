// Clusters that fill their grid, priorities, kernels that overlap.
use graph_runtime::prelude::*;
use tests::kernels::basic;
use tests::pipelines::launches::overlapping;

cuda_graph! {
    graph Attributes(x: &mut [u32; n], blocks: u32) {
        #[cluster(2)]
        #[priority(low)]
        basic::increment<<<4, 64>>>(&mut x, n as u32);
        #[cluster(2, 1, 1)]
        basic::increment<<<blocks, 64>>>(&mut x, n as u32);
        #[overlap]
        #[priority(-3)]
        overlapping::step<<<2, 64>>>(&mut x, n as u32);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<u32>(3)?;
    let mut graph = AttributesArgs { x: &mut x, blocks: 6 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [5; 3]);
    let error = graph.set_blocks(7).unwrap_err().to_string();
    assert!(error.contains("the grid of kernel `increment` is 7 in x, no multiple of its cluster's 2 [CG0213]"), "{error}");
    Ok(())
}
