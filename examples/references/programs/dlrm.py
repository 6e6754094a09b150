"""The click probabilities of a small DLRM by NumPy: 26 embedding bags, a bottom layer, pairwise products, a top layer.

Usage: python dlrm.py (writes dlrm.json)
"""

import numpy as np

from inputs import uniform, write

TABLES, WIDTH, SAMPLES, DENSE, LARGEST_BAG = 26, 64, 48, 13, 4


def half(seed, *shape):
    """Half-precision numbers, in double precision."""
    return uniform(seed, int(np.prod(shape))).astype(np.float16).astype(np.float64).reshape(shape)


def bags(table, rows):
    """The rows that each sample looks up: 1 to 4."""
    counts = np.minimum(((uniform(400 + table, SAMPLES) + 0.5) * LARGEST_BAG).astype(int), LARGEST_BAG - 1) + 1
    offsets = np.concatenate([[0], np.cumsum(counts)])
    index = np.minimum(((uniform(450 + table, offsets[-1]) + 0.5) * rows).astype(int), rows - 1)
    return offsets, index


def main():
    parts = []
    for table in range(TABLES):
        rows = 50 + 7 * table
        weights = half(500 + table, rows, WIDTH)
        offsets, index = bags(table, rows)
        parts.append(np.stack([weights[index[a:b]].sum(axis=0) for a, b in zip(offsets, offsets[1:])]))
    dense = half(600, SAMPLES, DENSE)
    bottom = np.maximum(dense @ half(601, DENSE, WIDTH) + half(602, WIDTH), 0.0)
    vectors = np.stack(parts + [bottom], axis=1)
    products = vectors @ vectors.transpose(0, 2, 1)
    upper = np.triu_indices(TABLES + 1, 1)
    features = np.concatenate([products[:, upper[0], upper[1]], bottom], axis=1)
    top = features @ half(603, features.shape[1]) * 0.1
    write("dlrm", clicks=1.0 / (1.0 + np.exp(-top)))


if __name__ == "__main__":
    main()
