use super::*;
use crate::model::{Range, Shape};
use crate::testing::{Builder, Head, atomic, number, overwrite, read, update};

/// The labels of what can be left out of a graph with `x` and `y`, which are the caller's, and a transient `t`, of eight elements each.
fn left_out<R>(write: impl FnOnce(&mut Builder, [BufferId; 3]) -> R) -> Vec<String> {
    left_out_if(write, &|_, _| true)
}

fn left_out_if<R>(
    write: impl FnOnce(&mut Builder, [BufferId; 3]) -> R,
    surely: &dyn Fn(NodeId, usize) -> bool,
) -> Vec<String> {
    let mut block = Builder::new("g");
    let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(8)));
    let t = block.transient("t", number(8));
    write(&mut block, [x, y, t]);
    let program = block.finish();
    unread(&program, &program, surely).into_iter().map(|node| program.node(node).label.to_string()).collect()
}

#[test]
fn what_is_replaced_before_it_is_read_goes() {
    let found = left_out(|block, [x, y, _]| {
        block.fill("first", overwrite(x));
        block.kernel("between", &[update(y)]);
        block.copy("second", read(y), overwrite(x));
    });
    assert_eq!(found, ["first"]);
    let found = left_out(|block, [x, ..]| {
        block.fill("all", overwrite(x));
        block.fill("low", overwrite(x).range(0, 3));
        block.kernel("high", &[overwrite(x).range(3, 8)]);
    });
    assert_eq!(found, ["all"], "several together replace it");
}

