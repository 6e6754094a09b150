//! Random bodies: every one has types, and an assembler takes them all.

use std::fmt::Write;

use graph_ir::testing::bodies::{Case, bytes};

use super::Types;
use super::assembled::{assemble, assembler};
use crate::scalar::compute::Buffers;
use crate::scalar::ptx::{Entry, Module};

/// More of them with `CUDA_GRAPH_BODIES=1000`.
const BODIES: u64 = 60;

fn entry(module: &mut Module, case: &Case) -> Entry {
    let first = |buffer: usize| case.accesses.iter().position(|access| access.buffer == buffer).unwrap() as u32;
    let buffers = Buffers {
        first: case.accesses.iter().map(|access| first(access.buffer)).collect(),
        ranks: case.accesses.iter().map(|access| case.buffers[access.buffer].shape.len() as u8).collect(),
        narrow: case.axes.len() != 2,
        ..Buffers::default()
    };
    let axes: Vec<_> = case.axes.iter().map(|axis| axis.scalar).collect();
    let types = Types {
        element: &|access| case.accesses.get(access as usize).map(|access| case.buffers[access.buffer].scalar),
        host: &|symbol| case.hosts.get(symbol.0 as usize).map(|host| host.scalar()),
        mailbox: &|_| false,
    };
    let found = module.compute(&case.compute, &axes, &types, buffers);
    found.unwrap_or_else(|error| panic!("{error}\n{}", case.text("Body")))
}

#[test]
fn random_bodies_assemble() {
    let count = std::env::var("CUDA_GRAPH_BODIES").ok().and_then(|count| count.parse().ok()).unwrap_or(BODIES);
    let (mut vectors, mut checked, mut axes) = (0, 0, [0; 4]);
    for first in (0..count).step_by(20) {
        let mut module = Module::new();
        let mut texts = String::new();
        for seed in first..first + 20 {
            let case = Case::new(&bytes(seed, 800));
            let entry = entry(&mut module, &case);
            vectors += u32::from(entry.lanes > 1);
            checked += u32::from(!entry.sites.is_empty());
            axes[case.axes.len()] += 1;
            writeln!(texts, "// {} of seed {seed}\n{}", entry.name, case.text("Body")).unwrap();
        }
        let text = module.finish();
        if assembler().is_some() {
            let assembled = std::panic::catch_unwind(|| assemble(&text));
            assert!(assembled.is_ok(), "{texts}");
        }
    }
    assert!(vectors > 1 && checked > 10 && axes[1..].iter().all(|count| *count > 5), "{vectors} {checked} {axes:?}");
}
