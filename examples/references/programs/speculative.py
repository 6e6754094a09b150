"""What greedy decoding of a target model yields: speculative decoding must yield exactly the same.

The logits after token t at position p are row (5 t + p) mod WORDS of a matrix; the draft's matrix is the target's with noise.

Usage: python speculative.py (writes speculative.json)
"""

import numpy as np

from inputs import uniform, write

BATCH, WORDS, LENGTH, DRAFTED = 4, 48, 64, 3


def row_of(token, position):
    return (5 * token + position) % WORDS


def main():
    target = uniform(952, WORDS * WORDS).astype(np.float64).reshape(WORDS, WORDS)
    draft = target + 0.05 * uniform(953, WORDS * WORDS).astype(np.float64).reshape(WORDS, WORDS)
    for table in (target, draft):
        ordered = np.sort(table, axis=1)
        assert np.min(ordered[:, -1] - ordered[:, -2]) > 1e-5, "a tie: choose other weights"
    best, guess = np.argmax(target, axis=1), np.argmax(draft, axis=1)
    tokens, rounds = [], 0
    for first in range(BATCH):
        line = [first * 7]
        while len(line) < LENGTH:
            line.append(int(best[row_of(line[-1], len(line) - 1)]))
        tokens.append(line)
    # Rounds of draft-and-verify until every sequence is full, each advancing by the accepted guesses and one more.
    position = [0] * BATCH
    while min(position) < LENGTH - 1:
        rounds += 1
        for row in range(BATCH):
            accepted, token, at = 0, tokens[row][position[row]], position[row]
            while accepted < DRAFTED and guess[row_of(token, at)] == best[row_of(token, at)]:
                token, accepted, at = int(best[row_of(token, at)]), accepted + 1, at + 1
            position[row] = min(position[row] + accepted + 1, LENGTH - 1)
    write("speculative", tokens=tokens, rounds=[rounds])


if __name__ == "__main__":
    main()
