#!/usr/bin/env python3
"""Runs the two `topology` programs in turns and prints the ratios of their times, the runtime's over the C++ program's.

    compare.py RUNTIME CPP empty.ptx [--rounds 12] [--rows rows.jsonl]

Each round runs both, the other first each time. A program's figure is the best of its rounds: whatever else the machine does can only
add to a time, and on a virtual machine it adds half of it at random. The spread is that of the rounds, best to worst, as ratios.

The C++ loop finds out addresses and waits as it adds nodes; the runtime does so first (`lower`). `adding` is both, and is what compares
with C++; `add_nodes` is the calls of the driver alone.
"""

import argparse
import json
import subprocess
import sys

# Of the runtime over C++; `build` holds what C++ does not do (rules, dependences, plan) and has no goal of its own.
GOALS = {"adding": 1.10, "add_nodes": None, "instantiate": 1.02, "launch": 1.02, "end_to_end": 1.02, "build": None}


def rows(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}")
    found = {(row["chains"], row["nodes"]): row for row in map(json.loads, done.stdout.splitlines())}
    for row in found.values():
        row["adding"] = row["add_nodes"] + row.get("lower", 0.0)
    return found


def run(arguments):
    rounds = []
    for number in range(arguments.rounds):
        commands = [("runtime", [arguments.runtime]), ("cpp", [arguments.cpp, arguments.image])]
        pair = {program: rows(command) for program, command in commands[:: 1 if number % 2 == 0 else -1]}
        if arguments.rows:
            with open(arguments.rows, "a", encoding="utf-8") as file:
                for row in (row for program in pair.values() for row in program.values()):
                    print(json.dumps({"round": number, **row}), file=file)
        rounds.append(pair)
    return rounds


def check(rounds):
    devices = {row["device"] for pair in rounds for program in pair.values() for row in program.values()}
    if len(devices) != 1:
        sys.exit(f"the programs ran on different devices: {', '.join(sorted(devices))}")
    if any(pair["runtime"].keys() != pair["cpp"].keys() for pair in rounds):
        sys.exit("the programs measured different topologies")
    return devices.pop()


def table(rounds):
    print(f"{'chains':>6} {'nodes':>6}  {'what':<12} {'runtime us':>12} {'C++ us':>12} {'ratio':>7} {'spread':>13} {'goal':>5}")
    for topology in sorted(rounds[0]["cpp"]):
        pairs = [(pair["runtime"][topology], pair["cpp"][topology]) for pair in rounds]
        for what, goal in GOALS.items():
            ours, theirs = (sorted(side[what] for side in sides) for sides in zip(*pairs))
            ratio = ours[0] / theirs[0]
            spread = f"{ours[-1] / ours[0]:.2f} / {theirs[-1] / theirs[0]:.2f}"
            verdict = "" if goal is None else f" {goal:>5.2f}{'' if ratio <= goal else '  above'}"
            print(f"{topology[0]:>6} {topology[1]:>6}  {what:<12} {ours[0]:>12.2f} {theirs[0]:>12.2f} {ratio:>7.3f} {spread:>13}{verdict}")
        for what in ("evaluate", "plan", "lower"):
            each = min(ours[what] for ours, _ in pairs) / topology[1]
            print(f"{topology[0]:>6} {topology[1]:>6}  {what:<12} {each:>12.3f} us a node")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime")
    parser.add_argument("cpp")
    parser.add_argument("image")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--rows")
    arguments = parser.parse_args()
    rounds = run(arguments)
    print(check(rounds))
    table(rounds)


if __name__ == "__main__":
    main()
