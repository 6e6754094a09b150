"""The rows that the measuring programs print, as tables: `python3 benches/tables.py rows.jsonl`.

Rows of the same way, of several rounds, become one: the best of each time, and right only if all were. A row that is not right is marked,
and the program then ends with 1.
"""

import json
import sys


def merged(lines):
    """By benchmark, then case, then way, in the order in which they come first."""
    benches = {}
    for line in lines:
        row = json.loads(line) if line.startswith("{") else {}
        if "bench" not in row or "case" not in row:
            continue
        ways = benches.setdefault(row["bench"], {}).setdefault(row["case"], {})
        figures = {name: value for name, value in row.items() if isinstance(value, (int, float)) and name != "ok"}
        known = ways.setdefault(row["how"], {"ok": True, **figures})
        for name, value in figures.items():
            known[name] = min(known[name], value)
        known["ok"] = known["ok"] and row["ok"]
    return benches


def text(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head, rows):
    lines = ["| " + " | ".join(line) + " |" for line in [head, *rows]]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines) + "\n"


def mark(row):
    return "" if row["ok"] else " WRONG"


def pivot(cases, title, figure, name):
    """A row for each way, ours first, a column for each case."""
    ways = dict.fromkeys(how for ways in cases.values() for how in ways)
    ways = sorted(ways, key=lambda how: (not how.startswith("cuda_graph!"), not how.startswith("C++")))
    rows = []
    for how in ways:
        cells = [cases[case].get(how) for case in cases]
        rows.append([how, *(figure(cell) + mark(cell) if cell else "" for cell in cells)])
    return table([title, *map(name, cases)], rows)


def loops(cases):
    parts = []
    for kernels in dict.fromkeys(case.split(",")[0] for case in cases):
        of = {case: ways for case, ways in cases.items() if case.split(",")[0] == kernels}
        title = f"{kernels.split()[1]} in a pass; µs a pass"
        parts.append(pivot(of, title, lambda row: text(row["pass"]), lambda case: case.split("passes ")[1] + " passes"))
    return "\n".join(parts)


def solvers(cases):
    figure = lambda row: f"{text(row['time'] / 1000)} ({row['passes']:.0f})"
    return pivot(cases, "ms (passes)", figure, lambda case: case)


def listed(columns):
    """A row for each case and way."""

    def of(cases):
        rows = []
        for case, ways in cases.items():
            for how, row in ways.items():
                ratio = [text(row["end"] / row["limit"])] if "limit" in row else []
                rows.append([case, how + mark(row), *(text(row.get(column)) for column in columns), *ratio])
        head = ["µs", "how", *columns, *(["to the limit"] if "limit" in columns else [])]
        return table(head, rows)

    return of


def lanes(cases):
    """A row for each graph and way, with what the planner made of it."""
    counts, times = ["nodes", "edges", "width", "lanes", "gates"], ["plan", "instantiate", "cpu", "end"]
    rows = []
    for case, ways in cases.items():
        limit = max((row.get("limit", 0) for row in ways.values()), default=0)
        for how, row in ways.items():
            cells = [f"{row[name]:.0f}" if row.get(name) else "–" for name in counts] + [text(row.get(name)) for name in times]
            rows.append([case, how + mark(row), *cells, text(limit), text(row["end"] / limit) if limit else ""])
    return table(["graph, µs", "how", *counts, *times, "limit", "to the limit"], rows)


def overlap(cases):
    """A row for each graph, with the time of both ways."""
    rows = []
    for case, ways in cases.items():
        early, full = ways["early"], ways["full edges"]
        rows.append([case + mark(early), f"{early['early']:.0f}", text(full["end"]), text(early["end"]), f"{full['end'] / early['end']:.2f}"])
    return table(["graph", "launches that begin early", "full edges", "early", "ratio"], rows)


BENCHES = {
    "lanes": lanes,
    "loops": loops,
    "solvers": solvers,
    "updates": listed(["change", "launch", "both"]),
    "launch": listed(["build", "plan", "instantiate", "first", "cpu", "end", "limit"]),
    "cholesky": listed(["cpu", "end"]),
    "overlap": overlap,
    "planning": listed(["evaluate", "plan", "lower", "add", "instantiate"]),
}


def main():
    lines = [line for path in sys.argv[1:] for line in open(path, encoding="utf-8")]
    found = merged(lines)
    for bench, cases in found.items():
        if bench in BENCHES:
            print(f"{bench}\n\n{BENCHES[bench](cases)}")
    wrong = [f"{bench}, {case}: {how}" for bench, cases in found.items() for case, ways in cases.items() for how, row in ways.items() if not row["ok"]]
    for one in wrong:
        print(f"wrong: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
