//! CG0506: a loop that comparisons of floats end has a `limit`.
//!
//! Warned of:
//! ```text
//! while error[0] > tolerance { step<<<1, 256>>>(&mut x, &mut error); }
//! loop { step<<<1, 256>>>(&mut x, &mut error);  if error[0] <= tolerance { break; } }
//! ```
//! Not warned of:
//! ```text
//! while error[0] > tolerance limit 10_000 { step<<<1, 256>>>(&mut x, &mut error); }
//! while error[0] > tolerance && passes[0] < 100 { … }
//! ```
//! What is said is true of each such loop: nothing but the value of a float ends it. That a float gets there is for the user to know, who
//! can say so with `#[allow(unlimited_loop)]`. A comparison of integers or a boolean anywhere that could end the loop too is enough to say
//! nothing.

use super::live_nodes;
use crate::code::Code;
use crate::finding::Finding;
use crate::model::{Access, BinaryOperator as B, Expression, Node, NodeKind, Place, Program, UnaryOperator};

pub(super) fn check(program: &Program, findings: &mut Vec<Finding>) {
    for node in live_nodes(program) {
        if let NodeKind::Loop(head) = &node.kind
            && head.limit.is_none()
            && let Some(test) = &head.test
            && let Some(nan) = goes_on(program, node, &test.value, true)
        {
            findings.push(finding(program, node, test.place, nan));
        }
    }
}

/// What a NaN does where only floats decide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nan {
    /// The loop ends.
    Ends,
    /// It never does.
    GoesOn,
}

/// If only floats decide whether the expression is `value`, so that the loop goes on: what a NaN does. `None` if anything else can end it.
fn goes_on(program: &Program, node: &Node, expression: &Expression, value: bool) -> Option<Nan> {
    match expression {
        Expression::Unary { operator: UnaryOperator::Not, operand } => goes_on(program, node, operand, !value),
        Expression::Binary { operator: B::And | B::Or, left, right } => {
            let both = matches!(expression, Expression::Binary { operator: B::And, .. }) == value;
            let parts = [left, right].map(|part| goes_on(program, node, part, value));
            match parts {
                [Some(left), Some(right)] => Some(if left == right {
                    left
                } else if both {
                    Nan::Ends
                } else {
                    Nan::GoesOn
                }),
                // One of two that must both hold ends the loop alone; of two that may, each lets it go on.
                [Some(nan), None] | [None, Some(nan)] if !both => Some(nan),
                _ => None,
            }
        }
        Expression::Binary { operator: operator @ (B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge), .. } => {
            let holds_for_nan = *operator == B::Ne;
            let goes_on = if holds_for_nan == value { Nan::GoesOn } else { Nan::Ends };
            compares_floats(program, node, expression).then_some(goes_on)
        }
        _ => None,
    }
}

/// Whether a comparison reads floats and nothing else; a counter that is converted to be compared counts all the same.
fn compares_floats(program: &Program, node: &Node, comparison: &Expression) -> bool {
    let (mut floats, mut others) = (false, false);
    comparison.walk(&mut |part| match part {
        Expression::Element(access) | Expression::Load { access, .. } => {
            let float = node.accesses.get(*access as usize).is_some_and(|access| is_float(program, access));
            floats |= float;
            others |= !float;
        }
        Expression::Cast { .. } | Expression::Select { .. } => others = true,
        _ => {}
    });
    floats && !others
}

fn is_float(program: &Program, access: &Access) -> bool {
    let element = &program.buffer(access.buffer).element;
    matches!(element.rsplit([':', ' ']).next(), Some("f64" | "f32" | "f16" | "bf16"))
}

/// The buffers of floats that the test reads, each once, in its order.
fn floats(program: &Program, node: &Node) -> String {
    let mut names: Vec<String> = Vec::new();
    for access in node.accesses.iter().filter(|access| is_float(program, access)) {
        let name = format!("`{}`", program.buffer(access.buffer).name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" and ")
}

fn finding(program: &Program, node: &Node, place: Place, nan: Nan) -> Finding {
    let (word, names) = (node.kind.word(), floats(program, node));
    let why = match nan {
        Nan::GoesOn => format!("with a NaN in {names} it never ends"),
        Nan::Ends => format!("where rounding keeps {names} from getting there it never ends"),
    };
    let cure = if word == "while" { "while … limit 10_000 { … }" } else { "loop limit 10_000 { … }" };
    Finding::error(Code::UNLIMITED, place, format!("only floats in {names} end this `{word}`"))
        .note(format!("{why}, and nothing stops a graph that runs"))
        .help(format!("write `{cure}`"))
        .warning()
}

#[cfg(test)]
mod tests {
    use super::super::advise;
    use super::*;
    use crate::model::{Mode, Test};
    use crate::testing::{Builder, Head, number, read, update};

    fn element(access: u32) -> Expression {
        Expression::Element(access)
    }

    fn binary(operator: B, left: Expression, right: Expression) -> Expression {
        Expression::Binary { operator, left: Box::new(left), right: Box::new(right) }
    }

    fn one() -> Expression {
        Expression::Literal { text: "1".to_owned(), suffix: None }
    }

    fn not(operand: Expression) -> Expression {
        Expression::Unary { operator: UnaryOperator::Not, operand: Box::new(operand) }
    }

    /// What is noted of a loop with this test, which reads the float `e` and the integer `k`.
    fn told(test: Expression, limit: bool) -> Option<String> {
        let mut block = Builder::new("g");
        let e = block.parameter("e", Mode::Update, number(1));
        let k = block.parameter("k", Mode::Update, number(1));
        let reads = [read(e), read(k)];
        let head = if limit { Head::on(&reads).limit(number(9)) } else { Head::on(&reads) };
        block.repeat(head, |block| block.kernel("step", &[update(e), update(k)]));
        let mut program = block.finish();
        program.buffers[1].element = "u32".to_owned();
        let place = program.nodes[0].place;
        if let NodeKind::Loop(head) = &mut program.nodes[0].kind {
            head.test = Some(Test { value: test, place });
        }
        let found = advise(&program).into_iter().find(|finding| finding.code == Code::UNLIMITED);
        assert!(found.iter().all(|finding| finding.message == "only floats in `e` end this `while`"), "{found:?}");
        found.map(|finding| finding.notes[0].text.clone())
    }

    #[test]
    fn a_comparison_of_floats_alone_is_told() {
        let above = || binary(B::Gt, element(0), one());
        assert!(told(above(), false).is_some_and(|note| note.contains("rounding")));
        assert_eq!(told(above(), true), None);
        let not_there = not(binary(B::Le, element(0), one()));
        assert!(told(not_there, false).is_some_and(|note| note.contains("NaN")));
        assert!(told(binary(B::Ne, element(0), one()), false).is_some_and(|note| note.contains("NaN")));
    }

    #[test]
    fn a_counter_beside_it_is_enough() {
        let above = || binary(B::Gt, element(0), one());
        let counts = || binary(B::Lt, element(1), one());
        assert_eq!(told(binary(B::And, above(), counts()), false), None);
        assert_eq!(told(counts(), false), None);
        assert!(told(binary(B::Or, above(), counts()), false).is_some(), "the counter alone does not end it");
        let done = not(binary(B::Or, not(above()), not(counts())));
        assert_eq!(told(done, false), None, "the same as with `&&`");
        assert_eq!(told(binary(B::Gt, element(0), element(1)), false), None);
    }
}
