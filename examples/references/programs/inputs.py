"""Inputs that the programs make too (`src/programs/inputs.rs`), and the writing of references."""

import json
import pathlib

import numpy as np


def uniform(seed, count):
    """Numbers in -0.5 .. 0.5: the upper 24 bits of SplitMix64."""
    with np.errstate(over="ignore"):
        state = np.uint64(seed << 32) + np.arange(1, count + 1, dtype=np.uint64)
        z = state * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float32) / np.float32(16777216.0) - np.float32(0.5)).astype(np.float32)


def write(name, **lists):
    """Writes `name.json` beside the scripts: lists of numbers by name."""
    path = pathlib.Path(__file__).parent / f"{name}.json"
    numbers = {key: np.asarray(values, dtype=np.float64).ravel().tolist() for key, values in lists.items()}
    path.write_text(json.dumps(numbers, separators=(",", ":")) + "\n")
