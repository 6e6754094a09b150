//! Programs for tests, in a few lines. Not part of the public interface.

pub mod bodies;

use crate::model::{
    Access, After, Arm, Buffer, BufferId, Dimensions, Expression, Extent, Family, Footprint, HostValue, Launch,
    LoopHead, Memory, Mode, Node, NodeId, NodeKind, Origin, Pattern, Place, Program, Range, Region, RegionId,
    RegionKind, SectionId, Shape, Spot, Symbol, SymbolId, SymbolOrigin, Test,
};

/// One use of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    buffer: BufferId,
    mode: Mode,
    range: Option<Footprint>,
}

/// `&x`.
pub fn read(buffer: BufferId) -> Use {
    Use { buffer, mode: Mode::Read, range: None }
}

/// `&mut x`.
pub fn update(buffer: BufferId) -> Use {
    Use { buffer, mode: Mode::Update, range: None }
}

/// `&out x`.
pub fn overwrite(buffer: BufferId) -> Use {
    Use { buffer, mode: Mode::Overwrite, range: None }
}

/// `&atomic x`.
pub fn atomic(buffer: BufferId) -> Use {
    Use { buffer, mode: Mode::Atomic, range: None }
}

/// A number.
pub fn number(value: u64) -> Extent {
    Extent::Known(value)
}

impl Use {
    /// With a range of numbers.
    #[must_use]
    pub fn range(self, start: u64, end: u64) -> Self {
        self.between(Extent::Known(start), Extent::Known(end))
    }

    /// With any range.
    #[must_use]
    pub fn between(mut self, start: Extent, end: Extent) -> Self {
        self.range = Some(Footprint::line(start, end));
        self
    }

    /// With a range along each dimension.
    #[must_use]
    pub fn ranges(mut self, ranges: &[Range]) -> Self {
        self.range = Some(Footprint::new(ranges));
        self
    }
}

/// The head of a loop: `while` with a test by default.
#[derive(Clone, Copy, Debug)]
pub struct Head<'u> {
    /// `while` or `loop`.
    pub tests_first: bool,
    /// What the test reads; `None` for a `loop` without `break`.
    pub test: Option<&'u [Use]>,
    /// `limit n`.
    pub limit: Option<Extent>,
    /// `every k`.
    pub every: u32,
    /// `while |c|`.
    pub by_kernel: bool,
}

impl<'u> Head<'u> {
    /// `while` on these.
    pub fn on(test: &'u [Use]) -> Self {
        Self { tests_first: true, test: Some(test), limit: None, every: 1, by_kernel: false }
    }

    /// `loop` with this `break`.
    pub fn forever(test: Option<&'u [Use]>) -> Self {
        Self { tests_first: false, test, limit: None, every: 1, by_kernel: false }
    }

    /// `while |c|`.
    pub fn by_kernel() -> Self {
        Self { tests_first: true, test: None, limit: None, every: 1, by_kernel: true }
    }

    /// With a limit.
    #[must_use]
    pub fn limit(mut self, limit: Extent) -> Self {
        self.limit = Some(limit);
        self
    }

    /// With the test behind every k-th pass.
    #[must_use]
    pub fn every(mut self, every: u32) -> Self {
        self.every = every;
        self
    }
}

/// Writes a program statement by statement; every token gets a line of its own in `test.rs`.
#[derive(Debug)]
pub struct Builder {
    program: Program,
    region: RegionId,
    section: SectionId,
}

impl Builder {
    /// An empty graph.
    pub fn new(name: &str) -> Self {
        let program = Program { name: name.to_owned(), ..Program::default() };
        let mut builder = Self { program, region: RegionId::GRAPH, section: SectionId::STATEMENTS };
        builder.region_of(RegionKind::Graph, None);
        builder
    }

    /// `#[explicit]` in front of the graph.
    pub fn explicit(&mut self) {
        self.program.begin_sections(true);
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }

    /// The program so far.
    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn place(&mut self) -> Place {
        let line = self.program.locations.len() as u32 + 1;
        self.program.place(Spot { file: "test.rs", line, column: 1 })
    }

    fn region_of(&mut self, kind: RegionKind, owner: Option<NodeId>) -> RegionId {
        let place = self.place();
        self.program.regions.push(Region { kind, owner, nodes: Vec::new(), place });
        RegionId(self.program.regions.len() as u32 - 1)
    }

    /// A host expression; the same text is the same symbol.
    pub fn symbol_id(&mut self, text: &str) -> SymbolId {
        if let Some(known) = self.program.symbols.iter().position(|symbol| symbol.text == text) {
            return SymbolId(known as u32);
        }
        let place = self.place();
        self.program.symbols.push(Symbol { text: text.to_owned(), place, origin: SymbolOrigin::Evaluated });
        SymbolId(self.program.symbols.len() as u32 - 1)
    }

    /// A host expression as an amount.
    pub fn symbol(&mut self, text: &str) -> Extent {
        Extent::Symbol(self.symbol_id(text))
    }

