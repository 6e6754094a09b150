"""The solution of a 2-D Poisson problem by SciPy's direct solver.

Usage: python cg.py (writes cg.json)
"""

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from inputs import uniform, write

SIDE = 48


def main():
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(SIDE, SIDE))
    unit = scipy.sparse.identity(SIDE)
    matrix = (scipy.sparse.kron(line, unit) + scipy.sparse.kron(unit, line)).tocsc()
    b = uniform(10, SIDE * SIDE).astype(np.float64)
    x = scipy.sparse.linalg.spsolve(matrix, b)
    write("cg", every_97th=x[::97], norm=[np.linalg.norm(x)])


if __name__ == "__main__":
    main()