#[test]
fn one_element_that_is_read_or_stays_is_enough() {
    assert_eq!(
        left_out(|block, [x, ..]| {
            block.fill("all", overwrite(x));
            block.fill("most", overwrite(x).range(0, 7));
        }),
        [""; 0]
    );
    assert_eq!(
        left_out(|block, [x, y, _]| {
            block.fill("all", overwrite(x));
            block.kernel("reads", &[read(x).range(7, 8), update(y)]);
            block.fill("again", overwrite(x));
        }),
        [""; 0]
    );
    for uses in [update(BufferId(0)), atomic(BufferId(0))] {
        let found = left_out(|block, [x, ..]| {
            block.fill("all", overwrite(x));
            block.kernel("needs old contents", &[uses]);
        });
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn what_the_caller_finds_stays_and_a_transient_at_the_end_goes() {
    let found = left_out(|block, [x, y, t]| {
        block.fill("x", overwrite(x));
        block.copy("t", read(y), overwrite(t));
    });
    assert_eq!(found, ["t"]);
}

#[test]
fn what_only_a_copy_reads_that_goes_goes_too() {
    let found = left_out(|block, [x, y, t]| {
        block.fill("t", overwrite(t));
        block.copy("x", read(t), overwrite(x));
        block.copy("x again", read(y), overwrite(x));
    });
    assert_eq!(found, ["t", "x"]);
}

#[test]
fn boxes_are_looked_at_element_by_element() {
    let tiles = |missing: bool| {
        let mut block = Builder::new("g");
        let m = block.parameter("m", Mode::Update, Shape::new(&[number(4), number(6)]));
        let tile = |rows, columns| overwrite(m).ranges(&[rows, columns]);
        block.fill("all", overwrite(m));
        block.fill("left", tile(Range::known(0, 4), Range::known(0, 2)));
        block.fill("high", tile(Range::known(0, 2), Range::known(2, 6)));
        block.fill("low", tile(Range::known(2, 4), Range::known(2, if missing { 5 } else { 6 })));
        let program = block.finish();
        unread(&program, &program, &|_, _| true)
    };
    assert_eq!((tiles(false), tiles(true)), (vec![NodeId(0)], vec![]));
}

#[test]
fn a_body_may_not_run_and_both_together_do() {
    let found = left_out(|block, [x, y, _]| {
        block.fill("before one", overwrite(x));
        block.when(&[read(y)], |block| block.fill("then", overwrite(x)));
    });
    assert_eq!(found, [""; 0]);
    let found = left_out(|block, [x, y, _]| {
        block.fill("before both", overwrite(x));
        block.when_else(&[read(y)], |b| b.fill("then", overwrite(x)), |b| b.fill("else", overwrite(x)));
    });
    assert_eq!(found, ["before both"]);
    let found = left_out(|block, [x, y, _]| {
        block.fill("before arms", overwrite(x));
        block.choose(&[read(y)], &[&[(0, 0)], &[(1, 1)]], false, |block, _| block.fill("arm", overwrite(x)));
    });
    assert_eq!(found, [""; 0], "no arm may fit");
    let found = left_out(|block, [x, y, _]| {
        block.fill("before a test", overwrite(x));
        block.when_else(&[read(x)], |b| b.fill("then", overwrite(x)), |b| b.kernel("else", &[overwrite(x)]));
        block.when(&[read(y)], |block| {
            block.fill("in a body", overwrite(x));
            block.fill("in it again", overwrite(x));
        });
    });
    assert_eq!(found, ["in a body"], "the test reads what is in front");
}

#[test]
fn the_next_pass_of_a_loop_may_read() {
    let found = left_out(|block, [x, y, t]| {
        block.fill("before", overwrite(t));
        block.repeat(Head::on(&[read(y)]), |block| {
            block.kernel("reads", &[read(t), update(y)]);
            block.fill("for the next pass", overwrite(t));
            block.fill("for nobody", overwrite(x));
            block.fill("for behind", overwrite(x));
        });
    });
    assert_eq!(found, ["for nobody"]);
    let found = left_out(|block, [_, y, t]| {
        block.repeat(Head::on(&[read(y)]), |block| {
            block.fill("begins", overwrite(t));
            block.kernel("reads", &[update(t), update(y)]);
            block.fill("ends", overwrite(t));
        });
    });
    assert_eq!(found, ["ends"], "each pass begins with its own");
    let found = left_out(|block, [_, y, t]| {
        block.repeat(Head::forever(Some(&[read(t)])), |block| {
            block.kernel("k", &[update(y)]);
            block.fill("for the test", overwrite(t));
        });
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_pass_that_surely_runs_replaces_what_is_in_front() {
    for (limit, expected) in [(None, vec!["before"]), (Some(number(3)), vec![])] {
        let found = left_out(|block, [x, y, _]| {
            block.fill("before", overwrite(x));
            let test = [read(y)];
            let head = Head { limit, ..Head::forever(Some(&test)) };
            block.repeat(head, |block| block.kernel("k", &[overwrite(x), update(y)]));
        });
        assert_eq!(found, expected, "a limit may be none");
    }
    let found = left_out(|block, [x, y, _]| {
        block.fill("before", overwrite(x));
        block.repeat(Head::on(&[read(y)]), |block| block.kernel("k", &[overwrite(x), update(y)]));
    });
    assert_eq!(found, [""; 0], "a `while` may make no pass");
}

#[test]
fn loops_in_loops_and_transients_of_passes() {
    let found = left_out(|block, [x, y, t]| {
        block.repeat(Head::on(&[read(y)]), |block| {
            let own = block.transient("own", number(8));
            block.copy("own", read(x), overwrite(own));
            block.repeat(Head::on(&[read(x)]), |block| {
                block.kernel("inner", &[read(t), update(x)]);
            });
            block.copy("t", read(y), overwrite(t));
            block.fill("own again", overwrite(own));
        });
    });
    assert_eq!(found, ["own", "own again"], "`t` is read by the inner loop of the next pass of the outer one");
}

#[test]
fn what_may_be_switched_off_neither_replaces_nor_goes() {
    for optional in [0, 1] {
        let found = left_out(|block, [x, ..]| {
            let nodes = ["first", "second"].map(|label| block.fill(label, overwrite(x)));
            block.program().nodes[nodes[optional].0 as usize].optional = true;
        });
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn an_order_that_was_asked_for_stays() {
    for named in [false, true] {
        let found = left_out(|block, [x, y, _]| {
            let k = block.kernel("k", &[update(y)]);
            let first = block.fill("first", overwrite(x));
            let last = block.fill("last", overwrite(x));
            if named {
                block.after(last, first);
            } else {
                block.after(first, k);
            }
        });
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn whoever_waits_for_an_event_may_look() {
    let (all, some) = (|_| vec![], |x| vec![read(x)]);
    for uses in [all as fn(BufferId) -> Vec<crate::testing::Use>, some] {
        let found = left_out(|block, [x, _, t]| {
            block.fill("first", overwrite(x));
            block.fill("of the graph's own", overwrite(t));
            block.node("record", NodeKind::Record(crate::model::ObjectId(0)), &uses(x));
            block.fill("second", overwrite(x));
        });
        assert_eq!(found, ["of the graph's own"]);
    }
}

#[test]
fn the_host_looks_at_mailboxes_and_captured_calls_are_not_trusted() {
    let found = left_out(|block, [x, ..]| {
        block.program().buffers[x.0 as usize].memory = Memory::Mailbox;
        block.fill("first", overwrite(x));
        block.fill("second", overwrite(x));
    });
    assert_eq!(found, [""; 0]);
    let found = left_out(|block, [x, ..]| {
        block.fill("first", overwrite(x));
        block.node("capture", NodeKind::Capture(crate::model::Call::default()), &[overwrite(x)]);
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn only_what_is_surely_written_replaces_and_for_every_value() {
    let write = |block: &mut Builder, [x, ..]: [BufferId; 3]| {
        block.fill("first", overwrite(x));
        block.fill("second", overwrite(x));
    };
    assert_eq!(left_out_if(write, &|node, _| node != NodeId(1)), [""; 0]);
    let mut block = Builder::new("g");
    let x = block.parameter("x", Mode::Update, number(8));
    let part = block.fill("first", overwrite(x).range(0, 4));
    block.fill("second", overwrite(x).range(0, 4));
    let program = block.finish();
    let mut widest = program.clone();
    assert_eq!(unread(&program, &widest, &|_, _| true), [part]);
    widest.nodes[part.0 as usize].accesses[0].footprint = Footprint::whole(number(8));
    assert_eq!(unread(&program, &widest, &|_, _| true), [], "for another value it writes more than is replaced");
}
