//! `as` in host expressions: each is compared with what it converts, so that a lost value is refused when the graph is built.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCast, ExprRepeat, GenericArgument, Item, Type};

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
        let written = matches!(expression, Expr::Cast(_)).then(|| text::of(expression));
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

/// What rustc underlines is the conversion as written.
fn checked(cast: &ExprCast, written: &str, place: u32) -> Expr {
    let internal = |name: &str| Ident::new(name, Span::mixed_site());
    let (from, seen, casts) = (internal("__from"), internal("__seen"), internal("__casts"));
    let (operand, ty) = (&cast.expr, &cast.ty);
    let last = ty.to_token_stream().into_iter().last().map_or_else(|| ty.span(), |token| token.span());
    let begin = Ident::new("__casts", Span::mixed_site().located_at(text::span(operand)));
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#place, #written, #seen, #from as #ty));
    arguments.set_span(Span::mixed_site().located_at(last));
    let arguments = TokenTree::Group(arguments);
    Expr::Verbatim(quote! {{
        let #from = #operand;
        let #seen = #casts.see(&#from);
        #begin.compare #arguments
    }})
}