    fn buffer(&mut self, name: &str, origin: Origin, region: RegionId, shape: Shape) -> BufferId {
        let place = self.place();
        let (name, element) = (name.to_owned(), "f32".to_owned());
        self.program.buffers.push(Buffer {
            name,
            element,
            shape,
            memory: Memory::Device,
            origin,
            region,
            place,
            family: Family::Single,
        });
        BufferId(self.program.buffers.len() as u32 - 1)
    }

    /// `x: &[f32; length]` and so on.
    pub fn parameter(&mut self, name: &str, mode: Mode, shape: impl Into<Shape>) -> BufferId {
        self.buffer(name, Origin::Parameter(mode), RegionId::GRAPH, shape.into())
    }

    /// `let t: [f32; length];`
    pub fn transient(&mut self, name: &str, shape: impl Into<Shape>) -> BufferId {
        self.buffer(name, Origin::Transient, self.region, shape.into())
    }

    /// `let w: [[f32; length]; m];`
    pub fn transients(&mut self, name: &str, shape: impl Into<Shape>) -> BufferId {
        let list = self.transient(name, shape);
        self.program.buffers[list.0 as usize].family = Family::List;
        list
    }

    /// `w[i + 1]`; the same text is the same member.
    pub fn member(&mut self, list: BufferId, text: &str, literal: bool) -> BufferId {
        let same = |buffer: &Buffer| buffer.name == text && matches!(buffer.family, Family::Member { .. });
        if let Some(known) = self.program.buffers.iter().position(same) {
            return BufferId(known as u32);
        }
        let symbol = self.symbol_id(text);
        let family = Family::Member { list, symbol, literal };
        let declared = self.program.buffer(list).clone();
        self.program.buffers.push(Buffer { name: text.to_owned(), family, ..declared });
        BufferId(self.program.buffers.len() as u32 - 1)
    }

    fn accesses(&mut self, uses: &[Use]) -> Vec<Access> {
        let access = |used: &Use| {
            let whole = Footprint::whole(self.program.buffer(used.buffer).shape);
            Access {
                buffer: used.buffer,
                mode: used.mode,
                footprint: used.range.unwrap_or(whole),
                ranged: used.range.is_some(),
                place: self.place(),
                view: None,
            }
        };
        uses.iter().map(access).collect()
    }

    /// A node of any kind.
    pub fn node(&mut self, label: &str, kind: NodeKind, uses: &[Use]) -> NodeId {
        let place = self.place();
        let accesses = self.accesses(uses);
        let id = NodeId(self.program.nodes.len() as u32);
        let (label, labelled, region) = (label.to_owned(), true, self.region);
        let node = Node {
            label: label.into(),
            labelled,
            region,
            section: self.section,
            kind,
            accesses,
            after: Vec::new(),
            optional: false,
            effects: false,
            attributes: None,
            place,
        };
        self.program.nodes.push(node);
        self.program.regions[self.region.0 as usize].nodes.push(id);
        id
    }

    /// A kernel with one block of one thread.
    pub fn kernel(&mut self, label: &str, uses: &[Use]) -> NodeId {
        self.launch(label, [1, 1, 1], [1, 1, 1], uses)
    }

    /// A kernel with this geometry.
    pub fn launch(&mut self, label: &str, grid: [u64; 3], block: [u64; 3], uses: &[Use]) -> NodeId {
        let mut dimensions =
            |sizes: [u64; 3]| Dimensions { sizes: sizes.map(Extent::Known), symbol: None, place: self.place() };
        let (grid, block) = (dimensions(grid), dimensions(block));
        let launch = Launch { kernel: 0, grid, block, shared: None, arguments: [].into() };
        self.node(label, NodeKind::Kernel(launch), uses)
    }

    /// `copy(&a, &out b);`
    pub fn copy(&mut self, label: &str, from: Use, to: Use) -> NodeId {
        self.node(label, NodeKind::Copy, &[from, to])
    }

    /// `fill(&out x, 0);`
    pub fn fill(&mut self, label: &str, target: Use) -> NodeId {
        self.node(label, NodeKind::Fill { value: HostValue::Literal("0".to_owned()) }, &[target])
    }

    /// `s[0] = …;`: the first use is the element that is assigned.
    pub fn scalar(&mut self, label: &str, uses: &[Use]) -> NodeId {
        self.node(label, NodeKind::Scalar { value: Expression::Boolean(true) }, uses)
    }

    fn test(&mut self) -> Test {
        Test { value: Expression::Boolean(true), place: self.place() }
    }

