//! What stands in a node's box, and how wide that is.

use crate::export::data::{Amount, BodyData, MeasuredData, NodeData};

const NARROWEST: f64 = 104.0;
/// What is longer is cut where it is drawn.
const WIDEST: f64 = 236.0;
/// Beside the text.
const PADDING: f64 = 34.0;
/// Of the label's letters, on average.
const LABEL_LETTER: f64 = 7.4;
/// Of the smaller ones.
const CAPTION_LETTER: f64 = 6.2;

/// What stands below the label: how long the node took, what it is, unless the label says so, and how much of it.
pub(super) fn caption(node: &NodeData, measured: Option<&MeasuredData>) -> String {
    let mut parts = Vec::new();
    if let (Some(time), Some(measured)) = (node.time, measured) {
        parts.push(share(time.total_ns, measured.total_ns));
        parts.push(duration(time.total_ns));
        if node.bodies.is_empty() && time.runs > 1 {
            parts.push(format!("{} × {}", grouped(time.runs), duration(time.total_ns / time.runs)));
        }
    }
    if node.label != node.kind {
        parts.push(node.kind.clone());
    }
    if !node.grid.is_empty() {
        parts.push(format!("{} × {}", sizes(&node.grid), sizes(&node.block)));
    }
    if let Some(indices) = node.indices {
        parts.push(grouped(indices));
    }
    if let Some(bytes) = node.bytes {
        parts.push(amount_of_bytes(bytes));
    }
    if let Some(limit) = &node.limit {
        parts.push(format!("limit {}", amount(limit)));
    }
    if let Some(every) = node.every {
        parts.push(format!("every {every}"));
    }
    if node.optional {
        parts.push("optional".to_owned());
    }
    parts.join(" · ")
}

/// What stands above a body: what it is, and of a measured loop's how often it ran and how long.
pub(super) fn title(body: &BodyData, nodes: &[NodeData]) -> String {
    let passes = body.owner.and_then(|owner| nodes[owner as usize].time?.passes);
    passes.map_or_else(
        || body.title.clone(),
        |passes| {
            let (count, each) = (grouped(passes.count), duration(passes.total_ns / passes.count.max(1)));
            format!("{} · ran {count} × {each} = {}", body.title, duration(passes.total_ns))
        },
    )
}

pub(super) fn width(label: &str, caption: &str) -> f64 {
    let letters = |text: &str| text.chars().count() as f64;
    let text = (letters(label) * LABEL_LETTER).max(letters(caption) * CAPTION_LETTER);
    (text + PADDING).round().clamp(NARROWEST, WIDEST)
}

pub(super) fn title_width(title: &str) -> f64 {
    (title.chars().count() as f64 * CAPTION_LETTER).round()
}

/// `(4, 2)`, without the ones behind.
fn sizes(sizes: &[Amount]) -> String {
    let needed = sizes.iter().rposition(|size| *size != Amount::Known(1)).map_or(1, |last| last + 1);
    let texts: Vec<String> = sizes[..needed.min(sizes.len())].iter().map(amount).collect();
    match &texts[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

fn amount(amount: &Amount) -> String {
    match amount {
        Amount::Known(value) => grouped(*value),
        Amount::Expression(text) => text.clone(),
    }
}

/// `65 536`, with narrow spaces.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `12.3 µs`.
pub(in crate::export) fn duration(ns: u64) -> String {
    let units = [("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    let (unit, size) = units.into_iter().rfind(|(_, size)| ns >= *size).unwrap_or(units[0]);
    let text = format!("{:.1}", ns as f64 / size as f64);
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// `41 %`, `3.5 %`.
fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// `1.5 KiB`.
fn amount_of_bytes(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = (0..units.len() - 1).rfind(|unit| bytes >= 1 << (10 * (unit + 1))).map_or(0, |unit| unit + 1);
    let value = bytes as f64 / (1_u64 << (10 * unit)) as f64;
    let text = format!("{value:.1}");
    format!("{} {}", text.strip_suffix(".0").unwrap_or(&text), units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_readable() {
        assert_eq!(
            [0, 512, 1024, 1536, 1 << 20, 3 << 30].map(amount_of_bytes),
            ["0 B", "512 B", "1 KiB", "1.5 KiB", "1 MiB", "3 GiB"]
        );
        assert_eq!([7, 1000, 1_234_567].map(grouped), ["7", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        assert_eq!(
            [0, 999, 1000, 12_345, 4_000_000, 61_000_000_000].map(duration),
            ["0 ns", "999 ns", "1 µs", "12.3 µs", "4 ms", "61 s"]
        );
        assert_eq!(
            [(0, 0), (1, 8), (1, 40), (3, 3)].map(|(part, whole)| share(part, whole)),
            ["0.0 %", "12 %", "2.5 %", "100 %"]
        );
        let one = Amount::Known(1);
        assert_eq!(sizes(&[Amount::Known(4), one.clone(), one.clone()]), "4");
        assert_eq!(sizes(&[one.clone(), Amount::Known(2), one.clone()]), "(1, 2)");
        assert_eq!(sizes(&[one.clone(), one.clone(), one]), "1");
        assert_eq!(sizes(&[Amount::Expression("grid(n)".to_owned())]), "grid(n)");
    }
}
