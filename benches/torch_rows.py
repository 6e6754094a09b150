"""Lines of additions to 256 elements in PyTorch, eager and captured: beside the programs `launch` and `updates`.

    python3 benches/torch_rows.py launch|updates [most operations]

Prints JSON lines with the keys of those programs; times are medians in microseconds.
"""

import json
import statistics
import sys
import time

import torch


def row(bench, what, how, ok, **figures):
    text = {"bench": bench, "case": what, "how": how}
    print(json.dumps({**text, **{name: round(value, 3) for name, value in figures.items()}, "ok": bool(ok)}), flush=True)


def micros(work):
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e3


def launches(work, count):
    cpu, end = [], []
    for _ in range(count):
        torch.cuda.synchronize()
        start = time.perf_counter_ns()
        work()
        cpu.append((time.perf_counter_ns() - start) / 1e3)
        torch.cuda.synchronize()
        end.append((time.perf_counter_ns() - start) / 1e3)
    return {"cpu": statistics.median(cpu), "end": statistics.median(end)}


def captured(work):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        work()
    return graph


def line(nodes):
    y = torch.zeros(256, device="cuda")

    def adds():
        for _ in range(nodes):
            y.add_(1.0)

    builds, count = (2, 10) if nodes >= 50000 else (3, 20) if nodes >= 5000 else (5, 60)
    limit = 0.5 * nodes
    build, first = [], []
    for _ in range(builds):
        torch.cuda.synchronize()
        made = []
        build.append(micros(lambda: made.append(captured(adds))))
        y.zero_()
        torch.cuda.synchronize()
        first.append(micros(lambda: (made[0].replay(), torch.cuda.synchronize())))
        ok = (y == nodes).all().item()
    build, first = statistics.median(build[1:]), statistics.median(first[1:])
    row("launch", f"line {nodes}", "PyTorch: captured", ok, build=build, first=first, **launches(made[0].replay, count), limit=limit)
    y.zero_()
    adds()
    ok = (y == nodes).all().item()
    row("launch", f"line {nodes}", "PyTorch: eager", ok, **launches(adds, 2 if nodes >= 50000 else 5), limit=limit)


def updates(nodes=1000):
    """What a captured graph reads from memory is changed there; what it does not needs another capture."""
    y, a = torch.zeros(256, device="cuda"), torch.ones((), device="cuda")

    def adds():
        for _ in range(nodes):
            y.add_(a)

    graph = captured(adds)
    change, launch, ok = [], [], True
    for number in range(1, 42):
        torch.cuda.synchronize()
        change.append(micros(lambda: a.fill_(float(number))))
        launch.append(micros(graph.replay))
        torch.cuda.synchronize()
        y.zero_()
        graph.replay()
        ok = ok and (y == nodes * number).all().item()
    both = [sum(pair) for pair in zip(change, launch)]
    figures = [statistics.median(times[1:]) for times in (change, launch, both)]
    row("updates", "one value in 1,000 nodes", "PyTorch: a value in memory is filled", ok, change=figures[0], launch=figures[1], both=figures[2])
    change, launch = [], []
    for number in range(1, 6):
        y = torch.zeros(256, device="cuda")
        made = []
        torch.cuda.synchronize()
        change.append(micros(lambda: made.append(captured(adds))))
        launch.append(micros(made[0].replay))
        torch.cuda.synchronize()
        ok = (y == nodes * a).all().item()
    both = [sum(pair) for pair in zip(change, launch)]
    figures = [statistics.median(times[1:]) for times in (change, launch, both)]
    row("updates", "a pointer in 1,001 nodes", "PyTorch: captured anew", ok, change=figures[0], launch=figures[1], both=figures[2])


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    if sys.argv[1] == "updates":
        updates()
        return
    nodes = 10
    while nodes <= most:
        line(nodes)
        nodes *= 10


main()
