//! `as` in host expressions: each is compared with what it converts, so that a lost value is refused when the graph is built.

use proc_macro2::{Ident, Literal, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Expr, ExprCast, ExprLit, ExprMatch, ExprMethodCall, ExprPath, ExprReference, ExprRepeat, GenericArgument,
    Item, Lit, Pat, PatIdent, Token, Type, token,
};

use super::{Lowering, text};

impl Lowering<'_> {
    /// The same expression with a check at each `as`.
    pub(crate) fn checked(&mut self, expression: &Expr) -> Expr {
        let mut expression = expression.clone();
        if has_cast(&expression) {
            Checker { lowering: self }.visit_expr_mut(&mut expression);
        }
        expression
    }
}

fn has_cast(expression: &Expr) -> bool {
    struct Finder(bool);
    impl Visit<'_> for Finder {
        fn visit_expr_cast(&mut self, _: &ExprCast) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(expression);
    finder.0
}

struct Checker<'a, 'd> {
    lowering: &'a mut Lowering<'d>,
}

impl VisitMut for Checker<'_, '_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let written = matches!(expression, Expr::Cast(_)).then(|| text::of_expression(expression));
        visit_mut::visit_expr_mut(self, expression);
        if let (Expr::Cast(cast), Some(written)) = (&mut *expression, written)
            && !matches!(text::bare(&cast.expr), Expr::Lit(_))
        {
            self.lowering.has_casts = true;
            let place = self.lowering.place(text::span(&cast.expr)).0;
            *expression = checked(cast, &written, place);
        }
    }

    /// A length is a constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
}

/// `match operand { __from => __casts.compare(place, "written", __casts.see(&__from), __from as ty) }`, where rustc underlines the
/// conversion as written. Made of nodes: tokens in tokens cost the macro more than all else that is here.
fn checked(cast: &mut ExprCast, written: &str, place: u32) -> Expr {
    let last = cast.ty.to_token_stream().into_iter().last().map_or_else(|| cast.ty.span(), |token| token.span());
    let at = |place: Span| Span::mixed_site().located_at(place);
    let name = |name: &str, span: Span| Ident::new(name, span);
    let from = name("__from", Span::mixed_site());
    let begin = name("__casts", at(text::span(&cast.expr)));
    let operand = std::mem::replace(&mut *cast.expr, path(from.clone()));
    let borrowed = Expr::Reference(ExprReference {
        attrs: Vec::new(),
        and_token: Token![&](Span::mixed_site()),
        mutability: None,
        expr: Box::new(path(from.clone())),
    });
    let see = method(name("__casts", Span::mixed_site()), "see", [borrowed], Span::mixed_site());
    let literal = |literal: Literal| Expr::Lit(ExprLit { attrs: Vec::new(), lit: Lit::Verbatim(literal) });
    let (place, written) = (literal(Literal::u32_suffixed(place)), literal(Literal::string(written)));
    let arguments = [place, written, see, Expr::Cast(cast.clone())];
    let arm = Arm {
        attrs: Vec::new(),
        pat: Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident: from, subpat: None }),
        fat_arrow_token: Token![=>](Span::mixed_site()),
        body: Box::new(method(begin, "compare", arguments, at(last))),
        comma: None,
    };
    Expr::Match(ExprMatch {
        attrs: Vec::new(),
        match_token: Token![match](Span::mixed_site()),
        expr: Box::new(operand),
        brace_token: token::Brace(Span::mixed_site()),
        arms: vec![arm],
    })
}

fn path(name: Ident) -> Expr {
    Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: name.into() })
}

fn method<const N: usize>(receiver: Ident, name: &str, arguments: [Expr; N], parentheses: Span) -> Expr {
    Expr::MethodCall(ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(path(receiver)),
        dot_token: Token![.](Span::mixed_site()),
        method: Ident::new(name, Span::mixed_site()),
        turbofish: None,
        paren_token: token::Paren(parentheses),
        args: arguments.into_iter().collect(),
    })
}
