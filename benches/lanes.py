"""The lines that the program `lanes` prints, as a table: `lanes > lanes.jsonl; python3 benches/lanes.py lanes.jsonl`."""

import json
import sys


def text(number):
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def rows(lines):
    for line in lines:
        run = json.loads(line)
        if "device" in run:
            print(f"On {run['device']}, medians of {run['launches']} launches, µs.\n")
            print("| graph | plan | nodes | edges | width | lanes | gates | plan | instantiate | launch, CPU | end to end | limit | to the limit |")
            print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
            continue
        columns = [run[name] for name in ("graph", "plan")]
        columns += [str(run[name]) for name in ("nodes", "edges", "width")] + [str(run[name] or "–") for name in ("lanes", "gates")]
        columns += [text(run[name]) for name in ("planning", "instantiate", "cpu", "end", "limit")]
        print("| " + " | ".join(columns + [f"{run['end'] / run['limit']:.2f}"]) + " |")


rows(open(sys.argv[1], encoding="utf-8"))
