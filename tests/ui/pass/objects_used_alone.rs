// CG0802: an object that is used alone is given to one closure after another; a shared one is named anywhere.
use graph_runtime::prelude::*;
use std::sync::Arc;

pub struct Sizes {
    bytes: usize,
}

impl Sizes {
    fn words(&self) -> usize {
        self.bytes / 4
    }
}

cuda_graph! {
    graph Used(x: &mut host [u32; 2], stack: &mut Vec<u32>, sizes: &Sizes, first: u32) {
        let scratch: host [u8; sizes.bytes];
        fill(&out scratch, sizes.bytes as u8);
        host(&mut stack, |stack| stack.push(first));
        host(&scratch, &mut stack, |scratch, stack| stack.push(u32::from(scratch[0])));
        for _ in 0..sizes.words() { host(&mut stack, |list| { list.push(1); }); }
        host(&mut x, &mut stack, |x, stack| { x[0] = stack.iter().sum(); x[1] = stack.len() as u32; stack.clear(); });
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.pinned_zeros::<u32>(2)?;
    let arguments = UsedArgs { x, stack: Vec::new(), sizes: Arc::new(Sizes { bytes: 12 }), first: 5 };
    let mut graph = arguments.build(&device)?;
    for _ in 0..2 {
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [5 + 12 + 3, 5]);
    }
    Ok(())
}
