"""Cholesky's factorisation of a symmetric positive definite matrix by SciPy.

Usage: python cholesky.py (writes cholesky.json)
"""

import numpy as np
import scipy.linalg

from inputs import uniform, write

TILES, TILE = 6, 16
SIZE = TILES * TILE


def main():
    x = uniform(1200, SIZE * SIZE).astype(np.float64).reshape(SIZE, SIZE)
    a = (x + x.T) / 2 + 8 * np.eye(SIZE)
    factor = scipy.linalg.cholesky(a, lower=True)
    write("cholesky", diagonal=np.diag(factor), last_row=factor[-1], norm=[np.linalg.norm(factor)])


if __name__ == "__main__":
    main()
