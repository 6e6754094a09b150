//! Which kernels in the block one kernel can replace.
//!
//! Two have the same axes, and an index of the second touches nothing that another index of the first writes, or writes nothing that
//! another index of the first touches: all elements that both name, and one of them writes, are those of the index itself (`x[i]`).

use std::collections::BTreeMap;

use crate::model::{BufferId, Compute, Expression, Index, NodeId, NodeKind, Program, Statement, View};

/// What kernels share at most: each access is an address in a register.
const LARGEST: usize = 24;

/// Which dimension of an element's index each axis is: `[0]` for `x[i]`, `[1, 0]` for `v[(j, i)]`; and what is counted from. `None` for
/// any other index.
pub(in crate::optimize) type Own = Option<(Vec<usize>, Option<View>)>;

/// Whether `node` can do its work behind that of `earlier`, index by index.
pub(super) fn fits(program: &Program, earlier: &[NodeId], node: NodeId) -> bool {
    let accesses = earlier.iter().chain([&node]).map(|node| program.node(*node).accesses.len());
    let kernels: Option<Vec<&Compute>> = earlier.iter().chain([&node]).map(|node| kernel(program, *node)).collect();
    let Some(kernels) = kernels else { return false };
    let open = kernels.iter().rev().skip(1).all(|kernel| kernel.reduction.is_none());
    open && accesses.sum::<usize>() <= LARGEST && earlier.iter().all(|one| apart(program, *one, node))
}

pub(in crate::optimize) fn kernel(program: &Program, node: NodeId) -> Option<&Compute> {
    match &program.node(node).kind {
        NodeKind::Compute(compute) => Some(compute),
        _ => None,
    }
}

/// Whether the device computes an index of an element of a buffer.
pub(super) fn indexes(program: &Program, node: NodeId, buffer: BufferId) -> bool {
    let (mut found, accesses) = (false, &program.node(node).accesses);
    if let Some(compute) = kernel(program, node) {
        visit(compute, &mut |access, _| found |= accesses.get(access as usize).is_some_and(|one| one.buffer == buffer));
    }
    found
}

fn apart(program: &Program, earlier: NodeId, later: NodeId) -> bool {
    let [before, behind] = [earlier, later].map(|node| indices(program, node));
    let conflict = |(buffer, (own, writes)): (&BufferId, &(Own, bool))| match behind.get(buffer) {
        Some((other, also)) if *writes || *also => own.is_none() || own != other,
        _ => false,
    };
    !before.iter().any(conflict)
}

/// For each buffer, the index at which all of a kernel's uses of it are, and whether it writes it.
pub(in crate::optimize) fn indices(program: &Program, node: NodeId) -> BTreeMap<BufferId, (Own, bool)> {
    let mut indices: BTreeMap<BufferId, (Own, bool)> = BTreeMap::new();
    let Some(compute) = kernel(program, node) else { return indices };
    let accesses = &program.node(node).accesses;
    let mut seen = vec![false; accesses.len()];
    visit(compute, &mut |access, index| {
        let Some(known) = accesses.get(access as usize) else { return };
        seen[access as usize] = true;
        let own = own(compute, index).map(|dimensions| (dimensions, known.view));
        let entry = indices.entry(known.buffer).or_insert_with(|| (own.clone(), false));
        entry.1 |= known.mode.writes();
        if entry.0 != own {
            entry.0 = None;
        }
    });
    // Single elements, and a reduction's target.
    for (access, _) in accesses.iter().zip(seen).filter(|(_, seen)| !seen) {
        let entry = indices.entry(access.buffer).or_default();
        *entry = (None, entry.1 || access.mode.writes());
    }
    indices
}

fn own(compute: &Compute, index: &Index) -> Option<Vec<usize>> {
    let axis = |coordinate: &Expression| match coordinate {
        Expression::Local(local) => compute.axes.iter().position(|axis| axis.local == *local),
        _ => None,
    };
    let dimensions: Vec<usize> = index.coordinates.iter().map(axis).collect::<Option<_>>()?;
    (0..compute.axes.len()).all(|axis| dimensions.contains(&axis)).then_some(dimensions)
}

