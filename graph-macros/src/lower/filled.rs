//! `let t: [[T; n]; m] = value;`: a fill for each buffer of the list, as passes of the host's.

use graph_ir::model::{Mode, NodeKind, RegionId, RegionKind};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, parse_quote};

use super::Lowering;
use super::evaluation::Evaluation;
use super::launch::check_buffer;
use crate::syntax::ast::{self, BufferArgument, Projection, Statement, StatementKind};

impl Lowering<'_> {
    pub(super) fn fill_list(&mut self, statement: &Statement, name: &Ident, value: &Expr) {
        let span = name.span();
        let node = self.node(statement, span, "fill", NodeKind::Copy);
        let index = format_ident!("__index", span = Span::mixed_site());
        let place = self.place(span);
        self.symbols.enter_branch();
        self.scopes.enter();
        self.declare_host(&index);
        let mut body = RegionId::GRAPH;
        let steps = self.block(|this| {
            body = this.begin_region(RegionKind::Pass, Some(node), place);
            this.fill_one(name, &index, value);
            this.end_region();
        });
        self.scopes.leave("for");
        self.symbols.leave_branch();
        let (pattern, iterable) = (parse_quote!(#index), parse_quote!(0..#name.len()));
        self.evaluate(Evaluation::For { node, pattern, iterable, guard: None, steps });
        self.node_mut(node).kind = NodeKind::For { body, swapped: Vec::new() };
    }

    fn fill_one(&mut self, name: &Ident, index: &Ident, value: &Expr) {
        let mode = ast::Mode { kind: Mode::Overwrite, ampersand: name.span(), word: None };
        let path = vec![Projection::Index(parse_quote!(#index), name.span())];
        let target = BufferArgument { mode, name: name.clone(), path, range: None };
        let Some((access, local)) = self.access(&target) else { return };
        let unlabelled =
            Statement { attributes: Vec::new(), label: None, kind: StatementKind::Error, after: Vec::new() };
        let label = format!("fill {name}");
        self.fill_node(&unlabelled, (name, &label), (name, check_buffer(&target, local)), access, value);
    }
}
