"""A mixture of experts by NumPy: each token goes through the expert with the largest gate.

Usage: python experts.py (writes experts.json)
"""

import numpy as np

from inputs import uniform, write

TOKENS, WIDTH, HIDDEN, EXPERTS = 40, 32, 64, 8


def matrix(seed, rows, columns):
    return uniform(seed, rows * columns).astype(np.float64).reshape(rows, columns)


def main():
    x = matrix(700, TOKENS, WIDTH)
    gates = x @ matrix(701, WIDTH, EXPERTS)
    ordered = np.sort(gates, axis=1)
    assert np.min(ordered[:, -1] - ordered[:, -2]) > 1e-4, "a tie: choose other weights"
    top = np.argmax(gates, axis=1)
    y = np.empty_like(x)
    for token in range(TOKENS):
        expert = int(top[token])
        hidden = np.maximum(x[token] @ matrix(710 + expert, WIDTH, HIDDEN), 0.0)
        y[token] = hidden @ matrix(730 + expert, HIDDEN, WIDTH)
    write("experts", top=top, y=y)


if __name__ == "__main__":
    main()