/// Calls `note` with every element whose index the device computes.
fn visit(compute: &Compute, note: &mut impl FnMut(u32, &Index)) {
    statements(&compute.body, note);
    if let Some(reduction) = &compute.reduction {
        expression(&reduction.value, note);
    }
}

fn statements(body: &[Statement], note: &mut impl FnMut(u32, &Index)) {
    for statement in body {
        match statement {
            Statement::Let { value, .. } => value.iter().for_each(|value| expression(value, note)),
            Statement::Assign { value, .. } => expression(value, note),
            Statement::Store { access, index, value } => {
                note(*access, index);
                index.coordinates.iter().for_each(|coordinate| expression(coordinate, note));
                expression(value, note);
            }
            Statement::If { condition, then, otherwise } => {
                expression(condition, note);
                statements(then, note);
                statements(otherwise, note);
            }
            Statement::For { start, end, body, .. } => {
                expression(start, note);
                expression(end, note);
                statements(body, note);
            }
            Statement::While { condition, body } => {
                expression(condition, note);
                statements(body, note);
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }
}

fn expression(expression: &Expression, note: &mut impl FnMut(u32, &Index)) {
    expression.walk(&mut |part| {
        if let Expression::Load { access, index } = part {
            note(*access, index);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axis, BinaryOperator, Combine, Local, Mode, Place, Reduction, RegionId};
    use crate::testing::{Builder, number, overwrite, read};

    fn index(coordinate: Expression) -> Index {
        Index { coordinates: vec![coordinate], proved: true, place: Place(0) }
    }

    fn axis() -> Expression {
        Expression::Local(0)
    }

    fn load(access: u32, coordinate: Expression) -> Expression {
        Expression::Load { access, index: Box::new(index(coordinate)) }
    }

    /// `accesses[0][i] = value;`, or the sum of the values.
    fn compute(value: Expression, sums: bool) -> NodeKind {
        let host = Expression::Boolean(false);
        let axes = vec![Axis { local: 0, start: host.clone(), end: host }];
        let locals = vec![Local { name: "i".to_owned(), scalar: None }];
        let store = Statement::Store { access: 0, index: index(axis()), value: value.clone() };
        let reduction = Reduction { operator: Combine::Sum, value, accumulate: false };
        let (body, reduction) = if sums { (Vec::new(), Some(reduction)) } else { (vec![store], None) };
        NodeKind::Compute(Compute { axes, locals, body, reduction }.into())
    }

    /// Whether `y[i] = x[i]` and then `z = value`, with accesses of z, y, x, fit into one.
    fn second_fits(value: Expression, sums: bool) -> bool {
        let mut block = Builder::new("g");
        let [x, y, z] = ["x", "y", "z"].map(|name| block.parameter(name, Mode::Update, number(4)));
        let first = block.node("first", compute(load(1, axis()), false), &[overwrite(y), read(x)]);
        let second = block.node("second", compute(value, sums), &[overwrite(z), read(y), read(x)]);
        let program = block.finish();
        assert_eq!(program.node(second).region, RegionId::GRAPH);
        fits(&program, &[first], second)
    }

    #[test]
    fn what_each_index_wrote_itself_it_may_read() {
        assert!(second_fits(load(1, axis()), false));
        assert!(second_fits(load(1, axis()), true), "a sum");
        let gathered = Box::new(load(2, Expression::Element(2)));
        let sum =
            Expression::Binary { operator: BinaryOperator::Add, left: Box::new(load(1, axis())), right: gathered };
        assert!(second_fits(sum, false), "what nobody writes, anywhere");
    }

    #[test]
    fn what_another_index_wrote_it_may_not() {
        assert!(!second_fits(load(1, load(2, axis())), false), "gathered");
        assert!(!second_fits(Expression::Element(1), false), "one element");
    }
}
