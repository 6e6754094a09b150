//! Which races depend on numbers: host values are given some, and the question is asked with these.
//!
//! A pair of uses that meets for all of the samples is refused here, at once; one that does not meet for some is left to the build, which
//! knows the numbers and trusts nothing of this.

use graph_ir::analysis::meeting::{Interval, Pair, only_in_step};
use syn::{BinOp, Expr, Lit};

use super::Body;
use super::access::Use;
use super::polynomial::Polynomial;
use crate::lower::text;

/// How many samples there are.
const SAMPLES: u64 = 12;

impl Body<'_, '_> {
    /// Whether numbers decide if the two touch one element in different indices.
    pub(super) fn left_to_numbers(&self, a: &Use, b: &Use) -> bool {
        (0..SAMPLES).any(|sample| self.only_in_step(a, b, sample) == Some(true))
    }

    fn only_in_step(&self, a: &Use, b: &Use, sample: u64) -> Option<bool> {
        let value = |polynomial: &Polynomial| {
            polynomial.value(&|host| {
                self.atoms.get(host).map_or_else(|| Some(free(host, sample)), |host| number(host, sample))
            })
        };
        let intervals = self.intervals();
        let interval = |(at, one): (usize, &super::span::Interval)| -> Option<Interval> {
            let (first, end) = (value(&one.start)?, value(&one.end)?);
            // One index alone meets nobody, which says nothing.
            let least = if at < self.axes { 3 } else { 1 };
            (end.checked_sub(first)? >= least).then(|| (first, end - 1))
        };
        let intervals: Vec<Interval> = intervals.iter().enumerate().map(interval).collect::<Option<_>>()?;
        let strides = |index: &Polynomial| -> Option<Vec<i128>> {
            (0..intervals.len()).map(|iteration| value(&index.stride(iteration)?)).collect()
        };
        let pair = |(a, b): (&Option<Polynomial>, &Option<Polynomial>)| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            let (strides, offsets) = ([strides(a)?, strides(b)?], [value(&a.offset())?, value(&b.offset())?]);
            Some(Pair { strides, offsets, modulus: None, length: None })
        };
        let pairs: Vec<Pair> = a.coordinates.iter().zip(&b.coordinates).filter_map(pair).collect();
        if pairs.is_empty() { None } else { only_in_step(&pairs, &intervals, self.axes) }
    }
}

/// A number for a host expression: names have some, arithmetic is done.
fn number(expression: &Expr, sample: u64) -> Option<i128> {
    match text::bare(expression) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(integer) => integer.base10_parse().ok(),
            _ => None,
        },
        Expr::Cast(cast) => number(&cast.expr, sample),
        Expr::Binary(operation) => {
            let (left, right) = (number(&operation.left, sample)?, number(&operation.right, sample)?);
            match operation.op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                BinOp::Rem(_) => left.checked_rem(right),
                _ => Some(free(&text::of_expression(expression), sample)),
            }
        }
        Expr::MethodCall(call) if call.args.len() == 1 => {
            let (left, right) = (number(&call.receiver, sample)?, number(&call.args[0], sample)?);
            match call.method.to_string().as_str() {
                "div_ceil" => left.checked_add(right)?.checked_sub(1)?.checked_div(right),
                "min" => Some(left.min(right)),
                "max" => Some(left.max(right)),
                _ => Some(free(&text::of_expression(expression), sample)),
            }
        }
        _ => Some(free(&text::of_expression(expression), sample)),
    }
}

/// From 0 to 40, another one for each text and sample: what is computed from the text alone is the same each time.
fn free(text: &str, sample: u64) -> i128 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mixed = (hash ^ sample.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    i128::from((mixed >> 32) % 41)
}
