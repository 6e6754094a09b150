//! `as` in host expressions: each is compared with what it converts, so that a lost value is refused when the graph is built.

use graph_ir::model::Cast;
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

/// In the order in which they are tried.
const NUMBERS: [&str; 14] =
    ["u32", "usize", "f32", "i32", "u64", "i64", "f64", "u8", "i8", "u16", "i16", "isize", "i128", "u128"];

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
            let place = self.lowering.place(text::span(&cast.expr));
            self.lowering.program.casts.push(Cast { place, text: written });
            if let Some(compared) = checked(cast, place.0) {
                *expression = compared;
            }
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

/// `__casts.u32(place, operand) as u32`, where rustc underlines the conversion as written. A type that is not a number's name is looked at
/// once it has converted: `match operand { __from => __casts.compare(place, __casts.see(&__from), __from as ty) }`.
fn checked(cast: &mut ExprCast, place: u32) -> Option<Expr> {
    let begin = Ident::new("__casts", at(text::span(&cast.expr)));
    let place = Expr::Lit(ExprLit { attrs: Vec::new(), lit: Lit::Verbatim(Literal::u32_suffixed(place)) });
    if let Some(target) = number_name(&cast.ty) {
        let operand = std::mem::replace(&mut *cast.expr, Expr::PLACEHOLDER);
        *cast.expr = method(begin, target, [place, operand], Span::mixed_site());
        return None;
    }
    let last = cast.ty.to_token_stream().into_iter().last().map_or_else(|| cast.ty.span(), |token| token.span());
    let from = Ident::new("__from", Span::mixed_site());
    let operand = std::mem::replace(&mut *cast.expr, path(from.clone()));
    let borrowed = Expr::Reference(ExprReference {
        attrs: Vec::new(),
        and_token: Token![&](Span::mixed_site()),
        mutability: None,
        expr: Box::new(path(from.clone())),
    });
    let see = method(Ident::new("__casts", Span::mixed_site()), "see", [borrowed], Span::mixed_site());
    let arm = Arm {
        attrs: Vec::new(),
        pat: Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident: from, subpat: None }),
        fat_arrow_token: Token![=>](Span::mixed_site()),
        body: Box::new(method(begin, "compare", [place, see, Expr::Cast(cast.clone())], at(last))),
        comma: None,
    };
    Some(Expr::Match(ExprMatch {
        attrs: Vec::new(),
        match_token: Token![match](Span::mixed_site()),
        expr: Box::new(operand),
        brace_token: token::Brace(Span::mixed_site()),
        arms: vec![arm],
    }))
}

/// The name of a number's type.
fn number_name(ty: &Type) -> Option<&'static str> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
    NUMBERS.into_iter().find(|known| name == known)
}

fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
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
