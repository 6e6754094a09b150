"""A network of two layers by NumPy, on requests of different sizes.

Usage: python server.py (writes server.json)
"""

import numpy as np

from inputs import uniform, write

INPUTS, HIDDEN, OUTPUTS, REQUESTS = 24, 40, 8, (7, 64, 1, 33)


def matrix(seed, rows, columns):
    return uniform(seed, rows * columns).astype(np.float64).reshape(rows, columns)


def main():
    w1, w2 = matrix(1100, INPUTS, HIDDEN), matrix(1101, HIDDEN, OUTPUTS)
    lists = {}
    for number, size in enumerate(REQUESTS):
        x = matrix(1110 + number, size, INPUTS)
        lists[f"request_{number}"] = np.maximum(x @ w1, 0.0) @ w2
    write("server", **lists)


if __name__ == "__main__":
    main()
