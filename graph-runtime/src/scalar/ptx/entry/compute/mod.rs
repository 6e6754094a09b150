//! Kernels in the block: `kernel for` and reductions.

mod axes;
mod each;
mod invariant;
mod reduction;
mod tree;
mod vector;

use super::super::body::{Body, Class};
use super::super::parameter::{EACH_THREADS, Parameter};
use crate::compute::reduce::WIDTH;
use crate::scalar::compute::TypedCompute;
use crate::scalar::facts;

/// The lines of a kernel in the block.
pub(super) fn text(compute: &TypedCompute) -> String {
    let mut body = Body::default();
    body.narrow = compute.narrow;
    if compute.reduction.is_some() || !compute.collected.is_empty() {
        tree::declare(&mut body);
    }
    prepare(&mut body, compute);
    match &compute.reduction {
        Some(reduction) => reduction::emit(&mut body, compute, reduction),
        None => each::emit(&mut body, compute),
    }
    body.finish()
}

/// How many neighbouring indices one thread takes at a time.
pub(in super::super) fn lanes(compute: &TypedCompute) -> u32 {
    vector::Vectors::of(compute).map_or(1, |vectors| vectors.lanes())
}

/// The most threads of a block.
pub(in super::super) fn threads(compute: &TypedCompute) -> u32 {
    match compute.reduction {
        Some(_) => WIDTH as u32 / lanes(compute),
        None => EACH_THREADS as u32,
    }
}

/// What it is launched with, without host values.
pub(super) fn parameters(compute: &TypedCompute) -> Vec<Parameter> {
    let axes = 0..compute.axes.len() as u32;
    let mut parameters: Vec<_> = axes.flat_map(|axis| [Parameter::Start(axis), Parameter::Count(axis)]).collect();
    let mut accesses = Vec::new();
    let mut checked = false;
    compute.touches(&mut |touch| {
        accesses.push((touch.access, touch.index.coordinates.len() as u32));
        checked |= touch.index.site.is_some();
    });
    accesses.sort_unstable();
    accesses.dedup();
    for (access, rank) in accesses {
        parameters.push(Parameter::Buffer(access));
        parameters.extend((0..rank).map(|dimension| Parameter::Dimension(access, dimension)));
    }
    parameters.extend(compute.elements().into_iter().map(|(access, _)| Parameter::Access(access)));
    if compute.reduction.is_some() {
        if !parameters.contains(&Parameter::Access(0)) {
            parameters.push(Parameter::Access(0));
        }
        parameters.extend([Parameter::Partials, Parameter::Ticket]);
    }
    let collected = 0..compute.collected.len() as u32;
    parameters.extend(collected.flat_map(|number| [Parameter::Collected(number), Parameter::CollectedBlocks(number)]));
    if checked {
        parameters.extend([Parameter::Fault, Parameter::Site]);
    }
    parameters
}

/// What is the same for every index: addresses, single elements, and what is computed from them.
fn prepare(body: &mut Body, compute: &TypedCompute) {
    let mut accesses = Vec::new();
    compute.touches(&mut |touch| accesses.push(touch.access));
    accesses.sort_unstable();
    accesses.dedup();
    for access in accesses {
        body.buffer(access);
    }
    for (number, collected) in compute.collected.iter().enumerate() {
        tree::collected(body, number, collected);
    }
    for (access, storage) in compute.elements() {
        body.element(access, storage);
    }
    names(body, compute);
    invariant::hoist(body, compute);
}

/// New registers for a body's names, and for elements that need no memory.
fn names(body: &mut Body, compute: &TypedCompute) {
    let registers = compute.locals.iter().map(|scalar| body.register(Class::of(*scalar))).collect();
    body.locals = registers;
    body.kept.clear();
    for (access, storage) in &compute.kept {
        // Several accesses may name one buffer.
        let buffer = compute.buffers[*access as usize];
        let same = |other: &&u32| compute.buffers[**other as usize] == buffer;
        let known = body.kept.keys().find(same).and_then(|other| body.kept.get(other)).copied();
        let register = known.unwrap_or_else(|| body.register(Class::of(facts::value(*storage))));
        body.kept.insert(*access, register);
    }
}
