//! `assert!`: a fault if the test does not hold.

use super::super::body::Body;
use super::super::expression::emit;
use super::super::fault;
use crate::scalar::typing::Typed;

pub(super) fn text(test: &Typed) -> String {
    let mut body = Body::default();
    let holds = emit(&mut body, test);
    let end = body.label();
    body.jump_if(holds, end);
    fault::record(&mut body, 0, false, &[]);
    body.mark(end);
    body.finish()
}
