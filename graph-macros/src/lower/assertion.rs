//! `assert!`: a condition on the device, and what is said if it does not hold.

use graph_ir::model::{NodeKind, SymbolOrigin};
use proc_macro2::{Ident, TokenStream};
use syn::Expr;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;

use super::evaluation::{DeviceKind, Evaluation};
use super::{Lowering, text};
use crate::syntax::ast::Statement;

impl Lowering<'_> {
    /// `assert!(condition, message);`
    pub(crate) fn assertion(
        &mut self,
        statement: &Statement,
        word: &Ident,
        condition: &Expr,
        message: Option<&TokenStream>,
    ) {
        let node = self.node(statement, word.span(), &text::of(condition), NodeKind::Copy);
        let test = self.test(node, condition, DeviceKind::Test);
        let message = message.filter(|message| !self.reads_device(message)).map(|message| {
            let symbol = self.new_symbol(text::of(message), word.span(), SymbolOrigin::Evaluated);
            self.evaluate(Evaluation::Text { symbol, format: message.clone() });
            symbol
        });
        self.node_mut(node).kind = NodeKind::Assert { test, message };
    }

    /// Whether a message names what only the device has; says so.
    fn reads_device(&mut self, message: &TokenStream) -> bool {
        let parsed = Punctuated::<Expr, syn::Token![,]>::parse_terminated.parse2(message.clone());
        let help = "name host values only: the message is made when the graph is built";
        parsed.is_ok_and(|arguments| arguments.iter().any(|argument| self.refuse_device_read(argument, help)))
    }
}
