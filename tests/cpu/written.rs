//! Errors of a build: numbers, and the text that they come from.

use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Part(x: &mut [u32; n], k: usize) {
        fill(&out x[..k], 7);
    }

    graph Between(a: &[u32; n], b: &mut [u32; m], from: usize, to: usize) {
        copy(&a[from..to], &out b[..from]);
    }

    graph Box(x: &mut [u32; (h, w)], h: usize, w: usize, rows: usize) {
        fill(&out x[(rows..rows + 2, ..)], 7);
    }

    graph Short(x: &mut [u32; n], k: usize, count: u32) {
        basic::increment<<<1, 64>>>(&mut x[..k], count);
    }

    graph Passes(x: &mut [u32; n], parts: usize) {
        for i in 0..parts { fill(&out x[2 * i..2 * i + 2], i as u32); }
    }

    graph Inner(y: &mut [u32; m], k: usize) {
        fill(&out y[k..k + 1], 1);
    }

    graph Outer(x: &mut [u32; n], k: usize) {
        Inner { y: &mut x, k: 2 * k };
    }

    graph Literal(x: &mut [u32; n]) {
        fill(&out x[..9], 7);
    }
}

/// How a build is refused: the whole text, without places.
fn told<G>(built: Result<G>) -> String {
    let text = built.map(drop).unwrap_err().to_string();
    let without = |line: &str| line.split(" (tests/").next().unwrap_or_default().to_owned();
    let lines: Vec<String> = text.lines().filter(|line| !line.contains("-->")).map(without).collect();
    lines.join("\n")
}

#[test]
fn a_range_is_told_with_its_text() {
    let device = Device::dry();
    let zeros = |length| device.zeros::<u32>(length).unwrap();
    let refusals = [
        (told(PartArgs { x: zeros(8), k: 9 }.build(&device)), "`x[0..9]` is written `x[0..k]`"),
        (
            told(BetweenArgs { a: zeros(8), b: zeros(8), from: 3, to: 8 }.build(&device)),
            "`a[3..8]` is written `a[from..to]`",
        ),
        (
            told(BoxArgs { x: zeros(12), h: 3, w: 4, rows: 2 }.build(&device)),
            "`x[(2..4, 0..4)]` is written `x[(rows..rows + 2, 0..w)]`",
        ),
        (told(ShortArgs { x: zeros(8), k: 4, count: 5 }.build(&device)), "`x[0..4]` is written `x[0..k]`"),
        (told(PassesArgs { x: zeros(5), parts: 3 }.build(&device)), "`x[4..6]` is written `x[2 * i..2 * i + 2]`"),
        (told(OuterArgs { x: zeros(8), k: 4 }.build(&device)), "`x[8..9]` is written `y[k..k + 1]`"),
    ];
    for (text, note) in refusals {
        println!("{text}\n");
        assert!(text.contains(&format!("\n  note: {note}")), "no {note}:\n{text}");
    }
    let literal = told(LiteralArgs { x: zeros(8) }.build(&device));
    assert!(literal.contains("`x[0..9]`") && !literal.contains("is written"), "{literal}");
}
