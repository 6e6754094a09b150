"""The pictures in docs/plots, from the rows of a run and the table in docs/memory.md.

    python3 benches/plots.py docs/plots/rows.jsonl docs/plots

Needs matplotlib. The same rows give the same files, byte for byte, with the same version of it.
"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end is chosen first)
import tables  # noqa: E402

plt.rcParams.update({
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "white",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "cuda_graph",
    "text.color": "#222222",
})
OURS = "#c2410c"
THEIRS = ["#1d4ed8", "#0f766e", "#7c3aed", "#6b7280", "#a16207"]
LAUNCH = {
    "cuda_graph!": OURS,
    "C++: nodes added one by one": THEIRS[0],
    "cudarc: streams, captured": THEIRS[1],
    "PyTorch: captured": THEIRS[2],
    "C++: streams": THEIRS[3],
    "PyTorch: eager": THEIRS[4],
}
LOOPS = {
    "cuda_graph!, kernels in the block": "#7c2d12",
    "cuda_graph!, every 4": "#ea580c",
    "cuda_graph!": "#fdba74",
    "C++: WHILE node, its last kernel decides": THEIRS[0],
    "C++: WHILE node": "#93c5fd",
    "C++: host loop, pass is a graph, mapped flag": THEIRS[3],
    "C++: host loop, flag copied back": "#d1d5db",
}


def save(figure, path):
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    path.write_text(text + "\n", encoding="utf-8")


def launch(cases, device, path):
    figure, panels = plt.subplots(2, 2, figsize=(10, 7.4), sharex=True, layout="constrained")
    for row, shape in zip(panels, ["line", "independent"]):
        for panel, (name, title) in zip(row, [("cpu", "host, µs a launch"), ("end", "until all is over, µs")]):
            for how, colour in LAUNCH.items():
                points = [(int(case.split()[-1]), ways[how][name]) for case, ways in cases.items() if case.startswith(shape + " ") and how in ways]
                if points:
                    panel.plot(*zip(*points), color=colour, label=how, marker="o", markersize=4, linewidth=2.4 if how == "cuda_graph!" else 1.4)
            panel.set(xscale="log", yscale="log", title=f"{'one chain' if shape == 'line' else 'nothing waits'}: {title}")
    for panel in panels[1]:
        panel.set_xlabel("kernels")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    figure.suptitle(f"Launching kernels of one block, {device}")
    save(figure, path / "launch.svg")


def bars(panel, values, colours):
    for at, (name, value) in enumerate(values):
        panel.barh(at, value, color=colours[name], height=0.72)
        panel.text(value, at, f" {tables.text(value)}", va="center")
    panel.set_yticks(range(len(values)), [name for name, _ in values])
    panel.invert_yaxis()
    panel.margins(x=0.14)
    panel.grid(axis="y", visible=False)


def loops(cases, device, path):
    figure, panels = plt.subplots(3, 1, figsize=(9, 7.6), layout="constrained")
    for panel, kernels in zip(panels, [1, 4, 16]):
        ways = cases[f"kernels {kernels}, passes 1000"]
        bars(panel, [(how, ways[how]["pass"]) for how in LOOPS if how in ways], LOOPS)
        panel.set_title(f"{kernels} kernel{'s' if kernels > 1 else ''} in a pass", loc="left")
    panels[-1].set_xlabel("µs a pass, 1,000 passes")
    figure.suptitle(f"A pass of a loop, {device}")
    save(figure, path / "loops.svg")


def tokens(rows, device, path):
    best = {}
    for row in rows:
        best[row["how"]] = min(row["token"], best.get(row["how"], row["token"]))
    best["floor: the weights at 4.3 TB/s"] = next(row["floor"] for row in rows)
    values = sorted(best.items(), key=lambda pair: -pair[1])
    colours = {name: THEIRS[0] if name.startswith("PyTorch") else THEIRS[3] if name.startswith("floor") else OURS for name, _ in values}
    figure, panel = plt.subplots(figsize=(9, 3.2), layout="constrained")
    bars(panel, values, colours)
    panel.set_xlabel("µs a token")
    figure.suptitle(f"GPT-2 small, batch 1, weights in half precision, {device}")
    save(figure, path / "token.svg")


def memory(page, path):
    """The rows of its first table that have figures in all columns."""
    lines = [line.strip("| \n").split("|") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    table = [[cell.strip() for cell in line] for line in lines]
    head = next(row for row in table if "arena" in row)
    columns = {"arena": OURS, "alloc nodes, ordered": THEIRS[0], "alloc nodes, by data": "#93c5fd"}
    rows = [row for row in table if len(row) == len(head) and all(row[1:]) and row[1].isdigit()]
    figure, panels = plt.subplots(len(rows), 1, figsize=(9, 1.5 * len(rows) + 0.8), layout="constrained")
    for panel, row in zip(panels, rows):
        mebibytes = {name: int(row[head.index(name)].replace(",", "")) / 2**20 for name in columns}
        bars(panel, list(mebibytes.items()), columns)
        panel.set_title(row[0], loc="left")
    panels[-1].set_xlabel("MiB")
    figure.suptitle("Memory of transients: the arena, and what the driver's alloc nodes reserve")
    save(figure, path / "memory.svg")


def main():
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    path = pathlib.Path(sys.argv[2])
    device = next(json.loads(line)["device"] for line in lines if '"driver"' in line)
    found = tables.merged(lines)
    launch(found["launch"], device, path)
    loops(found["loops"], device, path)
    tokens([row for row in map(json.loads, lines) if "token" in row], device, path)
    memory(path.parent / "memory.md", path)


if __name__ == "__main__":
    main()