    fn body(&mut self, region: RegionId, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.region, region);
        write(self);
        self.region = outer;
    }

    fn kind(&mut self, node: NodeId, kind: NodeKind) {
        self.program.nodes[node.0 as usize].kind = kind;
    }

    /// `if test { then }`.
    pub fn when<R>(&mut self, test: &[Use], then: impl FnOnce(&mut Self) -> R) -> NodeId {
        let node = self.node("if", NodeKind::Copy, test);
        let region = self.region_of(RegionKind::Then, Some(node));
        let test = self.test();
        self.kind(node, NodeKind::If { test, then: region, otherwise: None });
        self.body(region, |block| drop(then(block)));
        node
    }

    /// `if test { then } else { otherwise }`.
    pub fn when_else<R, S>(
        &mut self,
        test: &[Use],
        then: impl FnOnce(&mut Self) -> R,
        otherwise: impl FnOnce(&mut Self) -> S,
    ) -> NodeId {
        let node = self.when(test, then);
        let region = self.region_of(RegionKind::Else, Some(node));
        if let NodeKind::If { otherwise, .. } = &mut self.program.nodes[node.0 as usize].kind {
            *otherwise = Some(region);
        }
        self.body(region, |block| drop(otherwise(block)));
        node
    }

    /// `if flag { then } else { otherwise }`, decided when the graph is built.
    pub fn host_if<R, S>(
        &mut self,
        flag: &str,
        then: impl FnOnce(&mut Self) -> R,
        otherwise: impl FnOnce(&mut Self) -> S,
    ) -> NodeId {
        let condition = self.symbol_id(flag);
        let node = self.node("if", NodeKind::Copy, &[]);
        let first = self.region_of(RegionKind::Then, Some(node));
        let second = self.region_of(RegionKind::Else, Some(node));
        self.kind(node, NodeKind::HostIf { condition, then: first, otherwise: Some(second) });
        self.body(first, |block| drop(then(block)));
        self.body(second, |block| drop(otherwise(block)));
        node
    }

    /// `for` over host values: the body is told its node, and returns what a pass exchanges.
    pub fn each(&mut self, label: &str, write: impl FnOnce(&mut Self, NodeId) -> Vec<(BufferId, BufferId)>) -> NodeId {
        let node = self.node(label, NodeKind::Copy, &[]);
        let body = self.region_of(RegionKind::Pass, Some(node));
        let mut swapped = Vec::new();
        self.body(body, |block| swapped = write(block, node));
        self.kind(node, NodeKind::For { body, swapped });
        node
    }

    /// `match test { … }`: the body is told which arm it writes.
    pub fn choose<R>(
        &mut self,
        test: &[Use],
        arms: &[&[(i128, i128)]],
        otherwise: bool,
        mut body: impl FnMut(&mut Self, usize) -> R,
    ) -> NodeId {
        let node = self.node("match", NodeKind::Copy, test);
        let mut built = Vec::new();
        for patterns in arms {
            let region = self.region_of(RegionKind::Arm, Some(node));
            let patterns = patterns.iter().map(|&(first, last)| Pattern { first, last }).collect();
            built.push(Arm { patterns, body: region, each: None });
        }
        let bodies: Vec<_> = built.iter().map(|arm| arm.body).collect();
        let rest = otherwise.then(|| self.region_of(RegionKind::Arm, Some(node)));
        let test = self.test();
        self.kind(node, NodeKind::Match { test, arms: built, otherwise: rest });
        for (index, region) in bodies.into_iter().chain(rest).enumerate() {
            self.body(region, |block| drop(body(block, index)));
        }
        node
    }

    /// `while` or `loop`.
    pub fn repeat<R>(&mut self, head: Head<'_>, write: impl FnOnce(&mut Self) -> R) -> NodeId {
        let node = self.node(if head.tests_first { "while" } else { "loop" }, NodeKind::Copy, &[]);
        let body = self.region_of(RegionKind::Body, Some(node));
        let place = self.place();
        self.body(body, |block| drop(write(block)));
        let test = head.test.map(|uses| {
            let accesses = self.accesses(uses);
            self.program.nodes[node.0 as usize].accesses = accesses;
            self.test()
        });
        let (tests_first, limit, every) = (head.tests_first, head.limit, head.every);
        self.kind(
            node,
            NodeKind::Loop(LoopHead {
                test,
                tests_first,
                body,
                limit,
                every,
                every_by: None,
                by_kernel: head.by_kernel,
                place,
            }),
        );
        node
    }

    /// `every k`: the statements of each pass, told its number.
    pub fn passes(&mut self, every: u32, mut write: impl FnMut(&mut Self, u32)) {
        let outer = self.section;
        let explicit = self.program.is_explicit(outer);
        let passes = (every > 1 && explicit).then(|| self.program.add_section(outer, false, None));
        for pass in 0..every {
            if let Some(passes) = passes {
                self.section = self.program.add_sections(passes, explicit, None).statements;
            }
            write(self, pass);
        }
        self.section = outer;
    }

    /// `node after target`.
    pub fn after(&mut self, node: NodeId, target: NodeId) {
        let place = self.place();
        self.program.nodes[node.0 as usize].after.push(After { target, place });
    }

    /// Marks a node as having effects.
    pub fn effects(&mut self, node: NodeId) {
        self.program.nodes[node.0 as usize].effects = true;
    }
}
