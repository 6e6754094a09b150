//! What does not depend on the index is computed once.

use super::super::super::body::Body;
use super::super::super::expression::emit;
use crate::scalar::compute::TypedCompute;
use crate::scalar::typing::{Kind, Typed};

/// Computes the largest parts that name elements or host values, and nothing else.
pub(super) fn hoist(body: &mut Body, compute: &TypedCompute) {
    for statement in &compute.body {
        statement.walk(&mut |statement| {
            for expression in statement.expressions() {
                largest(body, expression);
            }
        });
    }
    if let Some(reduction) = &compute.reduction {
        largest(body, &reduction.value);
    }
}

fn largest(body: &mut Body, typed: &Typed) {
    let (mut varies, mut named) = (false, false);
    typed.walk(&mut |part| {
        varies |= matches!(part.kind, Kind::Local(_) | Kind::Load(_));
        named |= matches!(part.kind, Kind::Element(..) | Kind::Mail(..) | Kind::Host(_));
    });
    if varies {
        typed.parts().into_iter().for_each(|part| largest(body, part));
    } else if named && body.invariant(typed).is_none() {
        let value = emit(body, typed);
        body.keep_invariant(typed, value);
    }
}
