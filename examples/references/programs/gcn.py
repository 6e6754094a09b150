"""Two layers of a graph convolution by SciPy: h = relu(A h W).

Usage: python gcn.py (writes gcn.json)
"""

import numpy as np
import scipy.sparse

from inputs import uniform, write

WIDTH, LAYERS, LARGEST_DEGREE = 16, 2, 8


def graph(seed, nodes):
    """CSR: node i has 1 to 8 neighbours, drawn from the inputs."""
    degree = ((uniform(seed, nodes) + 0.5) * LARGEST_DEGREE).astype(int) + 1
    row = np.concatenate([[0], np.cumsum(degree)])
    column = np.minimum(((uniform(seed + 1, row[-1]) + 0.5) * nodes).astype(int), nodes - 1)
    return row, column


def run(seed, nodes):
    row, column = graph(seed, nodes)
    # Neighbours that are drawn twice count twice, as in the kernel.
    adjacency = scipy.sparse.csr_matrix((np.ones(len(column)), column, row), shape=(nodes, nodes))
    h = uniform(seed + 2, nodes * WIDTH).astype(np.float64).reshape(nodes, WIDTH)
    for layer in range(LAYERS):
        w = uniform(30 + layer, WIDTH * WIDTH).astype(np.float64).reshape(WIDTH, WIDTH)
        h = np.maximum(adjacency @ h @ w, 0.0)
    return h


def main():
    write("gcn", large=run(20, 300)[::10], small=run(24, 120)[::10])


if __name__ == "__main__":
    main()
