"""Full-batch gradient descent on a deep network with the activation z / (1 + |z|), in NumPy.

Usage: python data_parallel.py (writes data_parallel.json)
"""

import numpy as np

from inputs import uniform, write

ROWS, WIDTH, LAYERS, STEPS, RATE = 32, 16, 4, 20, 0.05


def main():
    p = [2 * uniform(1300 + l, WIDTH * WIDTH).astype(np.float64).reshape(WIDTH, WIDTH) for l in range(LAYERS)]
    x = uniform(1310, ROWS * WIDTH).astype(np.float64).reshape(ROWS, WIDTH)
    t = uniform(1311, ROWS * WIDTH).astype(np.float64).reshape(ROWS, WIDTH)
    losses = []
    for _ in range(STEPS):
        act = [x]
        for w in p:
            z = act[-1] @ w.T
            act.append(z / (1 + np.abs(z)))
        losses.append(0.5 * np.sum((act[-1] - t) ** 2))
        delta = (act[-1] - t) * (1 - np.abs(act[-1])) ** 2
        for l in reversed(range(LAYERS)):
            gradient = delta.T @ act[l]
            delta = (delta @ p[l]) * (1 - np.abs(act[l])) ** 2
            p[l] = p[l] - RATE * gradient
    print(losses[0], losses[-1])
    write("data_parallel", first=p[0], last=p[-1])


if __name__ == "__main__":
    main()
