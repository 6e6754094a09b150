//! `let (a, mut b) = (e, f);`: as many names as values.

use graph_ir::model::Statement;
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, Local, Pat, PatIdent};

use super::{Body, Name};
use crate::lower::text;

impl Body<'_, '_> {
    /// None if the pattern is another one, or the values do not stand there one by one.
    pub(super) fn let_tuple(&mut self, local: &Local) -> Option<TokenStream> {
        let (Pat::Tuple(pattern), init) = (&local.pat, local.init.as_ref()?) else { return None };
        let Expr::Tuple(values) = text::bare(&init.expr) else { return None };
        let names: Vec<&PatIdent> = pattern.elems.iter().map(plain_name).collect::<Option<_>>()?;
        if names.len() != values.elems.len() || init.diverge.is_some() {
            return None;
        }
        // All values are there before the first name is.
        let made = names.iter().zip(&values.elems).map(|(name, value)| {
            let made = self.value(value);
            let fixed = name.mutability.is_none().then_some(value);
            (made, fixed.and_then(|value| self.value_polynomial(value)))
        });
        let made: Vec<_> = made.collect();
        let mut rust = Vec::new();
        for (name, (value, polynomial)) in names.into_iter().zip(made) {
            let local = self.declare(&name.ident, None, |local| Name { local, polynomial });
            self.push(Statement::Let { local, value: Some(value.data) });
            rust.push(value.rust);
        }
        Some(quote!(let #pattern = (#(#rust,)*);))
    }

    /// Declares the names of a pattern that is refused, so that their uses are not.
    pub(super) fn salvage(&mut self, pattern: &Pat) {
        struct Names<'ast>(Vec<&'ast PatIdent>);
        impl<'ast> Visit<'ast> for Names<'ast> {
            fn visit_pat_ident(&mut self, name: &'ast PatIdent) {
                self.0.push(name);
                visit::visit_pat_ident(self, name);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        for name in names.0 {
            self.declare(&name.ident, None, |local| Name { local, polynomial: None });
        }
    }
}

/// A pattern that is one name.
pub(super) fn plain_name(pattern: &Pat) -> Option<&PatIdent> {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(name),
        _ => None,
    }
}
