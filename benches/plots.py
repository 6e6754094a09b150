"""The pictures in docs/plots, from the rows of one run: `python3 benches/plots.py docs/plots/rows.jsonl docs/plots`.

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


def main():
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    path = pathlib.Path(sys.argv[2])
    device = next(json.loads(line)["device"] for line in lines if '"driver"' in line)
    found = tables.merged(lines)
    launch(found["launch"], device, path)
    loops(found["loops"], device, path)


if __name__ == "__main__":
    main()
