//! The figures as a table that people read and compare.

use std::fmt;
use std::str::FromStr;

/// What figures may differ by, in percent: standard libraries, memory allocators and seeds of hash tables make less.
pub(super) const TOLERANCE: u64 = 10;

const COLUMNS: [&str; 3] = ["evaluate", "plan", "add"];

const HEAD: &str = "\
# Instructions for each node of a graph, as `cargo xtask planner-cost` counts them and compares them with these.
#
# evaluate: the host expressions; plan: rules, dependences, all passes; add: what goes with the driver's calls that add the nodes, without
# the driver's own. `docs/planning.md` has what they come to in time.
";

/// One graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) shape: String,
    pub(super) nodes: u32,
    /// Instructions a node, by column.
    pub(super) costs: [u64; 3],
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) rows: Vec<Row>,
}

impl Figures {
    /// What differs by more than it may, a line each.
    pub(super) fn differences(&self, committed: &Self) -> Vec<String> {
        let same = |one: &Row, other: &Row| one.shape == other.shape && one.nodes == other.nodes;
        let mut lines = Vec::new();
        for row in &self.rows {
            let Some(before) = committed.rows.iter().find(|before| same(row, before)) else {
                lines.push(format!("{} of {} nodes is new", row.shape, row.nodes));
                continue;
            };
            for ((column, now), before) in COLUMNS.iter().zip(row.costs).zip(before.costs) {
                if now.abs_diff(before) * 100 > before * TOLERANCE {
                    let word = if now > before { "more" } else { "fewer" };
                    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                    let percent = now.abs_diff(before) as f64 * 100.0 / before.max(1) as f64;
                    lines.push(format!(
                        "{} of {} nodes: {column} executes {now} instructions a node, {percent:.1} % {word} than {before}",
                        row.shape, row.nodes
                    ));
                }
            }
        }
        let gone = committed.rows.iter().filter(|before| !self.rows.iter().any(|row| same(row, before)));
        lines.extend(gone.map(|before| format!("{} of {} nodes is not counted any more", before.shape, before.nodes)));
        lines
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [evaluate, plan, add] = COLUMNS;
        writeln!(f, "{HEAD}\n{:<12} {:>8} {evaluate:>9} {plan:>9} {add:>9}", "# graph", "nodes")?;
        for Row { shape, nodes, costs: [evaluate, plan, add] } in &self.rows {
            writeln!(f, "{shape:<12} {nodes:>8} {evaluate:>9} {plan:>9} {add:>9}")?;
        }
        Ok(())
    }
}

impl FromStr for Figures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let row = |line: &str| -> Option<Row> {
            let mut words = line.split_whitespace();
            let (shape, nodes) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
            let mut cost = || words.next()?.parse().ok();
            Some(Row { shape, nodes, costs: [cost()?, cost()?, cost()?] })
        };
        let rows =
            lines.map(|line| row(line).ok_or_else(|| format!("no figures: {line}"))).collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shape: &str, costs: [u64; 3]) -> Row {
        Row { shape: shape.to_owned(), nodes: 100, costs }
    }

    #[test]
    fn what_is_written_is_read() {
        let figures = Figures { rows: vec![row("line", [1, 20_000, 300]), row("stencil", [4, 5, 6])] };
        assert_eq!(figures.to_string().parse(), Ok(figures));
        assert!("line 100 1 2".parse::<Figures>().is_err());
    }

    #[test]
    fn only_what_differs_by_more_than_it_may_is_told() {
        let before = Figures { rows: vec![row("line", [1000, 2000, 300]), row("random", [1, 1, 1])] };
        let now = Figures { rows: vec![row("line", [1100, 2240, 264]), row("stencil", [1, 1, 1])] };
        let expected = [
            "line of 100 nodes: plan executes 2240 instructions a node, 12.0 % more than 2000",
            "line of 100 nodes: add executes 264 instructions a node, 12.0 % fewer than 300",
            "stencil of 100 nodes is new",
            "random of 100 nodes is not counted any more",
        ];
        assert_eq!(now.differences(&before), expected);
        assert!(before.differences(&before).is_empty());
    }
}
