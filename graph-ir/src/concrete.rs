//! From the symbolic program to the concrete one: every extent a number, every host `if` decided.
//!
//! The arm of a [`NodeKind::HostIf`] that is taken takes the node's place in its region; orders that named the `if` then name what
//! it was replaced by. Only what is still part of the graph is evaluated, so expressions in an arm that is not taken may have no
//! value. Host values and expressions keep their [`SymbolId`]s.

use std::collections::BTreeMap;

use crate::model::{After, Dimensions, Extent, Node, NodeId, NodeKind, Program, Range, RegionId, Symbol, SymbolId};

/// The value of a host expression, as far as the graph's shape depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolValue {
    /// A number of elements, an index, a number of passes.
    Extent(u64),
    /// A whole grid or block.
    Dimensions([u32; 3]),
    /// A condition.
    Flag(bool),
    /// Anything else: a value that only kernels or device expressions see.
    Other,
}

/// An expression that the graph's shape depends on has no value, or one of another kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` has no value that can be used as {wanted}")]
pub struct Missing {
    /// The expression.
    pub symbol: SymbolId,
    /// As written.
    pub text: String,
    /// What its value is needed as: `a number of elements`.
    pub wanted: &'static str,
}

/// The program with numbers for extents and the taken arm for each host `if`.
///
/// # Errors
/// If an expression that is needed has no value of the right kind.
pub fn concretize(program: &Program, values: &dyn Fn(SymbolId) -> Option<SymbolValue>) -> Result<Program, Missing> {
    let mut concrete =
        Concretizer { program: program.clone(), values, replaced: BTreeMap::new(), moved: BTreeMap::new() };
    concrete.splice_all()?;
    concrete.redirect_afters();
    let mut program = concrete.program;
    let symbols = std::mem::take(&mut program.symbols);
    Evaluator { symbols: &symbols, values }.program(&mut program)?;
    program.symbols = symbols;
    Ok(program)
}

struct Concretizer<'v> {
    program: Program,
    values: &'v dyn Fn(SymbolId) -> Option<SymbolValue>,
    /// What stands in the place of each decided host `if`.
    replaced: BTreeMap<NodeId, Vec<NodeId>>,
    /// Taken arms, with the region that they are part of now.
    moved: BTreeMap<RegionId, RegionId>,
}

impl Concretizer<'_> {
    fn splice_all(&mut self) -> Result<(), Missing> {
        let mut regions = vec![RegionId::GRAPH];
        while let Some(region) = regions.pop() {
            let nodes = self.flatten(region, region)?;
            for node in &nodes {
                self.program.nodes[node.0 as usize].region = region;
                regions.extend(self.program.node(*node).kind.bodies());
            }
            self.program.regions[region.0 as usize].nodes = nodes;
        }
        for buffer in &mut self.program.buffers {
            buffer.region = self.moved.get(&buffer.region).copied().unwrap_or(buffer.region);
        }
        Ok(())
    }

    /// The nodes of `region` with host `if`s replaced, as part of `parent`.
    fn flatten(&mut self, region: RegionId, parent: RegionId) -> Result<Vec<NodeId>, Missing> {
        let mut flat = Vec::new();
        for node in self.program.region(region).nodes.clone() {
            let NodeKind::HostIf { condition, then, otherwise } = self.program.node(node).kind else {
                flat.push(node);
                continue;
            };
            let taken = if self.flag(condition)? { Some(then) } else { otherwise };
            let nodes = match taken {
                Some(arm) => {
                    self.moved.insert(arm, parent);
                    self.flatten(arm, parent)?
                }
                None => Vec::new(),
            };
            flat.extend_from_slice(&nodes);
            self.replaced.insert(node, nodes);
        }
        Ok(flat)
    }

    fn flag(&self, symbol: SymbolId) -> Result<bool, Missing> {
        match (self.values)(symbol) {
            Some(SymbolValue::Flag(flag)) => Ok(flag),
            _ => Err(missing(&self.program.symbols, symbol, "a condition")),
        }
    }

    /// An order on a host `if` is put on what replaced it, and one behind it waits for what replaced it.
    fn redirect_afters(&mut self) {
        for (node, nodes) in &self.replaced {
            let inherited = self.program.node(*node).after.clone();
            for inner in nodes {
                self.program.nodes[inner.0 as usize].after.extend_from_slice(&inherited);
            }
        }
        for index in 0..self.program.nodes.len() {
            let written = std::mem::take(&mut self.program.nodes[index].after);
            let mut redirected = Vec::new();
            for after in written {
                self.redirect(after, &mut Vec::new(), &mut redirected);
            }
            self.program.nodes[index].after = redirected;
        }
    }

    /// An `if` that left nothing behind passes on what it waited for itself.
    fn redirect(&self, after: After, passed: &mut Vec<NodeId>, into: &mut Vec<After>) {
        let push = |into: &mut Vec<After>, target: NodeId| {
            if !into.iter().any(|known| known.target == target) {
                into.push(After { target, place: after.place });
            }
        };
        match self.replaced.get(&after.target) {
            None => push(into, after.target),
            Some(nodes) if !nodes.is_empty() => nodes.iter().for_each(|node| push(into, *node)),
            Some(_) if passed.contains(&after.target) => {}
            Some(_) => {
                passed.push(after.target);
                for inherited in &self.program.node(after.target).after {
                    self.redirect(After { target: inherited.target, place: after.place }, passed, into);
                }
            }
        }
    }
}

