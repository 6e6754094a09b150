//! Indices as polynomials: sums of products of host values and of the names that iterate, with integer factors.
//!
//! Rust's integers wrap, these do not: an index and its polynomial agree wherever the polynomial's value fits the index's type, as
//! every index that is in bounds does.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;

use crate::lower::text;

/// A factor that has no number yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A host expression, by its text: the same text is the same value.
    Host(String),
    /// The name of an axis or of an inner loop, by number.
    Iteration(usize),
}

/// Products of atoms with their factors. No factor is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(BTreeMap<Vec<Atom>, i128>);

/// What the host expressions among the atoms are.
pub(super) type Hosts = BTreeMap<String, Expr>;

/// More terms than any index has: what is longer is not looked at.
const MOST_TERMS: usize = 64;

impl Polynomial {
    pub(super) fn constant(value: i128) -> Self {
        Self::of(Vec::new(), value)
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self::of(vec![atom], 1)
    }

    fn of(atoms: Vec<Atom>, factor: i128) -> Self {
        let mut terms = BTreeMap::new();
        if factor != 0 {
            terms.insert(atoms, factor);
        }
        Self(terms)
    }

    /// The number that it is, if it has no atoms.
    pub(super) fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The host expression that it is, if it is nothing else.
    pub(super) fn as_host(&self) -> Option<&str> {
        match self.0.iter().next() {
            Some((atoms, 1)) if self.0.len() == 1 => match atoms.as_slice() {
                [Atom::Host(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.0.clone();
        for (atoms, factor) in &other.0 {
            let entry = sum.entry(atoms.clone()).or_insert(0);
            *entry = entry.checked_add(*factor)?;
            if *entry == 0 {
                sum.remove(atoms);
            }
        }
        (sum.len() <= MOST_TERMS).then_some(Self(sum))
    }

    pub(super) fn negate(&self) -> Option<Self> {
        let negated = self.0.iter().map(|(atoms, factor)| Some((atoms.clone(), factor.checked_neg()?)));
        negated.collect::<Option<_>>().map(Self)
    }

    pub(super) fn subtract(&self, other: &Self) -> Option<Self> {
        self.add(&other.negate()?)
    }

    pub(super) fn multiply(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut atoms = [left.as_slice(), right.as_slice()].concat();
                atoms.sort();
                product = product.add(&Self::of(atoms, a.checked_mul(*b)?))?;
            }
        }
        Some(product)
    }

    /// The iterations that occur in it.
    pub(super) fn iterations(&self) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for atom in self.0.keys().flatten() {
            if let Atom::Iteration(iteration) = atom {
                found.push(*iteration);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What an iteration is multiplied by, unless it is multiplied by another one.
    pub(super) fn stride(&self, iteration: usize) -> Option<Self> {
        let mut stride = Self::default();
        let is_iteration = |atom: &&Atom| matches!(atom, Atom::Iteration(_));
        for (atoms, factor) in self.0.iter().filter(|(atoms, _)| atoms.contains(&Atom::Iteration(iteration))) {
            if atoms.iter().filter(is_iteration).count() > 1 {
                return None;
            }
            let rest = atoms.iter().filter(|atom| **atom != Atom::Iteration(iteration)).cloned().collect();
            stride = stride.add(&Self::of(rest, *factor))?;
        }
        Some(stride)
    }

    /// The terms without iterations.
    pub(super) fn offset(&self) -> Self {
        let host = |atoms: &[Atom]| atoms.iter().all(|atom| matches!(atom, Atom::Host(_)));
        Self(self.0.iter().filter(|(atoms, _)| host(atoms)).map(|(atoms, factor)| (atoms.clone(), *factor)).collect())
    }

    /// Its value, if it has no iterations and the host expressions have these.
    pub(super) fn value(&self, host: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
        self.0.iter().try_fold(0_i128, |sum, (atoms, factor)| {
            let product = atoms.iter().try_fold(*factor, |product, atom| match atom {
                Atom::Host(text) => product.checked_mul(host(text)?),
                Atom::Iteration(_) => None,
            });
            sum.checked_add(product?)
        })
    }

    /// Whether it is a number that is not negative.
    pub(super) fn surely_not_negative(&self) -> bool {
        self.as_constant().is_some_and(|value| value >= 0)
    }

    /// As a person would write it: `n * w - 1`.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut terms: Vec<_> = self.0.iter().collect();
        // The longest first, numbers last.
        terms.sort_by_key(|(atoms, factor)| (std::cmp::Reverse(atoms.len()), **factor < 0));
        for (atoms, factor) in terms {
            let sign = if *factor < 0 { "-" } else { "+" };
            match (text.is_empty(), sign) {
                (true, "+") => {}
                (true, _) => text.push('-'),
                (false, _) => text.extend([" ", sign, " "]),
            }
            text.push_str(&term(atoms, factor.unsigned_abs()));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// Its value as Rust, computed in `i128`. It has no iterations.
    pub(super) fn tokens(&self, hosts: &Hosts) -> TokenStream {
        let terms = self.0.iter().map(|(atoms, factor)| {
            let number = (*factor != 1 || atoms.is_empty()).then(|| Literal::i128_suffixed(*factor).to_token_stream());
            let factors = atoms.iter().filter_map(|atom| match atom {
                Atom::Host(text) => hosts.get(text).map(|host| quote!(((#host) as i128))),
                Atom::Iteration(_) => None,
            });
            number.into_iter().chain(factors).reduce(|left, right| quote!(#left * #right))
        });
        if self.0.is_empty() { quote!(0i128) } else { quote!(#(#terms)+*) }
    }
}

fn term(atoms: &[Atom], factor: u128) -> String {
    let mut factors: Vec<String> = Vec::new();
    if factor != 1 || atoms.is_empty() {
        factors.push(factor.to_string());
    }
    factors.extend(atoms.iter().filter_map(|atom| match atom {
        Atom::Host(text) if text.contains(' ') && !text.ends_with(')') => Some(format!("({text})")),
        Atom::Host(text) => Some(text.clone()),
        Atom::Iteration(_) => None,
    }));
    factors.join(" * ")
}

/// A host expression as a polynomial: sums, differences and products are taken apart, anything else is an atom.
pub(super) fn of_host(expression: &Expr, hosts: &mut Hosts) -> Option<Polynomial> {
    of(expression, &mut |leaf| {
        let key = text::of_expression(leaf);
        hosts.entry(key.clone()).or_insert_with(|| leaf.clone());
        Some(Polynomial::atom(Atom::Host(key)))
    })
}

/// An expression as a polynomial of what `leaf` makes of its parts.
pub(super) fn of(expression: &Expr, leaf: &mut dyn FnMut(&Expr) -> Option<Polynomial>) -> Option<Polynomial> {
    match expression {
        Expr::Paren(inner) => of(&inner.expr, leaf),
        Expr::Group(inner) => of(&inner.expr, leaf),
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. }) => {
            literal.base10_parse().ok().map(Polynomial::constant)
        }
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => of(expr, leaf)?.negate(),
        Expr::Binary(operation) => {
            let combine = match operation.op {
                syn::BinOp::Add(_) => Polynomial::add,
                syn::BinOp::Sub(_) => Polynomial::subtract,
                syn::BinOp::Mul(_) => Polynomial::multiply,
                _ => return leaf(expression),
            };
            combine(&of(&operation.left, leaf)?, &of(&operation.right, leaf)?)
        }
        _ => leaf(expression),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(source: &str) -> Polynomial {
        of_host(&syn::parse_str(source).unwrap(), &mut Hosts::new()).unwrap()
    }

    #[test]
    fn equal_sums_are_equal() {
        assert_eq!(host("n - 1 + 1"), host("n"));
        assert_eq!(host("(b - 1) * w + (w - 1) + 1"), host("w * b"));
        assert_eq!(host("2 * (n + 3) - n - n").as_constant(), Some(6));
        assert_ne!(host("n / 2 * 2"), host("n"));
        assert_eq!(host("f(n) - f(n)").as_constant(), Some(0));
    }

    #[test]
    fn text_is_readable() {
        for (source, text) in [
            ("1 + n", "n + 1"),
            ("-1 + n * 2", "2 * n - 1"),
            ("0 * n", "0"),
            ("n / 2 * 2", "2 * (n / 2)"),
            ("-n", "-n"),
        ] {
            assert_eq!(host(source).text(), text);
        }
    }

    #[test]
    fn strides_and_offsets() {
        let iteration = |index| Polynomial::atom(Atom::Iteration(index));
        let index = iteration(0).multiply(&host("w")).unwrap().add(&iteration(1)).unwrap().add(&host("n - 2")).unwrap();
        assert_eq!(index.stride(0), Some(host("w")));
        assert_eq!(index.stride(1), Some(host("1")));
        assert_eq!(index.stride(2), Some(host("0")));
        assert_eq!(index.offset(), host("n - 2"));
        assert_eq!(index.iterations(), [0, 1]);
        let product = iteration(0).multiply(&iteration(1)).unwrap();
        assert_eq!(product.stride(0), None);
    }
}