fn missing(symbols: &[Symbol], symbol: SymbolId, wanted: &'static str) -> Missing {
    Missing { symbol, text: symbols[symbol.0 as usize].text.clone(), wanted }
}

/// Puts numbers in the place of expressions.
struct Evaluator<'v> {
    symbols: &'v [Symbol],
    values: &'v dyn Fn(SymbolId) -> Option<SymbolValue>,
}

impl Evaluator<'_> {
    /// Of what is part of the graph.
    fn program(&self, program: &mut Program) -> Result<(), Missing> {
        let mut is_live = vec![false; program.regions.len()];
        for region in program.live_regions() {
            is_live[region.0 as usize] = true;
        }
        for buffer in &mut program.buffers {
            if is_live[buffer.region.0 as usize] {
                for size in buffer.shape.sizes_mut() {
                    *size = self.extent(*size)?;
                }
            }
        }
        let live = program.regions.iter().zip(is_live).filter(|(_, is_live)| *is_live);
        for node in live.flat_map(|(region, _)| &region.nodes) {
            self.node(&mut program.nodes[node.0 as usize])?;
        }
        Ok(())
    }

    fn node(&self, node: &mut Node) -> Result<(), Missing> {
        for access in &mut node.accesses {
            for range in access.footprint.ranges_mut() {
                *range = Range { start: self.extent(range.start)?, end: self.extent(range.end)? };
            }
        }
        match &mut node.kind {
            NodeKind::Kernel(launch) => {
                self.dimensions(&mut launch.grid)?;
                self.dimensions(&mut launch.block)?;
                launch.shared = launch.shared.map(|bytes| self.extent(bytes)).transpose()?;
            }
            NodeKind::Loop(head) => head.limit = head.limit.map(|limit| self.extent(limit)).transpose()?,
            _ => {}
        }
        Ok(())
    }

    fn dimensions(&self, dimensions: &mut Dimensions) -> Result<(), Missing> {
        if let Some(symbol) = dimensions.symbol {
            dimensions.sizes = match (self.values)(symbol) {
                Some(SymbolValue::Dimensions(sizes)) => sizes.map(|size| Extent::Known(u64::from(size))),
                _ => return Err(missing(self.symbols, symbol, "the size of a grid or block")),
            };
            dimensions.symbol = None;
        }
        for size in &mut dimensions.sizes {
            *size = self.extent(*size)?;
        }
        Ok(())
    }

    fn extent(&self, extent: Extent) -> Result<Extent, Missing> {
        let Extent::Symbol(symbol) = extent else { return Ok(extent) };
        match (self.values)(symbol) {
            Some(SymbolValue::Extent(value)) => Ok(Extent::Known(value)),
            _ => Err(missing(self.symbols, symbol, "a number of elements")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, overwrite, read};

    fn decide(program: &Program, flag: bool) -> Program {
        let value = |symbol: SymbolId| {
            let text = &program.symbol(symbol).text;
            Some(if text == "n" { SymbolValue::Extent(7) } else { SymbolValue::Flag(flag) })
        };
        concretize(program, &value).unwrap()
    }

    #[test]
    fn the_taken_arm_stands_in_place_of_the_if_and_extents_are_numbers() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let y = block.parameter("y", Mode::Overwrite, n);
        let first = block.kernel("first", &[overwrite(y)]);
        let choice = block.host_if("wide", |block| block.kernel("inner", &[read(y)]), |_| ());
        let last = block.kernel("last", &[read(y)]);
        block.after(last, choice);
        block.after(choice, first);
        let program = block.finish();

        let taken = decide(&program, true);
        let inner = NodeId(2);
        assert_eq!(taken.region(RegionId::GRAPH).nodes, [first, inner, last]);
        assert_eq!(taken.node(inner).region, RegionId::GRAPH);
        assert_eq!(taken.node(inner).after[0].target, first);
        assert_eq!(taken.node(last).after[0].target, inner);
        assert_eq!(taken.buffer(y).length(), Some(7));
        assert_eq!(taken.node(inner).accesses[0].footprint.outermost().end, Extent::Known(7));

        let untaken = decide(&program, false);
        assert_eq!(untaken.region(RegionId::GRAPH).nodes, [first, last]);
        assert_eq!(untaken.node(last).after[0].target, first, "an empty `if` passes on what it waited for");
    }

    #[test]
    fn an_untaken_arm_needs_no_values_but_a_taken_one_does() {
        let mut block = Builder::new("g");
        let arm = |block: &mut Builder| {
            let m = block.symbol("m");
            let t = block.transient("t", m);
            block.kernel("inner", &[overwrite(t)]);
        };
        block.host_if("wide", arm, |_| ());
        let program = block.finish();
        let value = |flag| move |symbol: SymbolId| (symbol.0 == 0).then_some(SymbolValue::Flag(flag));
        assert!(concretize(&program, &value(false)).is_ok());
        let missing = concretize(&program, &value(true)).unwrap_err();
        assert_eq!(missing.text, "m");
    }
}
